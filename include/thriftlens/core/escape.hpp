// escape: escapes in string literals of IDL and paths.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reads that many hex digits at `at` and advances it.
[[nodiscard]] THRIFTLENS_COLD inline bool read_hex(std::string_view text, std::size_t& at, std::size_t digits,
                                                   std::uint32_t& value) noexcept {
  if (text.size() - at < digits) return false;
  value = 0;
  for (const char c : text.substr(at, digits)) {
    const bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
    if (!is_letter && (c < '0' || c > '9')) return false;
    value = value << 4 | static_cast<std::uint32_t>(is_letter ? (c | 0x20) - 'a' + 10 : c - '0');
  }
  at += digits;
  return true;
}
/// Whether `code` is one of the 1024 surrogates from `first` on.
[[nodiscard]] constexpr bool is_surrogate(std::uint32_t code, std::uint32_t first) noexcept {
  return code >= first && code < first + 0x400;
}
/// Reads the second half of a surrogate pair, including its backslash.
[[nodiscard]] THRIFTLENS_COLD inline bool read_low_surrogate(std::string_view text, std::size_t& at,
                                                             std::uint32_t& code) noexcept {
  if (text.substr(at, 2) != "\\u") return false;
  at += 2;
  return read_hex(text, at, 4, code) && is_surrogate(code, 0xDC00);
}
[[nodiscard]] THRIFTLENS_COLD inline bool read_code_point(std::string_view text, std::size_t& at,
                                                          std::uint32_t& code) noexcept {
  if (!read_hex(text, at, 4, code) || is_surrogate(code, 0xDC00)) return false;
  if (!is_surrogate(code, 0xD800)) return true;
  std::uint32_t low = 0;
  if (!read_low_surrogate(text, at, low)) return false;
  code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

/// `\xHH` is a byte, `\uHHHH` a character.
[[nodiscard]] THRIFTLENS_COLD inline bool read_code_escape(char name, std::string_view text, std::size_t& at,
                                                           char*& to) noexcept {
  std::uint32_t code = 0;
  if (name == 'x' ? !read_hex(text, at, 2, code) : name != 'u' || !read_code_point(text, at, code))
    return false;
  if (name == 'x')
    *to++ = static_cast<char>(code);
  else
    to = put_utf8(to, code);
  return true;
}

/// Reads an escape after its backslash (\n \r \t \" \' \\ \xHH \uHHHH and surrogate pairs) at `at`, writes at
/// most 4 bytes at `to` and advances both. False for an invalid escape; both may have been advanced.
[[nodiscard]] inline bool read_escape(std::string_view text, std::size_t& at, char*& to) noexcept {
  constexpr std::string_view names = "nrt\"'\\", bytes = "\n\r\t\"'\\";
  if (at >= text.size()) return false;
  const char name = text[at++];
  if (const std::size_t known = names.find(name); known != std::string_view::npos) {
    *to++ = bytes[known];
    return true;
  }
  return detail::read_code_escape(name, text, at, to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
