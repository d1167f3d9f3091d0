// syntax: parser of path texts, independent of a schema.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/escape.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/uuid.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// One parsed step.
///
///     .name  .#5       a field by name or by id (the dot before # is optional)
///     [3]  [-1]        an element, from the start or from the end
///     [*]  [1:3]  [:-1]  all elements, a slice (first inclusive, last exclusive)
///     {"k"} {'k'} {7} {-2.5} {true} {RED}   a map entry by key; a uuid may be quoted as text
///     {x"0aff"}        a map entry by the wire bytes of its key in hex
///     {*}              the values of all entries
///     {key 3}          the key of the fourth entry, as in error messages; read-only
struct path_syntax_step {
  enum class form : unsigned char {
    field_name,
    field_id,
    index,
    elements,
    key_text,
    key_integer,
    key_real,
    key_boolean,
    key_name,
    key_wire,
    key_at,
    entries
  };

  form kind = form::field_name;
  std::uint32_t offset = 0;  ///< of the step in the path's text
  std::int64_t first = 0;    ///< id, index, integer key, boolean, first of a slice, number of an entry
  std::int64_t last = open;  ///< end of a slice
  double real = 0;
  bool is_long = false;   ///< a real key written as an integer that 64 bits do not hold
  std::string text = {};  ///< name or key, unescaped

  /// `last` of an open slice.
  static constexpr std::int64_t open = INT64_MAX;
};

/// Parses a path. The leading `$` is optional. Errors: path_syntax with the offset in the text.
[[nodiscard]] inline result<std::vector<path_syntax_step>> parse_path_syntax(std::string_view text);

[[nodiscard]] constexpr bool is_name_start(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_name_part(char c) noexcept { return is_name_start(c) || is_digit(c); }

/// Characters that begin a step other than a leading name.
[[nodiscard]] constexpr bool begins_step(char c) noexcept {
  return c == '.' || c == '#' || c == '[' || c == '{';
}

/// Scanner for texts of paths and selections.
class text_scanner {
 public:
  explicit text_scanner(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] std::size_t at() const noexcept { return at_; }
  [[nodiscard]] bool at_end() const noexcept { return at_ == text_.size(); }
  [[nodiscard]] char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }
  [[nodiscard]] std::string_view rest() const noexcept { return text_.substr(at_); }
  bool accept(char symbol) noexcept {
    if (at_end() || text_[at_] != symbol) return false;
    ++at_;
    return true;
  }
  void skip_blanks() noexcept {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }
  [[nodiscard]] std::string_view name() noexcept {
    std::size_t begin = at_;
    if (!at_end() && is_name_start(peek())) {
      while (!at_end() && is_name_part(peek())) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  /// Parses a decimal number; integers may have a minus sign.
  template <class Number>
  [[nodiscard]] bool number(Number& value) noexcept {
    const auto [end, code] =
        thriftlens::detail::read_number(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc()) return false;
    at_ = static_cast<std::size_t>(end - text_.data());
    return true;
  }
  /// A field id after its `#`.
  [[nodiscard]] bool field_id(std::int64_t& id) noexcept {
    return number(id) && id == static_cast<std::int16_t>(id);
  }
  [[nodiscard]] std::string_view text_since(std::size_t begin) const noexcept {
    return text_.substr(begin, at_ - begin);
  }
  void advance(std::size_t count) noexcept { at_ += count; }
  void seek(std::size_t at) noexcept { at_ = at; }

  /// Reads two hex digits; -1 without consuming anything otherwise.
  [[nodiscard]] int hex_byte() noexcept {
    if (rest().size() < 2) return -1;
    const int high = hex_digit(rest()[0]), low = hex_digit(rest()[1]);
    if (high < 0 || low < 0) return -1;
    advance(2);
    return high * 16 + low;
  }

  /// Reads a quoted text; the opening quote is at at().
  [[nodiscard]] bool quoted(std::string& into) {
    const char quote = peek();
    advance(1);
    while (!at_end() && peek() != quote) {
      const char c = peek();
      advance(1);
      if (c != '\\')
        into += c;
      else if (!escape(into))
        return false;
    }
    return accept(quote);
  }

 private:
  bool escape(std::string& into) {
    char bytes[4];
    char* to = bytes;
    // Rejects surrogate pairs, the only escapes of four bytes.
    if (!read_escape(text_, at_, to) || to == bytes + 4) return false;
    into.append(bytes, to);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Parses the steps of one path.
class path_syntax_parser {
 public:
  explicit path_syntax_parser(std::string_view text) noexcept : in_(text) {}

  [[nodiscard]] result<std::vector<path_syntax_step>> parse() {
    std::vector<path_syntax_step> steps;
    steps.reserve(4);  // paths are short
    bool rooted = in_.accept('$');
    while (!in_.at_end()) {
      path_syntax_step next;
      next.offset = static_cast<std::uint32_t>(in_.at());
      if (!step(next, !rooted && steps.empty())) {
        return error(errc::path_syntax, std::string("expected ") + expected_, in_.at())
            .in(error_source::path);
      }
      steps.push_back(std::move(next));
    }
    return steps;
  }

 private:
  using form = path_syntax_step::form;

  bool reject(const char* expected) noexcept {
    expected_ = expected;
    return false;
  }
  bool step(path_syntax_step& next, bool bare) {
    if (in_.accept('[')) return brackets(next);
    if (in_.accept('{')) return braces(next);
    bool dot = in_.accept('.');
    if (in_.accept('#')) {
      next.kind = form::field_id;
      return in_.field_id(next.first) || reject("a field id after '#'");
    }
    if (!dot && !bare) return reject("'.', '#', '[' or '{'");
    next.text = in_.name();
    return !next.text.empty() || reject("a field name or '#' and an id");
  }
  bool brackets(path_syntax_step& next) {
    next.kind = form::elements;
    if (in_.accept('*')) return in_.accept(']') || reject("']'");
    bool has_first = in_.number(next.first);
    if (!in_.accept(':')) {
      next.kind = form::index;
      const bool is_key = in_.peek() == '"' || in_.peek() == '\'';
      const std::size_t digit = in_.peek() == '-' ? 1 : 0;
      if (!has_first && in_.rest().size() > digit && is_digit(in_.rest()[digit]))
        return reject("an index that fits 64 bits");
      if (!has_first)
        return reject(is_key ? "an index, '*' or a slice; keys are written in braces"
                             : "an index, '*' or a slice");
      return in_.accept(']') || reject("']' or ':'");
    }
    if (!in_.number(next.last)) next.last = path_syntax_step::open;
    return in_.accept(']') || reject("']'");
  }
  bool braces(path_syntax_step& next) {
    if (in_.accept('*')) {
      next.kind = form::entries;
      return in_.accept('}') || reject("'}'");
    }
    return key(next) && (in_.accept('}') || reject("'}'"));
  }
  bool key(path_syntax_step& next) {
    char c = in_.peek();
    if (c == '"' || c == '\'') {
      next.kind = form::key_text;
      return in_.quoted(next.text) || reject("the end of the quoted key");
    }
    if (c == 'x' && in_.rest().substr(0, 2) == "x\"") return wire_key(next);
    if (is_digit(c) || c == '-') return number(next);
    return key_word(next);
  }
  /// An enum member name or a keyword.
  bool key_word(path_syntax_step& next) {
    next.kind = form::key_name;
    next.text = in_.name();
    if (next.text.empty()) return reject("a key: a quoted text, a number, true, false, an enum name or '*'");
    if (next.text == "key" && in_.accept(' ')) {
      next.kind = form::key_at;
      return (in_.number(next.first) && next.first >= 0) || reject("the number of an entry");
    }
    constant(next);
    return true;
  }
  static void constant(path_syntax_step& next) {
    if (next.text == "true" || next.text == "false") {
      next.kind = form::key_boolean;
      next.first = next.text == "true";
    } else if (next.text == "inf" || next.text == "nan") {
      next.kind = form::key_real;
      next.real = std::bit_cast<double>(next.text == "inf" ? double_infinity_bits : double_nan_bits);
    }
  }
  bool number(path_syntax_step& next) {
    std::size_t begin = in_.at();
    next.kind = form::key_integer;
    bool is_integer = in_.number(next.first);
    if (is_integer && (in_.at_end() || in_.peek() == '}')) return true;
    in_.seek(begin);
    next.kind = form::key_real;
    if (!in_.number(next.real)) return reject("a number");
    next.is_long = in_.text_since(begin).find_first_not_of("-0123456789") == std::string_view::npos;
    return true;
  }
  bool wire_key(path_syntax_step& next) {
    in_.advance(2);
    next.kind = form::key_wire;
    while (!in_.at_end() && in_.peek() != '"') {
      const int byte = in_.hex_byte();
      if (byte < 0) return reject("two hex digits a byte");
      next.text += static_cast<char>(byte);
    }
    return in_.accept('"') || reject("'\"'");
  }

  text_scanner in_;
  const char* expected_ = "";
};

inline result<std::vector<path_syntax_step>> parse_path_syntax(std::string_view text) {
  return detail::path_syntax_parser(text).parse();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
