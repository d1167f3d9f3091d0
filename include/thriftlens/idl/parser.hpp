// parser: parses the declarations of an IDL text, with error recovery.
#pragma once

#include <thriftlens/core/nearest.hpp>
#include <thriftlens/idl/recovery.hpp>
#include <thriftlens/idl/skipped_names.hpp>
#include <thriftlens/idl/value_parser.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Parses a program in one pass. `to.source` must be set, be followed by a NUL byte and outlive `to`. Linear
/// in the text. After a syntax error the parser resumes at the next field, function or declaration.
class parser : private value_parser {
 public:
  THRIFTLENS_COLD parser(program& to, std::uint32_t index, const load_options& options, arena& memory,
                         findings& errors)
      : value_parser(to.source, index, options, memory, errors), to_(to), recovery_(*this) {}

  /// Adds the names of declarations skipped because of errors.
  THRIFTLENS_COLD void parse(skipped_names& skipped) {
    take_program_doc();
    while (!at(token_kind::end)) {
      const position from = token_.where;
      declares_ = true;
      declared_ = {};
      if (!parse_top()) {
        if (declares_) skipped.add(program_, declared_);
        recovery_.recover(from);
      }
      if (recovery_.take_swallowed()) skipped.add_unknown(program_);
    }
    take_all();
  }

 private:
  // Kind of a field list, which determines the allowed qualifiers of fields.
  enum class field_place : std::uint8_t { structure, union_, arguments };

  struct field_ids {
    std::int32_t lowest = (std::numeric_limits<std::int32_t>::max)();
    std::int32_t highest = (std::numeric_limits<std::int32_t>::min)();
    std::int32_t previous = 0;
    std::int32_t next_implicit = -1;
    bool sorted = true;  ///< ids are strictly monotonic, hence unique
    bool warned = false;
  };

  THRIFTLENS_COLD void take_all() {
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
  THRIFTLENS_COLD void take_program_doc() {
    if (current_keyword() >= keyword::include && current_keyword() <= keyword::old_namespace)
      to_.doc = take_doc();
  }

  [[nodiscard]] bool parse_top() {
    const keyword first = current_keyword();
    if (first >= keyword::include && first <= keyword::old_namespace) {
      declares_ = first == keyword::include;
      if (defined_) (void)reject("a definition", "headers precede all definitions", {});
      return parse_header(first);
    }
    doc_ = take_doc();
    if (!parse_definition(first)) return false;
    // Set only here: a header after a malformed definition may be valid.
    if (begins_declaration(first)) defined_ = true;
    return true;
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_definition(keyword first) {
    switch (first) {
      case keyword::const_:
        return parse_const_declaration();
      case keyword::typedef_:
        return parse_typedef();
      case keyword::enum_:
        return parse_enum();
      case keyword::senum:
        return reject("a definition", "senum is no longer part of the IDL, use an enum or constants", {});
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
  /// A `;` after a declaration is common in practice.
  [[nodiscard]] THRIFTLENS_COLD bool parse_stray() {
    if (!strict() && stray_allowed_ && at(token_kind::semicolon)) {
      advance();
      stray_allowed_ = false;
      return true;
    }
    declares_ = !at(token_kind::semicolon);
    return reject_definition();
  }
  [[nodiscard]] THRIFTLENS_COLD bool reject_definition() {
    if (token_.text == "interaction" || token_.text == "package" || token_.text == "hs_include") {
      return reject("a header or definition", "% is of the fbthrift dialect, which is not supported",
                    {quoted_arg(token_.text)});
    }
    thriftlens::detail::nearest_names nearest(token_.text);
    for (const std::string_view word :
         {"struct", "enum", "union", "exception", "service", "typedef", "const", "namespace", "include"})
      nearest.offer(word);
    const std::string advice = nearest.text();
    return reject("a header or definition", "%", {advice.empty() ? advice : advice.substr(2)});
  }
  [[nodiscard]] bool finish() noexcept { return stray_allowed_ = true; }
  /// Ends a declaration with its annotations.
  [[nodiscard]] bool finish(auto& node, auto& list) {
    if (!parse_annotations(node.annotations)) return false;
    list.push(node);
    return finish();
  }
  /// Ends a field, function or enum member.
  [[nodiscard]] bool finish_member(auto& node, auto& list) {
    if (!parse_annotations(node.annotations)) return false;
    list.push(node);
    skip_separator();
    return true;
  }
  /// Begins a declaration at its keyword.
  void start(auto& node) {
    node.doc = doc_;
    advance();
  }
  /// A bracketed list that is being parsed.
  struct member_list {
    member_kind kind;
    field_place context = field_place::structure;  ///< of fields and arguments
    bool damaged = false;                          ///< members were lost to errors
    field_ids ids{};
    std::int64_t next_value = 0;  ///< of an enum member

    [[nodiscard]] token_kind close() const noexcept {
      return kind == member_kind::argument ? token_kind::close_paren : token_kind::close_brace;
    }
  };
  /// Parses members in their brackets. False if the closing bracket seems to be missing.
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_members(member_list& list) {
    const bool is_argument = list.kind == member_kind::argument;
    if (!expect_open(is_argument ? token_kind::open_paren : token_kind::open_brace,
                     is_argument ? "'('" : "'{'"))
      return false;
    const brackets level = open_;
    while (!leave(list.close())) {
      const member_start from{token_.where, at_word() && first_on_line()};
      if (parse_member(list)) continue;
      list.damaged = true;
      if (!recovery_.recover_in_list(list.close(), list.kind, from, level)) return false;
    }
    return true;
  }
  [[nodiscard]] bool parse_member(member_list& list) {
    switch (list.kind) {
      case member_kind::enum_member:
        return parse_enum_member(list.next_value);
      case member_kind::function:
        return parse_function();
      default:
        return parse_field(list.ids, list.context);
    }
  }

  // ---- headers

  [[nodiscard]] THRIFTLENS_COLD bool parse_header(keyword first) {
    if (first == keyword::namespace_) return parse_namespace();
    if (first == keyword::old_namespace) return parse_old_namespace();
    advance();
    include node;
    if (!parse_include_path(node)) return false;
    if (first == keyword::cpp_include)
      cpp_includes_.push(node.path);
    else
      includes_.push(node);
    return finish();
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_include_path(include& node) {
    node.where = token_.where;
    if (!at(token_kind::string)) return reject("a string");
    const std::size_t errors = findings_.errors();
    node.path = take_string();
    node.prefix = program_name(node.path);
    return findings_.errors() == errors;
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_namespace() {
    const std::uint32_t line = token_.where.line;
    advance();
    namespace_ node;
    node.where = token_.where;
    if (!at(token_kind::star) && !at_name(line)) return reject("a language or '*'");
    if (at_word()) lexer_.extend_by_hyphens(token_);
    node.scope = token_.text;
    advance();
    return parse_namespace_name(node.name, line) && finish(node, namespaces_);
  }
  /// `php_namespace x` is `namespace php x`.
  [[nodiscard]] THRIFTLENS_COLD bool parse_old_namespace() {
    namespace_ node;
    node.where = token_.where;
    const std::uint32_t line = token_.where.line;
    node.scope = scope_of(token_.text);
    advance();
    if (!parse_namespace_name(node.name, line)) return false;
    namespaces_.push(node);
    return finish();
  }
  [[nodiscard]] THRIFTLENS_COLD static std::string_view scope_of(std::string_view header) noexcept {
    if (header == "smalltalk_category") return "smalltalk.category";
    if (header == "smalltalk_prefix") return "smalltalk.prefix";
    if (header == "ruby_namespace") return "rb";
    return header.starts_with("smalltalk") ? header : header.substr(0, header.find('_'));
  }
  /// A keyword on the next line begins the next declaration.
  [[nodiscard]] bool at_name(std::uint32_t line) const noexcept {
    return at_word() && (!reserved(current_keyword()) || (!strict() && token_.where.line == line));
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_namespace_name(std::string_view& to, std::uint32_t line) {
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
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_name(std::string_view& name, position& where,
                                                    const char* expected) {
    if (!at_word() || reserved(current_keyword())) return reject(expected);
    declared_ = token_.text;
    return parse_member_name(name, where, expected);
  }
  /// The name of a field, function or enum member: any word; in strict mode those that Apache's compiler
  /// accepts.
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_member_name(std::string_view& name, position& where,
                                                           const char* expected, bool is_field = false) {
    if (!at_word() || (strict() && reserved_by_apache(current_keyword(), token_.text, is_field)))
      return reject(expected);
    name = token_.text;
    where = token_.where;
    if (name.find('.') != std::string_view::npos) report_dotted_name(expected);
    advance();
    return true;
  }
  THRIFTLENS_COLD void report_dotted_name(std::string_view expected) {
    error("dotted-name", token_.where, "expected % without a dot, found %",
          {expected.substr(0, expected.find(" or ")), describe(token_)});
  }

  [[nodiscard]] THRIFTLENS_COLD bool parse_const_declaration() {
    const_ node;
    start(node);
    if (!parse_type(node.type) || !parse_name(node.name, node.where, "a constant's name")) return false;
    if (!expect(token_kind::equals, "'='") || !parse_value(node.value)) return false;
    if (strict()) {  // without annotations
      consts_.push(node);
      (void)finish();
    } else if (!finish(node, consts_)) {
      return false;
    }
    skip_separator();
    return true;
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_typedef() {
    typedef_ node;
    start(node);
    if (!parse_type(node.type) || !parse_name(node.name, node.where, "a typedef's name")) return false;
    if (!finish(node, typedefs_)) return false;
    skip_separator();
    return true;
  }
  /// Of a constant, or a default.
  [[nodiscard]] THRIFTLENS_COLD bool parse_value(const const_value*& to) {
    const_value value;
    if (!parse_const(value)) return false;
    to = memory_.make<const_value>(value);
    return true;
  }

  [[nodiscard]] THRIFTLENS_COLD bool parse_enum() {
    enum_ node;
    start(node);
    if (!parse_name(node.name, node.where, "an enum's name")) return false;
    const std::size_t mark = members_.mark();
    member_list list{member_kind::enum_member};
    const bool closed = parse_members(list);
    node.damaged = list.damaged;
    if (closed) node.members = members_.take(mark, memory_);
    members_.drop(mark);
    if (!closed) return false;
    return finish(node, enums_);
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_enum_member(std::int64_t& next) {
    enum_member node;
    if (at_word()) node.doc = take_doc();
    if (!parse_member_name(node.name, node.where, "an enum member or '}'")) return false;
    position value_where = node.where;
    if (accept(token_kind::equals)) {
      if (!at(token_kind::integer)) return reject("an integer");
      value_where = token_.where;
      next = take_integer().value_or(next);
    }
    node.value = take_value(next, node.name, value_where);
    return finish_member(node, members_);
  }

  /// Parses the value of a member; `next` is that of the following member.
  std::int32_t take_value(std::int64_t& next, std::string_view name, position where) {
    if (!std::in_range<std::int32_t>(next)) {
      error("enum-range", where, "the value % of % does not fit in i32", {next, quoted_arg(name)});
      next = 0;
    }
    return static_cast<std::int32_t>(next++);
  }

  [[nodiscard]] THRIFTLENS_COLD bool parse_struct(struct_kind kind) {
    struct_ node;
    node.kind = kind;
    start(node);
    const field_place context = kind == struct_kind::union_ ? field_place::union_ : field_place::structure;
    if (!parse_name(node.name, node.where, expected_name(kind))) return false;
    (void)accept(keyword::xsd_all);
    if (!parse_fields(node.fields, node.damaged, context)) return false;
    return finish(node, structs_);
  }

  [[nodiscard]] static const char* expected_name(struct_kind kind) noexcept {
    if (kind == struct_kind::union_) return "a union's name";
    return kind == struct_kind::struct_ ? "a struct's name" : "an exception's name";
  }

  [[nodiscard]] THRIFTLENS_COLD bool parse_service() {
    service node;
    start(node);
    if (!parse_name(node.name, node.where, "a service's name")) return false;
    if (accept(keyword::extends) && !parse_base(node)) return false;
    const std::size_t mark = functions_.mark();
    member_list list{member_kind::function};
    const bool closed = parse_members(list);
    if (closed) node.functions = functions_.take(mark, memory_);
    functions_.drop(mark);
    if (!closed) return false;
    return finish(node, services_);
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_base(service& node) {
    node.extends_where = token_.where;
    node.extends = token_.text;
    if (!at_word() || reserved(current_keyword())) return reject("a service's name");
    advance();
    return true;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_function() {
    function node;
    if (!at_word()) return reject("a function or '}'");
    node.doc = take_doc();
    node.oneway = accept(keyword::oneway) || accept(keyword::async);
    if (!parse_type(node.returns, true) || !parse_member_name(node.name, node.where, "a function's name"))
      return false;
    if (!parse_arguments(node.arguments)) return false;
    if (current_keyword() == keyword::throws && !parse_throws(node)) return false;
    if (!finish_member(node, functions_)) return false;
    check_oneway(node);
    return true;
  }
  void check_oneway(const function& node) {
    const type_ref& type = node.returns;
    if (!node.oneway || (type.shape == type_ref::form::base && type.base == base_type::void_)) return;
    report_oneway("oneway-result", type.where, "expected void, found a result");
  }
  [[nodiscard]] THRIFTLENS_COLD bool parse_throws(function& node) {
    const position where = token_.where;
    advance();
    if (!parse_arguments(node.throws)) return false;
    if (node.oneway && !node.throws.empty())
      report_oneway("oneway-throws", where, "expected no exceptions, found 'throws'");
    return true;
  }
  THRIFTLENS_COLD void report_oneway(const char* kind, position where, const char* subject) {
    if (strict()) return error(kind, where, "%: a oneway function has no reply", {subject});
    warning(kind, where, "%: a oneway function has no reply, it is never sent", {subject});
  }
  [[nodiscard]] bool parse_arguments(std::span<field>& to) {
    bool damaged = false;
    return parse_fields(to, damaged, field_place::arguments);
  }

  // ---- fields

  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_fields(std::span<field>& to, bool& damaged,
                                                      field_place context) {
    const std::size_t mark = fields_.mark(), id_mark = id_places_.mark();
    member_list list{context == field_place::arguments ? member_kind::argument : member_kind::field, context};
    const bool closed = parse_members(list);
    damaged = list.damaged;
    if (closed && !list.ids.sorted) check_ids(fields_.since(mark), id_places_.since(id_mark));
    id_places_.drop(id_mark);
    if (closed) to = fields_.take(mark, memory_);
    fields_.drop(mark);
    return closed;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool parse_field(field_ids& ids, field_place context) {
    field node;
    position id_where = token_.where;
    if (!parse_field_start(node, id_where, context) || !parse_field_type(node, context)) return false;
    if (!node.explicit_id) id_where = node.where;
    if (accept(token_kind::equals) && !parse_value(node.default_value)) return false;
    if (!parse_xsd() || !parse_annotations(node.annotations)) return false;
    number(node, ids, id_where);
    fields_.push(node);
    id_places_.push(id_where);
    skip_separator();
    return true;
  }
  /// Its requiredness, type and name.
  [[nodiscard]] bool parse_field_type(field& node, field_place context) {
    parse_requiredness(node, context);
    if (context == field_place::union_) node.required = requiredness::optional;
    if (!parse_type(node.type)) return false;
    node.type.by_reference = accept(token_kind::ampersand);
    return parse_member_name(node.name, node.where, "a field's name", true);
  }
  /// Parses its doc comment and its optional id.
  [[nodiscard]] bool parse_field_start(field& node, position& id_where, field_place context) {
    if (at(token_kind::integer)) {
      node.doc = take_doc();
      node.explicit_id = true;
      return parse_field_id(node, id_where);
    }
    if (at(token_kind::real)) return fail_real_id();
    if (!at_word()) return reject(context == field_place::arguments ? "a field or ')'" : "a field or '}'");
    node.doc = take_doc();
    return true;
  }

  /// An id out of range is not checked for duplicates.
  [[nodiscard]] bool parse_field_id(field& node, position& where) {
    const std::optional<std::int64_t> id = take_integer();
    if (id && !std::in_range<std::int16_t>(*id)) {
      error("field-id-range", where, "expected a field id from -32768 to 32767, found %", {*id});
      where = {};
    }
    if (!id) where = {};
    node.id = static_cast<std::int16_t>(id.value_or(0));
    return expect(token_kind::colon, "':'");
  }
  /// In `1.5: i32 a` the unexpected token is the colon after a number that is not an id.
  [[nodiscard]] THRIFTLENS_COLD bool fail_real_id() {
    const token number = token_;
    const lexer saved = lexer_.ahead();
    advance();
    if (at(token_kind::colon)) {
      error("unexpected-token", token_.where, "expected an integer as field id before ':', found %",
            {describe(number)});
      silence();
      return false;
    }
    lexer_ = saved;
    token_ = number;
    return reject("a field");
  }
  [[nodiscard]] bool at_requiredness() const noexcept {
    return at_word() && (token_.text.front() == 'r' || token_.text.front() == 'o');
  }
  void parse_requiredness(field& node, field_place context) {
    const keyword first = at_requiredness() ? current_keyword() : keyword::none;
    if (first != keyword::required && first != keyword::optional) return;
    const position where = token_.where;
    advance();
    if (first == keyword::required) {
      node.required = requiredness::required;
    } else if (context != field_place::arguments) {
      node.required = requiredness::optional;
    } else {
      warning("optional-argument", where, "arguments and exceptions cannot be optional, the word is ignored");
    }
  }
  /// xsd_optional, xsd_nillable, xsd_attrs { fields }: parsed and ignored.
  [[nodiscard]] bool parse_xsd() {
    for (;;) {
      if (accept(keyword::xsd_optional) || accept(keyword::xsd_nillable)) continue;
      if (current_keyword() != keyword::xsd_attrs) return true;
      if (!skip_xsd_attributes()) return false;
    }
  }
  [[nodiscard]] THRIFTLENS_COLD bool skip_xsd_attributes() {
    std::span<field> ignored;
    bool damaged = false;
    const bool entered = deepen(xsd_depth_, "xsd_attrs");
    if (entered) advance();
    const bool parsed = entered && parse_fields(ignored, damaged, field_place::structure);
    --xsd_depth_;
    return parsed;
  }

  /// Sets the field's id and tracks whether ids are sorted.
  void number(field& node, field_ids& ids, position where) {
    if (!node.explicit_id) number_implicitly(node, ids, where);
    if (where.line == 0) return;
    const std::int32_t id = node.id;
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
  THRIFTLENS_COLD void number_implicitly(field& node, field_ids& ids, position where) {
    const bool upwards = options_.implicit_ids == implicit_ids::cloudwego;
    const std::int32_t id = upwards ? ids.previous + 1 : ids.next_implicit--;
    if (!ids.warned)
      warning("implicit-id", where, "the field % has no id and is numbered %", {quoted_arg(node.name), id});
    ids.warned = true;
    node.id = static_cast<std::int16_t>(id);
    if (node.id == id) return;
    error("field-id-range", where, "no id is left for the field %", {quoted_arg(node.name)});
    node.id = 0;
  }
  THRIFTLENS_COLD void check_ids(std::span<const field> fields, std::span<const position> places) {
    std::uint64_t seen[1024] = {};  // a bit for every id
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (places[i].line == 0) continue;
      const auto id = static_cast<std::uint16_t>(fields[i].id);
      const std::uint64_t bit = std::uint64_t{1} << id % 64;
      if ((seen[id / 64] & bit) != 0) report_duplicate_id(fields[i], places[i]);
      seen[id / 64] |= bit;
    }
  }
  THRIFTLENS_COLD void report_duplicate_id(const field& node, position where) {
    error("duplicate-field-id", where, "expected an id of its own for the field %, found % again",
          {quoted_arg(node.name), node.id});
  }

  program& to_;
  recovery recovery_;
  std::string_view doc_;
  std::string_view declared_;  ///< the name of the declaration being read
  bool declares_ = false;      ///< the construct being parsed declares a name
  bool defined_ = false;
  bool stray_allowed_ = false;
  std::uint32_t xsd_depth_ = 0;
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
