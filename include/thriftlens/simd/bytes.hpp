// bytes: vectors of 16 and 32 bytes as compiler vector types, without intrinsics headers. Functions do not
// check bounds and require the instructions of their target.
#pragma once

#include <thriftlens/simd/dispatch.hpp>

#include <bit>
#include <cstdint>
#include <cstring>

#if THRIFTLENS_X86 || THRIFTLENS_NEON

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd::detail {

using bytes_16 = uint8_t __attribute__((vector_size(16)));

[[nodiscard]] THRIFTLENS_INLINE bytes_16 get_16(const void* from) noexcept {
  bytes_16 bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
THRIFTLENS_INLINE void put_16(void* to, bytes_16 bytes) noexcept { std::memcpy(to, &bytes, sizeof bytes); }

#if THRIFTLENS_NEON
using words_16 = uint64_t __attribute__((vector_size(16)));

// Whether a bit is set at all.
[[nodiscard]] THRIFTLENS_INLINE bool any_bit(bytes_16 bytes) noexcept {
  const auto words = reinterpret_cast<words_16>(bytes);
  return (words[0] | words[1]) != 0;
}
[[nodiscard]] THRIFTLENS_INLINE bool has_high(bytes_16 bytes) noexcept {
  return any_bit(bytes & (bytes_16{} + 0x80));
}
// Index of the first nonzero byte; 16 if there is none.
[[nodiscard]] THRIFTLENS_INLINE size_t first_byte(bytes_16 bytes) noexcept {
  const auto words = reinterpret_cast<words_16>(bytes);
  const size_t low = static_cast<size_t>(std::countr_zero(words[0])) / 8;
  return words[0] != 0 ? low : 8 + static_cast<size_t>(std::countr_zero(words[1])) / 8;
}
#endif

#if THRIFTLENS_X86
using bytes_32 = uint8_t __attribute__((vector_size(32)));
// As the compilers' built-in functions take them.
using chars_16 = char __attribute__((vector_size(16)));
using chars_32 = char __attribute__((vector_size(32)));

[[nodiscard]] THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE bytes_32 get_32(const void* from) noexcept {
  bytes_32 bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE void put_32(void* to, bytes_32 bytes) noexcept {
  std::memcpy(to, &bytes, sizeof bytes);
}

// The top bits of the bytes, as pmovmskb; also for intrinsics types.
template <class Vector>
  requires(sizeof(Vector) == 16)
[[nodiscard]] THRIFTLENS_INLINE uint32_t top_bits(Vector bytes) noexcept {
  return static_cast<uint32_t>(__builtin_ia32_pmovmskb128(reinterpret_cast<chars_16>(bytes)));
}
template <class Vector>
  requires(sizeof(Vector) == 32)
[[nodiscard]] THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE uint32_t top_bits(Vector bytes) noexcept {
  return static_cast<uint32_t>(__builtin_ia32_pmovmskb256(reinterpret_cast<chars_32>(bytes)));
}

// Bytes of `from` at the positions in `order`, as pshufb does.
[[nodiscard]] THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE bytes_16 shuffle_16(bytes_16 from,
                                                                            bytes_16 order) noexcept {
  return reinterpret_cast<bytes_16>(
      __builtin_ia32_pshufb128(reinterpret_cast<chars_16>(from), reinterpret_cast<chars_16>(order)));
}
// Shuffles both halves separately.
[[nodiscard]] THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE bytes_32 shuffle_32(bytes_32 from,
                                                                           bytes_32 order) noexcept {
  return reinterpret_cast<bytes_32>(
      __builtin_ia32_pshufb256(reinterpret_cast<chars_32>(from), reinterpret_cast<chars_32>(order)));
}
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd::detail

#endif
