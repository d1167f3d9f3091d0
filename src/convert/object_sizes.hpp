// object_sizes: estimated memory of Python containers, to limit the memory of decoded values.
#pragma once

#include "support/object.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace thriftlens::python {

/// A number or short text in a container, without the container's pointer to it.
inline constexpr std::size_t small_object_size = 32;

[[nodiscard]] constexpr std::size_t list_size(std::size_t elements) noexcept { return 72 + 8 * elements; }

/// A table with a power of two of places, at most two thirds full, and an index of one, two or four bytes per
/// place.
[[nodiscard]] constexpr std::size_t table_size(std::size_t entries, std::size_t entry_size) noexcept {
  if (entries == 0) return 64;
  const std::size_t needed = entries * 3 / 2 + 1;
  const std::size_t places = needed < 8 ? 8 : std::bit_ceil(needed);
  const std::size_t index = places <= 256 ? 1 : places <= 65536 ? 2 : 4;
  return 112 + places * index + places * 2 / 3 * entry_size;
}
[[nodiscard]] constexpr std::size_t dict_size(std::size_t entries) noexcept {
  return table_size(entries, 24);
}
namespace internal {
[[nodiscard]] constexpr std::size_t struct_size(std::size_t entries) noexcept {
  return table_size(entries, PY_VERSION_HEX >= 0x030B0000 ? 16 : 24) + 8 * entries;
}
inline constexpr auto small_struct_sizes = [] {
  std::array<std::uint32_t, 33> sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = static_cast<std::uint32_t>(struct_size(i));
  return sizes;
}();
}  // namespace internal
/// A struct. CPython 3.11 and later store no hashes for str keys. Most values are small numbers, or as large
/// as their bytes.
[[nodiscard]] constexpr std::size_t struct_size(std::size_t entries) noexcept {
  const auto& small = internal::small_struct_sizes;
  return entries < small.size() ? small[entries] : internal::struct_size(entries);
}

[[nodiscard]] constexpr std::size_t set_size(std::size_t elements) noexcept {
  if (elements <= 4) return 232;
  // Grown by four, later by two, when three fifths full; entries of 16 bytes.
  return 232 + 16 * std::bit_ceil(elements * (elements <= 50000 ? 4 : 2));
}

/// A list as a key; a struct or map as a key is a tuple of pairs.
[[nodiscard]] constexpr std::size_t tuple_size(std::size_t elements) noexcept { return 64 + 8 * elements; }

}  // namespace thriftlens::python
