// varint: variable-length integers of the Compact protocol and zigzag. Reads at most 5 bytes for 32 bits
// and 10 for 64; accepts overlong forms within that.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Maximum size of a varint of that width.
template <class T>
inline constexpr std::size_t max_varint_size = (sizeof(T) * 8 + 6) / 7;

[[nodiscard]] constexpr std::uint32_t to_zigzag(std::int32_t value) noexcept {
  return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}
[[nodiscard]] constexpr std::uint64_t to_zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int32_t from_zigzag(std::uint32_t raw) noexcept {
  return static_cast<std::int32_t>((raw >> 1) ^ (0u - (raw & 1u)));
}
[[nodiscard]] constexpr std::int64_t from_zigzag(std::uint64_t raw) noexcept {
  return static_cast<std::int64_t>((raw >> 1) ^ (std::uint64_t{0} - (raw & 1u)));
}

/// Writes at most max_varint_size<T> bytes at `to`; returns their end.
template <std::unsigned_integral T>
THRIFTLENS_INLINE std::uint8_t* put_varint(std::uint8_t* to, T value) noexcept {
  while (value >= 0x80) {
    *to++ = static_cast<std::uint8_t>(value | 0x80);
    value = static_cast<T>(value >> 7);
  }
  *to++ = static_cast<std::uint8_t>(value);
  return to;
}

/// Number of bytes that put_varint() writes.
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::size_t varint_size(T value) noexcept {
  return (static_cast<std::size_t>(std::bit_width(value | 1u)) + 6) / 7;
}

/// Packs the low seven bits of eight bytes.
[[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t close_up(std::uint64_t bytes) noexcept {
  bytes &= 0x7f7f7f7f7f7f7f7fu;
  bytes = (bytes & 0x007f007f007f007fu) | (bytes & 0x7f007f007f007f00u) >> 1;
  bytes = (bytes & 0x00003fff00003fffu) | (bytes & 0x3fff00003fff0000u) >> 2;
  return (bytes & 0x000000000fffffffu) | (bytes & 0x0fffffff00000000u) >> 4;
}

// Byte by byte, for the last bytes of the input.
template <class T>
[[nodiscard]] inline byte_ptr get_varint_tail(byte_ptr from, byte_ptr end, T& value) noexcept {
  constexpr unsigned max_bytes = max_varint_size<T>;
  constexpr std::uint8_t last_byte = sizeof(T) == 4 ? 0x0f : 0x01;
  T sum = 0;
  for (unsigned i = 0; i < max_bytes && from != end; ++i) {
    const std::uint8_t byte = *from++;
    if (i == max_bytes - 1 && byte > last_byte) return nullptr;
    sum |= static_cast<T>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      value = sum;
      return from;
    }
  }
  return nullptr;
}

// Without a loop over bytes: eight in a word, the next one or two separately.
template <class T>
[[nodiscard]] THRIFTLENS_NOINLINE byte_ptr get_long_varint(byte_ptr from, byte_ptr end, T& value) noexcept {
  if (static_cast<std::size_t>(end - from) < 10) [[unlikely]]
    return get_varint_tail(from, end, value);
  const auto chunk = load_le<std::uint64_t>(from);
  const std::uint64_t stops = ~chunk & (sizeof(T) == 4 ? 0x80808080u : 0x8080808080808080u);
  if (stops != 0) [[likely]] {
    const int width = std::countr_zero(stops) + 1;
    value = static_cast<T>(close_up(chunk & (~std::uint64_t{0} >> (64 - width))));
    return from + width / 8;
  }
  if constexpr (sizeof(T) == 4) {
    if (from[4] > 0x0f) return nullptr;
    value = static_cast<T>(close_up(chunk & 0xffffffffu) | static_cast<std::uint64_t>(from[4]) << 28);
    return from + 5;
  } else {
    value = close_up(chunk) | std::uint64_t{from[8]}
                                  << 56;  // a set top bit occupies bit 63, the place of a tenth byte
    if (from[8] < 0x80) return from + 9;
    if (from[9] > 0x01) return nullptr;
    value = (value & ~(std::uint64_t{1} << 63)) | std::uint64_t{from[9]} << 63;
    return from + 10;
  }
}

/// The byte after the varint at `from`, or nullptr; then varint_fault() returns the reason. T: uint32_t or
/// uint64_t.
template <std::unsigned_integral T>
[[nodiscard]] THRIFTLENS_INLINE byte_ptr get_varint(byte_ptr from, byte_ptr end, T& value) noexcept {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if (from == end) [[unlikely]]
    return nullptr;
  if (*from < 0x80) [[likely]] {
    value = *from;
    return from + 1;
  }
  return detail::get_long_varint(from, end, value);
}

/// The reason for a nullptr of get_varint<T>(): the varint is truncated or too long.
template <std::unsigned_integral T>
[[nodiscard]] THRIFTLENS_COLD inline errc varint_fault(byte_ptr from, byte_ptr end) noexcept {
  if (static_cast<std::size_t>(end - from) >= max_varint_size<T>) return errc::bad_varint;
  return errc::truncated;  // shorter than the longest varint: truncated
}

/// Like get_varint(), without the value.
template <std::unsigned_integral T>
[[nodiscard]] THRIFTLENS_INLINE byte_ptr skip_varint(byte_ptr from, byte_ptr end) noexcept {
  if (end - from >= 8) [[likely]] {
    const std::uint64_t stops = ~load_le<std::uint64_t>(from) & 0x8080808080808080u;
    // With 64 bits all eight bytes are unrestricted; with 32 bits four are, and the rest must be checked.
    const std::uint64_t free = sizeof(T) == 8 ? stops : stops & 0x80808080u;
    if (free != 0) [[likely]]
      return from + (std::countr_zero(free) >> 3) + 1;
    if constexpr (sizeof(T) == 4) {
      return from[4] <= 0x0f ? from + 5 : nullptr;
    } else {
      if (end - from >= 10) return from[8] < 0x80 ? from + 9 : from[9] <= 1 ? from + 10 : nullptr;
    }
  }
  T unused;
  return get_varint(from, end, unused);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
