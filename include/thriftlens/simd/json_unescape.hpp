// json_unescape: resolves the escapes of JSON strings. Does not validate UTF-8.
#pragma once

#include <thriftlens/core/utf8.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>
#include <thriftlens/simd/json_escape.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Result of unescape_json().
struct json_unescaped {
  uint8_t* end;         ///< after the last byte written; nullptr after a fault
  const uint8_t* stop;  ///< the closing quote, or the position of the fault
};

/// Capacity that unescape_json() requires for `size` bytes between the quotes.
[[nodiscard]] constexpr size_t json_unescape_capacity(size_t size) noexcept { return size + 32; }

namespace detail {

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

// Bits after a backslash that is itself not after one: runs of backslashes escape in pairs.
template <class Bits>
[[nodiscard]] THRIFTLENS_INLINE Bits json_escaped_bits(Bits slashes) noexcept {
  constexpr auto even = static_cast<Bits>(0x5555555555555555u);
  const Bits follows = slashes << 1;
  const Bits odd_starts = slashes & ~even & ~follows;
  return (even ^ ((odd_starts + slashes) << 1)) & follows;
}

#if THRIFTLENS_X86
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

alignas(64) inline constexpr auto json_meaning_by_ascii = [] {
  std::array<uint8_t, 128> meanings{};
  for (size_t i = 0; i < meanings.size(); ++i) meanings[i] = json_letter_meaning[i];
  return meanings;
}();

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

/// Resolves the body of a JSON string that starts at `from`, up to its closing quote. `to` has
/// json_unescape_capacity of the body's size. Faults: an undefined escape, half a surrogate pair, a control
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
