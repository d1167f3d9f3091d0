// value_parser: parses parts of declarations: annotations, types, constant values.
#pragma once

#include <thriftlens/idl/scratch.hpp>
#include <thriftlens/idl/token_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Functions return false after reporting a syntax error at the current token.
class value_parser : public token_stream {
 protected:
  using token_stream::token_stream;
  ~value_parser() = default;

  /// `( key = "value", key, … )`, if there.
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_annotations(std::span<const annotation>& to) {
    return !at(token_kind::open_paren) || parse_annotations_since(to, annotations_.mark());
  }

  /// A type with its annotations; `void` only for results of functions.
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_type(type_ref& to, bool void_allowed = false) {
    to.where = token_.where;
    if (!at_word()) return reject("a type");
    const std::size_t mark = annotations_.mark();
    if (!parse_type_name(to, void_allowed)) return false;
    if (at(token_kind::open_paren)) return parse_annotations_since(to.annotations, mark);
    to.annotations = annotations_.take(mark, memory_);
    return true;
  }

  /// Any constant; ignores annotations.
  [[nodiscard]] THRIFTLENS_COLD bool parse_const(const_value& to) {
    to.where = token_.where;
    if (++const_values_ > options_.limits.const_values) return too_many_values();
    switch (token_.kind) {
      case token_kind::integer:
        return parse_integer_const(to);
      case token_kind::real:
        return parse_real_const(to);
      case token_kind::string:
        return parse_string_const(to);
      case token_kind::identifier:
        return parse_word_const(to);
      case token_kind::open_bracket:
        return parse_list_const(to);
      case token_kind::open_brace:
        return parse_map_const(to);
      default:
        return reject("a constant value");
    }
  }

  /// Enters a nested construct; `depth` is the number of open levels. False if they are too many.
  [[nodiscard]] bool deepen(std::uint32_t& depth, const char* subject) {
    return ++depth < options_.limits.depth || too_deep(subject);
  }

 private:
  [[nodiscard]] bool parse_type_name(type_ref& to, bool void_allowed) {
    const keyword name_keyword = find_keyword(token_.text);
    to.name = token_.text;
    to.base = base_of(name_keyword);
    if (name_keyword == keyword::list || name_keyword == keyword::set || name_keyword == keyword::map)
      return parse_container(to, name_keyword);
    const bool is_base = to.base != base_type::void_ || (name_keyword == keyword::void_ && void_allowed);
    if (!is_base && reserved(name_keyword)) return reject("a type");
    if (!is_base) to.shape = type_ref::form::name;
    advance();
    return is_base || !at(token_kind::less) || fail_arguments();
  }
  /// Reports type arguments after a name that takes none.
  THRIFTLENS_COLD bool fail_arguments() {
    return reject("a name", "only list, set and map hold types; stream and sink are of the fbthrift dialect",
                  {});
  }
  /// Annotations up to the closing parenthesis, after those pushed since the mark.
  [[nodiscard]] THRIFTLENS_COLD bool parse_annotations_since(std::span<const annotation>& to,
                                                             std::size_t mark) {
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
    annotation entry;
    entry.where = token_.where;
    entry.value = "1";
    if (!at_word()) return reject("an annotation or ')'");
    lexer_.extend_by_hyphens(token_);
    entry.key = token_.text;
    advance();
    if (accept(token_kind::equals)) {
      if (!at(token_kind::string)) return reject("a string");
      entry.value = take_string();
    }
    annotations_.push(entry);
    skip_separator();
    return true;
  }

  [[nodiscard]] static base_type base_of(keyword name) noexcept {
    switch (name) {
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

  [[nodiscard]] bool parse_container(type_ref& to, keyword container) {
    to.shape = container == keyword::map    ? type_ref::form::map
               : container == keyword::list ? type_ref::form::list
                                            : type_ref::form::set;
    const bool parsed = deepen(depth_, "types") && parse_container_parts(to);
    --depth_;
    return parsed;
  }
  [[nodiscard]] bool parse_container_parts(type_ref& to) {
    advance();
    return parse_cpp_type() && parse_type_arguments(to) && parse_cpp_type();
  }
  /// `<i32, string>`.
  [[nodiscard]] bool parse_type_arguments(type_ref& to) {
    if (!expect(token_kind::less, "'<'")) return false;
    ++open_.angles;
    type_ref arguments[2];
    const std::size_t count = to.shape == type_ref::form::map ? 2 : 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 && !expect(token_kind::comma, "','")) return false;
      if (!parse_type(arguments[i])) return false;
    }
    if (!expect(token_kind::greater, "'>'")) return false;
    --open_.angles;
    to.arguments = std::span<const type_ref>(memory_.copy(std::span<const type_ref>(arguments, count)));
    return true;
  }
  /// `cpp_type "name"`, which becomes an annotation of the container.
  [[nodiscard]] THRIFTLENS_COLD bool parse_cpp_type() {
    if (current_keyword() != keyword::cpp_type) return true;
    annotation entry;
    entry.where = token_.where;
    entry.key = token_.text;
    advance();
    if (!at(token_kind::string)) return reject("a string");
    entry.value = take_string();
    annotations_.push(entry);
    return true;
  }

  [[nodiscard]] bool parse_integer_const(const_value& to) {
    to.shape = const_value::form::integer;
    to.integer = take_integer().value_or(0);
    return true;
  }
  [[nodiscard]] bool parse_string_const(const_value& to) {
    to.shape = const_value::form::string;
    to.text = take_string();
    return true;
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_real_const(const_value& to) {
    to.shape = const_value::form::real;
    to.text = token_.text;
    std::optional<double> value = parse_real(token_.text);
    if (!value)
      error("number-range", token_.where, "the % is beyond the range of double", {describe(token_)});
    to.real = value.value_or(0);
    advance();
    return true;
  }
  [[nodiscard]] bool parse_word_const(const_value& to) {
    const keyword literal = find_keyword(token_.text);
    const bool is_bool = literal == keyword::true_ || literal == keyword::false_;
    if (reserved(literal) && !is_bool) return reject("a constant value");
    if (is_bool) {
      to.shape = const_value::form::boolean;
      to.integer = literal == keyword::true_ ? 1 : 0;
    } else {
      to.shape = const_value::form::identifier;
      to.text = token_.text;
    }
    advance();
    return true;
  }
  [[nodiscard]] bool parse_list_const(const_value& to) {
    to.shape = const_value::form::list;
    return parse_items(to, token_kind::close_bracket);
  }
  [[nodiscard]] bool parse_map_const(const_value& to) {
    to.shape = const_value::form::map;
    return parse_items(to, token_kind::close_brace);
  }
  /// Items or entries up to the closing bracket.
  [[nodiscard]] THRIFTLENS_COLD bool parse_items(const_value& to, token_kind close) {
    const std::size_t mark = values_.mark();
    const bool parsed = deepen(depth_, "constants") && push_items(close);
    --depth_;
    if (parsed)
      to.items = values_.take(mark, memory_);
    else
      values_.drop(mark);
    return parsed;
  }
  [[nodiscard]] THRIFTLENS_COLD bool push_items(token_kind close) {
    const bool is_map = close == token_kind::close_brace;
    enter();
    while (!leave(close)) {
      if (at(token_kind::end)) return reject(is_map ? "a constant value or '}'" : "a constant value or ']'");
      if (!parse_item() || (is_map && !(expect(token_kind::colon, "':'") && parse_item()))) return false;
      skip_separator();
    }
    return true;
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_item() {
    const_value item;
    std::span<const annotation> ignored;
    if (!parse_const(item) || (!strict() && !parse_annotations(ignored))) return false;
    values_.push(item);
    return true;
  }

  /// Ends the enclosing declaration like a syntax error, with its own message.
  THRIFTLENS_COLD bool too_deep(const char* subject) {
    error("depth-limit", token_.where, "% are nested deeper than % levels", {subject, options_.limits.depth});
    silence();
    return false;
  }
  THRIFTLENS_COLD bool too_many_values() {
    if (!counted_out_)
      error("const-limit", token_.where, "more than % constant values", {options_.limits.const_values});
    counted_out_ = true;
    silence();
    return false;
  }

  std::uint32_t depth_ = 0;  ///< containers, or constants, that are open
  std::size_t const_values_ = 0;
  bool counted_out_ = false;
  scratch<annotation> annotations_;
  scratch<const_value> values_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
