// copy_bytes: a copy of a few bytes without a call.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// Copies Width to 2 * Width bytes by two copies of Width bytes that may overlap.
template <std::size_t Width>
THRIFTLENS_INLINE void copy_ends(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  std::memcpy(to, from, Width);
  std::memcpy(to + size - Width, from + size - Width, Width);
}
THRIFTLENS_INLINE void copy_below_16(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 8) {
    copy_ends<8>(to, from, size);
  } else if (size >= 4) {
    copy_ends<4>(to, from, size);
  } else if (size != 0) {
    to[0] = from[0];
    to[size / 2] = from[size / 2];
    to[size - 1] = from[size - 1];
  }
}
THRIFTLENS_INLINE void copy_to_64(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  std::memcpy(to, from, 16);
  if (size > 32) {
    std::memcpy(to + 16, from + 16, 16);
    std::memcpy(to + size - 32, from + size - 32, 16);
  }
  std::memcpy(to + size - 16, from + size - 16, 16);
}

/// Copies `size` bytes; short runs without a call. The ranges must not overlap.
THRIFTLENS_INLINE void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 16) {
    if (size > 64) [[unlikely]]
      std::memcpy(to, from, size);
    else
      copy_to_64(to, from, size);
  } else {
    copy_below_16(to, from, size);
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
