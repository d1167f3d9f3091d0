// lexer: splits IDL text into tokens, one at a time. Does not allocate or report: the kind of an invalid
// token names the error.
#pragma once

#include <thriftlens/idl/token.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

// clang-format off
enum char_class : std::uint8_t {
  blank_char = 1, line_char = 2, comment_char = 4, trivia_char = 7,
  word_start = 8, word_part = 16, digit_char = 32, string_stop = 64, mark_char = 128,
};
// clang-format on

constexpr void add_char_class(std::array<std::uint8_t, 256>& classes, std::string_view characters,
                              int value) {
  for (const char c : characters) {
    std::uint8_t& entry = classes[static_cast<unsigned char>(c)];
    entry = static_cast<std::uint8_t>(entry | value);
  }
}
constexpr std::array<std::uint8_t, 256> make_char_classes() {
  std::array<std::uint8_t, 256> classes{};
  add_char_class(classes, " \t\v\f", blank_char);
  add_char_class(classes, "\r\n", line_char);
  add_char_class(classes, "#/", comment_char);
  add_char_class(classes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", word_start | word_part);
  add_char_class(classes, "0123456789", word_part | digit_char);
  add_char_class(classes, std::string_view("\"'\\\r\n\0", 6), string_stop);
  add_char_class(classes, "(){}[]<>,;:=&*", mark_char);
  return classes;
}
inline constexpr auto char_classes = make_char_classes();

[[nodiscard]] THRIFTLENS_INLINE bool is(char c, int classes) noexcept {
  return (char_classes[static_cast<unsigned char>(c)] & classes) != 0;
}
[[nodiscard]] THRIFTLENS_INLINE bool is_hex_digit(char c) noexcept {
  char lower = static_cast<char>(c | 0x20);
  return is(c, digit_char) || (lower >= 'a' && lower <= 'f');
}

}  // namespace detail

/// Reads forward once; time is linear in the text. Lines end in LF, CR LF or a lone CR.
class lexer {
 public:
  /// `text.data()[text.size()]` must be readable and NUL. A byte order mark is passed over.
  explicit lexer(std::string_view text) noexcept
      : at_(text.data()), end_(text.data() + text.size()), line_start_(at_), newline_(at_) {
    THRIFTLENS_ASSERT(*end_ == '\0');
    if (text.starts_with("\xEF\xBB\xBF")) line_start_ = at_ += 3;
  }

  /// Reads the next token; `end` after the last.
  THRIFTLENS_INLINE void next(token& to) noexcept {
    doc_ = {};
    to.problem = token_problem::none;
    // Most tokens follow a single blank or nothing.
    if (*at_ == ' ') ++at_;
    if (detail::is(*at_, detail::trivia_char) && !skip_trivia()) return read_unterminated_comment(to);
    const char* from = at_;
    to.where = position_at(from);
    if (detail::is(*from, detail::word_start)) {
      to.kind = token_kind::identifier;
      at_ = word_end(from + 1);
    } else if (detail::is(*from, detail::mark_char)) {
      to.kind = static_cast<token_kind>(*from);
      at_ = from + 1;
    } else {
      return read_other(to);
    }
    to.text = {from, static_cast<std::size_t>(at_ - from)};
  }

  /// Text of the last `/** */` before the current token, without its delimiters.
  [[nodiscard]] std::string_view doc() const noexcept { return doc_; }
  /// A copy for lookahead, which does not search for the line end.
  [[nodiscard]] lexer ahead() noexcept {
    find_newline(at_);
    return *this;
  }
  /// The current line.
  [[nodiscard]] std::uint32_t line() const noexcept { return line_; }
  /// Extends `name`, the current token, by parts joined by '-', as in Smalltalk namespaces.
  void extend_by_hyphens(token& name) noexcept {
    while (*at_ == '-' && detail::is(at_[1], detail::word_part)) at_ = word_end(at_ + 1);
    name.text = {name.text.data(), static_cast<std::size_t>(at_ - name.text.data())};
  }

 private:
  [[nodiscard]] position position_at(const char* at) const noexcept {
    return {line_, static_cast<std::uint32_t>(at - line_start_) + 1};
  }
  void start_line(const char* at) noexcept {
    ++line_;
    line_start_ = at;
  }
  [[nodiscard]] static const char* word_end(const char* at) noexcept {
    for (;;) {
      while (detail::is(*at, detail::word_part)) ++at;
      if (*at != '.' || !detail::is(at[1], detail::word_part)) return at;
      ++at;
    }
  }

  /// False for an unterminated comment, with at_ at its first byte.
  [[nodiscard]] THRIFTLENS_NOINLINE bool skip_trivia() noexcept {
    // A local variable avoids a store per step.
    const char* at = at_;
    for (;;) {
      while (detail::is(*at, detail::blank_char)) ++at;
      if (*at == '\n') {
        start_line(++at);
      } else if (!detail::is(*at, detail::trivia_char)) {
        break;
      } else if (*at == '\r') {
        if (*++at != '\n') start_line(at);
      } else if (*at == '#' || at[1] == '/') {
        at = line_end(at);
      } else if (at[1] != '*') {
        break;
      } else if (const char* close = skip_block(at)) {
        at = close;
      } else {
        at_ = at;
        return false;
      }
    }
    at_ = at;
    return true;
  }
  /// Cached: otherwise text with many CRs would be searched for LF in quadratic time.
  void find_newline(const char* at) noexcept {
    if (newline_ > at) return;
    const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end_ - at));
    newline_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
  }
  [[nodiscard]] const char* line_end(const char* at) noexcept {
    find_newline(at);
    const void* carriage = std::memchr(at, '\r', static_cast<std::size_t>(newline_ - at));
    return carriage != nullptr ? static_cast<const char*>(carriage) : newline_;
  }
  /// The end of the block comment at `at`; null if it is unterminated.
  [[nodiscard]] const char* skip_block(const char* at) noexcept {
    const std::string_view rest(at + 2, static_cast<std::size_t>(end_ - at) - 2);
    const std::size_t size = rest.find("*/");
    if (size == std::string_view::npos) return nullptr;
    if (size != 0 && rest[0] == '*') doc_ = rest.substr(1, size - 1);
    count_lines(rest.substr(0, size));
    return rest.data() + size + 2;
  }
  void count_lines(std::string_view text) noexcept {
    if (text.find('\r') != std::string_view::npos) return count_mixed_lines(text);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos;)
      start_line(text.data() + ++at);
  }
  /// Counts lines with CR line ends; reads one byte past the text.
  void count_mixed_lines(std::string_view text) noexcept {
    for (const char& c : text) {
      if (c == '\n' || (c == '\r' && (&c)[1] != '\n')) start_line(&c + 1);
    }
  }

  /// Strings, numbers, the end of the text and invalid characters.
  THRIFTLENS_NOINLINE void read_other(token& to) noexcept {
    const char* from = at_;
    if (*from == '"' || *from == '\'') return read_string(to);
    if (at_ == end_) {
      to.kind = token_kind::end;
    } else if (to.kind = read_number(); to.kind == token_kind::invalid) {
      to.problem = token_problem::unexpected_char;
      ++at_;
      while (at_ != end_ && (static_cast<unsigned char>(*at_) & 0xC0) == 0x80) ++at_;
    }
    to.text = {from, static_cast<std::size_t>(at_ - from)};
  }
  /// The first unterminated string ends with its line, so that the rest is parsed; a further one extends to
  /// the end of the text, to avoid quadratic time.
  void read_string(token& to) noexcept {
    const char quote = *at_;
    const char* first_line = nullptr;  // where its first line ends
    const char* at = at_ + 1;
    to.kind = token_kind::string;
    to.escaped = to.newline = false;
    for (;; ++at) {
      while (!detail::is(*at, detail::string_stop)) ++at;
      if (*at == quote) break;
      if (*at == '\\') {
        to.escaped = true;
        at = escaped_char(at);
      } else if (detail::is(*at, detail::line_char)) {
        to.newline = true;
        if (first_line == nullptr) first_line = at;
        if (*at == '\n' || at[1] != '\n') start_line(at + 1);
      } else if (at == end_) {
        at = end_unterminated(to, first_line);
        break;
      }
    }
    to.text = {at_ + 1, static_cast<std::size_t>(at - at_) - 1};
    at_ = to.kind == token_kind::invalid ? at : at + 1;
  }
  /// The character escaped by the backslash at `at`; the backslash itself at the end of a line or of the
  /// text.
  [[nodiscard]] const char* escaped_char(const char* at) const noexcept {
    return at + 1 != end_ && !detail::is(at[1], detail::line_char) ? at + 1 : at;
  }
  /// Assumed end of the unterminated string at at_.
  THRIFTLENS_COLD const char* end_unterminated(token& to, const char* first_line) noexcept {
    to.kind = token_kind::invalid;
    to.problem = token_problem::unterminated_string;
    if (first_line == nullptr || std::exchange(unterminated_, true)) return end_;
    line_start_ = at_ + 1 - to.where.column;
    line_ = to.where.line;
    return first_line;
  }
  THRIFTLENS_COLD void read_unterminated_comment(token& to) noexcept {
    to.kind = token_kind::invalid;
    to.problem = token_problem::unterminated_comment;
    to.where = position_at(at_);
    to.text = {at_, 2};
    count_lines({at_, static_cast<std::size_t>(end_ - at_)});
    at_ = end_;
  }

  [[nodiscard]] token_kind read_number() noexcept {
    const char* at = at_;
    if (*at == '-' || *at == '+') ++at;
    if (*at == '0' && (at[1] | 0x20) == 'x' && detail::is_hex_digit(at[2])) return read_hex(at + 3);
    const char* const digits = at;
    at = skip_digits(at);
    const char* const integer_end = at;
    if (*at == '.' && detail::is(at[1], detail::digit_char)) at = skip_digits(at + 1);
    if (at == digits) return token_kind::invalid;
    at_ = skip_exponent(at);
    return at_ == integer_end ? token_kind::integer : token_kind::real;
  }
  /// The digits after the first one.
  [[nodiscard]] token_kind read_hex(const char* at) noexcept {
    while (detail::is_hex_digit(*at)) ++at;
    at_ = at;
    return token_kind::integer;
  }
  [[nodiscard]] static const char* skip_exponent(const char* at) noexcept {
    if ((*at | 0x20) != 'e') return at;
    const char* const digits = at + (at[1] == '-' || at[1] == '+' ? 2 : 1);
    return detail::is(*digits, detail::digit_char) ? skip_digits(digits) : at;
  }
  [[nodiscard]] static const char* skip_digits(const char* at) noexcept {
    while (detail::is(*at, detail::digit_char)) ++at;
    return at;
  }

  const char* at_;
  const char* end_;
  const char* line_start_;
  const char* newline_;  ///< the next LF, or a position already passed
  std::uint32_t line_ = 1;
  bool unterminated_ = false;  ///< an unterminated string was found
  std::string_view doc_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
