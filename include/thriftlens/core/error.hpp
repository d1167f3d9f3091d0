// error: an error with message, offset, path and, for IDL, all findings.
#pragma once

#include <thriftlens/core/diagnostic.hpp>
#include <thriftlens/core/fault.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The text or bytes that the offset of an error refers to.
enum class error_source : std::uint8_t {
  data,       ///< the wire bytes that the caller passed
  json,       ///< JSON text
  idl,        ///< IDL text
  path,       ///< the text of a path
  selection,  ///< the text of a selection
  predicate,  ///< the text of a condition
};
/// "data", "JSON text", "IDL", "path", "selection", "condition".
[[nodiscard]] constexpr std::string_view to_string(error_source source) noexcept {
  constexpr std::string_view names[] = {"data", "JSON text", "IDL", "path", "selection", "condition"};
  return names[static_cast<std::size_t>(source)];
}

template <>
inline constexpr bool detail::is_printed<error_source> = true;

/// Progress of a call when it failed.
enum class call_progress : std::uint8_t {
  unknown,   ///< not an error of a call
  not_sent,  ///< the server has not seen the call
  sent,      ///< the call was sent, at least in part: the server may have executed it
  answered   ///< a reply arrived, but is unreadable
};
/// "unknown", "not_sent", "sent", "answered".
[[nodiscard]] constexpr std::string_view to_string(call_progress progress) noexcept {
  constexpr std::string_view names[] = {"unknown", "not_sent", "sent", "answered"};
  return names[static_cast<std::size_t>(progress)];
}
template <>
inline constexpr bool detail::is_printed<call_progress> = true;

class error;
namespace detail {
/// Replaces the code ok, which must not denote a failure, by `internal`; keeps offset and path.
void require_code(error& reason);
}  // namespace detail

/// The error type of the library: thrown by the plain functions, returned in result<T> by the try_ functions.
/// Example of what(): `expected i32, found string at $.user.ids[3] (byte 118)`; docs/errors.md defines offset
/// and path. Copies share immutable data, so copying and moving neither allocate nor throw. A moved-from
/// error has the code ok.
class error : public std::exception {
 public:
  static constexpr std::size_t no_offset = static_cast<std::size_t>(-1);
  static constexpr std::uint64_t no_record = static_cast<std::uint64_t>(-1);

  /// Code ok: no error.
  error() noexcept = default;
  /// `detail` replaces the message of the code unless empty; `path` like "$.a[3]" or empty.
  explicit error(errc code, std::string detail = {}, std::size_t offset = no_offset, std::string path = {});
  /// An IDL error with all findings of the load; what() shows them with source lines and carets.
  explicit error(std::vector<diagnostic> findings);

  [[nodiscard]] errc code() const noexcept { return get().code; }
  /// Byte offset of the error in source(), from the start of the caller's input; or no_offset.
  [[nodiscard]] std::size_t offset() const noexcept { return get().offset; }
  [[nodiscard]] error_source source() const noexcept { return get().source; }
  /// Progress of the failed call; `unknown` for errors that do not belong to a call.
  [[nodiscard]] call_progress progress() const noexcept { return get().progress; }
  /// Returns the error with that call state.
  [[nodiscard]] error with(call_progress progress) const;
  /// Returns the error at another path.
  [[nodiscard]] error at(std::string path) const;
  /// The same error, with an offset in `source`.
  [[nodiscard]] error in(error_source source) &&;
  /// Path within the value: "$.user.ids[3]"; empty if the error is not about a value. For a temporary,
  /// returns by value, as below.
  [[nodiscard]] const std::string& path() const& noexcept { return get().path; }
  [[nodiscard]] std::string path() && { return get().path; }
  /// The message without path, offset, record and hint.
  [[nodiscard]] std::string_view detail() const& noexcept {
    const contents& of = get();
    return of.detail.empty() ? detail::sentence(of.code) : std::string_view(of.detail);
  }
  [[nodiscard]] std::string detail() && { return std::string(std::as_const(*this).detail()); }
  /// The option of an operation or command that accepts this input, such as "quoted_numbers", if the code
  /// does not imply it; else null.
  [[nodiscard]] const char* option() const noexcept { return get().option; }
  /// Returns the error with the name of an option, which must be a literal.
  [[nodiscard]] error with_option(const char* option) const;
  /// What to do, or what follows from the error; at the end of what(). May be empty.
  [[nodiscard]] const std::string& hint() const& noexcept { return get().hint; }
  [[nodiscard]] std::string hint() && { return get().hint; }
  [[nodiscard]] error with_hint(std::string hint) const;
  /// Number of the record of a sequence that the error is in, at the start of what(); or no_record.
  [[nodiscard]] std::uint64_t record() const noexcept { return get().record; }
  [[nodiscard]] error in_record(std::uint64_t number) const;
  /// All findings of a failed IDL load, errors and warnings in source order; empty for other errors.
  [[nodiscard]] const std::vector<diagnostic>& diagnostics() const& noexcept { return get().findings; }
  [[nodiscard]] std::vector<diagnostic> diagnostics() && { return get().findings; }
  [[nodiscard]] const char* what() const noexcept override { return get().text.c_str(); }
  /// The part of what() between record and hint: detail, path and offset.
  [[nodiscard]] std::string_view message() const& noexcept {
    const contents& of = get();
    return std::string_view(of.text).substr(of.message_begin, of.message_size);
  }
  [[nodiscard]] std::string message() && { return std::string(std::as_const(*this).message()); }

  /// Line and column (from 1, in bytes) of an error in JSON text; 0 if unknown. locate() sets them and
  /// source().
  [[nodiscard]] std::size_t line() const noexcept { return get().line; }
  [[nodiscard]] std::size_t column() const noexcept { return get().column; }
  void locate(std::size_t line, std::size_t column);

  /// Equal code, message, path and offset.
  friend bool operator==(const error& lhs, const error& rhs) noexcept {
    const contents& lhs_contents = lhs.get();
    const contents& rhs_contents = rhs.get();
    return lhs_contents.code == rhs_contents.code && lhs_contents.source == rhs_contents.source &&
           lhs_contents.text == rhs_contents.text;
  }

 private:
  friend void detail::require_code(error& reason);
  struct contents {
    errc code = errc::ok;
    error_source source = error_source::data;
    call_progress progress = call_progress::unknown;
    std::size_t offset = no_offset;
    std::uint64_t record = no_record;
    std::size_t line = 0;
    std::size_t column = 0;
    const char* option = nullptr;
    std::string path = {};
    std::string detail = {};
    std::string hint = {};
    std::vector<diagnostic> findings = {};
    std::string text = {};
    std::size_t message_begin = 0;
    std::size_t message_size = 0;

    void compose();
    void append_offset();
    void list_findings();
  };

  explicit error(contents&& of);

  [[nodiscard]] const contents& get() const noexcept {
    return contents_ != nullptr ? *contents_ : no_contents();
  }
  [[nodiscard]] static const contents& no_contents() noexcept;

  std::shared_ptr<const contents> contents_;
};
static_assert(sizeof(error) == 3 * sizeof(void*), "an error is a pointer to its words");

template <>
inline constexpr bool detail::is_printed<error> = true;

namespace detail {

/// Throws the error; without exceptions prints it and aborts (use the try_ function there). Code ok is thrown
/// as `internal`.
[[noreturn]] void raise(error&& reason);

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/core/error.ipp>
#endif
