// quote: bodies of quote.hpp.
#pragma once

#include <thriftlens/core/quote.hpp>

#include <thriftlens/core/utf8.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A code point below U+10000 as JSON escapes it.
THRIFTLENS_COLD inline void append_code_escape(std::string& out, std::uint32_t code) {
  constexpr std::string_view known = "\n\r\t", letters = "nrt";
  const std::size_t at = code < 0x20 ? known.find(static_cast<char>(code)) : std::string_view::npos;
  if (at != std::string_view::npos) {
    out += {'\\', letters[at]};
    return;
  }
  out += "\\u";
  append_hex(out, static_cast<std::uint8_t>(code >> 8));
  append_hex(out, static_cast<std::uint8_t>(code));
}
/// Appends the first character of the text, which is not empty, and returns its size in the text.
THRIFTLENS_COLD inline std::size_t append_escaped_character(std::string& out, std::string_view text,
                                                            char quote, bool keeps_tabs) {
  const std::size_t length = utf8_length(text);
  const std::string_view character = text.substr(0, length);
  if (quote != 0 && (text[0] == quote || text[0] == '\\')) out += '\\';
  if (length == 0) {
    out += "\xef\xbf\xbd";
    return 1;
  }
  if (is_unprintable(short_code_point(character)) && !(keeps_tabs && text[0] == '\t'))
    append_code_escape(out, short_code_point(character));
  else
    out += character;
  return length;
}
THRIFTLENS_NOINLINE THRIFTLENS_BODY void append_escaped(std::string& out, std::string_view text, char quote,
                                                        bool keeps_tabs) {
  const auto is_verbatim = [quote](char c) {
    return c >= ' ' && c < '\x7f' && (quote == 0 || (c != quote && c != '\\'));
  };
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_verbatim(text[plain])) ++plain;
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_escaped_character(out, text, quote, keeps_tabs));
  }
}

THRIFTLENS_COLD THRIFTLENS_BODY void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  detail::append_escaped(out, text, '"');
  out += '"';
}

THRIFTLENS_COLD THRIFTLENS_BODY void append_decimal(std::string& out, std::uint64_t number) {
  char digits[20];
  std::size_t at = sizeof(digits);
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  out.append(digits + at, sizeof(digits) - at);
}

[[nodiscard]] THRIFTLENS_COLD THRIFTLENS_BODY std::string in_quotes(std::string_view name) {
  constexpr std::size_t max_size = 60;
  const std::string_view shown = utf8_cut(name, max_size);
  std::string text = "'";
  detail::append_escaped(text, shown, 0);
  text += shown.size() < name.size() ? "...'" : "'";
  return text;
}

[[nodiscard]] THRIFTLENS_COLD THRIFTLENS_BODY std::string with_article(std::string_view name) {
  constexpr std::string_view vowels = "aeioAEIO";  // names in u mostly sound like "you": a User, a uuid
  const bool vowel = !name.empty() && vowels.find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
