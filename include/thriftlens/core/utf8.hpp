// utf8: one UTF-8 sequence at a time (Unicode 15, table 3-7: no overlong forms, no surrogates, at most
// U+10FFFF).
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether `byte` may follow `first`; 0: any later byte of a sequence. Rejects overlong forms, surrogates and
/// values above U+10FFFF.
[[nodiscard]] constexpr bool utf8_follows(unsigned first, unsigned byte) noexcept {
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}
/// Length of a sequence with that first byte.
[[nodiscard]] constexpr std::size_t utf8_size(unsigned first) noexcept {
  if (first < 0x80) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
/// Length (at least 1) of the longest prefix of `text`, which is not empty, that begins a well-formed
/// sequence; sets `complete` if it is one.
[[nodiscard]] constexpr std::size_t utf8_agreeing(std::string_view text, bool& complete) noexcept {
  const auto first = static_cast<std::uint8_t>(text[0]);
  complete = first < 0x80;
  if (first < 0xc2 || first > 0xf4) return 1;
  const std::size_t length = utf8_size(first);
  for (std::size_t at = 1; at < length; ++at) {
    const bool follows =
        at < text.size() && utf8_follows(at == 1 ? first : 0u, static_cast<std::uint8_t>(text[at]));
    if (!follows) return at;
  }
  complete = true;
  return length;
}

/// Length (1 to 4) of the well-formed sequence at the start of `text`, or 0.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  bool complete = false;
  const std::size_t length = detail::utf8_agreeing(text, complete);
  return complete ? length : 0;
}

/// The longest well-formed prefix of `text`.
[[nodiscard]] constexpr std::string_view utf8_begin(std::string_view text) noexcept {
  std::size_t size = 0;
  while (const std::size_t length = utf8_length(text.substr(size))) size += length;
  return text.substr(0, size);
}

/// Writes a code point as UTF-8 and returns its end; `to` has capacity for 4 bytes.
template <class Byte>
  requires(sizeof(Byte) == 1)
constexpr Byte* put_utf8(Byte* to, std::uint32_t code) noexcept {
  constexpr std::uint32_t first[] = {0x00, 0xC0, 0xE0, 0xF0};
  const unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  unsigned shift = 6 * more;
  *to++ = static_cast<Byte>(first[more] | (code >> shift));
  while (shift != 0) {
    shift -= 6;
    *to++ = static_cast<Byte>(0x80 | ((code >> shift) & 0x3F));
  }
  return to;
}

/// The longest prefix of `text` within `max_size` bytes that does not split a sequence.
[[nodiscard]] constexpr std::string_view utf8_cut(std::string_view text, std::size_t max_size) noexcept {
  if (text.size() <= max_size) return text;
  std::size_t size = max_size;
  while (size != 0 && max_size - size < 3 && (static_cast<std::uint8_t>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
