// number_in: a JSON number's text to an integer or a double, exactly.
// In: bytes that may end at any place. Out: the number and where its text ends.
// Never rounds an integer, never looks at the locale, never reads past the end.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/decimal.hpp>
#include <thriftlens/text/powers_of_five.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A number as JSON writes it: value = ±significand x 10^exponent, exactly unless `inexact`.
struct json_number {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* end = nullptr;
  std::uint64_t significand = 0;  ///< the first 19 digits from the first that is not 0
  std::int64_t exponent = 0;
  bool negative = false;
  bool inexact = false;  ///< a digit that is not 0 did not fit the significand
};

/// How far a conversion got.
enum class number_fit : std::uint8_t { fits, fraction, range };

namespace detail {

[[nodiscard]] THRIFTLENS_INLINE bool is_digit(std::uint8_t byte) noexcept {
  return static_cast<unsigned>(byte) - '0' < 10;
}

}  // namespace detail

/// Reads an integer of at most 19 digits at `from`. nullptr where none stands there (parse_number() knows
/// more); else the end of its digits. Whether the number ends there is seen from what follows. The value is
/// ±magnitude.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* parse_plain_integer(const std::uint8_t* from,
                                                                        const std::uint8_t* end,
                                                                        std::uint64_t& magnitude,
                                                                        bool& negative) noexcept {
  if (from == end) [[unlikely]]
    return nullptr;
  negative = *from == '-';
  const simd::decimal digits = simd::read_integer(from, end);
  magnitude = digits.value;
  if (digits.whole - 1 >= 19 || (digits.whole > 1 && from[negative] == '0')) [[unlikely]]
    return nullptr;
  return from + digits.whole + negative;
}

namespace detail {

// Digits one by one, of which the significand takes 19.
struct digit_taker {
  json_number& number;
  const std::uint8_t* at;
  const std::uint8_t* end;
  int room = 19;

  // False where no digit is there.
  bool take(bool fraction) noexcept {
    const std::uint8_t* first = at;
    for (; at != end && is_digit(*at); ++at) {
      const unsigned digit = *at - unsigned{'0'};
      if (room == 0) {
        number.inexact |= digit != 0;
        if (!fraction) ++number.exponent;
        continue;
      }
      number.significand = number.significand * 10 + digit;
      if (number.significand != 0) --room;
      if (fraction) --number.exponent;
    }
    return at != first;
  }
};

// The whole number and its fraction from `first` on, where the significand may have run over: its end, or
// nullptr where the point has no digits after it.
[[nodiscard]] THRIFTLENS_COLD inline const std::uint8_t* take_long_digits(json_number& number,
                                                                          const std::uint8_t* first,
                                                                          const std::uint8_t* end) noexcept {
  number.significand = 0;
  number.exponent = 0;
  digit_taker digits{number, first, end};
  digits.take(false);
  if (digits.at != end && *digits.at == '.') {
    ++digits.at;
    if (!digits.take(true)) return nullptr;
  }
  return digits.at;
}

// `at` is after the letter e. nullptr where no exponent follows.
[[nodiscard]] inline const std::uint8_t* take_exponent(const std::uint8_t* at, const std::uint8_t* end,
                                                       std::int64_t& sum) noexcept {
  const bool down = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  if (at == end || !is_digit(*at)) return nullptr;
  std::int64_t exponent = 0;
  constexpr std::int64_t enough = std::int64_t{1} << 48;  // beyond the length of any text
  for (; at != end && is_digit(*at); ++at)
    exponent = exponent < enough ? exponent * 10 + (*at - '0') : exponent;
  sum += down ? -exponent : exponent;
  return at;
}

}  // namespace detail

/// Reads a number at `number.begin`, up to `end` at most. False where the text is not one.
[[nodiscard]] inline bool parse_number(json_number& number, const std::uint8_t* end) noexcept {
  if (number.begin == end) return false;
  number.negative = *number.begin == '-';
  const std::uint8_t* const first = number.begin + number.negative;
  const simd::decimal digits = simd::read_decimal(number.begin, end);
  if (digits.whole == 0 || (digits.whole > 1 && *first == '0') || digits.fraction == 1) [[unlikely]]
    return false;
  const std::uint8_t* at = first + digits.whole + digits.fraction;
  const std::uint32_t decimals = digits.fraction - (digits.fraction != 0 ? 1 : 0);
  number.significand = digits.value;
  number.exponent = -std::int64_t{decimals};
  if (digits.whole + decimals > 19) [[unlikely]] {
    at = detail::take_long_digits(number, first, end);
    if (at == nullptr) return false;
  }
  if (at != end && (*at | 0x20) == 'e') {
    at = detail::take_exponent(at + 1, end, number.exponent);
    if (at == nullptr) return false;
  }
  number.end = at;
  return true;
}

/// The number as an integer of [-2^63, 2^63): `1.0` and `1e2` are ones, `1.5` is a fraction.
[[nodiscard]] inline number_fit to_integer(const json_number& number, std::int64_t& value) noexcept {
  std::uint64_t magnitude = number.significand;
  if (magnitude == 0) {
    value = 0;
    return number_fit::fits;
  }
  // What did not fit is after 19 digits: after the point too, unless they reach beyond it.
  if (number.inexact) return number.exponent <= 0 ? number_fit::fraction : number_fit::range;
  std::int64_t exponent = number.exponent;
  for (; exponent < 0 && magnitude % 10 == 0; ++exponent) magnitude /= 10;
  if (exponent < 0) return number_fit::fraction;
  for (; exponent > 0; --exponent) {
    if (magnitude > 922337203685477580u) return number_fit::range;
    magnitude *= 10;
  }
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (number.negative ? 0 : 1);
  if (magnitude > limit) return number_fit::range;
  value = static_cast<std::int64_t>(number.negative ? 0 - magnitude : magnitude);
  return number_fit::fits;
}

namespace detail {

// 128 bits of significand x 5^q, of which the upper ones are right; the significand has its top bit set.
struct scaled_number {
  std::uint64_t high;
  std::uint64_t low;
};
[[nodiscard]] THRIFTLENS_INLINE scaled_number times_power_of_five(std::uint64_t significand, int q) noexcept {
  __extension__ using wide = unsigned __int128;
  power_of_five power = five_to(q);
  // From -27 on the division is checked to be exact, and the power must not be less than it is.
  power.low += q < 0 && q >= -27;
  wide product = static_cast<wide>(significand) * power.high;
  constexpr std::uint64_t undecided = ~std::uint64_t{0} >> 55;
  if ((static_cast<std::uint64_t>(product >> 64) & undecided) == undecided)
    product += static_cast<std::uint64_t>((static_cast<wide>(significand) * power.low) >> 64);
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}
// Half up: the bit below the last has been looked at by who calls.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t rounded_half(std::uint64_t twice) noexcept {
  return (twice + (twice & 1)) >> 1;
}
// `twice` has a bit more than the 53 of a double; `field` is its exponent's.
[[nodiscard]] THRIFTLENS_INLINE double assemble_double(std::uint64_t twice, int field) noexcept {
  if (field <= 0) {  // subnormal; a carry into bit 52 makes the least normal number
    return field <= -63 ? 0 : std::bit_cast<double>(rounded_half(twice >> (1 - field)));
  }
  std::uint64_t mantissa = rounded_half(twice);
  if (mantissa >> 53 != 0) {
    mantissa >>= 1;
    ++field;
  }
  if (field >= 0x7ff) return std::numeric_limits<double>::infinity();
  mantissa &= ~(std::uint64_t{1} << 52);
  return std::bit_cast<double>(mantissa | static_cast<std::uint64_t>(field) << 52);
}

// significand x 10^exponent rounded to the nearest double, ties to even: Daniel Lemire, "Number Parsing at a
// Gigabyte per Second" (2021). The significand is not 0. False where 128 bits do not decide; infinity where
// it is too large.
[[nodiscard]] inline bool nearest_double(std::uint64_t significand, std::int64_t exponent,
                                         double& value) noexcept {
  value = exponent > 308 ? std::numeric_limits<double>::infinity() : 0;
  if (exponent < least_power_of_five || exponent > 308) return true;
  const int q = static_cast<int>(exponent), zeros = std::countl_zero(significand);
  const auto [high, low] = times_power_of_five(significand << zeros, q);
  if (low == ~std::uint64_t{0} && (q < -27 || q > 55)) return false;
  const int top = static_cast<int>(high >> 63), shift = top + 9;
  const int field = (((152170 + 65536) * q) >> 16) + 63 + top - zeros + 1023;
  std::uint64_t twice = high >> shift;
  // Exactly between two doubles: to the even one.
  const bool may_be_tie = low <= 1 && q >= -4 && q <= 23 && field > 0;
  if (may_be_tie && (twice & 3) == 1 && twice << shift == high) twice &= ~std::uint64_t{1};
  value = assemble_double(twice, field);
  return true;
}

// All digits count: more than 19 of them, or a tie that 128 bits do not decide.
[[nodiscard]] THRIFTLENS_COLD inline bool double_of_long_text(const json_number& number,
                                                              double& value) noexcept {
  const auto* first = reinterpret_cast<const char*>(number.begin);
  const auto done = std::from_chars(first, reinterpret_cast<const char*>(number.end), value);
  const bool large = number.exponent > -19;  // else at most 10^19 x 10^-19: far from overflow
  if (done.ec != std::errc::result_out_of_range) return std::isfinite(value);
  if (large) return false;
  value = number.negative ? -0.0 : 0.0;
  return true;
}

}  // namespace detail

/// The nearest double. False when it is beyond the greatest one; what is too small becomes zero.
[[nodiscard]] inline bool to_double(const json_number& number, double& value) noexcept {
  const std::int64_t exponent = number.exponent;
  if (number.significand == 0) {
    value = 0;
  } else {
    if (!detail::nearest_double(number.significand, exponent, value))
      return detail::double_of_long_text(number, value);
    double above = value;
    if (number.inexact &&
        (!detail::nearest_double(number.significand + 1, exponent, above) || above != value))
      return detail::double_of_long_text(number, value);
    if (!std::isfinite(value)) return false;
  }
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) |
                                static_cast<std::uint64_t>(number.negative) << 63);
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
