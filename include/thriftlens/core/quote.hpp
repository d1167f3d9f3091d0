// quote: text as a JSON string literal, for names and descriptions; names as messages show them.
// In: any bytes. Out: `"…"` or `'…'` in valid UTF-8; broken sequences become U+FFFD.
// Never used in the inner loops: those have simd/json_escape.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/utf8.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

inline void append_hex(std::string& out, std::uint8_t byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}
/// A control character as JSON escapes it.
inline void append_control(std::string& out, char control) {
  constexpr std::string_view known = "\n\r\t", letters = "nrt";
  const std::size_t at = known.find(control);
  if (at != std::string_view::npos)
    out += {'\\', letters[at]};
  else
    append_hex(out += "\\u00", static_cast<std::uint8_t>(control));
}
/// Escapes as JSON has them; `quote` and backslashes only where a quote is named.
inline void append_escaped(std::string& out, std::string_view text, char quote) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (quote != 0 && (text[0] == quote || text[0] == '\\')) out += '\\';
    if (length == 0)
      out += "\xef\xbf\xbd";
    else if (static_cast<std::uint8_t>(text[0]) < 0x20)
      append_control(out, text[0]);
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

/// Appends `text` as a JSON string with its quotes. Linear.
inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  detail::append_escaped(out, text, '"');
  out += '"';
}

/// A name from outside as messages show it: in single quotes, cut where it is long, on one line and valid
/// UTF-8 whatever it holds.
[[nodiscard]] THRIFTLENS_COLD inline std::string in_quotes(std::string_view name) {
  constexpr std::size_t max_size = 60;
  const std::string_view shown = utf8_cut(name, max_size);
  std::string text = "'";
  detail::append_escaped(text, shown, 0);
  text += shown.size() < name.size() ? "...'" : "'";
  return text;
}

/// "an i64", "a string", "an Order": a type's name as a sentence has it.
[[nodiscard]] THRIFTLENS_COLD inline std::string with_article(std::string_view name) {
  constexpr std::string_view vowels = "aeioAEIO";  // names in u are mostly said "you": a User, a uuid
  const bool vowel = !name.empty() && vowels.find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
