// json_escape: escapes the content of JSON strings. Does not validate UTF-8, but reports non-ASCII bytes.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Result of escape_json().
struct json_escaped {
  uint8_t* end;  ///< after the last byte written
  bool ascii;    ///< no byte above 0x7f was seen: nothing to validate
};

/// Capacity that escape_json() requires for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr size_t json_escape_capacity(size_t size) noexcept { return size * 6 + 80; }
namespace detail {

// The letter after the backslash by byte: 0 = not escaped, 'u' = \u00XX.
alignas(32) inline constexpr std::array<uint8_t, 256> json_escape_letter = [] {
  std::array<uint8_t, 256> letters{};
  for (size_t i = 0; i < 32; ++i) letters[i] = 'u';
  letters['\b'] = 'b';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\f'] = 'f';
  letters['\r'] = 'r';
  letters['"'] = '"';
  letters['\\'] = '\\';
  return letters;
}();

THRIFTLENS_INLINE uint8_t* put_json_escape(uint8_t* to, uint8_t byte) noexcept {
  const uint8_t letter = json_escape_letter[byte];
  to[0] = '\\';
  to[1] = letter;
  if (letter != 'u') [[likely]]
    return to + 2;
  constexpr char digits[] = "0123456789abcdef";
  to[2] = '0';
  to[3] = '0';
  to[4] = static_cast<uint8_t>(digits[byte >> 4]);
  to[5] = static_cast<uint8_t>(digits[byte & 15]);
  return to + 6;
}

inline json_escaped escape_json_scalar(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  uint8_t combined = 0;
  for (size_t i = 0; i < size; ++i) {
    combined |= from[i];
    if (json_escape_letter[from[i]] == 0)
      *to++ = from[i];
    else
      to = put_json_escape(to, from[i]);
  }
  return {to, combined < 0x80};
}

inline const uint8_t* find_json_special_scalar(const uint8_t* from, const uint8_t* end) noexcept {
  while (from != end && json_escape_letter[*from] == 0) ++from;
  return from;
}

#if THRIFTLENS_X86
THRIFTLENS_INLINE __m128i json_controls(__m128i bytes) noexcept {
  return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
}
// Bytes that must be escaped in JSON: quote, backslash, below space.
THRIFTLENS_INLINE unsigned json_specials(__m128i bytes) noexcept {
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  return top_bits(quotes | slashes | json_controls(bytes));
}

THRIFTLENS_INLINE const uint8_t* find_json_special_sse2(const uint8_t* from, const uint8_t* end) noexcept {
  for (; end - from >= 16; from += 16)
    if (const unsigned specials = json_specials(load_16(from))) return from + std::countr_zero(specials);
  return find_json_special_scalar(from, end);
}

// Shuffles for eight bytes by mask: insert a backslash before the marked ones, and remove the marked ones.
struct json_shuffles {
  alignas(16) uint8_t widen[256][16] = {};
  alignas(8) uint8_t narrow[256][8] = {};
  uint8_t count[256] = {};
};
inline constexpr json_shuffles json_shuffle = [] {
  json_shuffles shuffles;
  for (size_t mask = 0; mask < 256; ++mask) {
    size_t wide = 0, narrow = 0;
    for (auto& lane : shuffles.widen[mask]) lane = 0x80;
    for (uint8_t i = 0; i < 8; ++i) {
      const bool marked = ((mask >> i) & 1) != 0;
      wide += marked;
      shuffles.widen[mask][wide++] = i;
      if (!marked) shuffles.narrow[mask][narrow++] = i;
      shuffles.count[mask] = static_cast<uint8_t>(shuffles.count[mask] + marked);
    }
  }
  return shuffles;
}();

// The low eight bytes with a backslash before the marked ones. Writes 16 bytes.
THRIFTLENS_TARGET_SSSE3 inline uint8_t* put_widened(uint8_t* to, __m128i bytes, unsigned mask) noexcept {
  const __m128i positions = load_16(json_shuffle.widen[mask]);
  const __m128i slashes = _mm_cmplt_epi8(positions, _mm_setzero_si128()) & _mm_set1_epi8('\\');
  store_16(to, _mm_shuffle_epi8(bytes, positions) | slashes);
  return to + 8 + json_shuffle.count[mask];
}

// The letters of those bytes that are control characters.
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE __m128i json_escape_letters(__m128i bytes) noexcept {
  return _mm_shuffle_epi8(load_16(json_escape_letter.data()), _mm_min_epu8(bytes, _mm_set1_epi8(15)));
}
// Escapes `specials` in the first `size` of 16 bytes; nullptr if one requires \u00XX. Writes 32 bytes.
THRIFTLENS_TARGET_SSSE3 inline uint8_t* put_escaped_block(uint8_t* to, __m128i bytes, unsigned specials,
                                                          size_t size) noexcept {
  const __m128i letters = json_escape_letters(bytes), controls = json_controls(bytes);
  const __m128i rare = controls & _mm_cmpeq_epi8(letters, _mm_set1_epi8('u'));
  if ((top_bits(rare) & specials) != 0) return nullptr;
  const __m128i mapped = (controls & letters) | (~controls & bytes);
  to = put_widened(to, mapped, specials & 0xff);
  return put_widened(to, _mm_srli_si128(mapped, 8), specials >> 8) - (16 - size);
}
// Same, including \u00XX.
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE uint8_t* put_block_ssse3(uint8_t* to, const uint8_t* from,
                                                                   __m128i bytes, unsigned specials,
                                                                   size_t size) noexcept {
  if (specials != 0) {
    uint8_t* end = put_escaped_block(to, bytes, specials, size);
    return end != nullptr ? end : escape_json_scalar(to, from, size).end;
  }
  store_16(to, bytes);
  return to + size;
}

THRIFTLENS_TARGET_SSSE3 inline json_escaped escape_json_ssse3(uint8_t* to, const uint8_t* from,
                                                              size_t size) noexcept {
  __m128i combined = _mm_setzero_si128();
  while (size != 0) {
    const size_t chunk = size < 16 ? size : 16;
    const __m128i bytes = load_partial(from, size);
    combined |= bytes;
    to = put_block_ssse3(to, from, bytes, json_specials(bytes) & ((1u << chunk) - 1), chunk);
    from += chunk;
    size -= chunk;
  }
  return {to, top_bits(combined) == 0};
}

// Bytes beyond the end are zero, which is special. No mask for 64 available bytes: the load would depend on
// it.
THRIFTLENS_TARGET_VBMI2 inline __m512i load_64_before(const uint8_t* from, const uint8_t* end) noexcept {
  if (end - from >= 64) [[likely]]
    return _mm512_loadu_si512(from);
  return _mm512_maskz_loadu_epi8(low_bits(static_cast<size_t>(end - from)), from);
}

THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint64_t json_controls(__m512i bytes) noexcept {
  return _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20));
}
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint64_t json_marks(__m512i bytes) noexcept {
  return equal_bits(bytes, '"') | equal_bits(bytes, '\\');
}

THRIFTLENS_TARGET_VBMI2 inline const uint8_t* find_json_special_vbmi2(const uint8_t* from,
                                                                      const uint8_t* end) noexcept {
  for (;; from += 64) {
    const __m512i bytes = load_64_before(from, end);
    const uint64_t specials = json_marks(bytes) | json_controls(bytes);
    if (specials != 0) return from + _tzcnt_u64(specials);
  }
}

// The bytes in mask `there` of the first 32, with backslashes before `specials`; ignores the upper bits of
// both masks. Writes 64 bytes.
THRIFTLENS_TARGET_VBMI2 inline uint8_t* put_expanded(uint8_t* to, __m512i bytes, uint64_t there,
                                                     uint64_t specials) noexcept {
  constexpr uint64_t even = 0x5555555555555555u;
  const uint64_t output_mask = _pdep_u64(specials, even) | _pdep_u64(there, even << 1);
  _mm512_storeu_si512(
      to, _mm512_mask_expand_epi8(_mm512_set1_epi8('\\'), _pext_u64(even << 1, output_mask), bytes));
  return to + _mm_popcnt_u64(output_mask);
}

// The available bytes of 64 at `from` (mask `there`), others zero, and the special ones.
struct json_text_block {
  const uint8_t* from;
  __m512i bytes;
  uint64_t there, controls, specials;

  THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE json_text_block(const uint8_t* at, size_t size) noexcept
      : from(at), bytes(_mm512_maskz_loadu_epi8(low_bits(size), at)), there(low_bits(size)) {
    controls = json_controls(bytes) & there;
    specials = controls | json_marks(bytes);
  }
  // Escapes `size` bytes, of which some are special.
  THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint8_t* put_escaped(uint8_t* to, size_t size) const noexcept {
    const __m512i letters = _mm512_castsi256_si512(load_32(json_escape_letter.data()));
    const __m512i mapped = _mm512_mask_permutexvar_epi8(bytes, controls, bytes, letters);
    if ((equal_bits(mapped, 'u') & controls) != 0) [[unlikely]]
      return escape_json_scalar(to, from, size).end;
    to = put_expanded(to, mapped, there, specials);
    const __m256i upper = _mm512_maskz_extracti64x4_epi64(0xff, mapped, 1);
    return put_expanded(to, _mm512_castsi256_si512(upper), there >> 32, specials >> 32);
  }
  // Same, with or without special bytes. Writes at least 64 bytes.
  THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE uint8_t* put(uint8_t* to, size_t size) const noexcept {
    if (specials != 0) return put_escaped(to, size);
    _mm512_storeu_si512(to, bytes);
    return to + size;
  }
};

THRIFTLENS_TARGET_VBMI2 inline json_escaped escape_json_vbmi2(uint8_t* to, const uint8_t* from,
                                                              size_t size) noexcept {
  uint64_t high = 0;
  while (size != 0) {
    const size_t chunk = size < 64 ? size : 64;
    const json_text_block block(from, chunk);
    high |= _mm512_movepi8_mask(block.bytes);
    to = block.put(to, chunk);
    from += chunk;
    size -= chunk;
  }
  return {to, high == 0};
}

#endif

#if THRIFTLENS_NEON
// 0xff for bytes that must be escaped in JSON.
[[nodiscard]] THRIFTLENS_INLINE bytes_16 json_special_bytes(bytes_16 bytes) noexcept {
  return reinterpret_cast<bytes_16>((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
}

THRIFTLENS_INLINE const uint8_t* find_json_special_neon(const uint8_t* from, const uint8_t* end) noexcept {
  for (; end - from >= 16; from += 16) {
    const bytes_16 specials = json_special_bytes(get_16(from));
    if (any_bit(specials)) return from + first_byte(specials);
  }
  return find_json_special_scalar(from, end);
}

inline json_escaped escape_json_neon(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  bytes_16 combined = {};
  while (size >= 16) {
    const bytes_16 bytes = get_16(from), specials = json_special_bytes(bytes);
    combined |= bytes;
    put_16(to, bytes);
    const size_t plain = first_byte(specials);
    to += plain;
    from += plain;
    size -= plain;
    for (; size != 0 && json_escape_letter[*from] != 0; --size) to = put_json_escape(to, *from++);
  }
  const json_escaped rest = escape_json_scalar(to, from, size);
  return {rest.end, rest.ascii && !has_high(combined)};
}

#endif

inline constexpr kernel_body<decltype(&find_json_special_scalar)> find_json_special_bodies[] = {
    {instructions::any, find_json_special_scalar},
#if THRIFTLENS_X86
    {instructions::sse2, find_json_special_sse2},
    {instructions::vbmi2, find_json_special_vbmi2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, find_json_special_neon},
#endif
};
inline constexpr kernel_body<decltype(&escape_json_scalar)> escape_json_bodies[] = {
    {instructions::any, escape_json_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, escape_json_ssse3},
    {instructions::vbmi2, escape_json_vbmi2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, escape_json_neon},
#endif
};
}  // namespace detail

/// Writes `bytes` as the body of a JSON string (no quotes around it): \" \\ \b \f \n \r \t, other control
/// characters as \u00XX, everything else unchanged. `to` has capacity for json_escape_capacity(size) bytes.
[[nodiscard]] inline json_escaped escape_json(uint8_t* to, byte_view bytes) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::escape_json_vbmi2(to, bytes.data(), bytes.size());
  if (best_level() >= level::ssse3) return detail::escape_json_ssse3(to, bytes.data(), bytes.size());
#endif
#if THRIFTLENS_NEON
  return detail::escape_json_neon(to, bytes.data(), bytes.size());
#else
  return detail::escape_json_scalar(to, bytes.data(), bytes.size());
#endif
}

/// The first byte in [from, end) that must be escaped in JSON (quote, backslash, below space), else `end`.
[[nodiscard]] THRIFTLENS_INLINE const uint8_t* find_json_special(const uint8_t* from,
                                                                 const uint8_t* end) noexcept {
#if THRIFTLENS_X86
  return detail::find_json_special_sse2(from, end);
#elif THRIFTLENS_NEON
  return detail::find_json_special_neon(from, end);
#else
  return detail::find_json_special_scalar(from, end);
#endif
}

/// Same for texts that tend to be longer than names: not inlined, 64 bytes per step if the processor supports
/// it.
[[nodiscard]] inline const uint8_t* find_far_json_special(const uint8_t* from, const uint8_t* end) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::find_json_special_vbmi2(from, end);
#endif
  return find_json_special(from, end);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
