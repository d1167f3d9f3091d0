// quote: text as a JSON string literal, and quoted names for messages.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_COLD inline void append_hex(std::string& out, std::uint8_t byte) {
  constexpr char digits[] = "0123456789abcdef";
  const char pair[] = {digits[byte >> 4], digits[byte & 15]};
  out.append(pair, 2);
}
/// Whether a terminal or a log may act on the code point instead of showing it: control characters (C0, DEL,
/// C1), line and paragraph separators, bidirectional marks.
[[nodiscard]] constexpr bool is_unprintable(std::uint32_t code) noexcept {
  if (code < 0xa0) return code < 0x20 || code >= 0x7f;
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}
/// The code point of a well-formed sequence of at most three bytes; 0xffffffff for longer ones.
[[nodiscard]] constexpr std::uint32_t short_code_point(std::string_view sequence) noexcept {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<std::uint8_t>(sequence[i]));
  };
  if (sequence.size() == 1) return byte(0);
  if (sequence.size() == 2) return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  if (sequence.size() == 3) return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  return 0xffffffffu;
}
/// Appends text with JSON escapes, also for characters that are is_unprintable(). Escapes backslashes and
/// `quote` only if `quote` is not 0. `keeps_tabs`: does not escape tabs.
void append_escaped(std::string& out, std::string_view text, char quote, bool keeps_tabs = false);
/// Appends `text` as a JSON string with its quotes. Linear.
void append_quoted(std::string& out, std::string_view text);
/// Appends a number in decimal. Smaller than std::to_string where it is used often.
void append_decimal(std::string& out, std::uint64_t number);
/// Quotes an untrusted name for a message: single quotes, limited length, one line, valid UTF-8.
[[nodiscard]] std::string in_quotes(std::string_view name);
/// A type's name with its article: "an i64", "a string", "an Order".
[[nodiscard]] std::string with_article(std::string_view name);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/core/quote.ipp>
#endif
