// url_text: splits and decodes queries and urlencoded forms.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The number of a hexadecimal digit, or -1.
[[nodiscard]] constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
/// Appends `text` decoded. False, with part of it appended, for a percent sign without two digits after it.
/// `plus`: + is a blank.
[[nodiscard]] inline bool append_decoded(std::string_view text, bool plus, std::string& to) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return false;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return false;
      c = static_cast<char>(high << 4 | low);
      i += 2;
    } else if (c == '+' && plus) {
      c = ' ';
    }
    to += c;
  }
  return true;
}
/// Appends `text` decoded; a percent sign without two digits after it is literal.
inline void append_lenient(std::string_view text, std::string& to) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) {
      to += static_cast<char>(high << 4 | low);
      i += 2;
    } else {
      to += text[i] == '+' ? ' ' : text[i];
    }
  }
}
/// The query of a URL, still encoded.
[[nodiscard]] inline std::string_view query_of(std::string_view url) noexcept {
  url = url.substr(0, url.find('#'));
  const std::size_t at = url.find('?');
  return at == std::string_view::npos ? std::string_view() : url.substr(at + 1);
}
/// The path of a URL, absolute or not, still encoded.
[[nodiscard]] inline std::string_view path_of(std::string_view url) noexcept {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos || url.find('/') < scheme) return url;
  const std::size_t path = url.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : url.substr(path);
}

/// Owns decoded texts. Its memory is reserved once, so views of it stay valid.
class decoded_texts {
 public:
  /// Must be called first, with the size of all texts to decode.
  void reserve(std::size_t size) { texts_.reserve(size); }
  /// Sets `decoded`, to `text` itself if nothing is encoded. False for a malformed percent sign with
  /// `is_strict`.
  [[nodiscard]] bool decode(std::string_view text, bool is_strict, std::string_view& decoded) {
    decoded = text;
    if (text.find_first_of("%+") == std::string_view::npos) return true;
    const std::size_t begin = texts_.size();
    if (!is_strict)
      append_lenient(text, texts_);
    else if (!append_decoded(text, true, texts_))
      return false;
    decoded = std::string_view(texts_).substr(begin);
    return true;
  }

 private:
  std::string texts_;
};

/// Calls `visit(name, value)`, both still encoded, for the pairs of a query. False if there are more than
/// `max`. Skips empty pairs and, with `is_strict`, pairs with a semicolon.
template <class Visitor>
[[nodiscard]] bool each_pair(std::string_view text, std::size_t max, bool is_strict, const Visitor& visit) {
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == max) return false;
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (pair.empty() || (is_strict && pair.find(';') != std::string_view::npos)) continue;
    const std::size_t equals = pair.find('=');
    visit(pair.substr(0, equals),
          equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1));
  }
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
