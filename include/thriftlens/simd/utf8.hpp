// utf8: validates UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates, at most U+10FFFF).
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

namespace detail {

[[nodiscard]] inline size_t utf8_prefix_scalar(const uint8_t* from, size_t size) noexcept {
  size_t at = 0;
  while (at < size) {
    if (size - at >= 8 && (load_le<uint64_t>(from + at) & 0x8080808080808080u) == 0) {
      at += 8;
      continue;
    }
    const size_t length = utf8_length(byte_view(from + at, size - at).text());
    if (length == 0) break;
    at += length;
  }
  return at;
}

[[nodiscard]] inline bool utf8_valid_scalar(const uint8_t* from, size_t size) noexcept {
  return utf8_prefix_scalar(from, size) == size;
}

#if THRIFTLENS_X86
// The lookup algorithm of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2020):
// classifies pairs of adjacent bytes by three nibbles; a bit that is set in all three tables is a fault.
enum : uint8_t {
  too_short = 1,
  too_long = 2,
  overlong_3 = 4,
  too_large = 8,
  surrogate = 16,
  overlong_2 = 32,
  too_large_1000 = 64,
  overlong_4 = 64,
  two_continuations = 128,
  carry = too_short | too_long | two_continuations,
};
// By the upper half of a pair's first byte, by its lower half, and by the upper half of the second byte.
alignas(16) inline constexpr uint8_t utf8_first_high[16] = {
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    two_continuations,
    two_continuations,
    two_continuations,
    two_continuations,
    too_short | overlong_2,
    too_short,
    too_short | overlong_3 | surrogate,
    too_short | too_large | too_large_1000 | overlong_4};
inline constexpr uint8_t above_4 = carry | too_large | too_large_1000;
alignas(16) inline constexpr uint8_t utf8_first_low[16] = {carry | overlong_3 | overlong_2 | overlong_4,
                                                           carry | overlong_2,
                                                           carry,
                                                           carry,
                                                           carry | too_large,
                                                           above_4,
                                                           above_4,
                                                           above_4,
                                                           above_4,
                                                           above_4,
                                                           above_4,
                                                           above_4,
                                                           above_4,
                                                           above_4 | surrogate,
                                                           above_4,
                                                           above_4};
inline constexpr uint8_t continuation = too_long | overlong_2 | two_continuations;
alignas(16) inline constexpr uint8_t utf8_second_high[16] = {
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    continuation | overlong_3 | too_large_1000 | overlong_4,
    continuation | overlong_3 | too_large,
    continuation | surrogate | too_large,
    continuation | surrogate | too_large,
    too_short,
    too_short,
    too_short,
    too_short};

THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE __m256i utf8_lookup(const uint8_t* table, __m256i nibbles) noexcept {
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_16(table)), nibbles & _mm256_set1_epi8(0x0f));
}
// Faults by a byte and its predecessor.
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE __m256i utf8_pair_faults(__m256i previous, __m256i bytes) noexcept {
  return utf8_lookup(utf8_first_high, _mm256_srli_epi16(previous, 4)) &
         utf8_lookup(utf8_first_low, previous) & utf8_lookup(utf8_second_high, _mm256_srli_epi16(bytes, 4));
}
// Faults of 32 bytes, given the 32 before them.
THRIFTLENS_TARGET_AVX2 inline __m256i utf8_faults_avx2(__m256i input, __m256i previous) noexcept {
  const __m256i joined = _mm256_permute2x128_si256(previous, input, 0x21);
  const __m256i back1 = _mm256_alignr_epi8(input, joined, 15);
  const __m256i back2 = _mm256_alignr_epi8(input, joined, 14);
  const __m256i back3 = _mm256_alignr_epi8(input, joined, 13);
  // Third and fourth bytes must be continuations after continuations, and only they may.
  const __m256i third = _mm256_subs_epu8(back2, _mm256_set1_epi8(0xe0 - 0x80));
  const __m256i fourth = _mm256_subs_epu8(back3, _mm256_set1_epi8(0xf0 - 0x80));
  return ((third | fourth) & _mm256_set1_epi8(static_cast<char>(0x80))) ^ utf8_pair_faults(back1, input);
}

THRIFTLENS_TARGET_AVX2 inline bool utf8_valid_avx2(const uint8_t* from, size_t size) noexcept {
  __m256i previous = _mm256_setzero_si256(), faults = previous;
  for (; size >= 32; size -= 32, from += 32) {
    const __m256i input = load_32(from);
    if (top_bits(input | previous) != 0) faults |= utf8_faults_avx2(input, previous);
    previous = input;
  }
  // Zeros after the last bytes expose a truncated sequence.
  uint8_t last[32] = {};
  if (size != 0) std::memcpy(last, from, size);
  faults |= utf8_faults_avx2(load_32(last), previous);
  return _mm256_testz_si256(faults, faults) != 0;
}
#endif

inline constexpr kernel_body<decltype(&utf8_valid_scalar)> utf8_valid_bodies[] = {
    {instructions::any, utf8_valid_scalar},
#if THRIFTLENS_X86
    {instructions::avx2, utf8_valid_avx2},
#endif
};

[[nodiscard]] THRIFTLENS_NOINLINE inline bool utf8_valid_long(const uint8_t* from, size_t size) noexcept {
#if THRIFTLENS_X86
  if (best_level() >= level::avx2 && size >= 32) return utf8_valid_avx2(from, size);
#endif
  return utf8_valid_scalar(from, size);
}

[[nodiscard]] THRIFTLENS_INLINE bool is_ascii_words(const uint8_t* from, size_t size) noexcept {
  if (size < 8) {
    uint8_t combined = 0;
    for (size_t i = 0; i < size; ++i) combined |= from[i];
    return combined < 0x80;
  }
  // The last step overlaps the one before it instead of going byte by byte.
  uint64_t combined = load_le<uint64_t>(from + size - 8);
  for (size_t at = 0; at + 8 < size; at += 8) combined |= load_le<uint64_t>(from + at);
  return (combined & 0x8080808080808080u) == 0;
}

#if THRIFTLENS_X86
[[nodiscard]] THRIFTLENS_INLINE bool is_ascii_sse2(const uint8_t* from, size_t size) noexcept {
  if (size < 16) return is_ascii_words(from, size);
  __m128i combined = load_16(from + size - 16);
  for (size_t at = 0; at + 16 < size; at += 16) combined |= load_16(from + at);
  return top_bits(combined) == 0;
}
#endif

#if THRIFTLENS_NEON
[[nodiscard]] THRIFTLENS_INLINE bool is_ascii_neon(const uint8_t* from, size_t size) noexcept {
  if (size < 16) return is_ascii_words(from, size);
  bytes_16 combined = get_16(from + size - 16);
  for (size_t at = 0; at + 16 < size; at += 16) combined |= get_16(from + at);
  return !has_high(combined);
}
#endif

inline constexpr kernel_body<decltype(&is_ascii_words)> is_ascii_bodies[] = {
    {instructions::any, is_ascii_words},
#if THRIFTLENS_X86
    {instructions::sse2, is_ascii_sse2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, is_ascii_neon},
#endif
};
}  // namespace detail

/// True if no byte has its top bit set.
[[nodiscard]] inline bool is_ascii(byte_view bytes) noexcept {
#if THRIFTLENS_X86
  return detail::is_ascii_sse2(bytes.data(), bytes.size());
#elif THRIFTLENS_NEON
  return detail::is_ascii_neon(bytes.data(), bytes.size());
#else
  return detail::is_ascii_words(bytes.data(), bytes.size());
#endif
}

/// True for well-formed UTF-8. Linear; ASCII costs a load and a test per 16 bytes.
[[nodiscard]] inline bool valid_utf8(byte_view bytes) noexcept {
  if (bytes.size() <= 64 && is_ascii(bytes)) return true;
  return detail::utf8_valid_long(bytes.data(), bytes.size());
}

/// Size of the prefix before the first ill-formed sequence; a truncated sequence is ill-formed. Linear in the
/// result, so that all ill-formed sequences of a text can be found in linear time.
[[nodiscard]] inline size_t valid_utf8_prefix(byte_view bytes) noexcept {
  return detail::utf8_prefix_scalar(bytes.data(), bytes.size());
}
/// Size (at least 1) of the ill-formed sequence at the start of the text that one U+FFFD replaces: the
/// longest prefix of a well-formed sequence, as in Unicode's recommended practice (section 3.9), browsers and
/// Python. Precondition: not empty.
[[nodiscard]] inline size_t ill_formed_utf8_size(byte_view bytes) noexcept {
  bool is_complete = false;
  return thriftlens::detail::utf8_agreeing(bytes.text(), is_complete);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
