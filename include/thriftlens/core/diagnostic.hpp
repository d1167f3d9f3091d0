// diagnostic: an error or warning in an IDL file, with its position and source line.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/print.hpp>
#include <thriftlens/core/quote.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One error or warning in an IDL text. Lines and columns count from 1, columns in bytes.
struct diagnostic {
  enum class level : unsigned char { error, warning };

  level severity = level::error;
  std::string kind;  ///< stable short name: "unexpected-token", "undefined-type" …
  std::string file;  ///< as passed to the loader, or the name of the in-memory source
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;      ///< error message
  std::string source;       ///< the line, truncated to a bounded length around the column
  std::uint32_t caret = 0;  ///< byte index into `source` that the caret points at

  /// Three lines: `file:line:column: error: message [kind]`, the source line, the caret. Control characters
  /// of the IDL are escaped.
  [[nodiscard]] std::string to_string() const {
    std::string text;
    detail::append_escaped(text, file, 0);
    text += ':' + std::to_string(line) + ':' + std::to_string(column);
    text += severity == level::error ? ": error: " : ": warning: ";
    detail::append_escaped(text, message, 0);
    text += " [" + kind + "]\n  ";
    detail::append_escaped(text, source, 0, true);
    std::string prefix;
    detail::append_escaped(prefix, std::string_view(source).substr(0, caret), 0, true);
    text += "\n  ";
    for (const char c : prefix) {
      // A column per character, not per byte of UTF-8.
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) text += c == '\t' ? '\t' : ' ';
    }
    text += '^';
    return text;
  }
};

template <>
inline constexpr bool detail::is_printed<diagnostic> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
