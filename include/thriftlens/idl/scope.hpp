// scope: what a name means in a program: its own declarations and those of its includes.
// In: parsed programs with linked includes. Out: declarations, constants, enum members by name as written.
// Never follows a typedef, never checks a value.
#pragma once

#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/name_table.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/idl/skipped_names.hpp>
#include <thriftlens/idl/token.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// What a lookup found.
struct found_name {
  declaration_ref what;    ///< kind none: nothing
  bool ambiguous = false;  ///< two includes of the same prefix have it
  bool excused = false;    ///< a syntax error or a missing include may have swallowed it: no error of its own
};

/// Lookup tables of all programs of a load. Types (typedefs, enums, structs, services) and constants have
/// names of their own.
class scope {
 public:
  explicit scope(const program_set& set) : set_(set) {}

  /// Reports names that stand twice. `skipped[i]` are names of program i that syntax errors swallowed; it
  /// must outlive this.
  void build(const std::vector<skipped_names>& skipped, findings& to) {
    skipped_ = &skipped;
    tables_.resize(set_.programs.size());
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      add_declarations(i, to);
      add_includes(i, to);
    }
  }

  /// A typedef, enum, struct or service by the name as `from` writes it: "User" or "base.User".
  [[nodiscard]] found_name find_type(std::uint32_t from, std::string_view name) const {
    return find<&tables::types>(from, name);
  }
  /// A constant by its name as written.
  [[nodiscard]] found_name find_const(std::uint32_t from, std::string_view name) const {
    return find<&tables::consts>(from, name);
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
      for (const enum_member& each : in.members) values.push_back(each.value);
      std::sort(values.begin(), values.end());
    }
    return std::binary_search(values.begin(), values.end(), value);
  }
  /// Index of a struct's field, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_field(const struct_& in, std::string_view name) {
    return find_in(std::span<const field>(in.fields), name);
  }
  /// Index of a service's own function, or none. O(1) amortised.
  [[nodiscard]] std::uint32_t find_function(const service& in, std::string_view name) {
    return find_in(std::span<const function>(in.functions), name);
  }

 private:
  struct tables {
    name_table types;
    name_table consts;
    name_table prefixes;  ///< to an index into includes
    std::vector<std::uint32_t>
        next_of_prefix;  ///< the next include of the same prefix and another file, or none
  };
  static constexpr unsigned kind_shift = 28;
  static constexpr std::size_t max_files = 64;  ///< of one base name

  void add_declarations(std::uint32_t index, findings& to) {
    const program& in = set_.programs[index];
    tables& own = tables_[index];
    own.consts.reset(in.consts.size());
    // In the order of the text, so that the second of two is the one reported.
    std::vector<declared> all;
    collect(in.typedefs, declaration_kind::typedef_, all);
    collect(in.enums, declaration_kind::enum_, all);
    collect(in.structs, declaration_kind::struct_, all);
    collect(in.services, declaration_kind::service, all);
    std::stable_sort(all.begin(), all.end(), before);
    own.types.reset(all.size());
    for (const declared& each : all) add(own.types, index, each, to);
    all.clear();
    collect(in.consts, declaration_kind::const_, all);
    for (const declared& each : all) add(own.consts, index, each, to);
  }
  struct declared {
    std::string_view name;
    position where;
    std::uint32_t value;
  };
  static bool before(const declared& left, const declared& right) noexcept {
    return std::tie(left.where.line, left.where.column) < std::tie(right.where.line, right.where.column);
  }
  static void collect(const auto& list, declaration_kind kind, std::vector<declared>& to) {
    auto value = static_cast<std::uint32_t>(kind) << kind_shift;
    for (const auto& each : list) to.push_back({each.name, each.where, value++});
  }
  static void add(name_table& table, std::uint32_t program, const declared& each, findings& to) {
    if (table.insert(each.name, each.value).second) return;
    to.error("duplicate-name", program, each.where,
             "the name " + in_quotes(each.name) + " is already taken in this file");
  }
  /// Each name behind a prefix is looked up in all files of the prefix, so these are bounded.
  void add_includes(std::uint32_t index, findings& to) {
    const program& in = set_.programs[index];
    tables& own = tables_[index];
    own.prefixes.reset(in.includes.size());
    own.next_of_prefix.assign(in.includes.size(), name_table::none);
    for (std::uint32_t i = 0; i < in.includes.size(); ++i) {
      const auto [first, fresh] = own.prefixes.insert(in.includes[i].prefix, i);
      if (fresh || add_to_prefix(own, in, first, i)) continue;
      to.error("size-limit", index, in.includes[i].where,
               "more than " + std::to_string(max_files) + " included files have the base name " +
                   in_quotes(in.includes[i].prefix));
      return;
    }
  }
  /// Behind the includes of the same prefix, unless one of them is the same file. False: there are too many.
  [[nodiscard]] static bool add_to_prefix(tables& own, const program& in, std::uint32_t first,
                                          std::uint32_t added) {
    std::uint32_t last = first;
    std::size_t files = 0;
    for (std::uint32_t each = first; each != name_table::none; each = own.next_of_prefix[each]) {
      if (in.includes[each].program == in.includes[added].program) return true;
      last = each;
      ++files;
    }
    if (files == max_files) return false;
    own.next_of_prefix[last] = added;
    return true;
  }

  template <name_table tables::*Table>
  [[nodiscard]] found_name find(std::uint32_t from, std::string_view name) const {
    const tables& own = tables_[from];
    if (std::uint32_t value = (own.*Table).find(name); value != name_table::none)
      return {decode(from, value), false, false};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {{}, false, (*skipped_)[from].may_have(name)};
    return find_included<Table>(from, name.substr(0, dot), name.substr(dot + 1));
  }
  template <name_table tables::*Table>
  [[nodiscard]] found_name find_included(std::uint32_t from, std::string_view prefix,
                                         std::string_view name) const {
    const tables& own = tables_[from];
    found_name result;
    result.excused = own.prefixes.find(prefix) == name_table::none && (*skipped_)[from].may_have(prefix);
    for (std::uint32_t each = own.prefixes.find(prefix); each != name_table::none;
         each = own.next_of_prefix[each]) {
      const std::uint32_t in = set_.programs[from].includes[each].program;
      if (in == name_table::none || (*skipped_)[in].may_have(name)) result.excused = true;
      if (in != name_table::none) add_found(result, in, (tables_[in].*Table).find(name));
    }
    return result;
  }
  /// The first one counts, a second one makes the name ambiguous.
  static void add_found(found_name& result, std::uint32_t program, std::uint32_t value) noexcept {
    if (value == name_table::none) return;
    if (result.what.kind != declaration_kind::none) result.ambiguous = true;
    if (!result.ambiguous) result.what = decode(program, value);
  }
  [[nodiscard]] static declaration_ref decode(std::uint32_t program, std::uint32_t value) noexcept {
    return {static_cast<declaration_kind>(value >> kind_shift), program, value & ((1u << kind_shift) - 1)};
  }

  template <class Named>
  [[nodiscard]] std::uint32_t find_in(std::span<const Named> list, std::string_view name) {
    constexpr std::size_t max_searched = 16;
    if (list.size() > max_searched) return table_of(list).find(name);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name) return i;
    }
    return name_table::none;
  }
  /// Made when it is asked for first.
  template <class Named>
  [[nodiscard]] const name_table& table_of(std::span<const Named> list) {
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
