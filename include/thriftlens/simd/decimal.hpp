// decimal: parses the digits of a number with optional sign and point to an integer. Callers check leading
// zeros and exponents.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// A parsed number prefix: an optional minus, `integral` digits, then (fraction > 0) a point and
/// `fraction - 1` digits.
struct decimal {
  uint64_t value = 0;     ///< all digits as one number; unspecified for more than 19
  uint32_t integral = 0;  ///< for more than 19 digits, at least 20
  uint32_t fraction = 0;
};

/// 10^0 to 10^19.
inline constexpr uint64_t powers_of_ten[20] = {1u,
                                               10u,
                                               100u,
                                               1000u,
                                               10000u,
                                               100000u,
                                               1000000u,
                                               10000000u,
                                               100000000u,
                                               1000000000u,
                                               10000000000u,
                                               100000000000u,
                                               1000000000000u,
                                               10000000000000u,
                                               100000000000000u,
                                               1000000000000000u,
                                               10000000000000000u,
                                               100000000000000000u,
                                               1000000000000000000u,
                                               10000000000000000000u};

namespace detail {

// The number with these eight digits (bytes 0..9), the most significant first in memory.
[[nodiscard]] THRIFTLENS_INLINE uint32_t join_eight(uint64_t digits) noexcept {
  digits = digits * 10 + (digits >> 8);
  constexpr uint64_t mask = 0x000000ff000000ffu, by_1 = 0x000f424000000064u, by_2 = 0x0000271000000001u;
  return static_cast<uint32_t>((((digits & mask) * by_1) + (((digits >> 16) & mask) * by_2)) >> 32);
}

// The top bits of the bytes that are not 0..9.
[[nodiscard]] THRIFTLENS_INLINE uint64_t no_digits(uint64_t digits) noexcept {
  return ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
}
/// Appends digits at `from` to `value` (modulo 2^64); returns their end.
[[nodiscard]] THRIFTLENS_INLINE const uint8_t* take_digits(const uint8_t* from, const uint8_t* end,
                                                           uint64_t& value) noexcept {
  for (;; from += 8) {
    const uint64_t text = load_partial_8(from, static_cast<size_t>(end - from));
    const uint64_t digits = text ^ 0x3030303030303030u, others = no_digits(digits);
    const unsigned count = static_cast<unsigned>(std::countr_zero(others)) >> 3;
    if (count == 0) return from;
    // Zeros shifted in from below are leading zeros.
    value = value * powers_of_ten[count] + join_eight(digits << (64 - 8 * count));
    if (count != 8) return from + count;
  }
}

[[nodiscard]] THRIFTLENS_INLINE uint32_t digit_count(ptrdiff_t count) noexcept {
  return count < 1000 ? static_cast<uint32_t>(count) : 1000u;
}

[[nodiscard]] THRIFTLENS_INLINE decimal read_integer_swar(const uint8_t* from, const uint8_t* end) noexcept {
  decimal read;
  from += from != end && *from == '-';
  read.integral = digit_count(take_digits(from, end, read.value) - from);
  return read;
}
[[nodiscard]] THRIFTLENS_INLINE decimal read_decimal_swar(const uint8_t* from, const uint8_t* end) noexcept {
  decimal read;
  from += from != end && *from == '-';
  const uint8_t* point = take_digits(from, end, read.value);
  read.integral = digit_count(point - from);
  if (point != end && *point == '.')
    read.fraction = digit_count(take_digits(point + 1, end, read.value) - point);
  return read;
}

#if THRIFTLENS_X86
// The lower half of a vector as a number.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint64_t low_word(__m128i half) noexcept {
  return static_cast<uint64_t>(_mm_cvtsi128_si64(half));
}
// The first `count` of 32 bytes of 0..9 as a number modulo 2^64: the last 16 digits and those up to
// 2^64 / 10^16 before them.
THRIFTLENS_TARGET_VBMI2 inline uint64_t join_first(__m256i digits, unsigned count) noexcept {
  digits = _mm256_maskz_expand_epi8(~_bzhi_u32(~0u, 32 - count), digits);
  const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
  const __m256i quads = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 100));
  const __m256i octets =
      _mm256_madd_epi16(_mm256_packus_epi32(quads, quads), _mm256_set1_epi32(1 << 16 | 10000));
  const uint64_t front = low_word(_mm256_castsi256_si128(octets)) >> 32;
  const uint64_t back = low_word(_mm256_extracti128_si256(octets, 1));
  return front * 10'000'000'000'000'000u + (back & 0xffffffffu) * 100'000'000u + (back >> 32);
}
// Bytes beyond the end count as non-digits. No mask for 32 available bytes: the load would depend on it.
THRIFTLENS_TARGET_VBMI2 inline __m256i load_digits(const uint8_t* from, const uint8_t* end) noexcept {
  const ptrdiff_t remaining = end - from;
  const __m256i text = remaining >= 32
                           ? load_32(from)
                           : _mm256_maskz_loadu_epi8(_bzhi_u32(~0u, static_cast<unsigned>(remaining)), from);
  return _mm256_sub_epi8(text, _mm256_set1_epi8('0'));
}
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE unsigned equal_bits(__m256i values, int value) noexcept {
  return _mm256_cmpeq_epi8_mask(values, _mm256_set1_epi8(static_cast<char>(value)));
}
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE unsigned digit_bits(__m256i values) noexcept {
  return _mm256_cmplt_epu8_mask(values, _mm256_set1_epi8(10));
}
// Finds the sign in the same vector as the digits, so that the end of the digits does not depend on it.
THRIFTLENS_TARGET_VBMI2 inline decimal read_integer_vbmi2(const uint8_t* from, const uint8_t* end) noexcept {
  const __m256i values = load_digits(from, end);
  const unsigned digits = digit_bits(values), sign = equal_bits(values, '-' - '0') & 1u;
  const unsigned length = _tzcnt_u32(~(digits | sign));
  return {join_first(_mm256_maskz_mov_epi8(digits, values), length), length - sign, 0};
}
THRIFTLENS_TARGET_VBMI2 inline decimal read_decimal_vbmi2(const uint8_t* from, const uint8_t* end) noexcept {
  const __m256i values = load_digits(from, end);
  const unsigned digits = digit_bits(values), sign = equal_bits(values, '-' - '0') & 1u;
  // The first that is neither, if it is a point, and the digits after it.
  const unsigned others = ~(digits | sign);
  const unsigned point = _blsi_u32(others) & equal_bits(values, '.' - '0');
  const unsigned length = _tzcnt_u32(others ^ point), point_position = _tzcnt_u32(others);
  const unsigned digit_mask = _bzhi_u32(digits, length);
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(digit_mask));
  return {join_first(_mm256_maskz_compress_epi8(digit_mask, values), count), point_position - sign,
          length - point_position};
}
#endif

inline constexpr kernel_body<decltype(&read_integer_swar)> read_integer_bodies[] = {
    {instructions::any, read_integer_swar},
#if THRIFTLENS_X86
    {instructions::vbmi2, read_integer_vbmi2},
#endif
};
inline constexpr kernel_body<decltype(&read_decimal_swar)> read_decimal_bodies[] = {
    {instructions::any, read_decimal_swar},
#if THRIFTLENS_X86
    {instructions::vbmi2, read_decimal_vbmi2},
#endif
};

}  // namespace detail

/// The integer at the start of `from`. No branch on the number of digits if the processor supports it.
[[nodiscard]] THRIFTLENS_INLINE decimal read_integer(const uint8_t* from, const uint8_t* end) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::read_integer_vbmi2(from, end);
#endif
  return detail::read_integer_swar(from, end);
}
/// Same, including a point and the digits after it.
[[nodiscard]] THRIFTLENS_INLINE decimal read_decimal(const uint8_t* from, const uint8_t* end) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::read_decimal_vbmi2(from, end);
#endif
  return detail::read_decimal_swar(from, end);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
