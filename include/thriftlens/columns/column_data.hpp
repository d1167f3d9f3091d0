// column_data: the values of one column as they grow.
// In: values and nulls one after another. Out: the buffers that Arrow knows: validity, offsets, values.
// Never knows its children: column_writer keeps them of one length.
#pragma once

#include <thriftlens/columns/column_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Of lists, maps and byte columns `offsets` has one value more than the column; of dense unions it has the
/// places of the members, and `values` their type ids.
struct column_data {
  column_data() = default;
  /// `memory` outlives it.
  explicit column_data(column_memory* memory) noexcept : validity(memory), offsets(memory), values(memory) {}

  column_buffer validity;  ///< bits, from the first null on
  column_buffer offsets;   ///< int32
  column_buffer values;
  std::vector<std::int32_t> unnamed;  ///< dictionaries: numbers without a name, after the members
  std::unordered_map<std::int32_t, std::size_t> unnamed_places;  ///< of numbers in `unnamed`
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
  /// Where the contents of the value at `index` begin, of columns with offsets.
  [[nodiscard]] std::size_t begin_of(std::size_t index) const noexcept {
    return static_cast<std::size_t>(offsets.at<std::int32_t>(index));
  }
  /// Only the first `count` values stay; their contents are the caller's.
  void cut(std::size_t count) noexcept {
    for (std::size_t i = count; nulls != 0 && i < length; ++i) nulls -= is_null(i) ? 1u : 0u;
    if (nulls == 0) {
      validity.truncate(0);
    } else {
      validity.truncate_bits(count);
    }
    length = count;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
