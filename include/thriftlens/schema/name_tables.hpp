// name_tables: builds the image's lookup tables from text to index.
// In: names and the values they stand for. Out: slots with short probe sequences.
// Never loops for ever on names chosen to collide: after a few seeds the table grows instead.
#pragma once

#include <thriftlens/schema/image.hpp>

#include <bit>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

struct named_value {
  std::string_view name;
  std::uint32_t value;
};

/// Longest run of probes a lookup may take before another seed is tried, and how often one is tried.
inline constexpr std::uint32_t longest_probe = 16;
inline constexpr std::uint32_t max_attempts = 12;

/// Fills `table` with the entries; false when a probe run got too long. The first of equal names wins.
inline bool fill_slots(std::span<const named_value> entries, std::uint64_t seed,
                       std::span<std::uint32_t> table, std::uint32_t probe_limit) {
  std::fill(table.begin(), table.end(), 0u);
  const auto mask = static_cast<std::uint32_t>(table.size() - 1);
  const std::uint32_t first_value = entries[0].value;
  for (const named_value& entry : entries) {
    std::uint32_t at = static_cast<std::uint32_t>(hash_text(entry.name, seed)) & mask;
    std::uint32_t probes = 0;
    while (table[at] != 0 && entries[table[at] - 1 - first_value].name != entry.name) {
      at = (at + 1) & mask;
      if (++probes > probe_limit) return false;
    }
    if (table[at] == 0) table[at] = entry.value + 1;
  }
  return true;
}

/// Appends a table for `names` (value = first_value + position) to `slots`. Linear in the names.
inline image::name_table build_names(std::vector<std::uint32_t>& slots,
                                     std::span<const std::string_view> names, std::uint32_t first_value,
                                     std::vector<named_value>& scratch) {
  image::name_table table;
  if (names.empty()) return table;
  scratch.clear();
  for (const std::string_view each : names)
    scratch.push_back({each, first_value + static_cast<std::uint32_t>(scratch.size())});
  std::size_t size = std::bit_ceil(names.size() * 2 + 1);
  table.begin = static_cast<std::uint32_t>(slots.size());
  for (std::uint32_t attempt = 0;; ++attempt) {
    slots.resize(table.begin + size);
    table.mask = static_cast<std::uint32_t>(size - 1);
    table.seed = (attempt + 1) * 0x9e3779b97f4a7c15u;
    const std::uint32_t probe_limit = attempt < max_attempts ? longest_probe : image::none;
    if (fill_slots(scratch, table.seed, {slots.data() + table.begin, size}, probe_limit)) return table;
    if (attempt % 4 == 3) size *= 2;
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
