// token_stream: the parser's position in the text, one token ahead.
#pragma once

#include <thriftlens/idl/doc_text.hpp>
#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/keyword.hpp>
#include <thriftlens/idl/lexer.hpp>
#include <thriftlens/idl/literal.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Numbers of open brackets.
struct brackets {
  std::uint32_t braces = 0;
  std::uint32_t others = 0;  ///< ( and [
  std::uint32_t angles = 0;  ///< of types; an error leaves them open

  [[nodiscard]] bool none() const noexcept { return braces == 0 && others == 0; }
  /// Whether nothing was opened since `level`; angles aside.
  [[nodiscard]] bool encloses(const brackets& level) const noexcept {
    return braces == level.braces && others == level.others;
  }
};

class recovery;

/// Base of the parser.
class token_stream {
 public:
  token_stream(const token_stream&) = delete;
  token_stream& operator=(const token_stream&) = delete;

 protected:
  friend class recovery;

  token_stream(std::string_view text, std::uint32_t program, const load_options& options, arena& memory,
               findings& to)
      : lexer_(text), program_(program), options_(options), memory_(memory), findings_(to) {
    advance();
    last_line_ = 0;
  }
  ~token_stream() = default;

  [[nodiscard]] bool strict() const noexcept { return options_.mode == mode::strict; }
  THRIFTLENS_NOINLINE void advance() noexcept {
    last_line_ = lexer_.line();
    lexer_.next(token_);
  }
  [[nodiscard]] bool at(token_kind kind) const noexcept { return token_.kind == kind; }
  [[nodiscard]] bool at_word() const noexcept { return token_.kind == token_kind::identifier; }
  /// The keyword of the current token, or none.
  [[nodiscard]] THRIFTLENS_NOINLINE keyword current_keyword() const noexcept {
    return at_word() ? find_keyword(token_.text) : keyword::none;
  }
  [[nodiscard]] bool first_on_line() const noexcept { return token_.where.line != last_line_; }
  [[nodiscard]] bool accept(token_kind kind) noexcept {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool accept(keyword kind) noexcept {
    if (current_keyword() != kind) return false;
    advance();
    return true;
  }
  /// Consumes the token, or reports that `expected_text` was expected.
  [[nodiscard]] THRIFTLENS_NOINLINE bool expect(token_kind kind, const char* expected_text) {
    return accept(kind) || reject(expected_text);
  }
  /// Consumes an opening bracket and records it for error recovery.
  void enter() noexcept {
    ++(at(token_kind::open_brace) ? open_.braces : open_.others);
    advance();
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool expect_open(token_kind kind, const char* expected_text) {
    if (!at(kind)) return reject(expected_text);
    enter();
    return true;
  }
  /// Consumes the closing bracket of the list, if it is the current token.
  [[nodiscard]] bool leave(token_kind kind) noexcept {
    if (!accept(kind)) return false;
    --(kind == token_kind::close_brace ? open_.braces : open_.others);
    return true;
  }
  /// One `,` or `;`.
  void skip_separator() noexcept {
    if (at(token_kind::comma) || at(token_kind::semicolon)) advance();
  }
  [[nodiscard]] THRIFTLENS_NOINLINE std::string_view take_doc() {
    return lexer_.doc().empty() ? std::string_view() : clean_doc_text(lexer_.doc(), memory_);
  }

  THRIFTLENS_COLD void error(const char* kind, position where, const char* text, message_args args = {}) {
    findings_.error(kind, program_, where, text, args);
  }
  THRIFTLENS_COLD void warning(const char* kind, position where, const char* text, message_args args = {}) {
    findings_.warning(kind, program_, where, text, args);
  }
  /// Reports that `expected_text` was expected at the current token, once per token. Always false.
  THRIFTLENS_COLD bool reject(const char* expected_text) { return reject(expected_text, "", {}); }
  /// The same; a hint, composed of a literal and its arguments, follows the message.
  THRIFTLENS_COLD bool reject(const char* expected_text, const char* hint, message_args args) {
    if (failed_at_ == token_.where) return false;
    failed_at_ = token_.where;
    if (token_.problem == token_problem::unterminated_string) {
      error("unterminated-string", token_.where, "the string does not end");
    } else if (token_.problem == token_problem::unterminated_comment) {
      error("unterminated-comment", token_.where, "the comment does not end");
    } else {
      report_unexpected(expected_text, compose(hint, args));
    }
    return false;
  }

  /// Marks the current token as reported.
  void silence() noexcept { failed_at_ = token_.where; }

  /// Consumes a string and returns its unescaped text. Reports and ignores bad escapes.
  [[nodiscard]] THRIFTLENS_NOINLINE std::string_view take_string() {
    std::string_view text = token_.text;
    if (token_.newline && strict())
      error("newline-in-string", token_.where, "a string extends past the end of its line");
    if (token_.escaped) {
      unescaped value = unescape(text, memory_);
      if (strict()) value.bad = thriftlens::detail::least(value.bad, find_extended_escape(text));
      if (value.bad != std::string_view::npos) report_escape(text, value.bad);
      text = value.text;
    }
    advance();
    return text;
  }
  /// Consumes an integer and returns its value. Reports overflow of 64 bits.
  [[nodiscard]] THRIFTLENS_NOINLINE std::optional<std::int64_t> take_integer() {
    std::optional<std::int64_t> value = parse_integer(token_.text);
    if (!value) error("number-range", token_.where, "the % does not fit in 64 bits", {describe(token_)});
    if (looks_octal(token_.text))
      warning("leading-zero", token_.where, "a number with a leading zero is decimal");
    advance();
    return value;
  }

  lexer lexer_;
  token token_;
  brackets open_;
  std::uint32_t program_;
  const load_options& options_;
  arena& memory_;
  findings& findings_;

 private:
  THRIFTLENS_COLD void report_unexpected(const char* expected_text, const std::string& hint) {
    if (token_.problem == token_problem::unexpected_char) return report_unexpected_char(expected_text);
    error(at(token_kind::end) ? "unexpected-eof" : "unexpected-token", token_.where, "expected %, found %%%",
          {expected_text, describe(token_), hint.empty() ? "" : "; ", hint});
  }
  THRIFTLENS_COLD void report_unexpected_char(const char* expected_text) {
    constexpr char digits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(token_.text.front());
    const bool is_printable = byte > ' ' && byte < 0x7F;
    const char hex[] = {digits[byte >> 4], digits[byte & 15], '\0'};
    const char* text = is_printable ? "expected %, found '%'" : "expected %, found byte 0x%";
    if (byte == '@')
      text =
          "expected %, found '%'; structured annotations are of the fbthrift dialect, which is not supported";
    error("unexpected-char", token_.where, text, {expected_text, is_printable ? token_.text : hex});
  }
  /// The first `\x` or `\u`, which Apache's compiler does not have, or npos.
  [[nodiscard]] static std::size_t find_extended_escape(std::string_view text) noexcept {
    for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at + 2)) {
      if (at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'u')) return at;
    }
    return std::string_view::npos;
  }
  THRIFTLENS_COLD void report_escape(std::string_view text, std::size_t bad) {
    position where = token_.where;
    ++where.column;
    for (std::size_t i = 0; i < bad; ++i) {
      ++where.column;
      if (text[i] != '\n' && (text[i] != '\r' || text.substr(i, 2) == "\r\n")) continue;
      ++where.line;
      where.column = 1;
    }
    const char* const extended = strict() ? " or \\\\" : ", \\\\, \\xHH or \\uHHHH";
    error("bad-escape", where, "expected \\n, \\r, \\t, \\\", \\'%, found '%'",
          {extended, text.substr(bad, 2)});
  }

  std::uint32_t last_line_ = 0;
  position failed_at_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
