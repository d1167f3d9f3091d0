// header_text: syntax of headers, cookies and media types.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/http/key_table.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

[[nodiscard]] constexpr std::string_view trim_blanks(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}
/// A character that names of headers and cookies may have.
[[nodiscard]] constexpr bool is_token_char(char c) noexcept {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
}
[[nodiscard]] constexpr bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}
/// Neither a line break nor another control character.
[[nodiscard]] constexpr bool is_header_value(std::string_view text) noexcept {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}
[[nodiscard]] constexpr bool is_cookie_value(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != ';' && c != '\\';
  });
}

/// A name and its value on both sides of the first equals sign.
struct named_text {
  std::string_view name;
  std::string_view value;
};
[[nodiscard]] constexpr named_text split_at_equals(std::string_view text) noexcept {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {trim_blanks(text), {}};
  return {trim_blanks(text.substr(0, equals)), text.substr(equals + 1)};
}
[[nodiscard]] constexpr std::string_view without_quotes(std::string_view text) noexcept {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}
/// Calls `visit(name, value)` for the cookies of a Cookie header, values without quotes. Ignores malformed
/// cookies. False if there are more than `max`.
template <class Visitor>
[[nodiscard]] bool each_cookie(std::string_view line, std::size_t max, const Visitor& visit) {
  for (std::size_t count = 0; !line.empty(); ++count) {
    if (count == max) return false;
    const std::size_t end = line.find(';');
    const named_text cookie = split_at_equals(trim_blanks(line.substr(0, end)));
    line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
    const std::string_view value = without_quotes(cookie.value);
    if (is_token(cookie.name) && is_cookie_value(value)) visit(cookie.name, value);
  }
  return true;
}

/// Compares a Content-Type with a media type, ignoring parameters and letter case.
[[nodiscard]] inline bool is_media_type(std::string_view content_type, std::string_view expected) {
  const std::string_view type = trim_blanks(content_type.substr(0, content_type.find(';')));
  return type.size() == expected.size() && lower_text(type) == expected;
}
[[nodiscard]] inline bool is_json_type(std::string_view content_type) {
  const std::string type = lower_text(trim_blanks(content_type.substr(0, content_type.find(';'))));
  return type == "application/json" || type.ends_with("+json");
}
/// The unquoted value of the parameter at `at`; moves `at` to its end.
[[nodiscard]] inline std::string take_parameter(std::string_view header, std::size_t& at) {
  const bool quoted = at < header.size() && header[at] == '"';
  const char end = quoted ? '"' : ';';
  std::string value;
  for (at += quoted ? 1 : 0; at < header.size() && header[at] != end; ++at) {
    if (quoted && header[at] == '\\' && at + 1 < header.size()) ++at;
    value += header[at];
  }
  return quoted ? value : std::string(trim_blanks(value));
}
/// The unquoted value of a named parameter of a header, or an empty text.
[[nodiscard]] inline std::string parameter_of(std::string_view header, std::string_view expected) {
  for (std::size_t at = header.find(';'); at != std::string_view::npos; at = header.find(';', at)) {
    const std::size_t equals = header.find('=', ++at);
    if (equals == std::string_view::npos) return {};
    const std::string name = lower_text(trim_blanks(header.substr(at, equals - at)));
    at = equals + 1;
    std::string value = take_parameter(header, at);
    if (name == expected) return value;
  }
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
