// scope: resolves names in a program: its own declarations and those of its includes.
#pragma once

#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/name_table.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/idl/skipped_names.hpp>
#include <thriftlens/idl/token.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <string>
#include <string_view>

#include <unordered_map>
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
  void build(const std::vector<skipped_names>& skipped, findings& to) {
    skipped_ = &skipped;
    tables_.resize(set_.programs.size());
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      add_declarations(i, to);
      add_includes(i, to);
    }
  }

  /// A typedef, enum, struct or service by its name in program `from`: "User" or "base.User".
  [[nodiscard]] lookup_result find_type(std::uint32_t from, std::string_view name) const {
    return find<&tables::types>(from, name);
  }
  /// A constant by its name as written.
  [[nodiscard]] lookup_result find_const(std::uint32_t from, std::string_view name) const {
    return find<&tables::consts>(from, name);
  }
  /// "; did you mean 'base.User'?" if one of the first 64 includes declares the name without its prefix as
  /// that kind (none: any type but a service), else nothing.
  [[nodiscard]] THRIFTLENS_COLD std::string suggest(std::uint32_t from, std::string_view name,
                                                    declaration_kind kind) const {
    const std::string_view plain = name.substr(name.rfind('.') + 1);
    const auto includes = set_.programs[from].includes;
    for (const include& each : includes.first((std::min)(includes.size(), max_files))) {
      if (each.program != no_program && declares(tables_[each.program], plain, kind))
        return "; did you mean '" + std::string(each.prefix) + '.' + std::string(plain) + "'?";
    }
    return {};
  }
  /// The same for a constant, or for the enum before the name of a member.
  [[nodiscard]] std::string suggest_const(std::uint32_t from, std::string_view name) const {
    const std::size_t dot = name.rfind('.');
    const std::string text = suggest(from, name, declaration_kind::const_);
    if (dot == std::string_view::npos) return text;
    return text + suggest(from, name.substr(0, dot), declaration_kind::enum_);
  }
  /// Whether `from` includes a file of that base name.
  [[nodiscard]] bool is_prefix(std::uint32_t from, std::string_view name) const noexcept {
    return tables_[from].prefixes.find(name) != name_table::none;
  }
  /// Index of an enum's member, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_member(const enum_& in, std::string_view name) {
    return find_in(in.members, name);
  }
  /// Whether a member of the enum has the value. O(log members) amortised.
  [[nodiscard]] bool has_value(const enum_& in, std::int64_t value) {
    std::vector<std::int32_t>& values = values_[&in];
    if (values.empty()) {
      for (const enum_member& member : in.members) values.push_back(member.value);
      std::sort(values.begin(), values.end());
    }
    return std::binary_search(values.begin(), values.end(), value);
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
  struct declared {
    std::string_view name;
    position where;
    std::uint32_t value;
  };
  static constexpr unsigned kind_shift = 28;
  static constexpr std::size_t max_files = 64;  ///< of one base name

  void add_declarations(std::uint32_t index, findings& to) {
    tables& own = tables_[index];
    const program& in = set_.programs[index];
    std::vector<declared> consts;
    collect(in.consts, declaration_kind::const_, consts);
    fill(own.types, types_of(in), index, to);
    fill(own.consts, std::move(consts), index, to);
  }
  [[nodiscard]] static std::vector<declared> types_of(const program& in) {
    std::vector<declared> types;
    collect(in.typedefs, declaration_kind::typedef_, types);
    collect(in.enums, declaration_kind::enum_, types);
    collect(in.structs, declaration_kind::struct_, types);
    collect(in.services, declaration_kind::service, types);
    return types;
  }
  static bool is_before(const declared& lhs, const declared& rhs) noexcept { return lhs.where < rhs.where; }
  static void collect(const auto& list, declaration_kind kind, std::vector<declared>& to) {
    auto value = static_cast<std::uint32_t>(kind) << kind_shift;
    for (const auto& entry : list) to.push_back({entry.name, entry.where, value++});
  }
  /// In source order, so that the later of two duplicates is reported.
  static void fill(name_table& table, std::vector<declared> entries, std::uint32_t program, findings& to) {
    std::stable_sort(entries.begin(), entries.end(), is_before);
    table.reset(entries.size());
    for (const declared& entry : entries) {
      if (!table.insert(entry.name, entry.value).second)
        to.error("duplicate-name", program, entry.where,
                 "the name " + thriftlens::detail::in_quotes(entry.name) + " is already taken in this file");
    }
  }
  /// A qualified name is looked up in all files with its prefix, so their number is limited.
  void add_includes(std::uint32_t index, findings& to) {
    const program& in = set_.programs[index];
    tables& own = tables_[index];
    own.prefixes.reset(in.includes.size());
    own.next_of_prefix.assign(in.includes.size(), name_table::none);
    for (std::uint32_t i = 0; i < in.includes.size(); ++i) {
      const include& entry = in.includes[i];
      const auto [first, fresh] = own.prefixes.insert(entry.prefix, i);
      if (fresh || add_to_prefix(own, in, first, i)) continue;
      return to.error("size-limit", index, entry.where,
                      "more than " + std::to_string(max_files) + " included files have the base name " +
                          thriftlens::detail::in_quotes(entry.prefix));
    }
  }
  /// Appends to the includes with the same prefix, unless the same file is present. False if there are too
  /// many.
  [[nodiscard]] static bool add_to_prefix(tables& own, const program& in, std::uint32_t first,
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
  [[nodiscard]] static bool declares(const tables& of, std::string_view name, declaration_kind kind) {
    const auto value = (kind == declaration_kind::const_ ? of.consts : of.types).find(name);
    if (value == name_table::none) return false;
    const declaration_kind found = decode(0, value).kind;
    return kind == declaration_kind::none ? found != declaration_kind::service : found == kind;
  }
  template <name_table tables::*Table>
  [[nodiscard]] lookup_result find(std::uint32_t from, std::string_view name) const {
    if (std::uint32_t value = (tables_[from].*Table).find(name); value != name_table::none)
      return {decode(from, value), false, false};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {{}, false, (*skipped_)[from].may_have(name)};
    return find_included<Table>(from, name.substr(0, dot), name.substr(dot + 1));
  }
  template <name_table tables::*Table>
  [[nodiscard]] lookup_result find_included(std::uint32_t from, std::string_view prefix,
                                            std::string_view name) const {
    const tables& own = tables_[from];
    lookup_result result;
    std::uint32_t entry = own.prefixes.find(prefix);
    result.excused = entry == name_table::none && (*skipped_)[from].may_have(prefix);
    for (; entry != name_table::none; entry = own.next_of_prefix[entry])
      add_match<Table>(result, set_.programs[from].includes[entry].program, name);
    return result;
  }
  /// Adds the declaration in an include: the first match counts, a second one makes the name ambiguous.
  template <name_table tables::*Table>
  void add_match(lookup_result& result, std::uint32_t program, std::string_view name) const {
    if (program == no_program || (*skipped_)[program].may_have(name)) result.excused = true;
    if (program == no_program) return;
    const std::uint32_t value = (tables_[program].*Table).find(name);
    if (value == name_table::none) return;
    if (result.target.kind != declaration_kind::none) result.ambiguous = true;
    if (!result.ambiguous) result.target = decode(program, value);
  }
  [[nodiscard]] static declaration_ref decode(std::uint32_t program, std::uint32_t value) noexcept {
    return {static_cast<declaration_kind>(value >> kind_shift), program, value & ((1u << kind_shift) - 1)};
  }

  [[nodiscard]] std::uint32_t find_in(const auto& list, std::string_view name) {
    constexpr std::size_t max_searched = 16;
    if (list.size() > max_searched) return table_of(list).find(name);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name) return i;
    }
    return name_table::none;
  }
  /// Built on first use.
  [[nodiscard]] const name_table& table_of(const auto& list) {
    name_table& table = large_[list.data()];
    if (table.find(list[0].name) != name_table::none) return table;
    table.reset(list.size());
    for (std::uint32_t i = 0; i < list.size(); ++i) table.insert(list[i].name, i);
    return table;
  }

  const program_set& set_;
  const std::vector<skipped_names>* skipped_ = nullptr;
  std::vector<tables> tables_;
  std::unordered_map<const void*, name_table> large_;  ///< member tables of large enums, structs and services
  std::unordered_map<const enum_*, std::vector<std::int32_t>> values_;  ///< sorted
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
