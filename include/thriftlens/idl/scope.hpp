// scope: resolves names in a program: its own declarations and those of its includes.
#pragma once

#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/name_table.hpp>
#include <thriftlens/idl/named_nodes.hpp>
#include <thriftlens/idl/number_table.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/idl/skipped_names.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

struct lookup_result {
  declaration_ref target;  ///< kind none: not found
  bool ambiguous = false;  ///< two includes of the same prefix have it
  bool excused = false;    ///< may be missing because of a syntax error or a missing include: not reported
};

/// Lookup tables of all programs of a load. Types (typedefs, enums, structs, services) and constants have
/// separate namespaces.
class scope {
 public:
  explicit scope(const program_set& set) : set_(set) {}

  /// Reports duplicate names. `skipped[i]` are names of program i lost to syntax errors; it must outlive
  /// this.
  THRIFTLENS_COLD void build(const std::vector<skipped_names>& skipped, findings& to) {
    skipped_ = &skipped;
    tables_.resize(set_.programs.size());
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      add_declarations(i, to);
      add_includes(i, to);
    }
  }

  /// A typedef, enum, struct or service by its name in program `from`: "User" or "base.User".
  [[nodiscard]] lookup_result find_type(std::uint32_t from, std::string_view name) const {
    return find(&tables::types, from, name);
  }
  /// A constant by its name as written.
  [[nodiscard]] lookup_result find_const(std::uint32_t from, std::string_view name) const {
    return find(&tables::consts, from, name);
  }
  /// "; did you mean 'base.User'?" if one of the first 64 includes declares the name without its prefix as
  /// that kind (none: any type but a service), else nothing.
  [[nodiscard]] THRIFTLENS_COLD std::string suggest(std::uint32_t from, std::string_view name,
                                                    declaration_kind kind) const {
    const std::string_view plain = name.substr(name.rfind('.') + 1);
    const auto includes = set_.programs[from].includes;
    for (const include& entry : includes.first(thriftlens::detail::least(includes.size(), max_files))) {
      if (entry.program != no_program && declares(tables_[entry.program], plain, kind))
        return compose("; did you mean '%.%'?", {entry.prefix, plain});
    }
    return {};
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
    return tables_[from].prefixes.find(name) != name_table::none;
  }
  /// Index of an enum's member, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_member(const enum_& in, std::string_view name) {
    return find_in(in.members, name);
  }
  /// Whether a member of the enum has the value. O(1) amortised.
  [[nodiscard]] THRIFTLENS_NOINLINE bool has_value(const enum_& in, std::int64_t value) {
    if (in.members.size() <= max_searched) {
      for (const enum_member& member : in.members)
        if (member.value == value) return true;
      return false;
    }
    member_index& index = index_of(in.members);
    if (!index.has_values) {
      for (const enum_member& member : in.members)
        index.values.insert(static_cast<std::uint64_t>(member.value), 0);
    }
    index.has_values = true;
    return index.values.find(static_cast<std::uint64_t>(value)) != number_table::none;
  }
  /// Index of a struct's field, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_field(const struct_& in, std::string_view name) {
    return find_in(in.fields, name);
  }
  /// Index of a service's own function, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_function(const service& in, std::string_view name) {
    return find_in(in.functions, name);
  }

 private:
  struct tables {
    name_table types;
    name_table consts;
    name_table prefixes;  ///< to an index into includes
    std::vector<std::uint32_t>
        next_of_prefix;  ///< the next include of the same prefix and another file, or none
  };
  using table_member = name_table tables::*;
  struct declared {
    std::string_view name;
    position where;
    std::uint32_t value;
  };
  using declared_list = thriftlens::detail::pod_vector<declared>;
  /// The members of a large enum, struct or service.
  struct member_index {
    name_table names;
    number_table values;  ///< of an enum; filled on first use
    bool has_values = false;
  };
  static constexpr std::size_t max_searched = 16;  ///< members of lists that have no index
  static constexpr unsigned kind_shift = 28;
  static constexpr std::size_t max_files = 64;  ///< of one base name

  THRIFTLENS_COLD void add_declarations(std::uint32_t index, findings& to) {
    tables& own = tables_[index];
    const program& in = set_.programs[index];
    declared_list entries;
    collect(in.typedefs, declaration_kind::typedef_, entries);
    collect(in.enums, declaration_kind::enum_, entries);
    collect(in.structs, declaration_kind::struct_, entries);
    collect(in.services, declaration_kind::service, entries);
    fill(own.types, entries, index, to);
    entries.clear();
    collect(in.consts, declaration_kind::const_, entries);
    fill(own.consts, entries, index, to);
  }
  THRIFTLENS_NOINLINE static void collect(const named_nodes& list, declaration_kind kind, declared_list& to) {
    const auto value = static_cast<std::uint32_t>(kind) << kind_shift;
    for (std::uint32_t i = 0; i < list.size(); ++i) to.push_back({list.name(i), list.where(i), value + i});
  }
  /// In source order, so that the later of two duplicates is reported.
  THRIFTLENS_NOINLINE static void fill(name_table& table, const declared_list& entries, std::uint32_t program,
                                       findings& to) {
    std::vector<std::uint64_t> keys;
    for (const declared& entry : entries) keys.push_back(entry.where.order_key());
    table.reset(entries.size());
    for (const std::size_t at : thriftlens::detail::order_of(keys.data(), keys.size())) {
      const declared& entry = entries[at];
      if (!table.insert(entry.name, entry.value).second)
        to.error("duplicate-name", program, entry.where, "the name % is already taken in this file",
                 {quoted_arg(entry.name)});
    }
  }
  /// A qualified name is looked up in all files with its prefix, so their number is limited.
  THRIFTLENS_COLD void add_includes(std::uint32_t index, findings& to) {
    const program& in = set_.programs[index];
    tables& own = tables_[index];
    own.prefixes.reset(in.includes.size());
    own.next_of_prefix.assign(in.includes.size(), name_table::none);
    for (std::uint32_t i = 0; i < in.includes.size(); ++i) {
      const include& entry = in.includes[i];
      const auto [first, fresh] = own.prefixes.insert(entry.prefix, i);
      if (fresh || add_to_prefix(own, in, first, i)) continue;
      return to.error("size-limit", index, entry.where, "more than % included files have the base name %",
                      {max_files, quoted_arg(entry.prefix)});
    }
  }
  /// Appends to the includes with the same prefix, unless the same file is present. False if there are too
  /// many.
  [[nodiscard]] THRIFTLENS_COLD static bool add_to_prefix(tables& own, const program& in, std::uint32_t first,
                                                          std::uint32_t added) {
    std::uint32_t last = first;
    std::size_t files = 0;
    for (std::uint32_t entry = first; entry != name_table::none; entry = own.next_of_prefix[entry]) {
      if (in.includes[entry].program == in.includes[added].program) return true;
      last = entry;
      ++files;
    }
    if (files == max_files) return false;
    own.next_of_prefix[last] = added;
    return true;
  }

  /// Whether a file declares the name as that kind; none: as any type but a service.
  [[nodiscard]] THRIFTLENS_COLD static bool declares(const tables& of, std::string_view name,
                                                     declaration_kind kind) {
    const auto value = (kind == declaration_kind::const_ ? of.consts : of.types).find(name);
    if (value == name_table::none) return false;
    const declaration_kind found = decode(0, value).kind;
    return kind == declaration_kind::none ? found != declaration_kind::service : found == kind;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE lookup_result find(table_member table, std::uint32_t from,
                                                       std::string_view name) const {
    if (std::uint32_t value = (tables_[from].*table).find(name); value != name_table::none)
      return {decode(from, value), false, false};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {{}, false, (*skipped_)[from].may_have(name)};
    return find_included(table, from, name.substr(0, dot), name.substr(dot + 1));
  }
  [[nodiscard]] THRIFTLENS_COLD lookup_result find_included(table_member table, std::uint32_t from,
                                                            std::string_view prefix,
                                                            std::string_view name) const {
    const tables& own = tables_[from];
    lookup_result result;
    std::uint32_t entry = own.prefixes.find(prefix);
    result.excused = entry == name_table::none && (*skipped_)[from].may_have(prefix);
    for (; entry != name_table::none; entry = own.next_of_prefix[entry])
      add_match(table, result, set_.programs[from].includes[entry].program, name);
    return result;
  }
  /// Adds the declaration in an include: the first match counts, a second one makes the name ambiguous.
  THRIFTLENS_COLD void add_match(table_member table, lookup_result& result, std::uint32_t program,
                                 std::string_view name) const {
    if (program == no_program || (*skipped_)[program].may_have(name)) result.excused = true;
    if (program == no_program) return;
    const std::uint32_t value = (tables_[program].*table).find(name);
    if (value == name_table::none) return;
    if (result.target.kind != declaration_kind::none) result.ambiguous = true;
    if (!result.ambiguous) result.target = decode(program, value);
  }
  [[nodiscard]] static declaration_ref decode(std::uint32_t program, std::uint32_t value) noexcept {
    return {static_cast<declaration_kind>(value >> kind_shift), program, value & ((1u << kind_shift) - 1)};
  }

  [[nodiscard]] THRIFTLENS_NOINLINE std::uint32_t find_in(const named_nodes& list, std::string_view name) {
    if (list.size() > max_searched) return index_of(list).names.find(name);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (list.name(i) == name) return i;
    }
    return name_table::none;
  }
  /// Built on first use.
  [[nodiscard]] THRIFTLENS_COLD member_index& index_of(const named_nodes& list) {
    const auto [at, fresh] = index_numbers_.insert(list.key(), static_cast<std::uint32_t>(indexes_.size()));
    if (!fresh) return indexes_[at];
    member_index& index = indexes_.emplace_back();
    index.names.reset(list.size());
    for (std::uint32_t i = 0; i < list.size(); ++i) index.names.insert(list.name(i), i);
    return index;
  }

  const program_set& set_;
  const std::vector<skipped_names>* skipped_ = nullptr;
  std::vector<tables> tables_;
  number_table index_numbers_;  ///< by list
  std::vector<member_index> indexes_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
