// masked_compare: compares bytes under a mask.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/bytes.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Sixteen bytes at an offset: those under the mask (0xff) must equal the pattern, which is zero elsewhere.
struct masked_block {
  alignas(16) uint8_t pattern[16];
  alignas(16) uint8_t mask[16];
  size_t offset;
};

namespace detail {
[[nodiscard]] THRIFTLENS_INLINE bool masked_equal_scalar(const uint8_t* from, const masked_block* blocks,
                                                         size_t count) noexcept {
  uint64_t difference = 0;
  for (size_t i = 0; i < count; ++i)
    for (size_t half = 0; half < 16; half += 8)
      difference |=
          (load_le<uint64_t>(from + blocks[i].offset + half) & load_le<uint64_t>(blocks[i].mask + half)) ^
          load_le<uint64_t>(blocks[i].pattern + half);
  return difference == 0;
}
[[nodiscard]] THRIFTLENS_INLINE bool same_leading_scalar(const uint8_t* lhs, const uint8_t* rhs,
                                                         size_t size) noexcept {
  return std::memcmp(lhs, rhs, size) == 0;
}

#if THRIFTLENS_X86
[[nodiscard]] THRIFTLENS_INLINE bool masked_equal_sse2(const uint8_t* from, const masked_block* blocks,
                                                       size_t count) noexcept {
  bytes_16 difference = {};
  for (size_t i = 0; i < count; ++i) {
    const bytes_16 chosen = get_16(from + blocks[i].offset) & get_16(blocks[i].mask);
    difference |= chosen ^ get_16(blocks[i].pattern);
  }
  return top_bits(difference == bytes_16{}) == 0xffff;
}
[[nodiscard]] THRIFTLENS_INLINE bool same_leading_sse2(const uint8_t* lhs, const uint8_t* rhs,
                                                       size_t size) noexcept {
  const unsigned low = top_bits(get_16(lhs) == get_16(rhs));
  const unsigned high = top_bits(get_16(lhs + 16) == get_16(rhs + 16));
  const uint64_t differ = ~(low | high << 16);
  return differ << (64 - size) == 0;
}
#endif

#if THRIFTLENS_NEON
[[nodiscard]] THRIFTLENS_INLINE bool masked_equal_neon(const uint8_t* from, const masked_block* blocks,
                                                       size_t count) noexcept {
  bytes_16 difference = {};
  for (size_t i = 0; i < count; ++i)
    difference |= (get_16(from + blocks[i].offset) & get_16(blocks[i].mask)) ^ get_16(blocks[i].pattern);
  return !any_bit(difference);
}
// Ones that count and zeros that do not: 32 bytes from 32 - size on have `size` ones.
struct leading_mask {
  uint8_t bytes[64] = {};
  constexpr leading_mask() {
    for (size_t i = 0; i < 32; ++i) bytes[i] = 0xff;
  }
};
inline constexpr leading_mask leading_ones;
[[nodiscard]] THRIFTLENS_INLINE bool same_leading_neon(const uint8_t* lhs, const uint8_t* rhs,
                                                       size_t size) noexcept {
  const uint8_t* counts = leading_ones.bytes + 32 - size;
  const bytes_16 low = (get_16(lhs) ^ get_16(rhs)) & get_16(counts);
  const bytes_16 high = (get_16(lhs + 16) ^ get_16(rhs + 16)) & get_16(counts + 16);
  return !any_bit(low | high);
}
#endif

inline constexpr kernel_body<decltype(&masked_equal_scalar)> masked_equal_bodies[] = {
    {instructions::any, masked_equal_scalar},
#if THRIFTLENS_X86
    {instructions::sse2, masked_equal_sse2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, masked_equal_neon},
#endif
};
inline constexpr kernel_body<decltype(&same_leading_scalar)> same_leading_bodies[] = {
    {instructions::any, same_leading_scalar},
#if THRIFTLENS_X86
    {instructions::sse2, same_leading_sse2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, same_leading_neon},
#endif
};
}  // namespace detail

/// True if every block matches. A block loads 16 bytes at from + offset.
[[nodiscard]] THRIFTLENS_INLINE bool masked_equal(const uint8_t* from, const masked_block* blocks,
                                                  size_t count) noexcept {
#if THRIFTLENS_X86
  return detail::masked_equal_sse2(from, blocks, count);
#elif THRIFTLENS_NEON
  return detail::masked_equal_neon(from, blocks, count);
#else
  return detail::masked_equal_scalar(from, blocks, count);
#endif
}

/// Whether two runs of 32 readable bytes begin with the same `size` bytes, 1 to 32. No branch on the size.
[[nodiscard]] THRIFTLENS_INLINE bool same_leading(const uint8_t* lhs, const uint8_t* rhs,
                                                  size_t size) noexcept {
#if THRIFTLENS_X86
  return detail::same_leading_sse2(lhs, rhs, size);
#elif THRIFTLENS_NEON
  return detail::same_leading_neon(lhs, rhs, size);
#else
  return detail::same_leading_scalar(lhs, rhs, size);
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
