// block: loads and stores of byte vectors, also partial ones.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/bytes.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Up to eight bytes as a little-endian number; size: 0..8. Loads overlap instead of going byte by byte.
[[nodiscard]] THRIFTLENS_INLINE uint64_t load_partial_8(const uint8_t* from, size_t size) noexcept {
  if (size >= 8) return load_le<uint64_t>(from);
  if (size >= 4) {
    const uint64_t high = load_le<uint32_t>(from + size - 4);
    return load_le<uint32_t>(from) | high << (8 * (size - 4));
  }
  if (size == 0) return 0;
  return from[0] | uint64_t{from[size / 2]} << (8 * (size / 2)) |
         uint64_t{from[size - 1]} << (8 * (size - 1));
}

#if THRIFTLENS_X86

// Vectors are combined by the compilers' own operators: & | ^ ~.
namespace detail {

[[nodiscard]] THRIFTLENS_INLINE __m128i load_16(const void* from) noexcept {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
THRIFTLENS_INLINE void store_16(void* to, __m128i bytes) noexcept {
  _mm_storeu_si128(static_cast<__m128i*>(to), bytes);
}
[[nodiscard]] THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE __m256i load_32(const void* from) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE void store_32(void* to, __m256i bytes) noexcept {
  _mm256_storeu_si256(static_cast<__m256i*>(to), bytes);
}
// Bits of the bytes that are `value`.
[[nodiscard]] THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint64_t equal_bits(__m512i bytes,
                                                                            char value) noexcept {
  return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(value));
}
// The lowest `count` bits, at most 64.
[[nodiscard]] THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint64_t low_bits(size_t count) noexcept {
  return _bzhi_u64(~uint64_t{0}, static_cast<unsigned>(count));
}
// The bytes of the bits that are set, one after the other. Writes no others; returns the end.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint8_t* put_compressed(uint8_t* to, __m512i bytes,
                                                                  uint64_t bits) noexcept {
  const auto count = static_cast<unsigned>(_mm_popcnt_u64(bits));
  _mm512_mask_storeu_epi8(to, low_bits(count), _mm512_maskz_compress_epi8(bits, bytes));
  return to + count;
}

}  // namespace detail

/// Up to sixteen bytes; size: 0..16.
[[nodiscard]] THRIFTLENS_INLINE __m128i load_partial(const uint8_t* from, size_t size) noexcept {
  if (size >= 16) return detail::load_16(from);
  if (size <= 8) return _mm_set_epi64x(0, static_cast<long long>(load_partial_8(from, size)));
  const uint64_t high = load_le<uint64_t>(from + size - 8) >> (8 * (16 - size));
  return _mm_set_epi64x(static_cast<long long>(high), load_le<long long>(from));
}

#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
