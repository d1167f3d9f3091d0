// number_out: numbers as JSON text.
// In: an integer or a finite double. Out: its shortest digits, written where the caller has made room.
// Never allocates, never looks at the locale.
#pragma once

#include <thriftlens/core/endian.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Room that put_integer and put_double need; they may overwrite all of it.
inline constexpr std::size_t integer_text_room = 24, double_text_room = 32;

namespace detail {

// Eight digits at once, each in a byte of its own, first digit lowest. Method: Paul Khuong, "How to print integers
// really fast" (two, then four, then eight lanes by multiplication with a rounded reciprocal).
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t eight_digits(std::uint32_t value) noexcept {
  const std::uint64_t halves = value / 10000 + (static_cast<std::uint64_t>(value % 10000) << 32);
  const std::uint64_t hundreds = ((halves * 10486u) >> 20) & 0x0000007f0000007fu;
  const std::uint64_t pairs = hundreds + ((halves - hundreds * 100) << 16);
  const std::uint64_t tens = ((pairs * 103u) >> 10) & 0x000f000f000f000fu;
  return tens + ((pairs - tens * 10) << 8);
}
inline constexpr std::uint64_t ascii_zeros = 0x3030303030303030u;

// Below 10^8, without leading zeros.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_short(std::uint8_t* to, std::uint32_t value) noexcept {
  if (value < 10) return *to = static_cast<std::uint8_t>('0' + value), to + 1;
  const std::uint64_t digits = eight_digits(value);
  const unsigned zeros = static_cast<unsigned>(std::countr_zero(digits)) >> 3;
  store_le(to, (digits | ascii_zeros) >> (zeros * 8));
  return to + 8 - zeros;
}
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_eight(std::uint8_t* to, std::uint32_t value) noexcept {
  store_le(to, eight_digits(value) | ascii_zeros);
  return to + 8;
}

}  // namespace detail

/// Writes at most 20 bytes at `to` (and may overwrite up to integer_text_room); returns the end.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_integer(std::uint8_t* to, std::uint64_t value) noexcept {
  constexpr std::uint64_t e8 = 100'000'000, e16 = e8 * e8;
  if (value < e8) return detail::put_short(to, static_cast<std::uint32_t>(value));
  if (value < e16) {
    to = detail::put_short(to, static_cast<std::uint32_t>(value / e8));
    return detail::put_eight(to, static_cast<std::uint32_t>(value % e8));
  }
  const std::uint64_t low = value % e16;
  to = detail::put_short(to, static_cast<std::uint32_t>(value / e16));
  to = detail::put_eight(to, static_cast<std::uint32_t>(low / e8));
  return detail::put_eight(to, static_cast<std::uint32_t>(low % e8));
}
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_integer(std::uint8_t* to, std::int64_t value) noexcept {
  *to = '-';
  to += value < 0;
  const auto raw = static_cast<std::uint64_t>(value);
  return put_integer(to, value < 0 ? 0 - raw : raw);
}

/// The shortest text that reads back as the same finite double, always with a fraction or an exponent: "1.0", "-0.0", "1e+21".
[[nodiscard]] inline std::uint8_t* put_double(std::uint8_t* to, double value) noexcept {
  constexpr double exact = 9007199254740992.0;
  if (value > -exact && value < exact) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) {
      if (whole == 0 && std::signbit(value)) *to++ = '-';
      to = put_integer(to, whole);
      to[0] = '.';
      to[1] = '0';
      return to + 2;
    }
  }
  auto* first = reinterpret_cast<char*>(to);
  char* last = std::to_chars(first, first + double_text_room, value).ptr;
  bool whole = true;
  for (char* at = first; at != last && whole; ++at) whole = (*at >= '0' && *at <= '9') || *at == '-';
  if (whole) {
    *last++ = '.';
    *last++ = '0';
  }
  return reinterpret_cast<std::uint8_t*>(last);
}

}  // namespace thriftlens
