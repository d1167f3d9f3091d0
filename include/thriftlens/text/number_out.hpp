// number_out: numbers as JSON text.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/decimal.hpp>
#include <thriftlens/simd/digits.hpp>
#include <thriftlens/text/powers_of_five.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Capacity that put_integer and put_double need; they may overwrite all of it.
inline constexpr std::size_t max_integer_text = 24, max_double_text = 40;

using simd::powers_of_ten;
inline constexpr std::uint64_t e8 = powers_of_ten[8], e16 = powers_of_ten[16];

// Texts of the numbers of up to three digits for store_le; the highest byte is the length.
inline constexpr std::array<std::uint32_t, 1000> short_numbers = [] {
  std::array<std::uint32_t, 1000> texts{};
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint32_t length = i < 10 ? 1 : i < 100 ? 2 : 3;
    std::uint32_t rest = i, digits = 0;
    for (std::uint32_t n = 0; n < length; ++n, rest /= 10) digits = digits << 8 | ('0' + rest % 10);
    texts[i] = digits | length << 24;
  }
  return texts;
}();
// Below 1000. Writes four bytes.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_short(std::uint8_t* to, std::uint64_t value) noexcept {
  const std::uint32_t text = short_numbers[static_cast<std::size_t>(value)];
  store_le(to, text);
  return to + (text >> 24);
}
// Below 10^16, with leading zeros.
THRIFTLENS_INLINE void put_sixteen(std::uint8_t* to, std::uint64_t value) noexcept {
  simd::put_sixteen_digits(to, static_cast<std::uint32_t>(value / e8),
                           static_cast<std::uint32_t>(value % e8));
}

// By bit width, for numbers below 10^16: the least number with one digit more than the shortest, its number
// of digits, and factors that scale both to sixteen digits.
struct digits_by_width {
  std::uint64_t longer;
  std::uint64_t scale;
  std::uint64_t scale_longer;
  std::uint64_t count;
};
inline constexpr std::array<digits_by_width, 55> digit_counts = [] {
  std::array<digits_by_width, 55> table{};
  std::uint64_t count = 1;
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    while (count < 16 && bits != 0 && powers_of_ten[count] <= std::uint64_t{1} << (bits - 1)) ++count;
    table[bits] = {powers_of_ten[count], powers_of_ten[16 - count],
                   count < 16 ? powers_of_ten[15 - count] : 0, count};
  }
  return table;
}();
// Not 0.
[[nodiscard]] THRIFTLENS_INLINE unsigned count_digits(std::uint64_t value) noexcept {
  const unsigned guess = (static_cast<unsigned>(std::bit_width(value)) * 1233) >> 12;
  return guess + (value >= powers_of_ten[guess]);
}
// Below 10^16, not 0. Scaled up to sixteen digits, of which the front ones count.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_below_e16(std::uint8_t* to, std::uint64_t value) noexcept {
  const digits_by_width& known = digit_counts[static_cast<std::size_t>(std::bit_width(value))];
  const bool longer = value >= known.longer;
  put_sixteen(to, value * (longer ? known.scale_longer : known.scale));
  return to + known.count + longer;
}

// At least 10^16.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_above_e16(std::uint8_t* to, std::uint64_t value) noexcept {
  std::uint64_t front = value / e16;
  if (front >= 1000) [[unlikely]] {
    to = put_short(to, front / 100);
    *to++ = static_cast<std::uint8_t>('0' + front / 10 % 10);
    front %= 10;
  }
  to = put_short(to, front);
  put_sixteen(to, value % e16);
  return to + 16;
}

/// Writes at most 20 bytes at `to` (and may overwrite up to max_integer_text); returns the end.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_integer(std::uint8_t* to, std::uint64_t value) noexcept {
  if (value < 1000) return detail::put_short(to, value);
  if (value < detail::e16) return detail::put_below_e16(to, value);
  return detail::put_above_e16(to, value);
}
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_integer(std::uint8_t* to, std::int64_t value) noexcept {
  *to = '-';
  to += value < 0;
  const auto raw = static_cast<std::uint64_t>(value);
  return put_integer(to, value < 0 ? 0 - raw : raw);
}

// value = ±digits x 10^exponent with the fewest digits that read back as the same double; the last digit is
// not 0.
struct shortest {
  std::uint64_t digits;
  int exponent;
};

// The upper bits of power x factor; the last bit is sticky.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t round_to_odd(const power_of_five& power,
                                                           std::uint64_t factor) noexcept {
  const uint128 high = product_of(power, factor);
  return upper_half(high) | (lower_half(high) > 1);
}
[[nodiscard]] THRIFTLENS_NOINLINE inline shortest without_zeros(std::uint64_t digits, int exponent) noexcept {
  if (digits % 10 != 0) return {digits, exponent};
  while (digits % e8 == 0) {
    digits /= e8;
    exponent += 8;
  }
  if (digits % 10000 == 0) {
    digits /= 10000;
    exponent += 4;
  }
  if (digits % 100 == 0) {
    digits /= 100;
    exponent += 2;
  }
  if (digits % 10 == 0) {
    digits /= 10;
    exponent += 1;
  }
  return {digits, exponent};
}

// A double as c x 2^q, and what brings it to decimals: 10^-k, and the shift that makes the scaled interval
// fit 64 bits.
struct decimal_scale {
  int k;
  int h;
  power_of_five power;

  [[nodiscard]] THRIFTLENS_INLINE static decimal_scale of(int q, int correction) noexcept {
    const int k = (q * 1262611 - correction) >> 22;  // floor(log10(2^q))
    return {k, q + ((-k * 1741647) >> 19) + 1, five_to(-k)};
  }
};

// Of the decimals of one length in the interval [lower, upper], which is four times as wide as them, the one
// that is next to `s`, or its upper neighbour; where both or neither are in it, the one nearer to `at`.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t nearest_in(std::uint64_t lower, std::uint64_t upper,
                                                         std::uint64_t at) noexcept {
  const std::uint64_t s = at / 4, middle = 4 * s + 2;
  const bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
  if (down != up) return s + up;
  return s + (at > middle || (at == middle && (s & 1) != 0));
}

// A double of 53 bits x 2^q.
struct binary_double {
  std::uint64_t fraction;  // without the top bit, which subnormals do not have
  int field;

  [[nodiscard]] THRIFTLENS_INLINE static binary_double of(double magnitude) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(magnitude);
    return {bits & (hidden - 1), static_cast<int>(bits >> 52)};
  }
  [[nodiscard]] int q() const noexcept { return (field == 0 ? 1 : field) - 1075; }
  [[nodiscard]] std::uint64_t c() const noexcept { return field == 0 ? fraction : fraction | hidden; }
  // The neighbour below is nearer than that above.
  [[nodiscard]] bool is_closer_below() const noexcept { return fraction == 0 && field > 1; }

  static constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
};

// Of the decimals in an interval [lower, upper] the shortest, next to `at` within it; all three four times as
// large as the decimals of length k.
[[nodiscard]] THRIFTLENS_INLINE shortest shortest_in(std::uint64_t lower, std::uint64_t upper,
                                                     std::uint64_t at, int k) noexcept {
  if (at >= 40) {
    const std::uint64_t tens = at / 40;
    const bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (down != up) return without_zeros(tens + up, k + 1);
  }
  return without_zeros(nearest_in(lower, upper, at), k);
}

// Schubfach, Raffaello Giulietti, "The Schubfach way to render doubles" (2020): of the decimals of one length
// in the interval that rounds to the double, at most two need to be looked at. The magnitude is finite and
// not 0.
[[nodiscard]] THRIFTLENS_NOINLINE inline shortest shortest_digits_exactly(double magnitude) noexcept {
  const binary_double parts = binary_double::of(magnitude);
  const std::uint64_t c = parts.c(), closer = parts.is_closer_below(), odd = c & 1;
  auto [k, h, power] = decimal_scale::of(parts.q(), closer != 0 ? 524031 : 0);
  power.low += -k < 0 || -k > 55;  // rounded up where it is not exact
  const std::uint64_t lower = round_to_odd(power, (4 * c - 2 + closer) << h) + odd;
  const std::uint64_t upper = round_to_odd(power, (4 * c + 2) << h) - odd;
  return shortest_in(lower, upper, round_to_odd(power, (4 * c) << h), k);
}

// A magnitude x 10^-k with 64 bits after the point, and half its interval with 60 of them, which is short by
// less than 2.
struct scaled_double {
  uint128 value;
  int k;
  std::uint64_t reach;
};
// No digits where they are too close to call.
[[nodiscard]] THRIFTLENS_INLINE shortest shortest_scaled(const scaled_double& scaled) noexcept {
  constexpr std::uint64_t ten = std::uint64_t{10} << 60, half = std::uint64_t{1} << 63;
  const std::uint64_t integral = upper_half(scaled.value), fraction = lower_half(scaled.value);
  // The value modulo ten, with 60 bits after the point.
  const std::uint64_t tens = integral / 10, digit = integral - tens * 10;
  const std::uint64_t rest = digit << 60 | fraction >> 4, top = rest + scaled.reach;
  if (rest + 2 <= scaled.reach) return without_zeros(tens, scaled.k + 1);
  if (top > ten) return without_zeros(tens + 1, scaled.k + 1);
  const bool near_ten = rest < scaled.reach + 2 || top + 4 > ten;
  const bool undecided = near_ten || fraction - (half - 4) < 8;
  return {undecided ? 0 : integral + (fraction >> 63), scaled.k};
}

// Same with one product of three words instead of three, after Victor Zverovich's zmij (2025): the power
// itself is half the width of the interval. Results that depend on the omitted bits, powers of two and
// subnormals use the exact algorithm.
[[nodiscard]] THRIFTLENS_NOINLINE inline shortest shortest_digits(double magnitude) noexcept {
  const binary_double parts = binary_double::of(magnitude);
  if (parts.fraction == 0 || parts.field == 0) [[unlikely]]
    return shortest_digits_exactly(magnitude);
  const auto [k, h, power] = decimal_scale::of(parts.field - 1075, 0);
  const uint128 scaled = product_of(power, (parts.fraction | parts.hidden) << h);
  const shortest candidate = shortest_scaled({scaled, k, power.high >> (5 - h)});
  return candidate.digits != 0 ? candidate : shortest_digits_exactly(magnitude);
}

// Sixteen or seventeen is what most doubles have.
[[nodiscard]] THRIFTLENS_INLINE unsigned count_many_digits(std::uint64_t value) noexcept {
  return value >= powers_of_ten[15] ? 16u + (value >= e16) : count_digits(value);
}
// The first digit of `number`, which has `count` of them, at `to`, the others at `rest`. Writes 16 bytes
// there.
THRIFTLENS_INLINE void put_first_and_rest(std::uint8_t* to, std::uint8_t* rest, std::uint64_t number,
                                          unsigned count) noexcept {
  const std::uint64_t scaled_value =
      number >= powers_of_ten[15] ? number >= e16 ? number : number * 10 : number * powers_of_ten[17 - count];
  const std::uint64_t upper = scaled_value / e8, lower = scaled_value % e8, first = upper / e8,
                      middle = upper % e8;
  *to = static_cast<std::uint8_t>('0' + first);
  simd::put_sixteen_digits(rest, static_cast<std::uint32_t>(middle), static_cast<std::uint32_t>(lower));
}

// "d.ddde+XX", at least two digits of exponent.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_scientific(std::uint8_t* to, const shortest& number,
                                                             unsigned count, int point) noexcept {
  put_first_and_rest(to, to + 2, number.digits, count);
  to[1] = '.';
  to += count == 1 ? 1 : count + 1;
  const int exponent = point - 1;
  const unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  to[0] = 'e';
  to[1] = exponent < 0 ? '-' : '+';
  to[2] = '0';
  return put_short(to + 2 + (size < 10), size);
}

// Not integral, below 1. A separate function, like put_large and put_mixed, to limit register pressure.
[[nodiscard]] THRIFTLENS_NOINLINE inline std::uint8_t* put_fraction(std::uint8_t* to, double value) noexcept {
  const shortest number = shortest_digits(value);
  const unsigned count = count_many_digits(number.digits);
  const int point = static_cast<int>(count) + number.exponent;
  if (point < -3) return put_scientific(to, number, count, point);
  std::memcpy(to, "0.000000", 8);
  to += 2 - point;
  put_first_and_rest(to, to + 1, number.digits, count);
  return to + count;
}

// Up to six digits after the point, `fraction` millionths, not 0; zeros at the end are left out.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_short_decimal(std::uint8_t* to, std::int64_t integral,
                                                                std::uint32_t fraction) noexcept {
  to = put_integer(to, integral);
  *to = '.';
  put_sixteen(to + 1, fraction * powers_of_ten[10]);
  to += 7;
  if (fraction % 1000 == 0) {
    to -= 3;
    fraction /= 1000;
  }
  if (fraction % 100 == 0) return to - 2;
  return to - (fraction % 10 == 0);
}

// Not integral, between 1 and 10^15.
[[nodiscard]] THRIFTLENS_NOINLINE inline std::uint8_t* put_mixed(std::uint8_t* to, double value,
                                                                 std::uint64_t integral) noexcept {
  const shortest number = shortest_digits(value);
  // No integer is between the double and its digits, or it would be the shortest.
  const std::uint64_t fraction = number.digits - integral * powers_of_ten[-number.exponent];
  to = put_integer(to, integral);
  *to++ = '.';
  put_sixteen(to, fraction * powers_of_ten[16 + number.exponent]);
  return to - number.exponent;
}

// At least 10^15.
[[nodiscard]] THRIFTLENS_NOINLINE inline std::uint8_t* put_large(std::uint8_t* to, double value) noexcept {
  const shortest number = shortest_digits(value);
  const unsigned count = count_many_digits(number.digits);
  const int point = static_cast<int>(count) + number.exponent;
  if (point > 16) return put_scientific(to, number, count, point);
  // Sixteen digits before the point, at most one after it.
  const std::uint64_t digits = number.digits * powers_of_ten[number.exponent + 1];
  put_sixteen(to, digits / 10);
  to[16] = '.';
  to[17] = static_cast<std::uint8_t>('0' + digits % 10);
  return to + 18;
}

// The value in millionths if they convert back to the double, else 0. Doubles distinguish decimals of up to
// 15 digits, so these are the shortest digits.
[[nodiscard]] THRIFTLENS_INLINE std::int64_t to_millionths(double value) noexcept {
#if defined(__FAST_MATH__) || defined(__RECIPROCAL_MATH__)
  return 0;  // the division could be optimized to a multiplication, which rounds differently
#endif
  if (value >= 1e9) return 0;
  const auto millionths = static_cast<std::int64_t>(value * 1e6 + 0.5);
  return millionths >= 100 && static_cast<double>(millionths) / 1e6 == value ? millionths : 0;
}
// Not integral, below 10^15.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_decimal(std::uint8_t* to, double value,
                                                          std::int64_t integral) noexcept {
  const std::int64_t millionths = to_millionths(value);
  if (millionths != 0)
    return put_short_decimal(to, integral, static_cast<std::uint32_t>(millionths - integral * 1'000'000));
  if (integral == 0) return put_fraction(to, value);
  return put_mixed(to, value, static_cast<std::uint64_t>(integral));
}

/// The shortest text that reads back as the same finite double, always with a fraction or an exponent and
/// laid out as Python's repr: "1.0", "-0.0", "0.0001", "1e-05", "1e+16".
[[nodiscard]] inline std::uint8_t* put_double(std::uint8_t* to, double value) noexcept {
  *to = '-';
  to += is_negative(value);
  value = absolute(value);
  if (value >= 1e15) return detail::put_large(to, value);
  const auto integral = static_cast<std::int64_t>(value);
  if (bits_of(static_cast<double>(integral)) != bits_of(value))
    return detail::put_decimal(to, value, integral);
  to = put_integer(to, integral);
  to[0] = '.';
  to[1] = '0';
  return to + 2;
}

/// The quoted text for a NaN or an infinity.
[[nodiscard]] inline std::string_view nonfinite_text(double number) noexcept {
  return is_nan(number) ? "\"NaN\"" : is_negative(number) ? "\"-Infinity\"" : "\"Infinity\"";
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
