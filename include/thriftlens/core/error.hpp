// error: a fault with its words, path and, for IDL, all findings; what users see.
// In: a code, an offset, a path, a detail. Out: one sentence that ends in the place.
// Never made on a path that succeeds.
#pragma once

#include <thriftlens/core/diagnostic.hpp>
#include <thriftlens/core/fault.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The text or bytes that the offset of an error counts in.
enum class error_source : std::uint8_t {
  data,       ///< the wire bytes that the caller passed
  json,       ///< JSON text
  idl,        ///< IDL text
  path,       ///< the text of a path
  selection,  ///< the text of a selection
};
/// "data", "JSON text", "IDL", "path", "selection".
[[nodiscard]] constexpr std::string_view to_string(error_source source) noexcept {
  constexpr std::string_view names[] = {"data", "JSON text", "IDL", "path", "selection"};
  return names[static_cast<std::size_t>(source)];
}

template <>
inline constexpr bool detail::is_printed<error_source> = true;

/// The one error type: thrown by the plain calls, held by result<T> from the try_ calls.
/// what() reads like `expected i32, found string at $.user.ids[3] (byte 118)`; docs/errors.md says which byte
/// and which path an error names.
class error : public std::exception {
 public:
  static constexpr std::size_t no_offset = static_cast<std::size_t>(-1);

  error() = default;
  /// `detail` replaces the code's own sentence where it is not empty; `path` like "$.a[3]" or empty.
  explicit error(errc code, std::string detail = {}, std::size_t offset = no_offset, std::string path = {})
      : code_(code), offset_(offset), path_(std::move(path)), detail_(std::move(detail)) {
    compose();
  }
  /// An error of IDL: carries all findings of the load; what() shows each with its line and caret.
  explicit error(std::vector<diagnostic> findings)
      : code_(errc::schema_invalid), findings_(std::move(findings)) {
    for (const diagnostic& finding : findings_) {
      if (!text_.empty()) text_ += '\n';
      text_ += finding.to_string();
    }
  }

  [[nodiscard]] errc code() const noexcept { return code_; }
  /// The first byte of what is at fault, counted in source() from the start of what the caller passed; or
  /// no_offset where there is none.
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
  [[nodiscard]] error_source source() const noexcept { return source_; }
  /// The same error, with an offset that counts in `source`.
  [[nodiscard]] error in(error_source source) && {
    source_ = source;
    compose();
    return std::move(*this);
  }
  /// Where in the value: "$.user.ids[3]"; empty where no value is meant. Of a temporary the text itself, here
  /// and below.
  [[nodiscard]] const std::string& path() const& noexcept { return path_; }
  [[nodiscard]] std::string path() && { return std::move(path_); }
  /// The sentence without its place.
  [[nodiscard]] std::string_view detail() const& noexcept {
    return detail_.empty() ? sentence(code_) : std::string_view(detail_);
  }
  [[nodiscard]] std::string detail() && {
    return detail_.empty() ? std::string(sentence(code_)) : std::move(detail_);
  }
  /// All findings of a failed IDL load, errors and warnings in source order; empty for other errors.
  [[nodiscard]] const std::vector<diagnostic>& diagnostics() const& noexcept { return findings_; }
  [[nodiscard]] std::vector<diagnostic> diagnostics() && { return std::move(findings_); }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

  /// Line and column (from 1, in bytes) of a fault in JSON text; 0 where they are not known. locate() makes
  /// source() JSON text.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] std::size_t column() const noexcept { return column_; }
  void locate(std::size_t line, std::size_t column) {
    line_ = line;
    column_ = column;
    source_ = error_source::json;
    compose();
  }

  /// The same code and the same sentence about the same place.
  friend bool operator==(const error& left, const error& right) noexcept {
    return left.code_ == right.code_ && left.source_ == right.source_ && left.text_ == right.text_;
  }

 private:
  void compose() {
    text_ = detail_.empty() ? sentence(code_) : std::string_view(detail_);
    if (!path_.empty()) text_ += " at " + path_;
    if (offset_ == no_offset) return;
    text_ += " (byte " + std::to_string(offset_);
    // Bytes of data are the rule, and who names a line means text.
    if (line_ != 0)
      text_ += ", line " + std::to_string(line_) + " column " + std::to_string(column_);
    else if (source_ != error_source::data)
      text_ += " of the " + std::string(to_string(source_));
    text_ += ')';
  }

  errc code_ = errc::ok;
  error_source source_ = error_source::data;
  std::size_t offset_ = no_offset;
  std::size_t line_ = 0;
  std::size_t column_ = 0;
  std::string path_;
  std::string detail_;
  std::string text_;
  std::vector<diagnostic> findings_;
};

template <>
inline constexpr bool detail::is_printed<error> = true;

namespace detail {
/// An error of code ok says that nothing went wrong. Where something has failed it becomes `internal`, with
/// its offset and path.
THRIFTLENS_COLD inline void require_code(error& reason) {
  if (reason.code() == errc::ok)
    reason =
        error(failure_code(errc::ok), {}, reason.offset(), std::string(reason.path())).in(reason.source());
}
}  // namespace detail

/// Throws the error; without exceptions prints it and aborts (use the try_ twin there). One of code ok is
/// thrown as `internal`.
[[noreturn]] THRIFTLENS_COLD inline void raise(error&& reason) {
  detail::require_code(reason);
#if THRIFTLENS_EXCEPTIONS
  throw std::move(reason);
#else
  std::fprintf(stderr, "thriftlens: %s\n", reason.what());
  std::abort();
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
