// json_escape: string bytes to the body of a JSON string and back.
// In: bytes. Out: the same with `"`, `\` and control characters escaped; or with escapes resolved up to the
// closing quote. Never validates UTF-8 (but says whether there is any), never reads past its input.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::simd {

/// What escape_json wrote.
struct json_escaped {
  std::uint8_t* end;  ///< after the last byte written
  bool ascii;         ///< no byte above 0x7f was seen: nothing to validate
};

/// What unescape_json found.
struct json_unescaped {
  std::uint8_t* end;         ///< after the last byte written; nullptr after a fault
  const std::uint8_t* stop;  ///< the closing quote; after a fault, its place
};

/// Room that escape_json may use for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr std::size_t json_escape_room(std::size_t size) noexcept { return size * 6 + 80; }
/// Room that unescape_json may use for `size` bytes between the quotes.
[[nodiscard]] constexpr std::size_t json_unescape_room(std::size_t size) noexcept { return size + 32; }

namespace detail {

// The letter after the backslash for each byte: 0 = stands for itself, 'u' = \u00XX.
alignas(32) inline constexpr std::array<std::uint8_t, 256> json_escape_letter = [] {
  std::array<std::uint8_t, 256> letters{};
  for (std::size_t i = 0; i < 32; ++i) letters[i] = 'u';
  letters['\b'] = 'b';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\f'] = 'f';
  letters['\r'] = 'r';
  letters['"'] = '"';
  letters['\\'] = '\\';
  return letters;
}();

// The byte that a letter after a backslash stands for; 0 = none ('u' is handled apart).
inline constexpr std::array<std::uint8_t, 256> json_letter_meaning = [] {
  std::array<std::uint8_t, 256> bytes{};
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

THRIFTLENS_INLINE std::uint8_t* put_json_escape(std::uint8_t* to, std::uint8_t byte) noexcept {
  const std::uint8_t letter = json_escape_letter[byte];
  to[0] = '\\';
  to[1] = letter;
  if (letter != 'u') [[likely]]
    return to + 2;
  constexpr char digits[] = "0123456789abcdef";
  to[2] = '0';
  to[3] = '0';
  to[4] = static_cast<std::uint8_t>(digits[byte >> 4]);
  to[5] = static_cast<std::uint8_t>(digits[byte & 15]);
  return to + 6;
}

inline json_escaped escape_json_scalar(std::uint8_t* to, const std::uint8_t* from,
                                       std::size_t size) noexcept {
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < size; ++i) {
    all |= from[i];
    if (json_escape_letter[from[i]] == 0)
      *to++ = from[i];
    else
      to = put_json_escape(to, from[i]);
  }
  return {to, all < 0x80};
}

inline constexpr auto hex_values = [] {
  std::array<std::int8_t, 256> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int8_t>(thriftlens::detail::hex_digit(static_cast<std::uint8_t>(i)));
  }
  return values;
}();

// Four hex digits, or a negative number.
[[nodiscard]] THRIFTLENS_INLINE std::int32_t hex_quad(const std::uint8_t* from) noexcept {
  const int a = hex_values[from[0]], b = hex_values[from[1]], c = hex_values[from[2]],
            d = hex_values[from[3]];
  return a << 12 | b << 8 | c << 4 | d;
}

// The code point of the escape \uXXXX at `from`, or of the surrogate pair, and its length; 0 where it is
// none.
inline std::ptrdiff_t get_code_point(const std::uint8_t* from, const std::uint8_t* end,
                                     std::uint32_t& point) noexcept {
  if (from[1] != 'u' || end - from < 6) return 0;
  const std::int32_t first = hex_quad(from + 2);
  if (first < 0 || (first & 0xfc00) == 0xdc00) return 0;
  point = static_cast<std::uint32_t>(first);
  if ((first & 0xfc00) != 0xd800) return 6;
  if (end - from < 12 || from[6] != '\\' || from[7] != 'u') return 0;
  const std::int32_t second = hex_quad(from + 8);
  if (second < 0 || (second & 0xfc00) != 0xdc00) return 0;
  point = 0x10000u + ((point & 0x3ffu) << 10) + (static_cast<std::uint32_t>(second) & 0x3ffu);
  return 12;
}
// The escape whose backslash is at `from`. Moves both pointers on; false where it is none, or half a
// surrogate pair.
inline bool take_json_escape(std::uint8_t*& to, const std::uint8_t*& from, const std::uint8_t* end) noexcept {
  if (end - from < 2) return false;
  if (const std::uint8_t meaning = json_letter_meaning[from[1]]) [[likely]] {
    *to++ = meaning;
    from += 2;
    return true;
  }
  std::uint32_t point = 0;
  const std::ptrdiff_t length = get_code_point(from, end, point);
  if (length == 0) return false;
  to = put_utf8(to, point);
  from += length;
  return true;
}

// As many \uXXXX of the middle plane's upper part (three bytes of UTF-8, no surrogates) as follow each other:
// writers of ASCII have whole words of them. Returns the output's end.
inline std::uint8_t* take_unicode_run(std::uint8_t* to, const std::uint8_t*& from,
                                      const std::uint8_t* end) noexcept {
  while (end - from >= 6 && from[0] == '\\' && from[1] == 'u') {
    const std::int32_t point = hex_quad(from + 2);
    if (point < 0x800 || (point & 0xf800) == 0xd800) return to;
    to[0] = static_cast<std::uint8_t>(0xe0u | static_cast<unsigned>(point) >> 12);
    to[1] = static_cast<std::uint8_t>(0x80u | ((static_cast<unsigned>(point) >> 6) & 0x3fu));
    to[2] = static_cast<std::uint8_t>(0x80u | (static_cast<unsigned>(point) & 0x3fu));
    to += 3;
    from += 6;
  }
  return to;
}

inline json_unescaped unescape_json_scalar(std::uint8_t* to, const std::uint8_t* from,
                                           const std::uint8_t* end) noexcept {
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

inline const std::uint8_t* find_json_special_scalar(const std::uint8_t* from,
                                                    const std::uint8_t* end) noexcept {
  while (from != end && json_escape_letter[*from] == 0) ++from;
  return from;
}

#if THRIFTLENS_X86
// Bytes that may not stand in a JSON string as they are: quote, backslash, below space.
THRIFTLENS_INLINE unsigned json_specials(__m128i bytes) noexcept {
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), controls)));
}

THRIFTLENS_INLINE const std::uint8_t* find_json_special_sse2(const std::uint8_t* from,
                                                             const std::uint8_t* end) noexcept {
  for (; end - from >= 16; from += 16)
    if (const unsigned specials = json_specials(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))))
      return from + std::countr_zero(specials);
  while (from != end && json_escape_letter[*from] == 0) ++from;
  return from;
}

// For eight bytes and a mask of them: where each goes when a backslash is put before the marked ones, and
// when the marked ones are taken out.
struct json_shuffles {
  alignas(16) std::uint8_t widen[256][16] = {};
  alignas(8) std::uint8_t narrow[256][8] = {};
  std::uint8_t count[256] = {};
};
inline constexpr json_shuffles json_shuffle = [] {
  json_shuffles all;
  for (std::size_t mask = 0; mask < 256; ++mask) {
    std::size_t wide = 0, small = 0;
    for (auto& each : all.widen[mask]) each = 0x80;
    for (std::uint8_t i = 0; i < 8; ++i) {
      const bool marked = ((mask >> i) & 1) != 0;
      wide += marked;
      all.widen[mask][wide++] = i;
      if (!marked) all.narrow[mask][small++] = i;
      all.count[mask] = static_cast<std::uint8_t>(all.count[mask] + marked);
    }
  }
  return all;
}();

// The low eight bytes with a backslash before the marked ones. Writes 16 bytes.
THRIFTLENS_TARGET_SSSE3 inline std::uint8_t* put_widened(std::uint8_t* to, __m128i bytes,
                                                         unsigned mask) noexcept {
  const __m128i places = _mm_load_si128(reinterpret_cast<const __m128i*>(json_shuffle.widen[mask]));
  const __m128i slashes = _mm_and_si128(_mm_cmplt_epi8(places, _mm_setzero_si128()), _mm_set1_epi8('\\'));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_or_si128(_mm_shuffle_epi8(bytes, places), slashes));
  return to + 8 + json_shuffle.count[mask];
}

// The first `size` of 16 bytes, escaped, unless one of them needs \u00XX: then nullptr. Writes 32 bytes.
THRIFTLENS_TARGET_SSSE3 inline std::uint8_t* put_escaped_block(std::uint8_t* to, __m128i bytes,
                                                               unsigned specials, std::size_t size) noexcept {
  const __m128i letters_of = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 'b', 't', 'n', 0, 'f', 'r', 0, 0);
  const __m128i letters = _mm_shuffle_epi8(letters_of, _mm_min_epu8(bytes, _mm_set1_epi8(15)));
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  const __m128i rare = _mm_and_si128(controls, _mm_cmpeq_epi8(letters, _mm_setzero_si128()));
  if ((static_cast<unsigned>(_mm_movemask_epi8(rare)) & ((1u << size) - 1)) != 0) return nullptr;
  const __m128i mapped = _mm_or_si128(_mm_andnot_si128(controls, bytes), letters);
  const unsigned low = specials & 0xff, high = specials >> 8;
  std::uint8_t* half = put_widened(to, mapped, low);
  put_widened(half, _mm_srli_si128(mapped, 8), high);
  return to + size + json_shuffle.count[low] + json_shuffle.count[high];
}

THRIFTLENS_TARGET_SSSE3 inline json_escaped escape_json_ssse3(std::uint8_t* to, const std::uint8_t* from,
                                                              std::size_t size) noexcept {
  __m128i all = _mm_setzero_si128();
  while (size != 0) {
    const std::size_t now = size < 16 ? size : 16;
    const __m128i bytes = load_partial(from, size);
    const unsigned specials = json_specials(bytes) & ((1u << now) - 1);
    all = _mm_or_si128(all, bytes);
    if (specials == 0) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
      to += now;
    } else if (std::uint8_t* end = put_escaped_block(to, bytes, specials, now)) {
      to = end;
    } else {
      to = escape_json_scalar(to, from, now).end;
    }
    from += now;
    size -= now;
  }
  return {to, _mm_movemask_epi8(all) == 0};
}

// Bits after a backslash that is itself not after one: runs of backslashes escape in pairs. Bit 16 is the
// byte after the block.
THRIFTLENS_INLINE unsigned json_escaped_bits(unsigned slashes) noexcept {
  constexpr unsigned even = 0x55555555u;
  const unsigned follows = slashes << 1;
  const unsigned odd_starts = slashes & ~even & ~follows;
  return (even ^ ((odd_starts + slashes) << 1)) & follows;
}

// What the letters after backslashes stand for. `known`: which of the bytes are such letters; `u` is none.
THRIFTLENS_TARGET_SSSE3 inline __m128i json_meanings(__m128i bytes, __m128i& known) noexcept {
  // Indexed by the low four bits; the 1 keeps a zero byte from finding itself.
  const __m128i letters = _mm_setr_epi8(1, 0, 'b', 0, 't', 0, 'f', 0, 0, 0, 0, 0, '\\', 0, 'n', '/');
  const __m128i values = _mm_setr_epi8(0, 0, '\b', 0, '\t', 0, '\f', 0, 0, 0, 0, 0, '\\', 0, '\n', '/');
  const __m128i found = _mm_cmpeq_epi8(_mm_shuffle_epi8(letters, bytes), bytes);
  // These two share their low four bits with `b`.
  const __m128i returns = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('r')),
                quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  known = _mm_or_si128(found, _mm_or_si128(returns, quotes));
  return _mm_or_si128(
      _mm_and_si128(found, _mm_shuffle_epi8(values, bytes)),
      _mm_or_si128(_mm_and_si128(returns, _mm_set1_epi8('\r')), _mm_and_si128(quotes, bytes)));
}

// All ones in the bytes whose bit is set.
THRIFTLENS_TARGET_SSSE3 inline __m128i bytes_of_bits(unsigned bits) noexcept {
  const __m128i spread = _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(bits)),
                                          _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  const __m128i each = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201u));
  return _mm_cmpeq_epi8(_mm_and_si128(spread, each), each);
}

// All 16 bytes but the marked ones.
THRIFTLENS_TARGET_SSSE3 inline std::uint8_t* put_narrowed(std::uint8_t* to, __m128i bytes,
                                                          unsigned mask) noexcept {
  const unsigned low = mask & 0xff, high = mask >> 8;
  const __m128i low_places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(json_shuffle.narrow[low]));
  const __m128i high_places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(json_shuffle.narrow[high]));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(bytes, low_places));
  to += 8 - json_shuffle.count[low];
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(_mm_srli_si128(bytes, 8), high_places));
  return to + 8 - json_shuffle.count[high];
}

// What 16 bytes of a string mean: with its escapes resolved, where those start, and where it cannot go on: at
// a quote or control character, at an escape of another kind, or before a backslash at its very end.
struct json_block {
  __m128i mapped;
  unsigned starts;
  unsigned halts;
};
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE json_block read_json_block(__m128i bytes, unsigned specials,
                                                                     unsigned slashes) noexcept {
  const unsigned escaped = json_escaped_bits(slashes), starts = slashes & ~escaped;
  __m128i is_known;
  const __m128i meanings = json_meanings(bytes, is_known);
  const unsigned unknown = escaped & ~static_cast<unsigned>(_mm_movemask_epi8(is_known));
  const unsigned stops = specials & ~slashes & (~escaped | unknown);
  const __m128i where = bytes_of_bits(escaped);
  const __m128i mapped = _mm_or_si128(_mm_and_si128(where, meanings), _mm_andnot_si128(where, bytes));
  return {mapped, starts, stops | ((unknown >> 1) & 0x7fffu) | (starts & 0x8000u)};
}

THRIFTLENS_TARGET_SSSE3 inline json_unescaped unescape_json_ssse3(std::uint8_t* to, const std::uint8_t* from,
                                                                  const std::uint8_t* end) noexcept {
  while (end - from >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const unsigned specials = json_specials(bytes);
    const auto slashes = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    if (slashes == 0) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
      const auto plain = std::countr_zero(specials | 0x10000u);
      from += plain;
      to += plain;
      if (specials == 0) continue;
      return {*from == '"' ? to : nullptr, from};
    }
    const json_block block = read_json_block(bytes, specials, slashes);
    if (block.halts == 0) {  // apart, so that the next block need not wait for this one's end
      to = put_narrowed(to, block.mapped, block.starts);
      from += 16;
      continue;
    }
    const auto size = static_cast<unsigned>(std::countr_zero(block.halts));
    to = put_narrowed(to, block.mapped, block.starts & ((1u << size) - 1)) - (16 - size);
    from += size;
    if (*from == '"') return {to, from};
    if (*from != '\\' || !take_json_escape(to, from, end)) return {nullptr, from};
    to = take_unicode_run(to, from, end);
  }
  return unescape_json_scalar(to, from, end);
}

// What is beyond the end reads as zero, which is a special. No mask where 64 bytes are there, for the load
// would wait for it.
THRIFTLENS_TARGET_VBMI2 inline __m512i load_64_before(const std::uint8_t* from,
                                                      const std::uint8_t* end) noexcept {
  if (end - from >= 64) [[likely]]
    return _mm512_loadu_si512(from);
  return _mm512_maskz_loadu_epi8(_bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(end - from)), from);
}

THRIFTLENS_TARGET_VBMI2 inline const std::uint8_t* find_json_special_vbmi2(const std::uint8_t* from,
                                                                           const std::uint8_t* end) noexcept {
  for (;; from += 64) {
    const __m512i bytes = load_64_before(from, end);
    const std::uint64_t specials = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"')) |
                                   _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\')) |
                                   _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20));
    if (specials != 0) return from + _tzcnt_u64(specials);
  }
}

alignas(64) inline constexpr auto json_meaning_by_ascii = [] {
  std::array<std::uint8_t, 128> meanings{};
  for (std::size_t i = 0; i < meanings.size(); ++i) meanings[i] = json_letter_meaning[i];
  return meanings;
}();

// The first 32 bytes, as many as are `there`, with backslashes before the `specials` among them. Writes 64
// bytes.
THRIFTLENS_TARGET_VBMI2 inline std::uint8_t* put_expanded(std::uint8_t* to, __m512i bytes,
                                                          std::uint64_t there,
                                                          std::uint64_t specials) noexcept {
  constexpr std::uint64_t even = 0x5555555555555555u;
  const std::uint64_t kept = _pdep_u64(specials, even) | _pdep_u64(there, even << 1);
  _mm512_storeu_si512(to, _mm512_mask_expand_epi8(_mm512_set1_epi8('\\'), _pext_u64(even << 1, kept), bytes));
  return to + _mm_popcnt_u64(kept);
}

THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE std::uint64_t json_specials_vbmi2(__m512i bytes,
                                                                            __mmask64 controls) noexcept {
  return controls | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"')) |
         _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
}
// The body of a JSON string from the bytes that are `there` among 64; `size` of them.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE std::uint8_t* put_escaped_vbmi2(
    std::uint8_t* to, const std::uint8_t* from, __m512i bytes, __mmask64 there, __mmask64 controls,
    std::uint64_t specials, std::size_t size) noexcept {
  const __m512i letters =
      _mm512_castsi256_si512(_mm256_load_si256(reinterpret_cast<const __m256i*>(json_escape_letter.data())));
  const __m512i mapped = _mm512_mask_permutexvar_epi8(bytes, controls, bytes, letters);
  if (_mm512_mask_cmpeq_epi8_mask(controls, mapped, _mm512_set1_epi8('u')) != 0) [[unlikely]]
    return escape_json_scalar(to, from, size).end;
  to = put_expanded(to, mapped, there & 0xffffffffu, specials & 0xffffffffu);
  return put_expanded(to, _mm512_castsi256_si512(_mm512_maskz_extracti64x4_epi64(0xff, mapped, 1)),
                      there >> 32, specials >> 32);
}
// The same whether there are specials or not. Writes 64 bytes at least.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE std::uint8_t* put_block_vbmi2(std::uint8_t* to,
                                                                        const std::uint8_t* from,
                                                                        __m512i bytes, __mmask64 there,
                                                                        std::size_t size) noexcept {
  const __mmask64 controls = _mm512_mask_cmplt_epu8_mask(there, bytes, _mm512_set1_epi8(0x20));
  const std::uint64_t specials = json_specials_vbmi2(bytes, controls);
  if (specials != 0) return put_escaped_vbmi2(to, from, bytes, there, controls, specials, size);
  _mm512_storeu_si512(to, bytes);
  return to + size;
}

THRIFTLENS_TARGET_VBMI2 inline json_escaped escape_json_vbmi2(std::uint8_t* to, const std::uint8_t* from,
                                                              std::size_t size) noexcept {
  std::uint64_t high = 0;
  while (size != 0) {
    const std::size_t now = size < 64 ? size : 64;
    const __mmask64 there = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(now));
    const __m512i bytes = _mm512_maskz_loadu_epi8(there, from);
    high |= _mm512_movepi8_mask(bytes);
    to = put_block_vbmi2(to, from, bytes, there, now);
    from += now;
    size -= now;
  }
  return {to, high == 0};
}

// Over a stop that is no quote: an escape of several letters and those like it that follow, one at the end of
// a block; nullptr where it is a fault.
THRIFTLENS_NOINLINE inline json_unescaped unescape_one(std::uint8_t* to, const std::uint8_t* from,
                                                       const std::uint8_t* end) noexcept {
  if (*from != '\\' || !take_json_escape(to, from, end)) return {nullptr, from};
  to = take_unicode_run(to, from, end);
  return {to, from};
}

// What 64 bytes of a string mean: with its escapes resolved, where those start, and how many bytes count.
struct json_wide_block {
  __m512i mapped;
  std::uint64_t starts;
  unsigned size;
};
// No branch on whether there are backslashes: no predictor knows. As json_escaped_bits; the byte after the
// block is left to the next one.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE json_wide_block read_json_wide_block(__m512i bytes) noexcept {
  constexpr std::uint64_t even = 0x5555555555555555u, last = std::uint64_t{1} << 63;
  const __m512i low_meanings = _mm512_load_si512(json_meaning_by_ascii.data());
  const __m512i high_meanings = _mm512_load_si512(json_meaning_by_ascii.data() + 64);
  const std::uint64_t slashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
  const std::uint64_t specials = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"')) |
                                 _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20));
  const std::uint64_t follows = slashes << 1, odd_starts = slashes & ~even & ~follows;
  const std::uint64_t escaped = (even ^ ((odd_starts + slashes) << 1)) & follows;
  const std::uint64_t starts = slashes & ~escaped;
  const __m512i meanings = _mm512_permutex2var_epi8(low_meanings, bytes, high_meanings);
  const std::uint64_t known =
      escaped & _mm512_test_epi8_mask(meanings, meanings) & ~_mm512_movepi8_mask(bytes);
  auto size = static_cast<unsigned>(_tzcnt_u64((specials & ~escaped) | (starts & last)));
  // Escapes that the table does not know stop earlier; apart, for the end of the string need not wait for
  // the table.
  if (_bzhi_u64(escaped & ~known, size) != 0) [[unlikely]]
    size = static_cast<unsigned>(_tzcnt_u64(escaped & ~known)) - 1;
  return {_mm512_mask_mov_epi8(bytes, known, meanings), starts, size};
}

THRIFTLENS_TARGET_VBMI2 inline json_unescaped unescape_json_vbmi2(std::uint8_t* to, const std::uint8_t* from,
                                                                  const std::uint8_t* end) noexcept {
  for (;;) {
    const json_wide_block block = read_json_wide_block(load_64_before(from, end));
    const std::uint64_t keep = _bzhi_u64(~block.starts, block.size);
    const auto length = static_cast<unsigned>(_mm_popcnt_u64(keep));
    _mm512_mask_storeu_epi8(to, _bzhi_u64(~std::uint64_t{0}, length),
                            _mm512_maskz_compress_epi8(keep, block.mapped));
    from += block.size;
    to += length;
    if (block.size == 64) continue;
    if (from == end) [[unlikely]]
      return {nullptr, from};
    if (*from == '"') [[likely]]
      return {to, from};
    const json_unescaped next = unescape_one(to, from, end);
    if (next.end == nullptr) return next;
    to = next.end;
    from = next.stop;
  }
}
#endif

inline constexpr kernel_body<decltype(&find_json_special_scalar)> find_json_special_bodies[] = {
    {instructions::any, find_json_special_scalar},
#if THRIFTLENS_X86
    {instructions::sse2, find_json_special_sse2},
    {instructions::vbmi2, find_json_special_vbmi2},
#endif
};
inline constexpr kernel_body<decltype(&escape_json_scalar)> escape_json_bodies[] = {
    {instructions::any, escape_json_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, escape_json_ssse3},
    {instructions::vbmi2, escape_json_vbmi2},
#endif
};
inline constexpr kernel_body<decltype(&unescape_json_scalar)> unescape_json_bodies[] = {
    {instructions::any, unescape_json_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, unescape_json_ssse3},
    {instructions::vbmi2, unescape_json_vbmi2},
#endif
};

}  // namespace detail

/// Writes `bytes` as the body of a JSON string (no quotes around it): \" \\ \b \f \n \r \t, other control
/// characters as \u00XX, everything else as it is. `to` has json_escape_room(size) bytes.
[[nodiscard]] inline json_escaped escape_json(std::uint8_t* to, byte_view bytes) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::escape_json_vbmi2(to, bytes.data(), bytes.size());
  if (best_level() >= level::ssse3) return detail::escape_json_ssse3(to, bytes.data(), bytes.size());
#endif
  return detail::escape_json_scalar(to, bytes.data(), bytes.size());
}

/// The first byte in [from, end) that may not stand in a JSON string as it is (quote, backslash, below
/// space), else `end`.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* find_json_special(const std::uint8_t* from,
                                                                      const std::uint8_t* end) noexcept {
#if THRIFTLENS_X86
  return detail::find_json_special_sse2(from, end);
#else
  return detail::find_json_special_scalar(from, end);
#endif
}

/// The same for texts that tend to be longer than names: a call, 64 bytes a step where the processor allows.
[[nodiscard]] inline const std::uint8_t* find_far_json_special(const std::uint8_t* from,
                                                               const std::uint8_t* end) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::find_json_special_vbmi2(from, end);
#endif
  return find_json_special(from, end);
}

/// Resolves the body of a JSON string that starts at `from`, up to its closing quote. `to` has
/// json_unescape_room of the body's size. Faults: an undefined escape, half a surrogate pair, a control
/// character, no quote before `end`.
[[nodiscard]] inline json_unescaped unescape_json(std::uint8_t* to, const std::uint8_t* from,
                                                  const std::uint8_t* end) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::unescape_json_vbmi2(to, from, end);
  if (best_level() >= level::ssse3) return detail::unescape_json_ssse3(to, from, end);
#endif
  return detail::unescape_json_scalar(to, from, end);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::simd
