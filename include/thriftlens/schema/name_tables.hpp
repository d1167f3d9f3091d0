// name_tables: builds the image's lookup tables from text to index. For colliding names, tries a few seeds
// and then grows the table.
#pragma once

#include <thriftlens/schema/image.hpp>

#include <bit>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

struct named_value {
  std::string_view name;
  std::uint32_t value;
};

/// Maximum probes of a lookup before another seed is tried, and number of seeds.
inline constexpr std::uint32_t max_table_probes = 16;
inline constexpr std::uint32_t max_attempts = 12;

/// Fills `name_slots` with the entries; false if a probe run is too long. The first of equal names wins.
class slot_filler {
 public:
  slot_filler(std::span<const named_value> entries, std::span<std::uint32_t> name_slots,
              std::uint64_t seed) noexcept
      : entries_(entries), slots_(name_slots), seed_(seed) {
    for (std::uint32_t& slot : slots_) slot = 0;
  }
  [[nodiscard]] bool fill(std::uint32_t probe_limit) noexcept {
    for (const named_value& entry : entries_) {
      std::uint32_t* slot = find(entry.name, probe_limit);
      if (slot == nullptr) return false;
      if (*slot == 0) *slot = entry.value + 1;
    }
    return true;
  }

 private:
  /// The slot of the name, or a free one.
  [[nodiscard]] std::uint32_t* find(std::string_view name, std::uint32_t probe_limit) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = first_slot(hash_text(name, seed_), mask);
    for (std::uint32_t probes = 0; slots_[at] != 0 && name_in(slots_[at]) != name; at = (at + 1) & mask)
      if (++probes > probe_limit) return nullptr;
    return &slots_[at];
  }
  [[nodiscard]] std::string_view name_in(std::uint32_t slot) const noexcept {
    return entries_[slot - 1 - entries_[0].value].name;
  }

  std::span<const named_value> entries_;
  std::span<std::uint32_t> slots_;
  std::uint64_t seed_;
};

/// Appends a table for entries, whose values are consecutive, to `name_slots`. Linear in the names.
THRIFTLENS_COLD inline image::name_table build_table(pod_vector<std::uint32_t>& name_slots,
                                                     std::span<const named_value> entries) {
  image::name_table table;
  table.begin = static_cast<std::uint32_t>(name_slots.size());
  std::size_t size = std::bit_ceil(entries.size() * 2 + 1);
  for (std::uint32_t attempt = 0;; ++attempt) {
    name_slots.resize(table.begin + size);
    table.mask = static_cast<std::uint32_t>(size - 1);
    table.seed = (attempt + 1) * 0x9e3779b97f4a7c15u;
    slot_filler filler(entries, {name_slots.data() + table.begin, size}, table.seed);
    if (filler.fill(attempt < max_attempts ? max_table_probes : image::none)) return table;
    if (attempt % 4 == 3) size *= 2;
  }
}
/// The same for `names` (value = first_value + position).
THRIFTLENS_COLD inline image::name_table build_names(pod_vector<std::uint32_t>& name_slots,
                                                     std::span<const std::string_view> names,
                                                     std::uint32_t first_value,
                                                     pod_vector<named_value>& scratch) {
  scratch.clear();
  for (const std::string_view text : names) scratch.push_back({text, first_value++});
  return names.empty() ? image::name_table{} : build_table(name_slots, {scratch.data(), scratch.size()});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
