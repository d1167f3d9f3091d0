// number_in: exact conversion of JSON numbers to integers and doubles, independent of the locale.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/simd/decimal.hpp>
#include <thriftlens/text/powers_of_five.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A number as JSON writes it: value = ±significand x 10^exponent, exactly unless `inexact`.
struct json_number {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* end = nullptr;
  std::uint64_t significand = 0;  ///< the first 19 digits from the first that is not 0
  std::int64_t exponent = 0;
  bool negative = false;
  bool inexact = false;  ///< a digit that is not 0 did not fit the significand
};

/// Outcome of a conversion.
enum class number_fit : std::uint8_t { fits, fraction, range };

[[nodiscard]] THRIFTLENS_INLINE bool is_digit(std::uint8_t byte) noexcept {
  return static_cast<unsigned>(byte) - '0' < 10;
}

/// Reads an integer of at most 19 digits at `from`; the value is ±magnitude. Returns the end of its digits,
/// or nullptr if there is none (then try parse_number()). The caller checks that the number ends there.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* parse_plain_integer(const std::uint8_t* from,
                                                                        const std::uint8_t* end,
                                                                        std::uint64_t& magnitude,
                                                                        bool& negative) noexcept {
  if (from == end) [[unlikely]]
    return nullptr;
  negative = *from == '-';
  const simd::decimal digits = simd::read_integer(from, end);
  magnitude = digits.value;
  if (digits.integral - 1 >= 19 || (digits.integral > 1 && from[negative] == '0')) [[unlikely]]
    return nullptr;
  return from + digits.integral + negative;
}

// Reads digits one by one; the significand has at most 19.
struct digit_taker {
  json_number& number;
  const std::uint8_t* at;
  const std::uint8_t* end;
  int capacity = 19;

  // False without a digit.
  bool take(bool fraction) noexcept {
    const std::uint8_t* first = at;
    for (; at != end && is_digit(*at); ++at) {
      const unsigned digit = *at - unsigned{'0'};
      if (capacity == 0) {
        number.inexact |= digit != 0;
        if (!fraction) ++number.exponent;
        continue;
      }
      number.significand = number.significand * 10 + digit;
      if (number.significand != 0) --capacity;
      if (fraction) --number.exponent;
    }
    return at != first;
  }
};

// Reads integral and fractional digits from `first` on when the significand may have overflowed. Returns
// their end, or nullptr if no digit follows the point.
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

// `at` is after the letter e. nullptr if no exponent follows.
[[nodiscard]] inline const std::uint8_t* take_exponent(const std::uint8_t* at, const std::uint8_t* end,
                                                       std::int64_t& sum) noexcept {
  constexpr std::int64_t enough = 1LL << 48;  // beyond the length of any text
  const int sign = at == end ? 0 : *at;
  at += sign == '-' || sign == '+';
  const std::uint8_t* first = at;
  std::int64_t exponent = 0;
  for (; at != end && is_digit(*at); ++at)
    if (exponent < enough) exponent = exponent * 10 + (*at - '0');
  sum += sign == '-' ? -exponent : exponent;
  return at == first ? nullptr : at;
}
// Checks leading zeros and digits after the point as JSON requires.
[[nodiscard]] THRIFTLENS_INLINE bool is_json_decimal(const simd::decimal& digits,
                                                     const std::uint8_t* first) noexcept {
  if (digits.integral == 0 || (digits.integral != 1 && *first == '0')) return false;
  return digits.fraction != 1 || digits.integral > 19;  // of more digits not all that follow need be counted
}
// Reads integral and fractional digits: their end, or nullptr if they are not valid JSON.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* take_significand(json_number& number,
                                                                     const std::uint8_t* end) noexcept {
  const std::uint8_t* first = number.begin + number.negative;
  const simd::decimal digits = simd::read_decimal(number.begin, end);
  if (!is_json_decimal(digits, first)) [[unlikely]]
    return nullptr;
  const std::uint32_t decimals = digits.fraction - (digits.fraction != 0 ? 1 : 0);
  number.significand = digits.value;
  number.exponent = -std::int64_t{decimals};
  if (digits.integral + decimals > 19) [[unlikely]]
    return take_long_digits(number, first, end);
  return first + digits.integral + digits.fraction;
}

/// Reads a number at `number.begin`, up to `end` at most. False if the text is not a number.
[[nodiscard]] inline bool parse_number(json_number& number, const std::uint8_t* end) noexcept {
  if (number.begin == end) return false;
  number.negative = *number.begin == '-';
  const std::uint8_t* at = detail::take_significand(number, end);
  if (at != nullptr && at != end && (*at | 0x20) == 'e')
    at = detail::take_exponent(at + 1, end, number.exponent);
  number.end = at;
  return at != nullptr;
}

// The number without its sign, which is not 0, as an integer up to 2^64.
[[nodiscard]] inline number_fit to_magnitude(const json_number& number, std::uint64_t& magnitude) noexcept {
  std::int64_t exponent = number.exponent;
  // Omitted digits follow the first 19, after the point unless these extend beyond it.
  if (number.inexact) return exponent <= 0 ? number_fit::fraction : number_fit::range;
  magnitude = number.significand;
  for (; exponent < 0 && magnitude % 10 == 0; ++exponent) magnitude /= 10;
  if (exponent < 0) return number_fit::fraction;
  for (; exponent > 0; --exponent) {
    if (magnitude > 922337203685477580u) return number_fit::range;
    magnitude *= 10;
  }
  return number_fit::fits;
}

/// The number as an integer in [-2^63, 2^63): `1.0` and `1e2` are integers, `1.5` is a fraction.
[[nodiscard]] inline number_fit to_integer(const json_number& number, std::int64_t& value) noexcept {
  value = 0;
  if (number.significand == 0) return number_fit::fits;
  std::uint64_t magnitude = 0;
  const number_fit fit = detail::to_magnitude(number, magnitude);
  if (fit != number_fit::fits) return fit;
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (number.negative ? 0 : 1);
  if (magnitude > limit) return number_fit::range;
  value = static_cast<std::int64_t>(number.negative ? 0 - magnitude : magnitude);
  return number_fit::fits;
}

// significand x 5^q, of which the upper bits are right; the significand has its top bit set.
[[nodiscard]] THRIFTLENS_INLINE uint128 times_power_of_five(std::uint64_t significand, int q) noexcept {
  power_of_five power = five_to(q);
  // From -27 on the division is checked to be exact, and the power must not be less than it is.
  power.low += q < 0 && q >= -27;
  const uint128 product = product_of(significand, power.high);
  constexpr std::uint64_t undecided = ~std::uint64_t{0} >> 55;
  const bool needs_more = (upper_half(product) & undecided) == undecided;
  return needs_more ? product + upper_half(product_of(significand, power.low)) : product;
}
// Rounds half up; the caller has handled ties.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t rounded_half(std::uint64_t twice) noexcept {
  return (twice + (twice & 1)) >> 1;
}
// `twice` has a bit more than the 53 of a double; `field` is its exponent's.
[[nodiscard]] THRIFTLENS_INLINE double assemble_double(std::uint64_t twice, int field) noexcept {
  constexpr std::uint64_t infinite = double_infinity_bits;
  // Subnormal; a carry into bit 52 makes the least normal number.
  if (field <= 0) return std::bit_cast<double>(field <= -63 ? 0 : rounded_half(twice >> (1 - field)));
  // The mantissa's top bit, and a carry beyond it, add to the field.
  const std::uint64_t bits = rounded_half(twice) + (static_cast<std::uint64_t>(field - 1) << 52);
  return std::bit_cast<double>(bits < infinite ? bits : infinite);
}
// The exponent field of 10^q.
[[nodiscard]] THRIFTLENS_INLINE int double_field(int q) noexcept {
  return (((152170 + 65536) * q) >> 16) + 63 + 1023;
}
// The double of a significand, which was shifted up by `zeros`, times 5^q, as a product, times 2^q.
[[nodiscard]] THRIFTLENS_INLINE double round_product(uint128 product, int q, int zeros) noexcept {
  const std::uint64_t high = upper_half(product);
  const int top = static_cast<int>(high >> 63), shift = top + 9, field = double_field(q) + top - zeros;
  std::uint64_t twice = high >> shift;
  // Exactly between two doubles: to the even one.
  const bool may_be_tie = lower_half(product) <= 1 && q >= -4 && q <= 23 && field > 0;
  if (may_be_tie && (twice & 3) == 1 && twice << shift == high) twice &= ~std::uint64_t{1};
  return assemble_double(twice, field);
}

// significand x 10^exponent rounded to the nearest double, ties to even: Daniel Lemire, "Number Parsing at a
// Gigabyte per Second" (2021). The significand is not 0. False if 128 bits are not sufficient; infinity on
// overflow.
[[nodiscard]] inline bool nearest_double(std::uint64_t significand, std::int64_t exponent,
                                         double& value) noexcept {
  value = std::bit_cast<double>(exponent > 308 ? double_infinity_bits : 0);
  if (exponent < least_power_of_five || exponent > 308) return true;
  const int q = static_cast<int>(exponent), zeros = std::countl_zero(significand);
  const uint128 product = times_power_of_five(significand << zeros, q);
  if (lower_half(product) == ~std::uint64_t{0} && (q < -27 || q > 55)) return false;
  value = round_product(product, q, zeros);
  return true;
}
// Same for a number without its sign. Also false if digits beyond the significand matter.
[[nodiscard]] inline bool nearest_double(const json_number& number, double& value) noexcept {
  value = 0;
  if (number.significand == 0) return true;
  if (!nearest_double(number.significand, number.exponent, value)) return false;
  if (!number.inexact) return true;
  double above = value;
  return nearest_double(number.significand + 1, number.exponent, above) && bits_of(above) == bits_of(value);
}

// All digits count: more than 19 of them, or a tie that 128 bits do not decide.
[[nodiscard]] THRIFTLENS_COLD inline bool double_of_long_text(const json_number& number,
                                                              double& value) noexcept {
  const auto* first = reinterpret_cast<const char*>(number.begin);
  const auto parsed = read_number(first, reinterpret_cast<const char*>(number.end), value);
  const bool large = number.exponent > -19;  // else at most 10^19 x 10^-19: far from overflow
  if (parsed.ec != std::errc::result_out_of_range) return is_finite(value);
  if (large) return false;
  value = std::bit_cast<double>(number.negative ? double_sign_bit : 0);
  return true;
}

/// Parses NaN, Infinity or -Infinity. False for any other text.
[[nodiscard]] inline bool nonfinite_of_text(std::string_view text, double& value) noexcept {
  std::uint64_t bits = 0;
  if (text == "NaN") bits = double_nan_bits;
  if (text == "Infinity") bits = double_infinity_bits;
  if (text == "-Infinity") bits = double_infinity_bits | double_sign_bit;
  if (bits != 0) value = std::bit_cast<double>(bits);
  return bits != 0;
}

/// The nearest double. False on overflow; zero on underflow.
[[nodiscard]] inline bool to_double(const json_number& number, double& value) noexcept {
  if (!detail::nearest_double(number, value)) return detail::double_of_long_text(number, value);
  const std::uint64_t sign = static_cast<std::uint64_t>(number.negative) << 63;
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | sign);
  return is_finite(value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
