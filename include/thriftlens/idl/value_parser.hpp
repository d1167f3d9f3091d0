// value_parser: the parts that declarations are made of: annotations, types, constant values.
// In: tokens. Out: nodes in the arena, names unresolved.
// Never looks a name up, never recurses deeper than the depth limit.
#pragma once

#include <thriftlens/idl/scratch.hpp>
#include <thriftlens/idl/token_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Every bool function: false means that a syntax error was reported and the token at hand is the surprise.
class value_parser : public token_stream {
 protected:
  using token_stream::token_stream;
  ~value_parser() = default;

  /// `( key = "value", key, … )`, if there.
  [[nodiscard]] bool parse_annotations(std::span<const annotation>& to) {
    return !at(token_kind::open_paren) || parse_annotations_since(to, annotations_.mark());
  }

  /// A type with its annotations; `void` only for what functions return.
  [[nodiscard]] bool parse_type(type_ref& to, bool void_allowed = false, std::uint32_t depth = 1) {
    to.where = token_.where;
    if (!at_word()) return fail("a type");
    const std::size_t mark = annotations_.mark();
    if (!parse_type_name(to, void_allowed, depth)) return false;
    if (at(token_kind::open_paren)) return parse_annotations_since(to.annotations, mark);
    to.annotations = annotations_.take(mark, memory_);
    return true;
  }

  /// Any constant, with annotations passed over.
  [[nodiscard]] bool parse_const(const_value& to, std::uint32_t depth = 1) {
    to.where = token_.where;
    if (++const_values_ > options_.limits.const_values) return too_many_values();
    switch (token_.kind) {
      case token_kind::integer:
        to.shape = const_value::form::integer;
        to.integer = take_integer().value_or(0);
        return true;
      case token_kind::real:
        return parse_real_const(to);
      case token_kind::string:
        to.shape = const_value::form::string;
        to.text = take_string();
        return true;
      case token_kind::identifier:
        return parse_word_const(to);
      case token_kind::open_bracket:
        return parse_list_const(to, depth);
      case token_kind::open_brace:
        return parse_map_const(to, depth);
      default:
        return fail("a constant value");
    }
  }

 private:
  [[nodiscard]] bool parse_type_name(type_ref& to, bool void_allowed, std::uint32_t depth) {
    const keyword word = find_keyword(token_.text);
    if (word == keyword::list || word == keyword::set || word == keyword::map)
      return parse_container(to, word, depth);
    const base_type base = base_of(word);
    const bool is_base = base != base_type::void_ || (word == keyword::void_ && void_allowed);
    if (!is_base && reserved(word)) return fail("a type");
    if (is_base)
      to.base = base;
    else
      to.shape = type_ref::form::name;
    to.name = token_.text;
    advance();
    if (is_base || !at(token_kind::less)) return true;
    return fail("a name", "only list, set and map hold types; stream and sink are of the fbthrift dialect");
  }
  /// Together with what was pushed since the mark.
  [[nodiscard]] bool parse_annotations_since(std::span<const annotation>& to, std::size_t mark) {
    enter();
    while (!leave(token_kind::close_paren)) {
      if (parse_annotation()) continue;
      annotations_.drop(mark);
      return false;
    }
    to = annotations_.take(mark, memory_);
    return true;
  }
  [[nodiscard]] bool parse_annotation() {
    annotation each;
    each.where = token_.where;
    each.value = "1";
    if (!at_word()) return fail("an annotation or ')'");
    lexer_.extend_by_hyphens(token_);
    each.key = token_.text;
    advance();
    if (accept(token_kind::equals)) {
      if (!at(token_kind::string)) return fail("a string");
      each.value = take_string();
    }
    annotations_.push(each);
    skip_separator();
    return true;
  }

  [[nodiscard]] static base_type base_of(keyword word) noexcept {
    switch (word) {
      case keyword::bool_:
        return base_type::bool_;
      case keyword::byte:
      case keyword::i8:
        return base_type::i8;
      case keyword::i16:
        return base_type::i16;
      case keyword::i32:
        return base_type::i32;
      case keyword::i64:
        return base_type::i64;
      case keyword::double_:
        return base_type::double_;
      case keyword::string:
        return base_type::string;
      case keyword::binary:
        return base_type::binary;
      case keyword::uuid:
        return base_type::uuid;
      default:
        return base_type::void_;
    }
  }

  [[nodiscard]] bool parse_container(type_ref& to, keyword word, std::uint32_t depth) {
    if (depth >= options_.limits.depth) return too_deep("types");
    to.shape = word == keyword::map    ? type_ref::form::map
               : word == keyword::list ? type_ref::form::list
                                       : type_ref::form::set;
    to.name = token_.text;
    advance();
    if (!parse_cpp_type() || !expect(token_kind::less, "'<'")) return false;
    ++open_.angles;
    type_ref arguments[2];
    const std::size_t count = word == keyword::map ? 2 : 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 && !expect(token_kind::comma, "','")) return false;
      if (!parse_type(arguments[i], false, depth + 1)) return false;
    }
    if (!expect(token_kind::greater, "'>'")) return false;
    --open_.angles;
    to.arguments = memory_.copy(std::span<const type_ref>(arguments, count));
    return parse_cpp_type();
  }
  /// Becomes an annotation of the container.
  [[nodiscard]] bool parse_cpp_type() {
    if (word() != keyword::cpp_type) return true;
    annotation each;
    each.where = token_.where;
    each.key = token_.text;
    advance();
    if (!at(token_kind::string)) return fail("a string");
    each.value = take_string();
    annotations_.push(each);
    return true;
  }

  [[nodiscard]] bool parse_real_const(const_value& to) {
    to.shape = const_value::form::real;
    to.text = token_.text;
    std::optional<double> value = parse_real(token_.text);
    if (!value)
      error("number-range", token_.where,
            "the number " + describe_number() + " is beyond the range of double");
    to.real = value.value_or(0);
    advance();
    return true;
  }
  [[nodiscard]] bool parse_word_const(const_value& to) {
    const keyword word = find_keyword(token_.text);
    if (reserved(word) && word != keyword::true_ && word != keyword::false_) return fail("a constant value");
    if (word == keyword::true_ || word == keyword::false_) {
      to.shape = const_value::form::boolean;
      to.integer = word == keyword::true_ ? 1 : 0;
    } else {
      to.shape = const_value::form::identifier;
      to.text = token_.text;
    }
    advance();
    return true;
  }
  [[nodiscard]] bool parse_list_const(const_value& to, std::uint32_t depth) {
    to.shape = const_value::form::list;
    return parse_items(to, token_kind::close_bracket, "a constant value or ']'", depth,
                       [&] { return parse_item(depth); });
  }
  [[nodiscard]] bool parse_map_const(const_value& to, std::uint32_t depth) {
    to.shape = const_value::form::map;
    return parse_items(to, token_kind::close_brace, "a constant value or '}'", depth, [&] {
      return parse_item(depth) && expect(token_kind::colon, "':'") && parse_item(depth);
    });
  }
  [[nodiscard]] bool parse_items(const_value& to, token_kind close, const char* expected, std::uint32_t depth,
                                 auto parse_one) {
    if (depth >= options_.limits.depth) return too_deep("constants");
    enter();
    const std::size_t mark = values_.mark();
    while (!leave(close)) {
      if (at(token_kind::end) ? fail(expected) : parse_one()) {
        skip_separator();
        continue;
      }
      values_.drop(mark);
      return false;
    }
    to.items = values_.take(mark, memory_);
    return true;
  }
  [[nodiscard]] bool parse_item(std::uint32_t depth) {
    const_value item;
    std::span<const annotation> ignored;
    if (!parse_const(item, depth + 1) || !parse_annotations(ignored)) return false;
    values_.push(item);
    return true;
  }

  /// Ends the enclosing declaration like a syntax error, but says why.
  THRIFTLENS_COLD bool too_deep(std::string_view what) {
    error("depth-limit", token_.where,
          std::string(what) + " are nested deeper than " + std::to_string(options_.limits.depth) + " levels");
    silence();
    return false;
  }
  THRIFTLENS_COLD bool too_many_values() {
    if (!counted_out_) {
      error("const-limit", token_.where,
            "more than " + std::to_string(options_.limits.const_values) + " constant values");
    }
    counted_out_ = true;
    silence();
    return false;
  }

  std::size_t const_values_ = 0;
  bool counted_out_ = false;
  scratch<annotation> annotations_;
  scratch<const_value> values_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
