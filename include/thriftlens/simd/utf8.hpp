// utf8: whether bytes are well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates, at most
// U+10FFFF). In: bytes. Out: yes or no; or how far they are well-formed. Never reads past the bytes, never
// changes them.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::simd {

namespace detail {

[[nodiscard]] inline std::size_t utf8_prefix_scalar(const std::uint8_t* from, std::size_t size) noexcept {
  std::size_t at = 0;
  while (at < size) {
    if (size - at >= 8 && (load_le<std::uint64_t>(from + at) & 0x8080808080808080u) == 0) {
      at += 8;
      continue;
    }
    const std::size_t length = utf8_length(byte_view(from + at, size - at).text());
    if (length == 0) break;
    at += length;
  }
  return at;
}

[[nodiscard]] inline bool utf8_valid_scalar(const std::uint8_t* from, std::size_t size) noexcept {
  return utf8_prefix_scalar(from, size) == size;
}

#if THRIFTLENS_X86
// The lookup algorithm of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2020):
// each pair of neighbouring bytes is classified by three nibbles; a bit that all three tables agree on is a
// fault.
enum : std::uint8_t {
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
alignas(32) inline constexpr std::uint8_t utf8_first_high[32] = {
#define THRIFTLENS_ROW                                                                               \
  too_long, too_long, too_long, too_long, too_long, too_long, too_long, too_long, two_continuations, \
      two_continuations, two_continuations, two_continuations, too_short | overlong_2, too_short,    \
      too_short | overlong_3 | surrogate, too_short | too_large | too_large_1000 | overlong_4
    THRIFTLENS_ROW, THRIFTLENS_ROW};
#undef THRIFTLENS_ROW
alignas(32) inline constexpr std::uint8_t utf8_first_low[32] = {
#define THRIFTLENS_BIG carry | too_large | too_large_1000
#define THRIFTLENS_ROW                                                                                \
  carry | overlong_3 | overlong_2 | overlong_4, carry | overlong_2, carry, carry, carry | too_large,  \
      THRIFTLENS_BIG, THRIFTLENS_BIG, THRIFTLENS_BIG, THRIFTLENS_BIG, THRIFTLENS_BIG, THRIFTLENS_BIG, \
      THRIFTLENS_BIG, THRIFTLENS_BIG, THRIFTLENS_BIG | surrogate, THRIFTLENS_BIG, THRIFTLENS_BIG
    THRIFTLENS_ROW, THRIFTLENS_ROW};
#undef THRIFTLENS_ROW
#undef THRIFTLENS_BIG
alignas(32) inline constexpr std::uint8_t utf8_second_high[32] = {
#define THRIFTLENS_ROW                                                                                    \
  too_short, too_short, too_short, too_short, too_short, too_short, too_short, too_short,                 \
      too_long | overlong_2 | two_continuations | overlong_3 | too_large_1000 | overlong_4,               \
      too_long | overlong_2 | two_continuations | overlong_3 | too_large,                                 \
      too_long | overlong_2 | two_continuations | surrogate | too_large,                                  \
      too_long | overlong_2 | two_continuations | surrogate | too_large, too_short, too_short, too_short, \
      too_short
    THRIFTLENS_ROW, THRIFTLENS_ROW};
#undef THRIFTLENS_ROW

// Faults of 32 bytes, given the 32 before them.
THRIFTLENS_TARGET_AVX2 inline __m256i utf8_faults_avx2(__m256i input, __m256i before) noexcept {
  const __m256i joined = _mm256_permute2x128_si256(before, input, 0x21);
  const __m256i back1 = _mm256_alignr_epi8(input, joined, 15);
  const __m256i back2 = _mm256_alignr_epi8(input, joined, 14);
  const __m256i back3 = _mm256_alignr_epi8(input, joined, 13);
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  const __m256i first_high =
      _mm256_shuffle_epi8(_mm256_load_si256(reinterpret_cast<const __m256i*>(utf8_first_high)),
                          _mm256_and_si256(_mm256_srli_epi16(back1, 4), nibble));
  const __m256i first_low = _mm256_shuffle_epi8(
      _mm256_load_si256(reinterpret_cast<const __m256i*>(utf8_first_low)), _mm256_and_si256(back1, nibble));
  const __m256i second_high =
      _mm256_shuffle_epi8(_mm256_load_si256(reinterpret_cast<const __m256i*>(utf8_second_high)),
                          _mm256_and_si256(_mm256_srli_epi16(input, 4), nibble));
  const __m256i pair_faults = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
  // Third and fourth bytes must be continuations after continuations, and only they may.
  const __m256i third = _mm256_subs_epu8(back2, _mm256_set1_epi8(0xe0 - 0x80));
  const __m256i fourth = _mm256_subs_epu8(back3, _mm256_set1_epi8(0xf0 - 0x80));
  const __m256i expected =
      _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(static_cast<char>(0x80)));
  return _mm256_xor_si256(expected, pair_faults);
}

THRIFTLENS_TARGET_AVX2 inline bool utf8_valid_avx2(const std::uint8_t* from, std::size_t size) noexcept {
  __m256i before = _mm256_setzero_si256();
  __m256i faults = before;
  std::size_t at = 0;
  for (; at + 32 <= size; at += 32) {
    const __m256i input = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at));
    if (_mm256_movemask_epi8(_mm256_or_si256(input, before)) != 0)
      faults = _mm256_or_si256(faults, utf8_faults_avx2(input, before));
    before = input;
  }
  // The zeros after the last bytes make a sequence that is cut off too short.
  alignas(32) std::uint8_t last[32] = {};
  if (at != size) std::memcpy(last, from + at, size - at);
  faults = _mm256_or_si256(
      faults, utf8_faults_avx2(_mm256_load_si256(reinterpret_cast<const __m256i*>(last)), before));
  return _mm256_testz_si256(faults, faults) != 0;
}
#endif

inline constexpr kernel_body<decltype(&utf8_valid_scalar)> utf8_valid_bodies[] = {
    {instructions::any, utf8_valid_scalar},
#if THRIFTLENS_X86
    {instructions::avx2, utf8_valid_avx2},
#endif
};

[[nodiscard]] THRIFTLENS_NOINLINE inline bool utf8_valid_long(const std::uint8_t* from,
                                                              std::size_t size) noexcept {
#if THRIFTLENS_X86
  if (best_level() >= level::avx2 && size >= 32) return utf8_valid_avx2(from, size);
#endif
  return utf8_valid_scalar(from, size);
}

}  // namespace detail

namespace detail {
[[nodiscard]] THRIFTLENS_INLINE bool is_ascii_words(const std::uint8_t* from, std::size_t size) noexcept {
  if (size < 8) {
    std::uint8_t all = 0;
    for (std::size_t i = 0; i < size; ++i) all |= from[i];
    return all < 0x80;
  }
  // The last step overlaps the one before it instead of going byte by byte.
  std::uint64_t all = load_le<std::uint64_t>(from + size - 8);
  for (std::size_t at = 0; at + 8 < size; at += 8) all |= load_le<std::uint64_t>(from + at);
  return (all & 0x8080808080808080u) == 0;
}

#if THRIFTLENS_X86
[[nodiscard]] THRIFTLENS_INLINE bool is_ascii_sse2(const std::uint8_t* from, std::size_t size) noexcept {
  if (size < 16) return is_ascii_words(from, size);
  __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + size - 16));
  for (std::size_t at = 0; at + 16 < size; at += 16)
    all = _mm_or_si128(all, _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  return _mm_movemask_epi8(all) == 0;
}
#endif

inline constexpr kernel_body<decltype(&is_ascii_words)> is_ascii_bodies[] = {
    {instructions::any, is_ascii_words},
#if THRIFTLENS_X86
    {instructions::sse2, is_ascii_sse2},
#endif
};
}  // namespace detail

/// True if no byte has its top bit set.
[[nodiscard]] inline bool is_ascii(byte_view bytes) noexcept {
#if THRIFTLENS_X86
  return detail::is_ascii_sse2(bytes.data(), bytes.size());
#else
  return detail::is_ascii_words(bytes.data(), bytes.size());
#endif
}

/// True for well-formed UTF-8. Linear; ASCII, the usual case, costs a load and a test for 16 bytes.
[[nodiscard]] inline bool valid_utf8(byte_view bytes) noexcept {
  if (bytes.size() <= 64 && is_ascii(bytes)) return true;
  return detail::utf8_valid_long(bytes.data(), bytes.size());
}

/// Bytes in front of the first ill-formed sequence; bytes.size() if there is none. A sequence cut off by the
/// end is ill-formed. Linear in what it returns, so that a text can be gone through from one ill-formed
/// sequence to the next.
[[nodiscard]] inline std::size_t valid_utf8_prefix(byte_view bytes) noexcept {
  return detail::utf8_prefix_scalar(bytes.data(), bytes.size());
}
/// Bytes of the ill-formed sequence that a text begins with, at least one: what one U+FFFD stands for in
/// Unicode's recommended practice (section 3.9: as much as a well-formed sequence could begin with), in
/// browsers and in Python. Not for no bytes.
[[nodiscard]] inline std::size_t ill_formed_utf8_size(byte_view bytes) noexcept {
  bool whole = false;
  return thriftlens::detail::utf8_agreeing(bytes.text(), whole);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::simd
