// block: sixteen bytes from a run that may be shorter.
// In: a pointer and how many bytes are there. Out: a vector whose missing bytes are zero.
// Never touches a byte outside the run.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <cstddef>
#include <cstdint>

#if THRIFTLENS_X86

namespace thriftlens::inline THRIFTLENS_ABI::simd {

/// Up to eight bytes as a little-endian number; size: 0..8. Loads overlap instead of going byte by byte.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t load_partial_8(const std::uint8_t* from,
                                                             std::size_t size) noexcept {
  if (size >= 8) return load_le<std::uint64_t>(from);
  if (size >= 4) {
    const std::uint64_t low = load_le<std::uint32_t>(from), high = load_le<std::uint32_t>(from + size - 4);
    return low | (high >> (8 * (8 - size))) << 32;
  }
  if (size == 0) return 0;
  return from[0] | std::uint64_t{from[size / 2]} << (8 * (size / 2)) |
         std::uint64_t{from[size - 1]} << (8 * (size - 1));
}

/// Up to sixteen bytes; size: 0..16.
[[nodiscard]] THRIFTLENS_INLINE __m128i load_partial(const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  if (size <= 8) return _mm_set_epi64x(0, static_cast<long long>(load_partial_8(from, size)));
  const std::uint64_t low = load_le<std::uint64_t>(from);
  const std::uint64_t high = load_le<std::uint64_t>(from + size - 8) >> (8 * (16 - size));
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::simd

#endif
