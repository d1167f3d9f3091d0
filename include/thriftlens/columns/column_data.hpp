// column_data: the values of one growing column.
#pragma once

#include <thriftlens/columns/column_buffer.hpp>
#include <thriftlens/core/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// For lists, maps and byte columns `offsets` has one value more than the column; for dense unions it has the
/// positions in the members, and `values` their type ids.
struct column_data {
  column_data() = default;
  /// `memory` outlives it.
  explicit column_data(column_memory* memory) noexcept : validity(memory), offsets(memory), values(memory) {}

  column_buffer validity;  ///< bits, from the first null on
  column_buffer offsets;   ///< int32
  column_buffer values;
  std::vector<std::int32_t> unnamed;         ///< dictionaries: numbers without a name, after the members
  std::vector<std::uint32_t> unnamed_table;  ///< by hash: positions in `unnamed` + 1, or 0
  std::size_t length = 0;
  std::size_t nulls = 0;

  THRIFTLENS_INLINE void add_valid() {
    if (!validity.empty()) [[unlikely]]
      validity.put_bit(length, true);
    ++length;
  }
  void add_null() {
    if (validity.empty()) validity.put_ones(length);
    validity.put_bit(length, false);
    ++length;
    ++nulls;
  }
  [[nodiscard]] bool is_null(std::size_t index) const noexcept {
    return !validity.empty() && !validity.bit(index);
  }
  /// The position of a number in `unnamed`; appends it if new. Amortised O(1).
  [[nodiscard]] std::size_t find_unnamed(std::int32_t number) {
    if (unnamed_table.size() <= unnamed.size() * 2) {
      unnamed_table.assign(unnamed.size() * 4 + 16, 0);
      for (std::uint32_t i = 0; i < unnamed.size(); ++i) unnamed_table[unnamed_slot(unnamed[i])] = i + 1;
    }
    std::uint32_t& slot = unnamed_table[unnamed_slot(number)];
    if (slot == 0) {
      unnamed.push_back(number);
      slot = static_cast<std::uint32_t>(unnamed.size());
    }
    return slot - 1;
  }
  /// Start of the contents of the value at `index`, for columns with offsets.
  [[nodiscard]] std::size_t begin_of(std::size_t index) const noexcept {
    return static_cast<std::size_t>(offsets.at<std::int32_t>(index));
  }
  /// Truncates to `count` values; the caller truncates their contents.
  void cut(std::size_t count) noexcept {
    for (std::size_t i = count; nulls != 0 && i < length; ++i) nulls -= is_null(i) ? 1u : 0u;
    if (nulls == 0) {
      validity.truncate(0);
    } else {
      validity.truncate_bits(count);
    }
    length = count;
  }

 private:
  // The slot of the number, or the free one for it. The table's address is a seed that no input can know.
  [[nodiscard]] std::size_t unnamed_slot(std::int32_t number) const noexcept {
    const auto seed = reinterpret_cast<std::uintptr_t>(unnamed_table.data());
    std::size_t at = hash_number(static_cast<std::uint32_t>(number), seed) % unnamed_table.size();
    while (unnamed_table[at] != 0 && unnamed[unnamed_table[at] - 1] != number)
      at = at + 1 == unnamed_table.size() ? 0 : at + 1;
    return at;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
