// diagnostic: an error or warning in an IDL file, with its position and source line.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/print.hpp>

#include <cstdint>
#include <string>

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
  [[nodiscard]] std::string to_string() const;
};

template <>
inline constexpr bool detail::is_printed<diagnostic> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/core/diagnostic.ipp>
#endif
