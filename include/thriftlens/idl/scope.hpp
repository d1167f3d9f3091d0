// scope: resolves names in a program: its own declarations and those of its includes.
#pragma once

#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/number_table.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/idl/declaration_states.hpp>
#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/name_table.hpp>
#include <thriftlens/idl/named_nodes.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/idl/skipped_names.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

struct lookup_result {
  declaration_ref target;  ///< kind none: not found
  bool ambiguous = false;  ///< two includes of the same prefix have it
  bool excused = false;    ///< may be missing because of a syntax error or a missing include: not reported
};

/// Suggested instead of an unknown type, with the types of the file.
inline constexpr std::string_view offered_words[] = {
    "bool", "byte", "i8", "i16", "i32", "i64", "double", "string", "binary", "uuid", "required", "optional"};

/// Lookup tables of all programs of a load. Types (typedefs, enums, structs, services) and constants have
/// separate namespaces.
class scope {
 public:
  explicit scope(const program_set& set) : set_(set) {}

  /// Reports duplicate names. `skipped` are names lost to syntax errors; it must outlive this.
  THRIFTLENS_COLD void build(const skipped_names& skipped, findings& to) {
    skipped_ = &skipped;
    std::size_t count = 0;
    for (const program& in : set_.programs) count += count_names(in);
    names_.reset(count);
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      add_declarations(i, to);
      add_includes(i, to);
    }
  }

  /// A typedef, enum, struct or service by its name in program `from`: "User" or "base.User".
  [[nodiscard]] lookup_result find_type(std::uint32_t from, std::string_view name) const {
    return find(space::types, from, name);
  }
  /// A constant by its name as written.
  [[nodiscard]] lookup_result find_const(std::uint32_t from, std::string_view name) const {
    return find(space::consts, from, name);
  }
  /// "; did you mean 'base.User'?" if one of the first 64 includes declares the name without its prefix as
  /// that kind (none: any type but a service). For none otherwise the nearest types of the file.
  [[nodiscard]] THRIFTLENS_COLD std::string suggest(std::uint32_t from, std::string_view name,
                                                    declaration_kind kind) const {
    const std::string_view plain = name.substr(name.rfind('.') + 1);
    const auto includes = set_.programs[from].includes;
    for (const include& entry : includes.first(thriftlens::detail::least(includes.size(), max_files))) {
      if (entry.program != no_program && declares(entry.program, plain, kind))
        return compose("; did you mean '%.%'?", {entry.prefix, plain});
    }
    return kind == declaration_kind::none ? nearest_types(from, name) : std::string();
  }
  /// The same for a constant, or for the enum before the name of a member.
  [[nodiscard]] THRIFTLENS_COLD std::string suggest_const(std::uint32_t from, std::string_view name) const {
    const std::size_t dot = name.rfind('.');
    std::string text = suggest(from, name, declaration_kind::const_);
    if (dot != std::string_view::npos) text += suggest(from, name.substr(0, dot), declaration_kind::enum_);
    return text;
  }
  /// Whether `from` includes a file of that base name.
  [[nodiscard]] bool is_prefix(std::uint32_t from, std::string_view name) const noexcept {
    return find_in(space::prefixes, from, name) != name_table::none;
  }
  /// Index of an enum's member, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_member(const enum_& in, std::string_view name) {
    return find_member_of(in.members, name);
  }
  /// Whether a member of the enum has the value. O(1) amortised.
  [[nodiscard]] THRIFTLENS_NOINLINE bool has_value(const enum_& in, std::int64_t value) {
    if (in.members.size() <= max_searched) {
      for (const enum_member& member : in.members)
        if (member.value == value) return true;
      return false;
    }
    const std::uint32_t list = number_of(in.members);
    if (valued_lists_.insert(list, 0).second) {
      for (const enum_member& member : in.members) values_.insert(value_key(list, member.value), 0);
    }
    const auto number = static_cast<std::int32_t>(value);
    return number == value && values_.find(value_key(list, number)) != thriftlens::detail::number_table::none;
  }
  /// Index of a struct's field, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_field(const struct_& in, std::string_view name) {
    return find_member_of(in.fields, name);
  }
  /// Index of a service's own function, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_function(const service& in, std::string_view name) {
    return find_member_of(in.functions, name);
  }

 private:
  [[nodiscard]] static std::size_t count_names(const program& in) noexcept {
    return in.typedefs.size() + in.enums.size() + in.structs.size() + in.services.size() + in.consts.size() +
           in.includes.size();
  }
  /// Name spaces of a program. Prefixes have an index into its includes.
  enum class space : std::uint8_t { types, consts, prefixes };
  struct declared {
    std::string_view name;
    position where;
    std::uint32_t value;
  };
  using declared_list = thriftlens::detail::pod_vector<declared>;
  static constexpr std::size_t max_searched = 16;  ///< members of lists that have no index
  static constexpr unsigned kind_shift = 28;
  static constexpr std::size_t max_files = 64;  ///< of one base name

  THRIFTLENS_COLD void add_declarations(std::uint32_t index, findings& to) {
    const program& in = set_.programs[index];
    declared_list entries;
    collect(in.typedefs, declaration_kind::typedef_, entries);
    collect(in.enums, declaration_kind::enum_, entries);
    collect(in.structs, declaration_kind::struct_, entries);
    collect(in.services, declaration_kind::service, entries);
    fill(space::types, entries, index, to);
    entries.clear();
    collect(in.consts, declaration_kind::const_, entries);
    fill(space::consts, entries, index, to);
  }
  THRIFTLENS_NOINLINE static void collect(const named_nodes& list, declaration_kind kind, declared_list& to) {
    const auto value = static_cast<std::uint32_t>(kind) << kind_shift;
    for (std::uint32_t i = 0; i < list.size(); ++i) to.push_back({list.name(i), list.where(i), value + i});
  }
  /// In source order, so that the later of two duplicates is reported.
  THRIFTLENS_COLD void fill(space in, const declared_list& entries, std::uint32_t program, findings& to) {
    thriftlens::detail::pod_vector<std::uint64_t> keys;
    thriftlens::detail::pod_vector<std::uint32_t> order;
    for (const declared& entry : entries) keys.push_back(entry.where.order_key());
    thriftlens::detail::order_of(keys, order);
    for (const std::uint32_t at : order) {
      const declared& entry = entries[at];
      if (!names_.insert(entry.name, entry.value, owner_of(in, program)).second)
        to.error("duplicate-name", program, entry.where, "the name % is already taken in this file",
                 {quoted_arg(entry.name)});
    }
  }
  [[nodiscard]] static std::uint32_t owner_of(space in, std::uint32_t program) noexcept {
    return program * 3 + static_cast<std::uint32_t>(in);
  }
  [[nodiscard]] std::uint32_t find_in(space in, std::uint32_t program, std::string_view name) const noexcept {
    return names_.find(name, owner_of(in, program));
  }
  /// A qualified name is looked up in all files with its prefix, so their number is limited.
  THRIFTLENS_COLD void add_includes(std::uint32_t index, findings& to) {
    const program& in = set_.programs[index];
    next_of_prefix_.add_program(in.includes.size());
    for (std::uint32_t i = 0; i < in.includes.size(); ++i) {
      const include& entry = in.includes[i];
      const auto [first, fresh] = names_.insert(entry.prefix, i, owner_of(space::prefixes, index));
      if (fresh || add_to_prefix(index, first, i)) continue;
      return to.error("size-limit", index, entry.where, "more than % included files have the base name %",
                      {max_files, quoted_arg(entry.prefix)});
    }
  }
  /// The next include of the same prefix and another file, or none.
  [[nodiscard]] std::uint32_t next_of_prefix(std::uint32_t program, std::uint32_t entry) const noexcept {
    return next_of_prefix_.at(program, entry) - 1;
  }
  /// Appends to the includes with the same prefix, unless the same file is present. False if there are too
  /// many.
  [[nodiscard]] THRIFTLENS_COLD bool add_to_prefix(std::uint32_t program, std::uint32_t first,
                                                   std::uint32_t added) {
    const auto includes = set_.programs[program].includes;
    std::uint32_t last = first;
    std::size_t files = 0;
    for (std::uint32_t entry = first; entry != name_table::none; entry = next_of_prefix(program, entry)) {
      if (includes[entry].program == includes[added].program) return true;
      last = entry;
      ++files;
    }
    if (files == max_files) return false;
    next_of_prefix_.at(program, last) = added + 1;
    return true;
  }

  /// Whether a file declares the name as that kind; none: as any type but a service.
  [[nodiscard]] THRIFTLENS_COLD std::string nearest_types(std::uint32_t from, std::string_view name) const {
    if (name.size() < 2) return {};
    const program& in = set_.programs[from];
    thriftlens::detail::nearest_names nearest(name);
    for (const std::string_view base : offered_words) nearest.offer(base);
    for (const struct_& known : in.structs) nearest.offer(known.name);
    for (const enum_& known : in.enums) nearest.offer(known.name);
    for (const typedef_& known : in.typedefs) nearest.offer(known.name);
    return nearest.text();
  }
  [[nodiscard]] THRIFTLENS_COLD bool declares(std::uint32_t program, std::string_view name,
                                              declaration_kind kind) const {
    const bool is_const = kind == declaration_kind::const_;
    const std::uint32_t value = find_in(is_const ? space::consts : space::types, program, name);
    if (value == name_table::none) return false;
    const declaration_kind found = decode(0, value).kind;
    return kind == declaration_kind::none ? found != declaration_kind::service : found == kind;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE lookup_result find(space in, std::uint32_t from,
                                                       std::string_view name) const {
    if (std::uint32_t value = find_in(in, from, name); value != name_table::none)
      return {decode(from, value), false, false};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {{}, false, skipped_->may_have(from, name)};
    return find_included(in, from, name.substr(0, dot), name.substr(dot + 1));
  }
  [[nodiscard]] THRIFTLENS_COLD lookup_result find_included(space in, std::uint32_t from,
                                                            std::string_view prefix,
                                                            std::string_view name) const {
    lookup_result result;
    std::uint32_t entry = find_in(space::prefixes, from, prefix);
    result.excused = entry == name_table::none && skipped_->may_have(from, prefix);
    for (; entry != name_table::none; entry = next_of_prefix(from, entry))
      add_match(in, result, set_.programs[from].includes[entry].program, name);
    return result;
  }
  /// Adds the declaration in an include: the first match counts, a second one makes the name ambiguous.
  THRIFTLENS_COLD void add_match(space in, lookup_result& result, std::uint32_t program,
                                 std::string_view name) const {
    if (program == no_program || skipped_->may_have(program, name)) result.excused = true;
    if (program == no_program) return;
    const std::uint32_t value = find_in(in, program, name);
    if (value == name_table::none) return;
    if (result.target.kind != declaration_kind::none) result.ambiguous = true;
    if (!result.ambiguous) result.target = decode(program, value);
  }
  [[nodiscard]] static declaration_ref decode(std::uint32_t program, std::uint32_t value) noexcept {
    return {static_cast<declaration_kind>(value >> kind_shift), program, value & ((1u << kind_shift) - 1)};
  }

  [[nodiscard]] THRIFTLENS_NOINLINE std::uint32_t find_member_of(const named_nodes& list,
                                                                 std::string_view name) {
    if (list.size() > max_searched) return members_.find(name, number_of(list));
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (list.name(i) == name) return i;
    }
    return name_table::none;
  }
  /// The owner of a large list in members_, whose names are inserted on first use.
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t number_of(const named_nodes& list) {
    const auto [number, fresh] = lists_.insert(list.key(), list_count_);
    if (!fresh) return number;
    ++list_count_;
    for (std::uint32_t i = 0; i < list.size(); ++i) members_.insert(list.name(i), i, number);
    return number;
  }
  [[nodiscard]] static std::uint64_t value_key(std::uint32_t list, std::int32_t value) noexcept {
    return thriftlens::detail::number_table::pair_of(list, static_cast<std::uint32_t>(value));
  }

  const program_set& set_;
  const skipped_names* skipped_ = nullptr;
  name_table names_;                                  ///< of declarations and includes, by owner_of()
  declaration_states<std::uint32_t> next_of_prefix_;  ///< of includes: 1 + next_of_prefix(), or 0
  name_table members_;                                ///< of large enums, structs and services
  thriftlens::detail::number_table lists_;            ///< their numbers, by list
  std::uint32_t list_count_ = 0;
  thriftlens::detail::number_table values_;        ///< by value_key()
  thriftlens::detail::number_table valued_lists_;  ///< whose values are there
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
