// const_resolver: constants and defaults brought to the types they are declared with.
// In: programs whose types are linked. Out: values without identifiers, in range, structs as field index and
// value. Never expands a reference by copying: the resolved items are shared.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/idl/lexer.hpp>
#include <thriftlens/idl/type_identity.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Linear in the values written; what references would expand to is counted and bounded.
class const_resolver {
 public:
  const_resolver(program_set& set, scope& names, const type_resolver& types, const load_options& options,
                 findings& to)
      : set_(set), names_(names), types_(types), identity_(types), options_(options), findings_(to) {}

  void run() {
    states_.resize(set_.programs.size());
    for (std::size_t i = 0; i < set_.programs.size(); ++i) states_[i].resize(set_.programs[i].consts.size());
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      const program& in = set_.programs[i];
      for (std::uint32_t each = 0; each < in.consts.size(); ++each) (void)resolve(i, each, 1);
      for (const struct_& each : in.structs) resolve_defaults(i, each.fields);
      for (const service& each : in.services) resolve_defaults(i, each);
    }
  }

 private:
  using form = const_value::form;

  enum class stage : std::uint8_t { fresh, busy, done, failed };
  /// Size of a value with its references expanded; count 0: it failed and was reported.
  struct extent {
    std::size_t count = 0;
    std::size_t bytes = 0;  ///< of its strings
    std::uint32_t height = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return count != 0; }
    void add(extent inner) noexcept {
      count += inner.count;
      bytes += inner.bytes;
      height = std::max(height, inner.height + 1);
    }
  };
  struct state {
    enum stage stage = stage::fresh;
    extent size;
  };
  static constexpr extent single{1, 0, 1};

  void resolve_defaults(std::uint32_t program, const service& in) {
    for (const function& call : in.functions) {
      resolve_defaults(program, call.arguments);
      resolve_defaults(program, call.throws);
    }
  }
  void resolve_defaults(std::uint32_t program, std::span<const field> fields) {
    for (const field& each : fields) {
      if (each.default_value == nullptr) continue;
      in_default_ = each.default_value->shape == form::integer;
      (void)coerce(open(*each.default_value), each.type, program, 1);
      in_default_ = false;
    }
  }
  const state& resolve(std::uint32_t program, std::uint32_t index, std::uint32_t level) {
    state& own = states_[program][index];
    if (own.stage != stage::fresh) return own;
    const const_& in = set_.programs[program].consts[index];
    own.stage = stage::busy;
    own.size = coerce(open(*in.value), in.type, program, level);
    own.stage = own.size ? stage::done : stage::failed;
    return own;
  }
  /// The parser made the nodes in the arena, where they are not constant.
  static const_value& open(const const_value& value) noexcept { return const_cast<const_value&>(value); }

  // ---- by wanted type

  /// Brings a value as written to `type`; names mean what they mean in `program`.
  extent coerce(const_value& value, const type_ref& type, std::uint32_t program, std::uint32_t level) {
    const type_ref* want = types_.see_through(type);
    if (want == nullptr || !spend(1, program, value.where)) return {};
    if (level > options_.limits.depth) return report_depth(program, value.where);
    if (value.shape == form::identifier) return coerce_name(value, *want, program, level);
    switch (want->shape) {
      case type_ref::form::base:
        return coerce_base(value, *want, program) ? scalar_extent(value) : extent{};
      case type_ref::form::list:
      case type_ref::form::set:
        return coerce_list(value, *want, program, level);
      case type_ref::form::map:
        return coerce_map(value, *want, program, level);
      case type_ref::form::name:
        break;
    }
    if (const struct_* in = types_.struct_of(*want)) return coerce_struct(value, *in, program, level);
    const bool good =
        coerce_integer(value, *want, program) && check_member(value, *types_.enum_of(*want), program);
    return good ? single : extent{};
  }
  [[nodiscard]] static extent scalar_extent(const const_value& value) noexcept {
    return {1, value.shape == form::string ? value.text.size() : 0, 1};
  }
  /// A number for an enum should be one of its members'.
  bool check_member(const const_value& value, const enum_& want, std::uint32_t program) {
    if (want.damaged || names_.has_value(want, value.integer)) return true;
    return tolerate(
        "enum-value", program, value.where,
        "expected a member of the enum " + in_quotes(want.name) + ", found " + std::to_string(value.integer));
  }
  /// An error in strict loads, else a warning.
  THRIFTLENS_COLD bool tolerate(std::string_view kind, std::uint32_t program, position where,
                                std::string message, std::string_view consequence = {}) {
    if (options_.mode == mode::strict) return error(kind, program, where, std::move(message));
    findings_.warning(kind, program, where, message.append(consequence));
    return true;
  }

  bool coerce_base(const_value& value, const type_ref& want, std::uint32_t program) {
    switch (want.base) {
      case base_type::bool_:
        return coerce_bool(value, want, program);
      case base_type::double_:
        return coerce_double(value, want, program);
      case base_type::string:
      case base_type::binary:
        return value.shape == form::string || mismatch(value, want, program);
      case base_type::uuid:
        return coerce_uuid(value, want, program);
      default:
        return coerce_integer(value, want, program);
    }
  }
  bool coerce_bool(const_value& value, const type_ref& want, std::uint32_t program) {
    if (value.shape != form::integer && value.shape != form::boolean) return mismatch(value, want, program);
    if (value.integer != 0 && value.integer != 1) {
      if (!tolerate("const-range", program, value.where,
                    "expected true, false, 1 or 0, found " + std::to_string(value.integer),
                    ", which is read as true"))
        return false;
      value.integer = 1;
    }
    value.shape = form::boolean;
    return true;
  }
  bool coerce_double(const_value& value, const type_ref& want, std::uint32_t program) {
    if (value.shape == form::integer) {
      value.shape = form::real;
      value.real = static_cast<double>(value.integer);
    }
    return value.shape == form::real || mismatch(value, want, program);
  }
  /// i8 … i64 and enums.
  bool coerce_integer(const_value& value, const type_ref& want, std::uint32_t program) {
    if (value.shape == form::real && options_.mode == mode::lenient && is_whole_exponent(value)) {
      value.shape = form::integer;
      value.integer = static_cast<std::int64_t>(value.real);
    }
    if (value.shape == form::boolean && want.shape == type_ref::form::base) value.shape = form::integer;
    if (value.shape != form::integer) return mismatch(value, want, program);
    const auto [lowest, highest] = range_of(want);
    if (value.integer >= lowest && value.integer <= highest) return true;
    const std::string message = "expected " + describe(want) + ", found " + std::to_string(value.integer) +
                                ", which is out of its range";
    // `byte b = 200` is how C++ people wrote a byte with that pattern.
    const bool has_pattern = highest <= 32767 && value.integer >= 0 && value.integer <= 2 * highest + 1;
    if (!in_default_ || !has_pattern) return error("const-range", program, value.where, message);
    return tolerate("const-range", program, value.where, message, " and wraps around");
  }
  /// `1e5` is an integer where one is wanted, `1.0` is not.
  [[nodiscard]] static bool is_whole_exponent(const const_value& value) noexcept {
    constexpr double bound = 9007199254740992.0;  // 2^53: up to there doubles are exact
    return value.text.find('.') == std::string_view::npos && std::abs(value.real) <= bound &&
           std::trunc(value.real) == value.real;
  }
  struct integer_range {
    std::int64_t lowest;
    std::int64_t highest;
  };
  [[nodiscard]] static integer_range range_of(const type_ref& want) noexcept {
    const base_type base = want.shape == type_ref::form::name ? base_type::i32 : want.base;
    const unsigned spare = base == base_type::i8    ? 56
                           : base == base_type::i16 ? 48
                           : base == base_type::i32 ? 32
                                                    : 0;
    const std::int64_t highest = std::numeric_limits<std::int64_t>::max() >> spare;
    return {-highest - 1, highest};
  }
  bool coerce_uuid(const_value& value, const type_ref& want, std::uint32_t program) {
    if (value.shape != form::string) return mismatch(value, want, program);
    std::string_view text = value.text;
    if (text.size() == 38 && text.front() == '{' && text.back() == '}') text = text.substr(1, 36);
    uuid_bytes unused;
    if (!parse_uuid(text, unused))
      return error("const-type", program, value.where,
                   "expected a UUID like 00000000-4444-CCCC-ffff-0123456789ab, found " + describe(value));
    value.text = text;
    return true;
  }

  extent coerce_list(const_value& value, const type_ref& want, std::uint32_t program, std::uint32_t level) {
    if (value.shape == form::map && value.items.empty()) value.shape = form::list;
    if (value.shape == form::list) return coerce_items(value, want, 1, program, level);
    mismatch(value, want, program);
    return {};
  }
  extent coerce_map(const_value& value, const type_ref& want, std::uint32_t program, std::uint32_t level) {
    if (value.shape != form::map) {
      mismatch(value, want, program);
      return {};
    }
    const extent size = coerce_items(value, want, 2, program, level);
    if (size) drop_duplicates(value, program);
    return size;
  }
  /// `parts`: of how many types they are in turn.
  extent coerce_items(const const_value& value, const type_ref& want, std::size_t parts,
                      std::uint32_t program, std::uint32_t level) {
    extent size = single;
    bool good = true;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const extent inner = coerce(open(value.items[i]), want.arguments[i % parts], program, level + 1);
      good = good && inner;
      size.add(inner);
    }
    return good ? size : extent{};
  }
  extent coerce_struct(const_value& value, const struct_& want, std::uint32_t program, std::uint32_t level) {
    if (value.shape != form::map) {
      error("const-type", program, value.where,
            "expected a constant of " + in_quotes(want.name) + " in braces, found " + describe(value));
      return {};
    }
    extent size = single;
    bool good = true;
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const std::uint32_t index = field_of(open(value.items[i]), want, program);
      if (index == name_table::none) {
        good = false;
        continue;
      }
      const extent inner = coerce(open(value.items[i + 1]), want.fields[index].type, program, level + 1);
      good = good && inner;
      size.add(inner);
    }
    value.shape = form::structure;
    if (good) drop_duplicates(value, program);
    return good ? size : extent{};
  }
  /// Turns a key of a struct constant into the field's index.
  std::uint32_t field_of(const_value& key, const struct_& in, std::uint32_t program) {
    type_ref string_type;
    string_type.base = base_type::string;
    string_type.name = "string";
    if (!coerce(key, string_type, program, 1)) return name_table::none;
    const std::uint32_t index = names_.find_field(in, key.text);
    if (index == name_table::none && in.damaged) return index;
    if (index == name_table::none) {
      error("const-field", program, key.where,
            "expected a field of " + in_quotes(in.name) + ", found " + in_quotes(key.text));
      return index;
    }
    key.shape = form::integer;
    key.integer = index;
    return index;
  }

  // ---- names

  extent coerce_name(const_value& value, const type_ref& want, std::uint32_t program, std::uint32_t level) {
    const found_name found = names_.find_const(program, value.text);
    if (found.ambiguous) {
      error("ambiguous-name", program, value.where,
            "the name " + in_quotes(value.text) + " stands in two included files of the same base name");
      return {};
    }
    if (found.what.kind == declaration_kind::const_) return refer(value, want, program, found.what, level);
    return coerce_member(value, want, program, found.excused);
  }
  /// A name that is no constant's: with its enum in front, or alone.
  extent coerce_member(const_value& value, const type_ref& want, std::uint32_t program, bool excused) {
    const std::size_t dot = value.text.rfind('.');
    const bool qualified = dot != std::string_view::npos;
    const enum_* named = nullptr;
    if (qualified) {
      const found_name type = names_.find_type(program, value.text.substr(0, dot));
      named = enum_behind(type.what);
      excused = excused || type.excused;
    }
    if (take_misnamed(value, want, program, named)) return single;
    if (named != nullptr)
      return take_member(value, want, program, *named, value.text.substr(dot + 1)) ? single : extent{};
    if (!qualified && take_unqualified(value, want)) return single;
    const enum_* expected = types_.enum_of(want);
    if (!excused && (expected == nullptr || !expected->damaged)) report_unknown(value, want, program);
    return {};
  }
  extent refer(const_value& value, const type_ref& want, std::uint32_t program, declaration_ref to,
               std::uint32_t level) {
    const const_& target = set_.programs[to.program].consts[to.index];
    const state& known = resolve(to.program, to.index, level + 1);
    if (known.stage == stage::busy) {
      error("const-cycle", program, value.where,
            "the constant " + in_quotes(target.name) + " is made of itself");
      return {};
    }
    if (known.stage == stage::failed || !spend(known.size.count, program, value.where)) return {};
    if (!repeat(known.size.bytes, program, value.where)) return {};
    if (known.size.height + level > options_.limits.depth) return report_depth(program, value.where);
    if (!take(value, target, want, program)) return {};
    return {known.size.count, known.size.bytes, known.size.height + 1};
  }
  /// The constant's value, brought to the type that is expected here.
  bool take(const_value& value, const const_& from, const type_ref& want, std::uint32_t program) {
    const position where = value.where;
    value = *from.value;
    value.where = where;
    const type_ref* had = types_.see_through(from.type);
    return had != nullptr && convert(value, *had, want, program, where);
  }
  [[nodiscard]] const enum_* enum_behind(declaration_ref what) const noexcept {
    type_ref named;
    named.shape = type_ref::form::name;
    named.target = what;
    const type_ref* type = types_.see_through(named);
    return type != nullptr ? types_.enum_of(*type) : nullptr;
  }
  bool take_member(const_value& value, const type_ref& want, std::uint32_t program, const enum_& in,
                   std::string_view name) {
    const std::uint32_t index = names_.find_member(in, name);
    if (index == name_table::none && in.damaged) return false;
    if (index == name_table::none) {
      return error("undefined-const", program, value.where,
                   "the enum " + in_quotes(in.name) + " has no member " + in_quotes(name));
    }
    if (types_.enum_of(want) != &in && !is_integer(want))
      return report_foreign_member(value, want, program, in, index);
    return take(value, in, index) && coerce_integer(value, want, program);
  }
  /// The expected enum may have a member of that name, too, but with another number.
  THRIFTLENS_COLD bool report_foreign_member(const const_value& value, const type_ref& want,
                                             std::uint32_t program, const enum_& in, std::uint32_t index) {
    std::string message = "expected " + describe(want) + ", found a member of the enum " + in_quotes(in.name);
    const enum_* expected = types_.enum_of(want);
    const std::string_view name = in.members[index].name;
    const std::uint32_t own = expected == nullptr ? name_table::none : names_.find_member(*expected, name);
    if (own != name_table::none) {
      message += ", whose " + in_quotes(name) + " is " + std::to_string(in.members[index].value) + ", not " +
                 std::to_string(expected->members[own].value);
    }
    return error("const-type", program, value.where, std::move(message));
  }
  /// A member of the expected enum behind a qualifier that is not quite its enum: the enum's name without its
  /// file, the file without the enum, an enum without such a member, or one whose member has the same number.
  /// The Apache compiler looks at the last part only.
  bool take_misnamed(const_value& value, const type_ref& want, std::uint32_t program, const enum_* named) {
    const enum_* in = types_.enum_of(want);
    const std::size_t dot = value.text.rfind('.');
    if (in == nullptr || in == named || dot == std::string_view::npos) return false;
    const std::string_view qualifier = value.text.substr(0, dot), member = value.text.substr(dot + 1);
    const std::uint32_t index = names_.find_member(*in, member);
    if (index == name_table::none) return false;
    if (named == nullptr && qualifier != in->name && !names_.is_prefix(program, qualifier)) return false;
    if (named != nullptr && has_other_value(*named, member, in->members[index].value)) return false;
    report_misnamed(value, program, in->name, member);
    return take(value, *in, index);
  }
  THRIFTLENS_COLD void report_misnamed(const const_value& value, std::uint32_t program, std::string_view in,
                                       std::string_view member) {
    findings_.warning("enum-qualifier", program, value.where,
                      "expected a member of the enum " + in_quotes(in) + ", found " + in_quotes(value.text) +
                          ", which is read as " + in_quotes(std::string(in) + '.' + std::string(member)));
  }
  [[nodiscard]] bool has_other_value(const enum_& in, std::string_view member, std::int32_t value) {
    const std::uint32_t index = names_.find_member(in, member);
    return index != name_table::none && in.members[index].value != value;
  }
  static bool take(const_value& value, const enum_& in, std::uint32_t member) noexcept {
    value.shape = form::integer;
    value.integer = in.members[member].value;
    return true;
  }
  /// A member's bare name is enough where its enum is expected.
  bool take_unqualified(const_value& value, const type_ref& want) {
    const enum_* in = types_.enum_of(want);
    if (in == nullptr || options_.mode == mode::strict) return false;
    const std::uint32_t index = names_.find_member(*in, value.text);
    return index != name_table::none && take(value, *in, index);
  }
  THRIFTLENS_COLD void report_unknown(const const_value& value, const type_ref& want, std::uint32_t program) {
    std::string message =
        "expected a constant or enum member, found the unknown name " + in_quotes(value.text);
    const enum_* in = types_.enum_of(want);
    if (in != nullptr && names_.find_member(*in, value.text) != name_table::none) {
      message += "; write it as " + in_quotes(std::string(in->name) + '.' + std::string(value.text));
    }
    error("undefined-const", program, value.where, std::move(message));
  }

  // ---- a resolved value of one type where another is wanted

  bool convert(const_value& value, const type_ref& had, const type_ref& want, std::uint32_t program,
               position where) {
    if (identity_.same(had, want)) return true;
    value.where = where;
    const bool was_enum = types_.enum_of(had) != nullptr;
    if (is_scalar(want) && (!was_enum || is_integer(want))) {
      return want.shape == type_ref::form::base ? coerce_base(value, want, program)
                                                : coerce_integer(value, want, program);
    }
    const bool lists = is_list(want) && value.shape == form::list;
    const bool maps = want.shape == type_ref::form::map && had.shape == type_ref::form::map;
    if (lists || maps) return convert_items(value, had, want, program, where);
    return error("const-type", program, where,
                 "expected " + describe(want) + ", found a constant of " + describe(had));
  }
  bool convert_items(const_value& value, const type_ref& had, const type_ref& want, std::uint32_t program,
                     position where) {
    // Others may share the items.
    const std::span<const_value> items = set_.memory.copy(std::span<const const_value>(value.items));
    value.items = items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t part = want.shape == type_ref::form::map ? i % 2 : 0;
      const type_ref* from = types_.see_through(had.arguments[part]);
      const type_ref* to = types_.see_through(want.arguments[part]);
      if (from == nullptr || to == nullptr || !convert(items[i], *from, *to, program, where)) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_scalar(const type_ref& type) const noexcept {
    return type.shape == type_ref::form::base || types_.enum_of(type) != nullptr;
  }
  [[nodiscard]] static bool is_list(const type_ref& type) noexcept {
    return type.shape == type_ref::form::list || type.shape == type_ref::form::set;
  }
  [[nodiscard]] static bool is_integer(const type_ref& type) noexcept {
    return type.shape == type_ref::form::base && type.base >= base_type::i8 && type.base <= base_type::i64;
  }

  // ---- duplicate keys

  /// The last value of a key wins and takes the place of the first.
  void drop_duplicates(const_value& value, std::uint32_t program) {
    const std::size_t pairs = value.items.size() / 2;
    if (pairs < 2) return;
    buckets_.assign(std::bit_ceil(pairs * 2), 0);
    auto* items = &open(value.items.front());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      std::uint32_t& bucket = bucket_of(items, items[2 * i]);
      if (bucket != 0)
        findings_.warning("duplicate-key", program, items[2 * i].where,
                          "the key stands twice, the last value counts");
      else
        bucket = static_cast<std::uint32_t>(++kept);
      move_pair(items, i, bucket - 1);
    }
    value.items = value.items.first(2 * kept);
  }
  static void move_pair(const_value* items, std::size_t from, std::size_t to) {
    if (from == to) return;
    items[2 * to] = items[2 * from];
    items[2 * to + 1] = items[2 * from + 1];
  }
  /// Holds 1 + the pair that has the key, or 0.
  [[nodiscard]] std::uint32_t& bucket_of(const const_value* items, const const_value& key) noexcept {
    std::size_t at = hash(key) & (buckets_.size() - 1);
    while (buckets_[at] != 0 && !equal(items[2 * (buckets_[at] - 1)], key))
      at = (at + 1) & (buckets_.size() - 1);
    return buckets_[at];
  }
  [[nodiscard]] std::uint64_t hash(const const_value& value) const noexcept {
    std::uint64_t sum = static_cast<std::uint64_t>(value.shape) + 1;
    if (value.shape == form::real)
      sum ^= std::bit_cast<std::uint64_t>(value.real + 0.0);
    else if (value.shape == form::string)
      sum ^= hash_text(value.text, seed());
    else if (value.shape == form::integer || value.shape == form::boolean)
      sum ^= static_cast<std::uint64_t>(value.integer) ^ seed();
    else
      for (const const_value& each : value.items) sum = mix(sum, hash(each) ^ seed());
    return thriftlens::detail::fold(sum ^ odd, 0xE7037ED1A0B428DBu);
  }
  static constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
  [[nodiscard]] static std::uint64_t mix(std::uint64_t sum, std::uint64_t next) noexcept {
    return thriftlens::detail::fold(sum ^ odd, next);
  }
  [[nodiscard]] static bool equal(const const_value& left, const const_value& right) noexcept {
    if (left.shape != right.shape || left.items.size() != right.items.size()) return false;
    switch (left.shape) {
      case form::real:
        return !(left.real < right.real) && !(right.real < left.real);
      case form::string:
        return left.text == right.text;
      case form::integer:
      case form::boolean:
        return left.integer == right.integer;
      default:
        return std::equal(left.items.begin(), left.items.end(), right.items.begin(), equal);
    }
  }
  [[nodiscard]] std::uint64_t seed() const noexcept {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&set_));
  }

  // ---- reports

  /// Counts values against their limit.
  bool spend(std::size_t count, std::uint32_t program, position where) {
    return charge(spent_, count, options_.limits.const_values, " values", program, where);
  }
  /// Counts the strings that references repeat.
  bool repeat(std::size_t bytes, std::uint32_t program, position where) {
    return charge(repeated_, bytes, options_.limits.const_bytes, " bytes of repeated strings", program,
                  where);
  }
  /// False from the moment the limit is passed; that is reported once.
  bool charge(std::size_t& used, std::size_t count, std::size_t limit, std::string_view what,
              std::uint32_t program, position where) {
    if (used > limit) return false;
    used += count;
    if (used <= limit) return true;
    return error("const-limit", program, where,
                 "constants and defaults make more than " + std::to_string(limit) + std::string(what));
  }
  THRIFTLENS_COLD extent report_depth(std::uint32_t program, position where) {
    error("depth-limit", program, where,
          "constants are nested deeper than " + std::to_string(options_.limits.depth) + " levels");
    return {};
  }
  THRIFTLENS_COLD bool mismatch(const const_value& value, const type_ref& want, std::uint32_t program) {
    return error("const-type", program, value.where,
                 "expected " + describe(want) + ", found " + describe(value));
  }
  THRIFTLENS_COLD bool error(std::string_view kind, std::uint32_t program, position where,
                             std::string message) {
    findings_.error(kind, program, where, std::move(message));
    return false;
  }
  [[nodiscard]] static std::string describe(const type_ref& type) {
    switch (type.shape) {
      case type_ref::form::list:
        return "a list";
      case type_ref::form::set:
        return "a set";
      case type_ref::form::map:
        return "a map";
      case type_ref::form::name:
        return (type.target.kind == declaration_kind::enum_ ? "the enum " : "the struct ") +
               in_quotes(type.name);
      default:
        return std::string(type.name);
    }
  }
  [[nodiscard]] static std::string describe(const const_value& value) {
    switch (value.shape) {
      case form::integer:
        return "the integer " + std::to_string(value.integer);
      case form::real:
        return "a number with a fraction or exponent";
      case form::string:
        return "the string " + in_quotes(value.text);
      case form::boolean:
        return value.integer != 0 ? "true" : "false";
      case form::list:
        return "a list";
      case form::map:
        return "a map";
      default:
        return "a constant of another type";
    }
  }

  program_set& set_;
  scope& names_;
  const type_resolver& types_;
  type_identity identity_;
  const load_options& options_;
  findings& findings_;
  std::size_t spent_ = 0;
  std::size_t repeated_ = 0;
  bool in_default_ = false;  ///< a field's own default, an integer as written
  std::vector<std::vector<state>> states_;
  std::vector<std::uint32_t> buckets_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
