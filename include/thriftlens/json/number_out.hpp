// number_out: numbers as JSON text.
// In: an integer or a finite double. Out: its shortest digits, written where the caller has made room.
// Never allocates, never looks at the locale.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/json/powers_of_five.hpp>
#include <thriftlens/simd/digits.hpp>

#include <bit>
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
inline constexpr std::uint64_t powers_of_ten[20] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u, 10000000000u, 100000000000u, 1000000000000u,
    10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u, 100000000000000000u, 1000000000000000000u,
    10000000000000000000u};
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
  simd::put_sixteen_digits(to, static_cast<std::uint32_t>(low / e8), static_cast<std::uint32_t>(low % e8));
  return to + 16;
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

// The upper bits of power x factor; the last one also says whether anything was cut off.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t round_to_odd(power_of_five power, std::uint64_t factor) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide high = static_cast<wide>(power.high) * factor + static_cast<std::uint64_t>((static_cast<wide>(power.low) * factor) >> 64);
  return static_cast<std::uint64_t>(high >> 64) | (static_cast<std::uint64_t>(high) > 1);
}
[[nodiscard]] THRIFTLENS_INLINE shortest without_zeros(std::uint64_t digits, int exponent) noexcept {
  while (digits % 100'000'000u == 0) digits /= 100'000'000u, exponent += 8;
  if (digits % 10000 == 0) digits /= 10000, exponent += 4;
  if (digits % 100 == 0) digits /= 100, exponent += 2;
  if (digits % 10 == 0) digits /= 10, exponent += 1;
  return {digits, exponent};
}

// Schubfach, Raffaello Giulietti, "The Schubfach way to render doubles" (2020): of the decimals of one length in the interval
// that rounds to the double, at most two need to be looked at. The magnitude is finite and not 0.
[[nodiscard]] inline shortest shortest_digits(double magnitude) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(magnitude);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int field = static_cast<int>(bits >> 52);
  const std::uint64_t c = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int q = (field == 0 ? 1 : field) - 1075;
  const bool odd = (c & 1) != 0, closer = fraction == 0 && field > 1;  // the neighbour below is nearer
  // floor(log10(2^q)), or of 3/4 of it; and the shift that makes the scaled interval fit 64 bits.
  const int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
  const int h = q + ((-k * 1741647) >> 19) + 1;
  power_of_five power = five_to(-k);
  power.low += -k < 0 || -k > 55;  // rounded up where it is not exact
  const std::uint64_t below = round_to_odd(power, (4 * c - 2 + closer) << h), at = round_to_odd(power, (4 * c) << h),
                      above = round_to_odd(power, (4 * c + 2) << h);
  const std::uint64_t lower = below + odd, upper = above - odd, s = at / 4;
  if (s >= 10) {
    const std::uint64_t tens = s / 10;
    const bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (down != up) return without_zeros(tens + up, k + 1);
  }
  const bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
  if (down != up) return without_zeros(s + up, k);
  const std::uint64_t middle = 4 * s + 2;
  return without_zeros(s + (at > middle || (at == middle && (s & 1) != 0)), k);
}

[[nodiscard]] THRIFTLENS_INLINE int count_digits(std::uint64_t value) noexcept {
  const int guess = (static_cast<int>(std::bit_width(value)) * 1233) >> 12;
  return guess + (value >= powers_of_ten[guess]);
}

// "d.ddde+XX", at least two digits of exponent.
[[nodiscard]] inline std::uint8_t* put_scientific(std::uint8_t* to, const shortest& number, int count, int point) noexcept {
  constexpr std::uint64_t e8 = 100'000'000, e16 = e8 * e8;
  std::uint8_t* last = to + count + 1;
  if (count == 17) {
    to[0] = static_cast<std::uint8_t>('0' + number.digits / e16);
    const std::uint64_t rest = number.digits % e16;
    simd::put_sixteen_digits(to + 2, static_cast<std::uint32_t>(rest / e8), static_cast<std::uint32_t>(rest % e8));
  } else {
    static_cast<void>(put_integer(to + 1, number.digits));
    to[0] = to[1];
  }
  to[1] = '.';
  if (count == 1) last = to + 1;
  const int exponent = point - 1;
  unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  *last++ = 'e';
  *last++ = exponent < 0 ? '-' : '+';
  if (size >= 100) {
    *last++ = static_cast<std::uint8_t>('0' + size / 100);
    size %= 100;
  }
  *last++ = static_cast<std::uint8_t>('0' + size / 10);
  *last++ = static_cast<std::uint8_t>('0' + size % 10);
  return last;
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
  if (point > 16 || point < -3) return detail::put_scientific(to, number, count, point);
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
