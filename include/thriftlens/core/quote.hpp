// quote: text as a JSON string literal, for names and descriptions; names as messages show them.
// In: any bytes. Out: `"…"` or `'…'` in valid UTF-8; broken sequences become U+FFFD.
// Never used in the inner loops: those have simd/json_escape.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/utf8.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// Escapes as JSON has them; `quote` and backslashes only where a quote is named.
inline void append_escaped(std::string& out, std::string_view text, char quote) {
  constexpr char hex[] = "0123456789abcdef";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<std::uint8_t>(text[0]);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (quote != 0 && (text[0] == quote || text[0] == '\\')) {
      out += '\\';
      out += text[0];
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += text[0];
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}
}  // namespace detail

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

}  // namespace thriftlens::inline THRIFTLENS_ABI
