// parser: one IDL text to its declarations, going on after errors.
#pragma once

#include <thriftlens/idl/recovery.hpp>
#include <thriftlens/idl/skipped_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Reads a program once. `to.source` must be set, end in a NUL byte behind its end, and outlive `to`.
/// Linear in the text. After a syntax error the parser goes on at the next field, function or declaration.
class parser : private recovery {
 public:
  parser(program& to, std::uint32_t index, const load_options& options, arena& memory, findings& errors)
      : recovery(to.source, index, options, memory, errors), to_(to) {}

  /// The declarations that errors made the parser drop.
  [[nodiscard]] skipped_names parse() {
    take_program_doc();
    skipped_names skipped;
    while (!at(token_kind::end)) {
      const position from = token_.where;
      declares_ = true;
      declared_ = {};
      if (!parse_top()) {
        if (declares_) skipped.add(declared_);
        recover(from);
      }
      if (take_swallowed()) skipped.add_unknown();
    }
    skipped.finish();
    take_all();
    return skipped;
  }

 private:
  // A list of fields between brackets: what it is decides what a field may say.
  enum class field_place : std::uint8_t { structure, union_, arguments };

  void take_all() {
    to_.namespaces = namespaces_.take(0, memory_);
    to_.includes = includes_.take(0, memory_);
    to_.cpp_includes = cpp_includes_.take(0, memory_);
    to_.typedefs = typedefs_.take(0, memory_);
    to_.enums = enums_.take(0, memory_);
    to_.structs = structs_.take(0, memory_);
    to_.consts = consts_.take(0, memory_);
    to_.services = services_.take(0, memory_);
  }

  /// A header's comment belongs to the file.
  void take_program_doc() {
    if (word() >= keyword::include && word() <= keyword::old_namespace) to_.doc = take_doc();
  }

  [[nodiscard]] bool parse_top() {
    const keyword first = word();
    if (first >= keyword::include && first <= keyword::old_namespace) {
      declares_ = first == keyword::include;
      if (defined_) (void)reject("a definition", "headers stand before all definitions");
      return parse_header(first);
    }
    doc_ = take_doc();
    if (!parse_definition(first)) return false;
    // Not before: a header behind a broken definition may be where it belongs.
    if (begins_declaration(first)) defined_ = true;
    return true;
  }
  [[nodiscard]] bool parse_definition(keyword first) {
    switch (first) {
      case keyword::const_:
        return parse_const_declaration();
      case keyword::typedef_:
        return parse_typedef();
      case keyword::enum_:
        return parse_enum();
      case keyword::senum:
        return reject("a definition", "senum is no longer part of the IDL, use an enum or constants");
      case keyword::struct_:
        return parse_struct(struct_kind::struct_);
      case keyword::union_:
        return parse_struct(struct_kind::union_);
      case keyword::exception:
        return parse_struct(struct_kind::exception_);
      case keyword::service:
        return parse_service();
      default:
        return parse_stray();
    }
  }
  /// One `;` after a declaration is common in the wild.
  [[nodiscard]] bool parse_stray() {
    if (!strict() && stray_allowed_ && at(token_kind::semicolon)) {
      advance();
      stray_allowed_ = false;
      return true;
    }
    declares_ = !at(token_kind::semicolon);
    if (token_.text == "interaction" || token_.text == "package" || token_.text == "hs_include") {
      return reject("a header or definition", thriftlens::detail::in_quotes(token_.text) +
                                                  " is of the fbthrift dialect, which is not supported");
    }
    return reject("a header or definition");
  }
  [[nodiscard]] bool finish() noexcept { return stray_allowed_ = true; }
  /// Ends a declaration with its annotations.
  [[nodiscard]] bool finish(auto& each, auto& list) {
    if (!parse_annotations(each.annotations)) return false;
    list.push(each);
    return finish();
  }
  /// Ends a field, function or enum member likewise.
  [[nodiscard]] bool finish_member(auto& each, auto& list) {
    if (!parse_annotations(each.annotations)) return false;
    list.push(each);
    skip_separator();
    return true;
  }
  /// Begins a declaration at its keyword.
  void start(auto& each) {
    each.doc = doc_;
    advance();
  }
  /// Members up to the bracket that closes their list. False where that seems to be missing; `damaged` where
  /// members are.
  [[nodiscard]] bool parse_members(token_kind close, member_kind kind, bool& damaged, const auto& parse_one) {
    const brackets level = open_;
    while (!leave(close)) {
      const member_start from{token_.where, at_word() && first_on_line()};
      if (parse_one()) continue;
      damaged = true;
      if (!recover_in_list(close, kind, from, level)) return false;
    }
    return true;
  }

  /// A list in braces, into `to`; nothing where it is not closed.
  [[nodiscard]] bool parse_list(auto& made, auto& to, member_kind kind, bool& damaged,
                                const auto& parse_one) {
    if (!expect_open(token_kind::open_brace, "'{'")) return false;
    const std::size_t mark = made.mark();
    if (!parse_members(token_kind::close_brace, kind, damaged, parse_one)) {
      made.drop(mark);
      return false;
    }
    to = made.take(mark, memory_);
    return true;
  }

  // ---- headers

  [[nodiscard]] bool parse_header(keyword first) {
    if (first == keyword::namespace_) return parse_namespace();
    if (first == keyword::old_namespace) return parse_old_namespace();
    advance();
    include each;
    if (!parse_include_path(each)) return false;
    if (first == keyword::cpp_include)
      cpp_includes_.push(each.path);
    else
      includes_.push(each);
    return finish();
  }
  [[nodiscard]] bool parse_include_path(include& each) {
    each.where = token_.where;
    if (!at(token_kind::string)) return reject("a string");
    const std::size_t errors = findings_.errors();
    each.path = take_string();
    each.prefix = program_name(each.path);
    return findings_.errors() == errors;
  }
  [[nodiscard]] bool parse_namespace() {
    const std::uint32_t line = token_.where.line;
    advance();
    namespace_ each;
    each.where = token_.where;
    if (!at(token_kind::star) && !at_name(line)) return reject("a language or '*'");
    if (at_word()) lexer_.extend_by_hyphens(token_);
    each.scope = token_.text;
    advance();
    return parse_namespace_name(each.name, line) && finish(each, namespaces_);
  }
  /// `php_namespace x` is `namespace php x`.
  [[nodiscard]] bool parse_old_namespace() {
    namespace_ each;
    each.where = token_.where;
    const std::uint32_t line = token_.where.line;
    each.scope = scope_of(token_.text);
    advance();
    if (!parse_namespace_name(each.name, line)) return false;
    namespaces_.push(each);
    return finish();
  }
  [[nodiscard]] static std::string_view scope_of(std::string_view word) noexcept {
    if (word == "smalltalk_category") return "smalltalk.category";
    if (word == "smalltalk_prefix") return "smalltalk.prefix";
    if (word == "ruby_namespace") return "rb";
    return word.starts_with("smalltalk") ? word : word.substr(0, word.find('_'));
  }
  /// A keyword on the next line begins the next declaration, it does not name this.
  [[nodiscard]] bool at_name(std::uint32_t line) const noexcept {
    return at_word() && (!reserved(word()) || (!strict() && token_.where.line == line));
  }
  [[nodiscard]] bool parse_namespace_name(std::string_view& to, std::uint32_t line) {
    if (at(token_kind::string)) {
      to = take_string();
      return true;
    }
    if (!at_name(line)) return reject("a namespace name");
    lexer_.extend_by_hyphens(token_);
    to = token_.text;
    advance();
    return true;
  }

  // ---- declarations

  /// The name of a type, constant or service: not a reserved word.
  [[nodiscard]] bool parse_name(auto& each, std::string_view what) {
    if (!at_word() || reserved(word())) return reject(what);
    declared_ = token_.text;
    return parse_member_name(each, what);
  }
  /// The name of a field, function or enum member: any word; in strict mode what Apache's compiler takes.
  [[nodiscard]] bool parse_member_name(auto& each, std::string_view what) {
    constexpr bool is_field = std::is_same_v<decltype(each), field&>;
    if (!at_word() || (strict() && reserved_by_apache(word(), token_.text, is_field))) return reject(what);
    each.name = token_.text;
    each.where = token_.where;
    if (each.name.find('.') != std::string_view::npos) report_dotted_name(what);
    advance();
    return true;
  }
  THRIFTLENS_COLD void report_dotted_name(std::string_view what) {
    error("dotted-name", token_.where,
          "expected " + std::string(what.substr(0, what.find(" or "))) + " without a dot, found " +
              describe(token_));
  }

  [[nodiscard]] bool parse_const_declaration() {
    const_ each;
    start(each);
    if (!parse_type(each.type) || !parse_name(each, "a constant's name")) return false;
    if (!expect(token_kind::equals, "'='") || !parse_value(each.value)) return false;
    if (strict()) {  // without annotations
      consts_.push(each);
      (void)finish();
    } else if (!finish(each, consts_)) {
      return false;
    }
    skip_separator();
    return true;
  }
  [[nodiscard]] bool parse_typedef() {
    typedef_ each;
    start(each);
    if (!parse_type(each.type) || !parse_name(each, "a typedef's name")) return false;
    if (!finish(each, typedefs_)) return false;
    skip_separator();
    return true;
  }
  /// Of a constant, or a default.
  [[nodiscard]] bool parse_value(const const_value*& to) {
    const_value value;
    if (!parse_const(value)) return false;
    to = memory_.make<const_value>(value);
    return true;
  }

  [[nodiscard]] bool parse_enum() {
    enum_ each;
    start(each);
    if (!parse_name(each, "an enum's name")) return false;
    std::int64_t next = 0;
    if (!parse_list(members_, each.members, member_kind::enum_member, each.damaged,
                    [&] { return parse_enum_member(next); }))
      return false;
    return finish(each, enums_);
  }
  [[nodiscard]] bool parse_enum_member(std::int64_t& next) {
    enum_member each;
    if (at_word()) each.doc = take_doc();
    if (!parse_member_name(each, "an enum member or '}'")) return false;
    position value_where = each.where;
    if (accept(token_kind::equals)) {
      if (!at(token_kind::integer)) return reject("an integer");
      value_where = token_.where;
      next = take_integer().value_or(next);
    }
    each.value = take_value(next, each.name, value_where);
    return finish_member(each, members_);
  }

  /// The value of a member; `next` is that of the member after it.
  std::int32_t take_value(std::int64_t& next, std::string_view name, position where) {
    if (!std::in_range<std::int32_t>(next)) {
      error("enum-range", where,
            "the value " + std::to_string(next) + " of " + thriftlens::detail::in_quotes(name) +
                " does not fit in i32");
      next = 0;
    }
    return static_cast<std::int32_t>(next++);
  }

  [[nodiscard]] bool parse_struct(struct_kind kind) {
    struct_ each;
    each.kind = kind;
    start(each);
    const field_place place = kind == struct_kind::union_ ? field_place::union_ : field_place::structure;
    if (!parse_name(each, expected_name(kind))) return false;
    (void)accept(keyword::xsd_all);
    if (!parse_fields(each.fields, each.damaged, place)) return false;
    return finish(each, structs_);
  }

  [[nodiscard]] static std::string_view expected_name(struct_kind kind) noexcept {
    if (kind == struct_kind::union_) return "a union's name";
    return kind == struct_kind::struct_ ? "a struct's name" : "an exception's name";
  }

  [[nodiscard]] bool parse_service() {
    service each;
    start(each);
    if (!parse_name(each, "a service's name")) return false;
    if (accept(keyword::extends) && !parse_base(each)) return false;
    bool damaged = false;
    if (!parse_list(functions_, each.functions, member_kind::function, damaged,
                    [this] { return parse_function(); }))
      return false;
    return finish(each, services_);
  }
  [[nodiscard]] bool parse_base(service& each) {
    each.extends_where = token_.where;
    each.extends = token_.text;
    if (!at_word() || reserved(word())) return reject("a service's name");
    advance();
    return true;
  }
  [[nodiscard]] bool parse_function() {
    function each;
    if (!at_word()) return reject("a function or '}'");
    each.doc = take_doc();
    each.oneway = accept(keyword::oneway) || accept(keyword::async);
    if (!parse_type(each.returns, true) || !parse_member_name(each, "a function's name")) return false;
    if (!parse_arguments(each.arguments)) return false;
    if (word() == keyword::throws && !parse_throws(each)) return false;
    if (!finish_member(each, functions_)) return false;
    check_oneway(each);
    return true;
  }
  void check_oneway(const function& each) {
    const type_ref& type = each.returns;
    if (!each.oneway || (type.shape == type_ref::form::base && type.base == base_type::void_)) return;
    report_oneway("oneway-result", type.where, "expected void, found a result");
  }
  [[nodiscard]] bool parse_throws(function& each) {
    const position where = token_.where;
    advance();
    if (!parse_arguments(each.throws)) return false;
    if (each.oneway && !each.throws.empty())
      report_oneway("oneway-throws", where, "expected no exceptions, found 'throws'");
    return true;
  }
  THRIFTLENS_COLD void report_oneway(std::string_view kind, position where, std::string_view what) {
    if (strict()) return error(kind, where, std::string(what) + ": a oneway function has no reply");
    warning(kind, where, std::string(what) + ": a oneway function has no reply, it is never sent");
  }
  [[nodiscard]] bool parse_arguments(std::span<field>& to) {
    bool damaged = false;
    return parse_fields(to, damaged, field_place::arguments);
  }

  // ---- fields

  struct field_ids {
    std::int32_t lowest = (std::numeric_limits<std::int32_t>::max)();
    std::int32_t highest = (std::numeric_limits<std::int32_t>::min)();
    std::int32_t previous = 0;
    std::int32_t next_implicit = -1;
    bool sorted = true;  ///< each id beyond all before: then none is a duplicate
    bool warned = false;
  };

  /// In their brackets.
  [[nodiscard]] bool parse_fields(std::span<field>& to, bool& damaged, field_place place) {
    const std::size_t mark = fields_.mark(), id_mark = id_places_.mark();
    field_ids ids;
    const bool closed = parse_field_list(damaged, place, [&] { return parse_field(ids, place); });
    if (closed && !ids.sorted) check_ids(fields_.since(mark), id_places_.since(id_mark));
    id_places_.drop(id_mark);
    if (closed) to = fields_.take(mark, memory_);
    fields_.drop(mark);
    return closed;
  }
  [[nodiscard]] bool parse_field_list(bool& damaged, field_place place, const auto& parse_one) {
    if (place == field_place::arguments)
      return expect_open(token_kind::open_paren, "'('") &&
             parse_members(token_kind::close_paren, member_kind::argument, damaged, parse_one);
    return expect_open(token_kind::open_brace, "'{'") &&
           parse_members(token_kind::close_brace, member_kind::field, damaged, parse_one);
  }
  [[nodiscard]] bool parse_field(field_ids& ids, field_place place) {
    field each;
    position id_where = token_.where;
    if (!parse_field_start(each, id_where, place) || !parse_field_type(each, place)) return false;
    if (!each.explicit_id) id_where = each.where;
    if (accept(token_kind::equals) && !parse_value(each.default_value)) return false;
    if (!parse_xsd() || !parse_annotations(each.annotations)) return false;
    number(each, ids, id_where);
    fields_.push(each);
    id_places_.push(id_where);
    skip_separator();
    return true;
  }
  /// Its requiredness, type and name.
  [[nodiscard]] bool parse_field_type(field& each, field_place place) {
    parse_requiredness(each, place);
    if (place == field_place::union_) each.required = requiredness::optional;
    if (!parse_type(each.type)) return false;
    each.type.by_reference = accept(token_kind::ampersand);
    return parse_member_name(each, "a field's name");
  }
  /// Its doc comment, and its id if it is there.
  [[nodiscard]] bool parse_field_start(field& each, position& id_where, field_place place) {
    if (at(token_kind::integer)) {
      each.doc = take_doc();
      each.explicit_id = true;
      return parse_field_id(each, id_where);
    }
    if (at(token_kind::real)) return fail_real_id();
    if (!at_word()) return reject(place == field_place::arguments ? "a field or ')'" : "a field or '}'");
    each.doc = take_doc();
    return true;
  }

  /// An id out of range stands nowhere: it is not compared with others.
  [[nodiscard]] bool parse_field_id(field& each, position& where) {
    const std::optional<std::int64_t> id = take_integer();
    if (id && !std::in_range<std::int16_t>(*id)) {
      error("field-id-range", where,
            "expected a field id from -32768 to 32767, found " + std::to_string(*id));
      where = {};
    }
    if (!id) where = {};
    each.id = static_cast<std::int16_t>(id.value_or(0));
    return expect(token_kind::colon, "':'");
  }
  /// The surprise in `1.5: i32 a` is the colon after a number that is no id.
  [[nodiscard]] bool fail_real_id() {
    const token number = token_;
    const lexer before = lexer_.ahead();
    advance();
    if (at(token_kind::colon)) {
      error("unexpected-token", token_.where,
            "expected an integer as field id before ':', found " + describe(number));
      silence();
      return false;
    }
    lexer_ = before;
    token_ = number;
    return reject("a field");
  }
  [[nodiscard]] bool at_requiredness() const noexcept {
    return at_word() && (token_.text.front() == 'r' || token_.text.front() == 'o');
  }
  void parse_requiredness(field& each, field_place place) {
    const keyword first = at_requiredness() ? word() : keyword::none;
    if (first != keyword::required && first != keyword::optional) return;
    const position where = token_.where;
    advance();
    if (first == keyword::required) {
      each.required = requiredness::required;
    } else if (place != field_place::arguments) {
      each.required = requiredness::optional;
    } else {
      warning("optional-argument", where, "arguments and exceptions cannot be optional, the word is ignored");
    }
  }
  /// xsd_optional, xsd_nillable, xsd_attrs { fields }: read and forgotten.
  [[nodiscard]] bool parse_xsd() {
    for (;;) {
      if (accept(keyword::xsd_optional) || accept(keyword::xsd_nillable)) continue;
      if (word() != keyword::xsd_attrs) return true;
      if (!skip_xsd_attributes()) return false;
    }
  }
  [[nodiscard]] bool skip_xsd_attributes() {
    return parse_nested(xsd_depth_, "xsd_attrs", [&] {
      advance();
      std::span<field> ignored;
      bool damaged = false;
      return parse_fields(ignored, damaged, field_place::structure);
    });
  }

  /// Gives the field its id and notes whether ids stay sorted.
  void number(field& each, field_ids& ids, position where) {
    if (!each.explicit_id) number_implicitly(each, ids, where);
    if (where.line == 0) return;
    const std::int32_t id = each.id;
    if (id > ids.highest) {
      ids.highest = id;
      if (ids.lowest > id) ids.lowest = id;
    } else if (id < ids.lowest) {
      ids.lowest = id;
    } else {
      ids.sorted = false;
    }
    ids.previous = id;
  }
  void number_implicitly(field& each, field_ids& ids, position where) {
    const bool upwards = options_.implicit_ids == implicit_ids::cloudwego;
    const std::int32_t id = upwards ? ids.previous + 1 : ids.next_implicit--;
    if (!ids.warned)
      warning("implicit-id", where,
              "the field " + thriftlens::detail::in_quotes(each.name) + " has no id and is numbered " +
                  std::to_string(id));
    ids.warned = true;
    each.id = static_cast<std::int16_t>(id);
    if (each.id == id) return;
    error("field-id-range", where, "no id is left for the field " + thriftlens::detail::in_quotes(each.name));
    each.id = 0;
  }
  void check_ids(std::span<const field> fields, std::span<const position> places) {
    if (id_seen_.empty()) id_seen_.resize(65536);
    ++id_round_;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (places[i].line == 0) continue;
      std::uint32_t& seen = id_seen_[static_cast<std::uint16_t>(fields[i].id)];
      if (seen == id_round_) report_duplicate_id(fields[i], places[i]);
      seen = id_round_;
    }
  }
  THRIFTLENS_COLD void report_duplicate_id(const field& each, position where) {
    error("duplicate-field-id", where,
          "expected an id of its own for the field " + thriftlens::detail::in_quotes(each.name) + ", found " +
              std::to_string(each.id) + " again");
  }

  program& to_;
  std::string_view doc_;
  std::string_view declared_;  ///< the name of the declaration being read
  bool declares_ = false;      ///< what is being read gives a name to something
  bool defined_ = false;
  bool stray_allowed_ = false;
  std::uint32_t xsd_depth_ = 0;
  std::uint32_t id_round_ = 0;
  std::vector<std::uint32_t> id_seen_;
  scratch<field> fields_;
  scratch<position> id_places_;
  scratch<enum_member> members_;
  scratch<function> functions_;
  scratch<namespace_> namespaces_;
  scratch<include> includes_;
  scratch<std::string_view> cpp_includes_;
  scratch<typedef_> typedefs_;
  scratch<enum_> enums_;
  scratch<struct_> structs_;
  scratch<const_> consts_;
  scratch<service> services_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
