// endian: unaligned big- and little-endian loads and stores.
#pragma once

#include <thriftlens/core/config.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);

/// The value with its bytes in opposite order.
template <std::unsigned_integral T>
[[nodiscard]] THRIFTLENS_INLINE constexpr T byte_swap(T value) noexcept {
  if constexpr (sizeof(T) == 1)
    return value;
  else if constexpr (sizeof(T) == 2)
    return static_cast<T>((value << 8) | (value >> 8));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bswap32(value);
  else
    return __builtin_bswap64(value);
}

/// Reads sizeof(T) bytes at `from`, most significant first. T: any integer or double.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE T load_be(const std::uint8_t* from) noexcept {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(load_be<std::uint64_t>(from));
  } else {
    std::make_unsigned_t<T> raw;
    std::memcpy(&raw, from, sizeof raw);
    if constexpr (std::endian::native == std::endian::little) raw = byte_swap(raw);
    return static_cast<T>(raw);
  }
}

/// Reads sizeof(T) bytes at `from`, least significant first.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE T load_le(const std::uint8_t* from) noexcept {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(load_le<std::uint64_t>(from));
  } else {
    std::make_unsigned_t<T> raw;
    std::memcpy(&raw, from, sizeof raw);
    if constexpr (std::endian::native == std::endian::big) raw = byte_swap(raw);
    return static_cast<T>(raw);
  }
}

/// Writes sizeof(T) bytes at `to`, most significant first.
template <class T>
THRIFTLENS_INLINE void store_be(std::uint8_t* to, T value) noexcept {
  if constexpr (std::is_same_v<T, double>) {
    store_be(to, std::bit_cast<std::uint64_t>(value));
  } else {
    auto raw = static_cast<std::make_unsigned_t<T>>(value);
    if constexpr (std::endian::native == std::endian::little) raw = byte_swap(raw);
    std::memcpy(to, &raw, sizeof raw);
  }
}

/// Writes sizeof(T) bytes at `to`, least significant first.
template <class T>
THRIFTLENS_INLINE void store_le(std::uint8_t* to, T value) noexcept {
  if constexpr (std::is_same_v<T, double>) {
    store_le(to, std::bit_cast<std::uint64_t>(value));
  } else {
    auto raw = static_cast<std::make_unsigned_t<T>>(value);
    if constexpr (std::endian::native == std::endian::big) raw = byte_swap(raw);
    std::memcpy(to, &raw, sizeof raw);
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
