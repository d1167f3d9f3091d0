// json_escape: escapes and unescapes the content of JSON strings. Does not validate UTF-8, but reports
// non-ASCII bytes.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Result of escape_json().
struct json_escaped {
  uint8_t* end;  ///< after the last byte written
  bool ascii;    ///< no byte above 0x7f was seen: nothing to validate
};

/// Result of unescape_json().
struct json_unescaped {
  uint8_t* end;         ///< after the last byte written; nullptr after a fault
  const uint8_t* stop;  ///< the closing quote, or the position of the fault
};

/// Capacity that escape_json() requires for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr size_t json_escape_room(size_t size) noexcept { return size * 6 + 80; }
/// Capacity that unescape_json() requires for `size` bytes between the quotes.
[[nodiscard]] constexpr size_t json_unescape_room(size_t size) noexcept { return size + 32; }

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

// The byte for a letter after a backslash; 0 = invalid ('u' is handled separately).
inline constexpr std::array<uint8_t, 256> json_letter_meaning = [] {
  std::array<uint8_t, 256> bytes{};
  bytes['b'] = '\b';
  bytes['t'] = '\t';
  bytes['n'] = '\n';
  bytes['f'] = '\f';
  bytes['r'] = '\r';
  bytes['"'] = '"';
  bytes['\\'] = '\\';
  bytes['/'] = '/';
  return bytes;
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

inline constexpr auto hex_values = [] {
  std::array<std::int8_t, 256> values{};
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int8_t>(thriftlens::detail::hex_digit(static_cast<uint8_t>(i)));
  }
  return values;
}();

// Four hex digits, or a negative number.
[[nodiscard]] THRIFTLENS_INLINE int32_t hex_quad(const uint8_t* from) noexcept {
  const int a = hex_values[from[0]], b = hex_values[from[1]], c = hex_values[from[2]],
            d = hex_values[from[3]];
  return a << 12 | b << 8 | c << 4 | d;
}

// The number of the escape \uXXXX at `from`; negative if it is invalid.
[[nodiscard]] THRIFTLENS_INLINE int32_t unicode_escape(const uint8_t* from, const uint8_t* end) noexcept {
  const bool there = end - from >= 6 && from[0] == '\\' && from[1] == 'u';
  return there ? hex_quad(from + 2) : -1;
}
inline constexpr int32_t high_surrogates = 0xd800 >> 10, low_surrogates = 0xdc00 >> 10;
// Reads the code point of that escape or surrogate pair; returns its length, or 0 if it is invalid.
inline ptrdiff_t get_code_point(const uint8_t* from, const uint8_t* end, int32_t& point) noexcept {
  point = unicode_escape(from, end);
  if (point < 0 || point >> 10 == low_surrogates) return 0;
  if (point >> 10 != high_surrogates) return 6;
  const int32_t second = unicode_escape(from + 6, end);
  if (second >> 10 != low_surrogates) return 0;
  point = 0x10000 + ((point & 0x3ff) << 10) + (second & 0x3ff);
  return 12;
}
// Decodes the escape whose backslash is at `from` and advances both pointers. False for an invalid escape or
// half a surrogate pair.
inline bool take_json_escape(uint8_t*& to, const uint8_t*& from, const uint8_t* end) noexcept {
  if (end - from < 2 || *from != '\\') return false;
  if (const uint8_t meaning = json_letter_meaning[from[1]]) [[likely]] {
    *to++ = meaning;
    from += 2;
    return true;
  }
  int32_t point = 0;
  const ptrdiff_t length = get_code_point(from, end, point);
  if (length == 0) return false;
  to = put_utf8(to, static_cast<uint32_t>(point));
  from += length;
  return true;
}

// Decodes consecutive \uXXXX of three UTF-8 bytes (no surrogates), which ASCII-only writers use for entire
// words. Returns the end of the output.
inline uint8_t* take_unicode_run(uint8_t* to, const uint8_t*& from, const uint8_t* end) noexcept {
  for (;; from += 6, to += 3) {
    const int32_t point = unicode_escape(from, end);
    if (point < 0x800 || point >> 11 == 0xd800 >> 11) return to;
    const auto code = static_cast<uint32_t>(point);
    store_le(to, 0x8080e0u | code >> 12 | (code >> 6 & 0x3fu) << 8 | (code & 0x3fu) << 16);
  }
}
// Passes a stop other than a quote: consecutive multi-letter escapes, or an escape at the end of a block;
// nullptr for a fault.
THRIFTLENS_NOINLINE inline json_unescaped unescape_one(json_unescaped at, const uint8_t* end) noexcept {
  if (!take_json_escape(at.end, at.stop, end)) return {nullptr, at.stop};
  at.end = take_unicode_run(at.end, at.stop, end);
  return at;
}

inline json_unescaped unescape_json_scalar(uint8_t* to, const uint8_t* from, const uint8_t* end) noexcept {
  while (from != end) {
    if (*from == '"') return {to, from};
    if (*from < 0x20) break;
    if (*from != '\\')
      *to++ = *from++;
    else if (!take_json_escape(to, from, end))
      break;
  }
  return {nullptr, from};
}

/// Same, but accepts unescaped control characters.
inline json_unescaped unescape_json_controls(uint8_t* to, const uint8_t* from, const uint8_t* end) noexcept {
  while (from != end) {
    if (*from == '"') return {to, from};
    if (*from != '\\')
      *to++ = *from++;
    else if (!take_json_escape(to, from, end))
      break;
  }
  return {nullptr, from};
}

inline const uint8_t* find_json_special_scalar(const uint8_t* from, const uint8_t* end) noexcept {
  while (from != end && json_escape_letter[*from] == 0) ++from;
  return from;
}

// Bits after a backslash that is itself not after one: runs of backslashes escape in pairs.
template <class Bits>
[[nodiscard]] THRIFTLENS_INLINE Bits json_escaped_bits(Bits slashes) noexcept {
  constexpr auto even = static_cast<Bits>(0x5555555555555555u);
  const Bits follows = slashes << 1;
  const Bits odd_starts = slashes & ~even & ~follows;
  return (even ^ ((odd_starts + slashes) << 1)) & follows;
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

// Letters after backslashes and their values, by the low four bits; `r` and `"` share them with `b`. The 1
// prevents a match of a zero byte.
alignas(16) inline constexpr uint8_t json_letters[16] = {1, 0, 'b', 0, 't',  0, 'f', 0,
                                                         0, 0, 0,   0, '\\', 0, 'n', '/'};
alignas(16) inline constexpr uint8_t json_letter_values[16] = {0, 0, '\b', 0, '\t', 0, '\f', 0,
                                                               0, 0, 0,    0, '\\', 0, '\n', '/'};
// Values of the letters after backslashes. `known`: bytes that are such letters, except `u`.
THRIFTLENS_TARGET_SSSE3 inline __m128i json_meanings(__m128i bytes, __m128i& known) noexcept {
  const __m128i matched = _mm_cmpeq_epi8(_mm_shuffle_epi8(load_16(json_letters), bytes), bytes);
  const __m128i returns = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('r'));
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i values = _mm_shuffle_epi8(load_16(json_letter_values), bytes);
  known = matched | returns | quotes;
  return (matched & values) | (returns & _mm_set1_epi8('\r')) | (quotes & bytes);
}

// All ones in the bytes whose bit is set.
THRIFTLENS_TARGET_SSSE3 inline __m128i bytes_of_bits(unsigned bits) noexcept {
  const __m128i spread = _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(bits)),
                                          _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  const __m128i lane_bits = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201u));
  return _mm_cmpeq_epi8(spread & lane_bits, lane_bits);
}

// The low eight bytes but the marked ones. Writes eight bytes.
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE uint8_t* put_narrowed(uint8_t* to, __m128i bytes,
                                                                unsigned mask) noexcept {
  const __m128i positions = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(json_shuffle.narrow[mask]));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(bytes, positions));
  return to + 8 - json_shuffle.count[mask];
}

// Analysis of 16 bytes of a string: resolved escapes, their starts, and the stop: a quote or control
// character, an escape of another kind, or a backslash at the end.
struct json_block {
  __m128i mapped;
  unsigned starts;
  unsigned halts;

  [[nodiscard]] unsigned size() const noexcept {
    return static_cast<unsigned>(std::countr_zero(halts | 0x10000u));
  }
  // Without the backslashes that start escapes. Writes 16 bytes.
  THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE uint8_t* put(uint8_t* to) const noexcept {
    if (starts == 0) {
      store_16(to, mapped);
      return to + size();
    }
    // Separate, so that the next block does not depend on the end of this one.
    return halts == 0 ? put_first(to, 16) : put_first(to, size());
  }
  THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE uint8_t* put_first(uint8_t* to, unsigned count) const noexcept {
    const unsigned slashes = starts & ((1u << count) - 1);
    to = put_narrowed(to, mapped, slashes & 0xff);
    return put_narrowed(to, _mm_srli_si128(mapped, 8), slashes >> 8) - (16 - count);
  }
};
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE json_block resolve_json_block(__m128i bytes, unsigned specials,
                                                                        unsigned slashes) noexcept {
  const unsigned escaped = json_escaped_bits(slashes), starts = slashes & ~escaped;
  __m128i is_known;
  const __m128i meanings = json_meanings(bytes, is_known);
  const unsigned unknown = escaped & ~top_bits(is_known);
  const unsigned stops = specials & ~slashes & (~escaped | unknown);
  const __m128i where = bytes_of_bits(escaped);
  const __m128i mapped = (where & meanings) | (~where & bytes);
  return {mapped, starts, stops | ((unknown >> 1) & 0x7fffu) | (starts & 0x8000u)};
}
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE json_block read_json_block(__m128i bytes) noexcept {
  const unsigned specials = json_specials(bytes);
  const unsigned slashes = top_bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
  if (slashes == 0) return {bytes, 0, specials};
  return resolve_json_block(bytes, specials, slashes);
}

THRIFTLENS_TARGET_SSSE3 inline json_unescaped unescape_json_ssse3(uint8_t* to, const uint8_t* from,
                                                                  const uint8_t* end) noexcept {
  json_unescaped at{to, from};
  while (end - at.stop >= 16) {
    const json_block block = read_json_block(load_16(at.stop));
    at.end = block.put(at.end);
    at.stop += block.size();
    if (block.halts == 0) continue;
    if (*at.stop == '"') return at;
    at = unescape_one(at, end);
    if (at.end == nullptr) return at;
  }
  return unescape_json_scalar(at.end, at.stop, end);
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

alignas(64) inline constexpr auto json_meaning_by_ascii = [] {
  std::array<uint8_t, 128> meanings{};
  for (size_t i = 0; i < meanings.size(); ++i) meanings[i] = json_letter_meaning[i];
  return meanings;
}();

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

// Analysis of 64 bytes of a string: resolved escapes, their starts, and the number of valid bytes.
struct json_wide_block {
  __m512i mapped;
  uint64_t starts;
  unsigned size;
};
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE __m512i json_meanings(__m512i letters) noexcept {
  return _mm512_permutex2var_epi8(_mm512_load_si512(json_meaning_by_ascii.data()), letters,
                                  _mm512_load_si512(json_meaning_by_ascii.data() + 64));
}
// No branch on backslashes, which are unpredictable. Leaves the byte after the block to the next one.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE json_wide_block read_json_wide_block(__m512i bytes) noexcept {
  constexpr uint64_t last = uint64_t{1} << 63;
  const uint64_t slashes = equal_bits(bytes, '\\'), escaped = json_escaped_bits(slashes);
  const uint64_t starts = slashes & ~escaped;
  const uint64_t stops = (equal_bits(bytes, '"') | json_controls(bytes)) & ~escaped;
  const __m512i meanings = json_meanings(bytes);
  const uint64_t known = escaped & _mm512_test_epi8_mask(meanings, meanings) & ~_mm512_movepi8_mask(bytes);
  auto size = static_cast<unsigned>(_tzcnt_u64(stops | (starts & last)));
  // Escapes that are not in the table stop earlier; separate, so that the end of the string does not depend
  // on the table.
  if (_bzhi_u64(escaped & ~known, size) != 0) [[unlikely]]
    size = static_cast<unsigned>(_tzcnt_u64(escaped & ~known)) - 1;
  return {_mm512_mask_mov_epi8(bytes, known, meanings), starts, size};
}

THRIFTLENS_TARGET_VBMI2 inline json_unescaped unescape_json_vbmi2(uint8_t* to, const uint8_t* from,
                                                                  const uint8_t* end) noexcept {
  for (json_unescaped at{to, from};;) {
    const json_wide_block block = read_json_wide_block(load_64_before(at.stop, end));
    at.end = put_compressed(at.end, block.mapped, _bzhi_u64(~block.starts, block.size));
    at.stop += block.size;
    if (block.size == 64) continue;
    if (at.stop != end && *at.stop == '"') [[likely]]
      return at;
    at = unescape_one(at, end);
    if (at.end == nullptr) return at;
  }
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

inline json_unescaped unescape_json_neon(uint8_t* to, const uint8_t* from, const uint8_t* end) noexcept {
  while (end - from >= 16) {
    const bytes_16 bytes = get_16(from), specials = json_special_bytes(bytes);
    put_16(to, bytes);
    const size_t plain = first_byte(specials);
    to += plain;
    from += plain;
    if (plain == 16) continue;
    if (*from == '"') return {to, from};
    if (!take_json_escape(to, from, end)) return {nullptr, from};
    to = take_unicode_run(to, from, end);
  }
  return unescape_json_scalar(to, from, end);
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
inline constexpr kernel_body<decltype(&unescape_json_scalar)> unescape_json_bodies[] = {
    {instructions::any, unescape_json_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, unescape_json_ssse3},
    {instructions::vbmi2, unescape_json_vbmi2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, unescape_json_neon},
#endif
};

}  // namespace detail

/// Writes `bytes` as the body of a JSON string (no quotes around it): \" \\ \b \f \n \r \t, other control
/// characters as \u00XX, everything else unchanged. `to` has capacity for json_escape_room(size) bytes.
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

/// Resolves the body of a JSON string that starts at `from`, up to its closing quote. `to` has
/// json_unescape_room of the body's size. Faults: an undefined escape, half a surrogate pair, a control
/// character, no quote before `end`.
[[nodiscard]] inline json_unescaped unescape_json(uint8_t* to, const uint8_t* from,
                                                  const uint8_t* end) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::unescape_json_vbmi2(to, from, end);
  if (best_level() >= level::ssse3) return detail::unescape_json_ssse3(to, from, end);
#endif
#if THRIFTLENS_NEON
  return detail::unescape_json_neon(to, from, end);
#else
  return detail::unescape_json_scalar(to, from, end);
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
