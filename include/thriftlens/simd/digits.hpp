// digits: a number below 10^16 as sixteen decimal digits.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

namespace detail {

// Eight digits as bytes, the first digit lowest. Method: Paul Khuong, "How to print integers really fast"
// (two, then four, then eight lanes by multiplication with a rounded reciprocal).
[[nodiscard]] THRIFTLENS_INLINE uint64_t eight_digits(uint32_t value) noexcept {
  const uint64_t halves = value / 10000 + (static_cast<uint64_t>(value % 10000) << 32);
  const uint64_t hundreds = ((halves * 10486u) >> 20) & 0x0000007f0000007fu;
  const uint64_t pairs = hundreds + ((halves - hundreds * 100) << 16);
  const uint64_t tens = ((pairs * 103u) >> 10) & 0x000f000f000f000fu;
  return tens + ((pairs - tens * 10) << 8);
}
THRIFTLENS_INLINE void put_sixteen_digits_scalar(uint8_t* to, uint32_t high, uint32_t low) noexcept {
  constexpr uint64_t zeros = 0x3030303030303030u;
  store_le(to, eight_digits(high) | zeros);
  store_le(to + 8, eight_digits(low) | zeros);
}

#if THRIFTLENS_X86
// Two, then four, eight and sixteen lanes; divides by multiplication with a rounded reciprocal.
[[nodiscard]] THRIFTLENS_INLINE __m128i digit_fours(__m128i eights) noexcept {
  const __m128i upper = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(0xd1b71759)), 45);  // / 10000
  const __m128i lower = _mm_sub_epi32(eights, _mm_mul_epu32(upper, _mm_set1_epi64x(10000)));
  return upper | _mm_slli_epi64(lower, 32);
}
[[nodiscard]] THRIFTLENS_INLINE __m128i digit_pairs(__m128i fours) noexcept {
  const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi32(5243)), 3);  // / 100
  const __m128i rest = _mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, _mm_set1_epi32(100)));
  return hundreds | _mm_slli_epi32(rest, 16);
}
THRIFTLENS_INLINE void put_sixteen_digits_sse2(uint8_t* to, uint32_t high, uint32_t low) noexcept {
  const __m128i pairs = digit_pairs(digit_fours(_mm_set_epi64x(low, high)));
  const __m128i tens = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));  // / 10
  // tens + 256 * (pairs - 10 * tens), which has no part above 16 bits.
  const __m128i digits = _mm_sub_epi16(_mm_slli_epi16(pairs, 8), _mm_mullo_epi16(tens, _mm_set1_epi16(2559)));
  store_16(to, digits | _mm_set1_epi8('0'));
}
#endif

inline constexpr kernel_body<decltype(&put_sixteen_digits_scalar)> put_sixteen_digits_bodies[] = {
    {instructions::any, put_sixteen_digits_scalar},
#if THRIFTLENS_X86
    {instructions::sse2, put_sixteen_digits_sse2},
#endif
};

}  // namespace detail

/// Writes `high` and `low`, both below 10^8, as eight digits.
THRIFTLENS_INLINE void put_sixteen_digits(uint8_t* to, uint32_t high, uint32_t low) noexcept {
#if THRIFTLENS_X86
  detail::put_sixteen_digits_sse2(to, high, low);
#else
  detail::put_sixteen_digits_scalar(to, high, low);
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
