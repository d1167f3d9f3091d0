// error: a fault with its words, path and, for IDL, all findings; what users see.
// In: a code, an offset, a path, a detail. Out: one sentence that ends in the place.
// Never made on a path that succeeds.
#pragma once

#include <thriftlens/core/diagnostic.hpp>
#include <thriftlens/core/fault.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The one error type: thrown by the plain calls, held by result<T> from the try_ calls.
/// what() reads like `expected i32, found string at $.user.ids[3] (byte 118)`.
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
  /// Byte offset into the input (wire bytes, JSON text or path text), or no_offset where there is none.
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
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

  /// Line and column (from 1, in bytes) of a fault in JSON text; 0 where they are not known.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] std::size_t column() const noexcept { return column_; }
  void locate(std::size_t line, std::size_t column) {
    line_ = line;
    column_ = column;
    compose();
  }

 private:
  void compose() {
    text_ = detail_.empty() ? sentence(code_) : std::string_view(detail_);
    if (!path_.empty()) text_ += " at " + path_;
    if (offset_ == no_offset) return;
    text_ += " (byte " + std::to_string(offset_);
    if (line_ != 0) text_ += ", line " + std::to_string(line_) + " column " + std::to_string(column_);
    text_ += ')';
  }

  errc code_ = errc::ok;
  std::size_t offset_ = no_offset;
  std::size_t line_ = 0;
  std::size_t column_ = 0;
  std::string path_;
  std::string detail_;
  std::string text_;
  std::vector<diagnostic> findings_;
};

namespace detail {
/// An error of code ok says that nothing went wrong. Where something has failed it becomes `internal`, with
/// its offset and path.
THRIFTLENS_COLD inline void require_code(error& reason) {
  if (reason.code() == errc::ok)
    reason = error(failure_code(errc::ok), {}, reason.offset(), std::string(reason.path()));
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
