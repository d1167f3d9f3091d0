// const_resolver: converts constants and defaults to their declared types. References share the resolved
// items.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/idl/const_keys.hpp>
#include <thriftlens/idl/declaration_states.hpp>
#include <thriftlens/idl/describe_node.hpp>
#include <thriftlens/idl/type_identity.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Linear in the values as written; the size with references expanded is counted and limited.
class const_resolver {
 public:
  const_resolver(program_set& set, scope& names, const type_resolver& types, const load_options& options,
                 findings& to)
      : set_(set), names_(names), types_(types), identity_(types), options_(options), findings_(to) {}

  THRIFTLENS_COLD void run() {
    for (const program& loaded : set_.programs) states_.add_program(loaded.consts.size());
    for (program_ = 0; program_ < set_.programs.size(); ++program_) resolve_all(set_.programs[program_]);
  }

 private:
  using form = const_value::form;

  enum class stage : std::uint8_t { fresh, busy, resolved, failed };
  /// Size of a value with its references expanded; count 0: failed, with an error reported.
  struct extent {
    std::size_t count = 0;
    std::size_t bytes = 0;  ///< of its strings
    std::uint32_t height = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return count != 0; }
  };
  /// Result of a function that reported an error: false, or no extent.
  struct refusal {
    operator bool() const noexcept { return false; }  // NOLINT: implicit on purpose
    operator extent() const noexcept { return {}; }   // NOLINT: implicit on purpose
  };
  struct state {
    enum stage stage = stage::fresh;
    extent size;
  };
  static constexpr extent single{1, 0, 1};

  /// The size of a container or struct, from those of its parts.
  class extent_sum {
   public:
    void add(extent part) noexcept {
      sound_ = sound_ && part;
      sum_.count += part.count;
      sum_.bytes += part.bytes;
      sum_.height = thriftlens::detail::greatest(sum_.height, part.height + 1);
    }
    /// Empty if a part failed.
    [[nodiscard]] extent result() const noexcept { return sound_ ? sum_ : extent{}; }

   private:
    extent sum_ = single;
    bool sound_ = true;
  };
  /// Splits `Color.RED`; without a dot the qualifier is empty.
  struct qualified_name {
    explicit qualified_name(std::string_view text) noexcept {
      const std::size_t dot = text.rfind('.');
      if (dot != std::string_view::npos) qualifier = text.substr(0, dot);
      last = text.substr(dot + 1);  // npos + 1 is 0
    }
    std::string_view qualifier, last;
  };

  THRIFTLENS_COLD void resolve_all(const program& in) {
    for (std::uint32_t i = 0; i < in.consts.size(); ++i)
      (void)resolve({declaration_kind::const_, program_, i});
    for (const struct_& node : in.structs) resolve_defaults(node.fields);
    for (const service& node : in.services) {
      for (const function& call : node.functions) {
        resolve_defaults(call.arguments);
        resolve_defaults(call.throws);
      }
    }
  }
  THRIFTLENS_NOINLINE void resolve_defaults(std::span<const field> fields) {
    for (const field& member : fields) {
      if (member.default_value == nullptr) continue;
      if (strict()) check_declared(member.type, member.type.where);
      in_default_ = member.default_value->shape == form::integer;
      (void)coerce(open(*member.default_value), member.type);
      in_default_ = false;
    }
  }
  THRIFTLENS_COLD const state& resolve(const declaration_ref& of) {
    state& own = states_.at(of.program, of.index);
    if (own.stage != stage::fresh) return own;
    const const_& in = set_.programs[of.program].consts[of.index];
    own.stage = stage::busy;
    const std::uint32_t asking = std::exchange(program_, of.program);
    if (strict()) check_declared(in.type, in.type.where);
    own.size = coerce(open(*in.value), in.type);
    program_ = asking;
    own.stage = own.size ? stage::resolved : stage::failed;
    return own;
  }
  /// Safe: the parser created the nodes as mutable objects in the arena.
  static const_value& open(const const_value& value) noexcept { return const_cast<const_value&>(value); }

  // ---- by requested type

  /// Converts a value as written to `type`; names are resolved in program_.
  THRIFTLENS_COLD extent coerce(const_value& value, const type_ref& type) {
    const type_ref* want = types_.see_through(type);
    if (want == nullptr || !spend(1, value.where)) return {};
    ++level_;
    const extent size =
        level_ > options_.limits.depth ? report_depth(value.where) : coerce_resolved(value, *want);
    --level_;
    return size;
  }
  /// `want`: without typedefs.
  THRIFTLENS_COLD extent coerce_resolved(const_value& value, const type_ref& want) {
    if (value.shape == form::identifier) return coerce_name(value, want);
    if (is_list(want) || is_map(want)) return coerce_container(value, want);
    if (const struct_* in = types_.struct_of(want)) return coerce_struct(value, *in);
    if (!coerce_scalar(value, want) || !check_member(value, want)) return {};
    return {1, value.shape == form::string ? value.text.size() : 0, 1};
  }
  /// Checks that a number for an enum is one of its members.
  THRIFTLENS_COLD bool check_member(const const_value& value, const type_ref& want) {
    const enum_* in = types_.enum_of(want);
    if (in == nullptr || in->damaged || names_.has_value(*in, value.integer)) return true;
    return tolerate("enum-value", value.where, "expected a member of the enum %, found %",
                    {quoted_arg(in->name), value.integer});
  }
  /// An error in strict loads, else a warning.
  THRIFTLENS_COLD bool tolerate(const char* kind, position where, const char* text, message_args args) {
    if (strict()) return error(kind, where, text, args);
    findings_.warning(kind, program_, where, text, args);
    return true;
  }

  THRIFTLENS_COLD bool coerce_scalar(const_value& value, const type_ref& want) {
    if (want.shape != type_ref::form::base) return coerce_integer(value, want);
    switch (want.base) {
      case base_type::bool_:
        return coerce_bool(value, want);
      case base_type::double_:
        return coerce_double(value, want);
      case base_type::string:
      case base_type::binary:
        return value.shape == form::string || mismatch(value, want);
      case base_type::uuid:
        return coerce_uuid(value, want);
      default:
        return coerce_integer(value, want);
    }
  }
  THRIFTLENS_COLD bool coerce_bool(const_value& value, const type_ref& want) {
    if (value.shape != form::integer && value.shape != form::boolean) return mismatch(value, want);
    if (value.integer != 0 && value.integer != 1) {
      if (!tolerate("const-range", value.where, "expected true, false, 1 or 0, found %%",
                    {value.integer, strict() ? "" : ", which is read as true"}))
        return false;
      value.integer = 1;
    }
    value.shape = form::boolean;
    return true;
  }
  THRIFTLENS_COLD bool coerce_double(const_value& value, const type_ref& want) {
    if (value.shape == form::integer) {
      value.shape = form::real;
      value.real = static_cast<double>(value.integer);
    }
    return value.shape == form::real || mismatch(value, want);
  }
  /// i8 … i64 and enums.
  THRIFTLENS_COLD bool coerce_integer(const_value& value, const type_ref& want) {
    if (value.shape == form::real && options_.mode == mode::lenient && has_integer_value(value)) {
      value.shape = form::integer;
      value.integer = static_cast<std::int64_t>(value.real);
    }
    if (value.shape == form::boolean && want.shape == type_ref::form::base) value.shape = form::integer;
    return value.shape == form::integer ? check_range(value, want) : mismatch(value, want);
  }
  THRIFTLENS_COLD bool check_range(const const_value& value, const type_ref& want) {
    const std::int64_t highest = highest_of(want), lowest = -highest - 1;
    if (value.integer >= lowest && value.integer <= highest) return true;
    const bool wraps = in_default_ && is_pattern(value.integer, highest);
    const message_args args{describe(want), value.integer, wraps && !strict() ? " and wraps around" : ""};
    constexpr const char* text = "expected %, found %, which is out of its range%";
    if (!wraps) return error("const-range", value.where, text, args);
    return tolerate("const-range", value.where, text, args);
  }
  /// `byte b = 200` is a common notation for a byte with that pattern.
  [[nodiscard]] static bool is_pattern(std::int64_t value, std::int64_t highest) noexcept {
    return highest <= 32767 && value >= 0 && value <= 2 * highest + 1;
  }
  /// `1e5` is an integer where one is requested, `1.0` is not.
  [[nodiscard]] static bool has_integer_value(const const_value& value) noexcept {
    constexpr double bound = 9007199254740992.0;  // 2^53: up to there doubles are exact
    return value.text.find('.') == std::string_view::npos && std::abs(value.real) <= bound &&
           std::trunc(value.real) == value.real;
  }
  /// The largest integer of a base type or an enum.
  [[nodiscard]] static std::int64_t highest_of(const type_ref& want) noexcept {
    const base_type base = want.shape == type_ref::form::name ? base_type::i32 : want.base;
    if (base == base_type::i8) return (std::numeric_limits<std::int8_t>::max)();
    if (base == base_type::i16) return (std::numeric_limits<std::int16_t>::max)();
    if (base == base_type::i32) return (std::numeric_limits<std::int32_t>::max)();
    return (std::numeric_limits<std::int64_t>::max)();
  }
  THRIFTLENS_COLD bool coerce_uuid(const_value& value, const type_ref& want) {
    if (value.shape != form::string) return mismatch(value, want);
    std::string_view text = value.text;
    if (text.size() == 38 && text.front() == '{' && text.back() == '}') text = text.substr(1, 36);
    uuid_bytes unused;
    if (!thriftlens::detail::parse_uuid(text, unused))
      return error("const-type", value.where,
                   "expected a UUID like 00000000-4444-CCCC-ffff-0123456789ab, found %", {describe(value)});
    value.text = text;
    return true;
  }

  /// A list, set or map.
  THRIFTLENS_COLD extent coerce_container(const_value& value, const type_ref& want) {
    const form shape = is_map(want) ? form::map : form::list;
    const bool is_other = value.shape == (is_map(want) ? form::list : form::map);
    if (is_other && value.items.empty()) value.shape = shape;  // `{}` and `[]` are interchangeable
    if (value.shape != shape) return mismatch(value, want);
    extent_sum size;
    for (std::size_t i = 0; i < value.items.size(); ++i)
      size.add(coerce(open(value.items[i]), want.arguments[i % want.arguments.size()]));
    if (shape == form::map && size.result()) drop_duplicates(value);
    return size.result();
  }
  extent coerce_struct(const_value& value, const struct_& want) {
    if (value.shape != form::map) return report_no_struct(value, want);
    extent_sum size;
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2)
      size.add(coerce_field(open(value.items[i]), open(value.items[i + 1]), want));
    value.shape = form::structure;
    if (size.result()) drop_duplicates(value);
    return size.result();
  }
  /// Turns the key into the field's index.
  THRIFTLENS_COLD extent coerce_field(const_value& key, const_value& value, const struct_& in) {
    if (!coerce_field_name(key)) return {};
    const std::uint32_t index = names_.find_field(in, key.text);
    if (index != name_table::none) {
      key.shape = form::integer;
      key.integer = index;
      return coerce(value, in.fields[index].type);
    }
    if (in.damaged) return {};
    return error("const-field", key.where, "expected a field of %, found %",
                 {quoted_arg(in.name), quoted_arg(key.text)});
  }
  /// A string, or a string constant.
  bool coerce_field_name(const_value& key) {
    static constexpr type_ref text{.name = "string", .base = base_type::string};
    if (strict() && key.shape == form::identifier)
      return error("const-type", key.where,
                   "expected the name of a field as a string, found a constant's name");
    const std::uint32_t level = std::exchange(level_, 0u);  // it is not nested
    const bool named = static_cast<bool>(coerce(key, text));
    level_ = level;
    return named;
  }

  // ---- names

  THRIFTLENS_COLD extent coerce_name(const_value& value, const type_ref& want) {
    const lookup_result match = names_.find_const(program_, value.text);
    if (match.ambiguous)
      return error("ambiguous-name", value.where, "the name % is in two included files of the same base name",
                   {quoted_arg(value.text)});
    if (match.target.kind == declaration_kind::const_) return refer(value, want, match.target);
    return coerce_member(value, want, match.excused);
  }
  /// An enum member's name, qualified or alone.
  THRIFTLENS_COLD extent coerce_member(const_value& value, const type_ref& want, bool excused) {
    const qualified_name name(value.text);
    const bool is_qualified = !name.qualifier.empty();
    const lookup_result type = is_qualified ? names_.find_type(program_, name.qualifier) : lookup_result{};
    const enum_* named = enum_named_by(type.target);
    if (take_misnamed(value, want, named)) return single;
    if (named != nullptr && strict() && type.target.program == program_ &&
        value.where < position_of(type.target))
      return report_early(name.qualifier, value.where);
    if (named != nullptr) return take_member(value, want, *named) ? single : extent{};
    if (!is_qualified && take_unqualified(value, want)) return single;
    if (!excused && !type.excused) report_unknown(value, want);
    return {};
  }
  THRIFTLENS_COLD extent refer(const_value& value, const type_ref& want, const declaration_ref& to) {
    const const_& target = set_.programs[to.program].consts[to.index];
    if (strict() && !may_refer(value, want, target, to.program)) return {};
    const state& known = resolve(to);
    if (known.stage == stage::busy)
      return error("const-cycle", value.where, "the constant % refers to itself", {quoted_arg(target.name)});
    const extent& size = known.size;
    if (known.stage == stage::failed || !may_repeat(size, value.where)) return {};
    return take(value, target, want) ? extent{size.count, size.bytes, size.height + 1} : extent{};
  }
  // ---- strict mode: what Apache's compiler resolves during parsing

  [[nodiscard]] bool strict() const noexcept { return options_.mode == mode::strict; }
  /// Struct constants are copied at every use, and constants must be declared before use.
  THRIFTLENS_COLD bool may_refer(const const_value& value, const type_ref& want, const const_& target,
                                 std::uint32_t program) {
    if (program == program_ && value.where < target.where) return report_early(value.text, value.where);
    return types_.struct_of(want) == nullptr || report_no_struct(value, *types_.struct_of(want));
  }
  /// Types of constants and of fields with defaults must be declared before them.
  THRIFTLENS_COLD void check_declared(const type_ref& type, position use) {
    for (const type_ref& argument : type.arguments) check_declared(argument, use);
    if (type.shape != type_ref::form::name || type.target.program != program_) return;
    const position declared = position_of(type.target);
    if (use < declared) (void)report_early(type.name, type.where);
  }
  [[nodiscard]] position position_of(const declaration_ref& of) const noexcept {
    const program& in = set_.programs[of.program];
    if (of.kind == declaration_kind::typedef_) return in.typedefs[of.index].where;
    if (of.kind == declaration_kind::enum_) return in.enums[of.index].where;
    return of.kind == declaration_kind::struct_ ? in.structs[of.index].where : position{};
  }
  THRIFTLENS_COLD refusal report_early(std::string_view name, position where) {
    return error("used-before-declaration", where, "% is used before its declaration", {quoted_arg(name)});
  }

  /// Converts the constant's value to the expected type.
  bool take(const_value& value, const const_& from, const type_ref& want) {
    const position where = value.where;
    value = *from.value;
    value.where = where;
    return convert(value, from.type, want);
  }
  [[nodiscard]] const enum_* enum_named_by(const declaration_ref& declaration) const noexcept {
    type_ref named;
    named.shape = type_ref::form::name;
    named.target = declaration;
    const type_ref* type = types_.see_through(named);
    return type != nullptr ? types_.enum_of(*type) : nullptr;
  }
  /// `in`: the enum that the value's qualifier names.
  THRIFTLENS_COLD bool take_member(const_value& value, const type_ref& want, const enum_& in) {
    const std::string_view name = qualified_name(value.text).last;
    const std::uint32_t index = names_.find_member(in, name);
    if (index == name_table::none) return !in.damaged && report_no_member(value, in, name);
    if (types_.enum_of(want) != &in && !is_integer(want))
      return report_foreign_member(value, want, in, in.members[index]);
    return take(value, in, index) && coerce_integer(value, want);
  }
  THRIFTLENS_COLD bool report_no_member(const const_value& value, const enum_& in, std::string_view name) {
    return error("undefined-const", value.where, "the enum % has no member %",
                 {quoted_arg(in.name), quoted_arg(name)});
  }
  /// The expected enum may have a member of that name, too, but with another number.
  THRIFTLENS_COLD bool report_foreign_member(const const_value& value, const type_ref& want, const enum_& in,
                                             const enum_member& member) {
    const enum_* expected = types_.enum_of(want);
    const std::uint32_t own =
        expected != nullptr ? names_.find_member(*expected, member.name) : name_table::none;
    if (own == name_table::none)
      return error("const-type", value.where, "expected %, found a member of the enum %",
                   {describe(want), quoted_arg(in.name)});
    return error("const-type", value.where, "expected %, found a member of the enum %, whose % is %, not %",
                 {describe(want), quoted_arg(in.name), quoted_arg(member.name), member.value,
                  expected->members[own].value});
  }
  /// Accepts a member of the expected enum with an inexact qualifier: the enum without its file, the file
  /// without the enum, an enum without such a member, or one whose member has the same number. The Apache
  /// compiler checks only the last part.
  THRIFTLENS_COLD bool take_misnamed(const_value& value, const type_ref& want, const enum_* named) {
    const enum_* in = types_.enum_of(want);
    const qualified_name name(value.text);
    if (in == nullptr || in == named || name.qualifier.empty()) return false;
    const std::uint32_t index = names_.find_member(*in, name.last);
    if (index == name_table::none || !may_mean(*in, index, name, named)) return false;
    report_misnamed(value, in->name, name.last);
    return take(value, *in, index);
  }
  /// Whether a qualified name may mean that member of `in`. `named`: the enum that the qualifier names.
  [[nodiscard]] THRIFTLENS_COLD bool may_mean(const enum_& in, std::uint32_t member,
                                              const qualified_name& name, const enum_* named) {
    if (named == nullptr) return name.qualifier == in.name || names_.is_prefix(program_, name.qualifier);
    const std::uint32_t index = names_.find_member(*named, name.last);
    return index == name_table::none || named->members[index].value == in.members[member].value;
  }
  THRIFTLENS_COLD void report_misnamed(const const_value& value, std::string_view in,
                                       std::string_view member) {
    const std::string read_as = compose("%.%", {in, member});
    findings_.warning("enum-qualifier", program_, value.where,
                      "expected a member of the enum %, found %, which is read as %",
                      {quoted_arg(in), quoted_arg(value.text), quoted_arg(read_as)});
  }
  static bool take(const_value& value, const enum_& in, std::uint32_t member) noexcept {
    value.shape = form::integer;
    value.integer = in.members[member].value;
    return true;
  }
  /// An unqualified member name is sufficient if its enum is expected.
  THRIFTLENS_COLD bool take_unqualified(const_value& value, const type_ref& want) {
    const enum_* in = types_.enum_of(want);
    if (in == nullptr || strict()) return false;
    const std::uint32_t index = names_.find_member(*in, value.text);
    return index != name_table::none && take(value, *in, index);
  }
  THRIFTLENS_COLD void report_unknown(const const_value& value, const type_ref& want) {
    const enum_* in = types_.enum_of(want);
    if (in != nullptr && in->damaged) return;
    error("undefined-const", value.where, "expected a constant or enum member, found the unknown name %%",
          {quoted_arg(value.text), remedy(in, value.text)});
  }
  /// The end of the message for an unknown name.
  [[nodiscard]] THRIFTLENS_COLD std::string remedy(const enum_* in, std::string_view name) {
    if (in == nullptr || names_.find_member(*in, name) == name_table::none)
      return names_.suggest_const(program_, name);
    return compose("; write it as %", {quoted_arg(compose("%.%", {in->name, name}))});
  }

  // ---- a resolved value of one type where another is requested

  /// Also false if a type is unresolved.
  THRIFTLENS_NOINLINE bool convert(const_value& value, const type_ref& from, const type_ref& to) {
    const type_ref* had = types_.see_through(from);
    const type_ref* want = types_.see_through(to);
    if (had == nullptr || want == nullptr) return false;
    return identity_.same(*had, *want) || convert_other(value, *had, *want);
  }
  /// For types that differ.
  THRIFTLENS_COLD bool convert_other(const_value& value, const type_ref& had, const type_ref& want) {
    const bool was_enum = types_.enum_of(had) != nullptr;
    if (is_scalar(want) && (!was_enum || is_integer(want))) return coerce_scalar(value, want);
    const bool lists = is_list(want) && value.shape == form::list;
    if (lists || (is_map(want) && is_map(had))) return convert_items(value, had, want);
    return error("const-type", value.where, "expected %, found a constant of %",
                 {describe(want), describe(had)});
  }
  THRIFTLENS_COLD bool convert_items(const_value& value, const type_ref& had, const type_ref& want) {
    // The items may be shared.
    const auto items = set_.memory.copy(std::span<const const_value>(value.items));
    value.items = items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t part = i % want.arguments.size();
      items[i].where = value.where;
      if (!convert(items[i], had.arguments[part], want.arguments[part])) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_scalar(const type_ref& type) const noexcept {
    return type.shape == type_ref::form::base || types_.enum_of(type) != nullptr;
  }
  [[nodiscard]] static bool is_map(const type_ref& type) noexcept {
    return type.shape == type_ref::form::map;
  }
  [[nodiscard]] static bool is_list(const type_ref& type) noexcept {
    return type.shape == type_ref::form::list || type.shape == type_ref::form::set;
  }
  [[nodiscard]] static bool is_integer(const type_ref& type) noexcept {
    return type.shape == type_ref::form::base && type.base >= base_type::i8 && type.base <= base_type::i64;
  }

  // ---- duplicate keys

  void drop_duplicates(const_value& value) {
    for (const position where : keys_.drop_duplicates(value))
      findings_.warning("duplicate-key", program_, where, "duplicate key; the last value is used");
  }

  // ---- reports

  /// Counts values against their limit.
  bool spend(std::size_t count, position where) {
    return charge(spent_, count, options_.limits.const_values, where, " values");
  }
  /// Counts strings of references.
  bool repeat(std::size_t bytes, position where) {
    return charge(repeated_, bytes, options_.limits.const_bytes, where, " bytes of repeated strings");
  }
  /// Counts the value of a reference.
  bool may_repeat(const extent& size, position where) {
    if (!spend(size.count, where) || !repeat(size.bytes, where)) return false;
    return size.height + level_ <= options_.limits.depth || report_depth(where);
  }
  /// False if the limit is exceeded, which is reported once.
  THRIFTLENS_NOINLINE bool charge(std::size_t& used, std::size_t count, std::size_t limit, position where,
                                  std::string_view subject) {
    if (used > limit) return false;
    used += count;
    if (used <= limit) return true;
    return error("const-limit", where, "constants and defaults make more than %%", {limit, subject});
  }
  THRIFTLENS_COLD refusal report_depth(position where) {
    return error("depth-limit", where, "constants are nested deeper than % levels", {options_.limits.depth});
  }
  THRIFTLENS_COLD refusal report_no_struct(const const_value& value, const struct_& want) {
    return error("const-type", value.where, "expected a constant of % in braces, found %",
                 {quoted_arg(want.name), describe(value)});
  }
  THRIFTLENS_COLD refusal mismatch(const const_value& value, const type_ref& want) {
    return error("const-type", value.where, "expected %, found %", {describe(want), describe(value)});
  }
  THRIFTLENS_COLD refusal error(const char* kind, position where, const char* text, message_args args = {}) {
    findings_.error(kind, program_, where, text, args);
    return {};
  }

  program_set& set_;
  scope& names_;
  const type_resolver& types_;
  type_identity identity_;
  const load_options& options_;
  findings& findings_;
  std::uint32_t program_ = 0;  ///< whose names count
  std::uint32_t level_ = 0;    ///< nesting depth of the value being coerced
  std::size_t spent_ = 0;
  std::size_t repeated_ = 0;
  bool in_default_ = false;  ///< a field's own default, an integer as written
  declaration_states<state> states_;
  const_keys keys_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
