// number_out: numbers as JSON text.
// In: an integer or a finite double. Out: its shortest digits, written where the caller has made room.
// Never allocates, never looks at the locale.
#pragma once

#include <thriftlens/core/endian.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

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

namespace detail {

// value = ±digits x 10^exponent with the fewest digits that read back as the same double; the last digit is not 0.
struct shortest {
  std::uint64_t digits;
  int exponent;
};
[[nodiscard]] inline shortest shortest_digits(double magnitude) noexcept {
  char text[double_text_room];
  const char* last = std::to_chars(text, text + sizeof text, magnitude, std::chars_format::scientific).ptr;
  shortest found{static_cast<std::uint64_t>(text[0] - '0'), 0};
  const char* at = text + 1;
  if (*at == '.') {
    for (++at; *at != 'e'; ++at, --found.exponent) found.digits = found.digits * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  int exponent = 0;
  std::from_chars(at + 2, last, exponent);
  found.exponent += at[1] == '-' ? -exponent : exponent;
  return found;
}

[[nodiscard]] inline int count_digits(std::uint64_t value) noexcept {
  int count = 1;
  for (; value >= 10; value /= 10) ++count;
  return count;
}

// "d.ddde+XX", at least two digits of exponent.
[[nodiscard]] inline std::uint8_t* put_scientific(std::uint8_t* to, const shortest& number, int point) noexcept {
  std::uint8_t* last = put_integer(to + 1, number.digits);
  to[0] = to[1];
  to[1] = '.';
  if (last == to + 2) last = to + 1;
  const int exponent = point - 1;
  const unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  last[0] = 'e';
  last[1] = exponent < 0 ? '-' : '+';
  last += 2;
  if (size < 10) *last++ = '0';
  return put_short(last, size);
}

}  // namespace detail

/// The shortest text that reads back as the same finite double, always with a fraction or an exponent and laid out as
/// Python's repr: "1.0", "-0.0", "0.0001", "1e-05", "1e+16".
[[nodiscard]] inline std::uint8_t* put_double(std::uint8_t* to, double value) noexcept {
  constexpr double whole_numbers = 1e15;
  if (std::signbit(value)) {
    *to++ = '-';
    value = -value;
  }
  if (value < whole_numbers) {
    const auto whole = static_cast<std::uint64_t>(value);
    if (static_cast<double>(whole) == value) {
      to = put_integer(to, whole);
      to[0] = '.';
      to[1] = '0';
      return to + 2;
    }
  }
  const detail::shortest number = detail::shortest_digits(value);
  const int count = detail::count_digits(number.digits), point = count + number.exponent;  // digits before the point
  if (point > 16 || point < -3) return detail::put_scientific(to, number, point);
  if (point <= 0) {
    std::memcpy(to, "0.000000", 8);
    return put_integer(to + 2 - point, number.digits);
  }
  std::uint8_t* last = put_integer(to, number.digits);
  for (; last < to + point; ++last) *last = '0';
  std::memmove(to + point + 1, to + point, static_cast<std::size_t>(last - to - point) + 1);
  to[point] = '.';
  if (last == to + point) {
    to[point + 1] = '0';
    ++last;
  }
  return last + 1;
}

}  // namespace thriftlens
