// json_escape: string bytes to the body of a JSON string and back.
// In: bytes. Out: the same with `"`, `\` and control characters escaped; or with escapes resolved up to the closing quote.
// Never validates UTF-8 (but says whether there is any), never reads past its input.
#pragma once

#include <thriftlens/core/byte_view.hpp>
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
  std::uint8_t* end;  ///< behind the last byte written
  bool ascii;         ///< no byte above 0x7f was seen: nothing to validate
};

/// What unescape_json found.
struct json_unescaped {
  std::uint8_t* end;         ///< behind the last byte written; nullptr after a fault
  const std::uint8_t* stop;  ///< the closing quote; after a fault, its place
};

/// Room that escape_json may use for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr std::size_t json_escape_room(std::size_t size) noexcept { return size * 6 + 32; }
/// Room that unescape_json may use for `size` bytes between the quotes.
[[nodiscard]] constexpr std::size_t json_unescape_room(std::size_t size) noexcept { return size + 32; }

namespace detail {

// The letter behind the backslash for each byte: 0 = stands for itself, 'u' = \u00XX.
inline constexpr std::array<std::uint8_t, 256> json_escape_letter = [] {
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

// The byte that a letter behind a backslash stands for; 0 = none ('u' is handled apart).
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
  if (letter != 'u') [[likely]] return to + 2;
  constexpr char digits[] = "0123456789abcdef";
  to[2] = '0';
  to[3] = '0';
  to[4] = static_cast<std::uint8_t>(digits[byte >> 4]);
  to[5] = static_cast<std::uint8_t>(digits[byte & 15]);
  return to + 6;
}

inline json_escaped escape_json_scalar(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < size; ++i) {
    all |= from[i];
    if (json_escape_letter[from[i]] == 0) *to++ = from[i];
    else to = put_json_escape(to, from[i]);
  }
  return {to, all < 0x80};
}

[[nodiscard]] inline int hex_digit(std::uint8_t letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  const int low = letter | 0x20;
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

// Four hex digits, or a negative number.
[[nodiscard]] inline std::int32_t hex_quad(const std::uint8_t* from) noexcept {
  const int a = hex_digit(from[0]), b = hex_digit(from[1]), c = hex_digit(from[2]), d = hex_digit(from[3]);
  return (a | b | c | d) < 0 ? -1 : a << 12 | b << 8 | c << 4 | d;
}

inline std::uint8_t* put_utf8(std::uint8_t* to, std::uint32_t point) noexcept {
  const auto tail = [point](unsigned shift) { return static_cast<std::uint8_t>(0x80u | ((point >> shift) & 0x3fu)); };
  if (point < 0x80) {
    *to++ = static_cast<std::uint8_t>(point);
  } else if (point < 0x800) {
    *to++ = static_cast<std::uint8_t>(0xc0u | point >> 6);
    *to++ = tail(0);
  } else if (point < 0x10000) {
    *to++ = static_cast<std::uint8_t>(0xe0u | point >> 12);
    *to++ = tail(6);
    *to++ = tail(0);
  } else {
    *to++ = static_cast<std::uint8_t>(0xf0u | point >> 18);
    *to++ = tail(12);
    *to++ = tail(6);
    *to++ = tail(0);
  }
  return to;
}

// The escape whose backslash is at `from`. Moves both pointers on; false where it is none, or half a surrogate pair.
inline bool take_json_escape(std::uint8_t*& to, const std::uint8_t*& from, const std::uint8_t* end) noexcept {
  if (end - from < 2) return false;
  if (const std::uint8_t meaning = json_letter_meaning[from[1]]) [[likely]] {
    *to++ = meaning;
    from += 2;
    return true;
  }
  if (from[1] != 'u' || end - from < 6) return false;
  const std::int32_t first = hex_quad(from + 2);
  if (first < 0 || (first & 0xfc00) == 0xdc00) return false;
  auto point = static_cast<std::uint32_t>(first);
  std::ptrdiff_t length = 6;
  if ((first & 0xfc00) == 0xd800) {
    if (end - from < 12 || from[6] != '\\' || from[7] != 'u') return false;
    const std::int32_t second = hex_quad(from + 8);
    if (second < 0 || (second & 0xfc00) != 0xdc00) return false;
    point = 0x10000u + ((point & 0x3ffu) << 10) + (static_cast<std::uint32_t>(second) & 0x3ffu);
    length = 12;
  }
  to = put_utf8(to, point);
  from += length;
  return true;
}

inline json_unescaped unescape_json_scalar(std::uint8_t* to, const std::uint8_t* from, const std::uint8_t* end) noexcept {
  while (from != end) {
    if (*from == '"') return {to, from};
    if (*from < 0x20) break;
    if (*from != '\\') *to++ = *from++;
    else if (!take_json_escape(to, from, end)) break;
  }
  return {nullptr, from};
}

#if THRIFTLENS_X86
// Bytes that may not stand in a JSON string as they are: quote, backslash, below space.
THRIFTLENS_INLINE unsigned json_specials(__m128i bytes) noexcept {
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), controls)));
}

inline json_escaped escape_json_sse2(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  __m128i all = _mm_setzero_si128();
  while (size >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
    all = _mm_or_si128(all, bytes);
    const unsigned specials = json_specials(bytes);
    const auto plain = static_cast<std::size_t>(std::countr_zero(specials | 0x10000u));
    from += plain;
    to += plain;
    size -= plain;
    if (specials != 0) {
      to = put_json_escape(to, *from++);
      --size;
    }
  }
  // The bytes that are not there read as zero, which is a special: they end the last run.
  while (size != 0) {
    const __m128i bytes = load_partial(from, size);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
    all = _mm_or_si128(all, bytes);
    const auto plain = static_cast<std::size_t>(std::countr_zero(json_specials(bytes)));
    if (plain >= size) {
      to += size;
      break;
    }
    to = put_json_escape(to + plain, from[plain]);
    from += plain + 1;
    size -= plain + 1;
  }
  return {to, _mm_movemask_epi8(all) == 0};
}

inline json_unescaped unescape_json_sse2(std::uint8_t* to, const std::uint8_t* from, const std::uint8_t* end) noexcept {
  while (end - from >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
    const unsigned specials = json_specials(bytes);
    const auto plain = std::countr_zero(specials | 0x10000u);
    from += plain;
    to += plain;
    if (specials == 0) continue;
    if (*from == '"') return {to, from};
    if (*from != '\\' || !take_json_escape(to, from, end)) return {nullptr, from};
  }
  return unescape_json_scalar(to, from, end);
}
#endif

}  // namespace detail

/// Writes `bytes` as the body of a JSON string (no quotes around it): \" \\ \b \f \n \r \t, other control characters as
/// \u00XX, everything else as it is. `to` has json_escape_room(size) bytes.
[[nodiscard]] inline json_escaped escape_json(std::uint8_t* to, byte_view bytes) noexcept {
#if THRIFTLENS_X86
  return detail::escape_json_sse2(to, bytes.data(), bytes.size());
#else
  return detail::escape_json_scalar(to, bytes.data(), bytes.size());
#endif
}

/// The first byte in [from, end) that may not stand in a JSON string as it is (quote, backslash, below space), else `end`.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* find_json_special(const std::uint8_t* from, const std::uint8_t* end) noexcept {
#if THRIFTLENS_X86
  for (; end - from >= 16; from += 16)
    if (const unsigned specials = detail::json_specials(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))))
      return from + std::countr_zero(specials);
#endif
  while (from != end && detail::json_escape_letter[*from] == 0) ++from;
  return from;
}

/// Resolves the body of a JSON string that starts at `from`, up to its closing quote. `to` has json_unescape_room of the
/// body's size. Faults: an undefined escape, half a surrogate pair, a control character, no quote before `end`.
[[nodiscard]] inline json_unescaped unescape_json(std::uint8_t* to, const std::uint8_t* from, const std::uint8_t* end) noexcept {
#if THRIFTLENS_X86
  return detail::unescape_json_sse2(to, from, end);
#else
  return detail::unescape_json_scalar(to, from, end);
#endif
}

}  // namespace thriftlens::simd
