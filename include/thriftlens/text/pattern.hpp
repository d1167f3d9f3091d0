// pattern: regular expressions for rules in IDL. Does not backtrack: time is O(text * expression) for any
// input.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/core/uuid.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A compiled expression. Copyable; safe to share between threads. Texts are UTF-8; invalid bytes count as
/// U+FFFD.
///
/// Syntax: literals, `.` (not a line feed), `[a-z]`, `[^…]`, `\d \w \s \D \W \S \b \B \t \n \r \f \v \xHH
/// \x{H…}`, `^ $ \A \z`,
/// `( )`, `(?: )`, `|`, `* + ? {m} {m,} {m,n}` (up to 1000) and their lazy forms, which match the same texts.
class pattern {
 public:
  /// Linear in the expression with repetitions expanded; at most 20,000 steps. Error: path_syntax with the
  /// offset.
  [[nodiscard]] static result<pattern> try_compile(std::string_view expression);
  [[nodiscard]] static pattern compile(std::string_view expression) {
    return try_compile(expression).value();
  }

  /// Whether the expression matches anywhere in the text (anchor with ^ and $). O(text * expression).
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  class parser;
  enum class op : unsigned char { set, any, split, jump, begin, end, word, not_word, match };
  struct step {
    op code = op::match;
    std::uint32_t first = 0;   // set: first range; split and jump: where to
    std::uint32_t second = 0;  // set: ranges; split: where else
  };
  struct range {
    char32_t low, high;
  };
  using step_list = std::vector<std::uint32_t>;  // positions in steps_
  static constexpr std::size_t max_steps = 20000;

  [[nodiscard]] static bool is_word(char32_t c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  [[nodiscard]] static char32_t next_code(std::string_view text, std::size_t& at) noexcept;
  class machine;

  std::vector<step> steps_;
  std::vector<range> ranges_;
};

inline char32_t pattern::next_code(std::string_view text, std::size_t& at) noexcept {
  const std::size_t length = utf8_length(text.substr(at));
  const auto first = static_cast<std::uint8_t>(text[at++]);
  if (length == 0) return 0xfffd;
  if (length == 1) return first;
  char32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<std::uint8_t>(text[at++]) & 0x3fu);
  return code;
}

/// Text to steps: recursive descent; nesting at most 200.
class pattern::parser {
 public:
  parser(pattern& into, std::string_view text) noexcept : into_(into), text_(text) {}

  [[nodiscard]] result<void> run() {
    if (alternatives(0) && at_ != text_.size()) reject("unmatched ')'");
    if (wrong_ == nullptr) add({op::match});
    if (wrong_ != nullptr) return error(errc::path_syntax, std::string("expression: ") + wrong_, at_);
    return {};
  }

 private:
  static constexpr int max_depth = 200;

  bool reject(const char* message) noexcept {
    if (wrong_ == nullptr) wrong_ = message;
    return false;
  }
  [[nodiscard]] bool more() const noexcept { return at_ < text_.size(); }
  [[nodiscard]] char peek() const noexcept { return more() ? text_[at_] : '\0'; }
  bool accept(char c) noexcept {
    if (!more() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::uint32_t add(step instruction) {
    if (into_.steps_.size() >= max_steps)
      reject("too large");
    else
      into_.steps_.push_back(instruction);
    return static_cast<std::uint32_t>(into_.steps_.size() - 1);
  }
  [[nodiscard]] std::uint32_t here() const noexcept {
    return static_cast<std::uint32_t>(into_.steps_.size());
  }
  // Inserts `instruction` at `begin` and adjusts jumps within the following steps.
  void insert(std::uint32_t begin, step instruction) {
    if (into_.steps_.size() >= max_steps) return static_cast<void>(reject("too large"));
    into_.steps_.insert(into_.steps_.begin() + static_cast<std::ptrdiff_t>(begin), instruction);
    for (std::uint32_t at = begin + 1; at < here(); ++at) shift(into_.steps_[at], begin, 1);
  }
  static void shift(step& instruction, std::uint32_t from, std::uint32_t by) noexcept {
    if (instruction.code == op::split || instruction.code == op::jump) {
      if (instruction.first >= from) instruction.first += by;
      if (instruction.code == op::split && instruction.second >= from) instruction.second += by;
    }
  }

  bool alternatives(int depth) {
    if (depth > max_depth) return reject("nested too deeply");
    step_list ends;
    std::uint32_t last = here();
    if (!sequence(depth)) return false;
    while (accept('|')) {
      if (!branch_before(last, ends)) return false;
      last = here();
      if (!sequence(depth)) return false;
    }
    for (std::uint32_t end : ends) into_.steps_[end].first = here();
    return wrong_ == nullptr;
  }
  // Makes the steps from `begin` on an alternative to what follows; adds the jump over that to `ends`.
  bool branch_before(std::uint32_t begin, step_list& ends) {
    insert(begin, {op::split, begin + 1, 0});
    ends.push_back(add({op::jump}));
    if (wrong_ == nullptr) into_.steps_[begin].second = here();
    return wrong_ == nullptr;
  }
  bool sequence(int depth) {
    while (more() && peek() != '|' && peek() != ')') {
      const std::uint32_t begin = here();
      if (!atom(depth) || !repeats(begin)) return false;
    }
    return true;
  }
  [[nodiscard]] bool at_repetition() const noexcept {
    return peek() == '*' || peek() == '+' || peek() == '?';
  }
  bool repeats(std::uint32_t begin) {
    std::uint32_t low = 0, high = 0;
    if (accept('*')) {
      high = unbounded;
    } else if (accept('+')) {
      low = 1;
      high = unbounded;
    } else if (accept('?')) {
      high = 1;
    } else if (peek() != '{' || !counts(low, high)) {
      return wrong_ == nullptr;
    }
    accept('?');
    if (at_repetition()) return reject("a repetition of a repetition");
    return repeat(begin, low, high);
  }
  // `{` that does not begin a repetition is a literal, as in RE2.
  bool counts(std::uint32_t& low, std::uint32_t& high) {
    const std::size_t begin = at_++;
    const bool some = number(low);
    high = low;
    if (some && accept(',') && !number(high)) high = unbounded;
    if (!some || !accept('}')) {
      at_ = begin;
      return false;
    }
    if (low > 1000 || (high != unbounded && (high > 1000 || high < low)))
      return reject("a count out of range");
    return true;
  }
  bool number(std::uint32_t& value) noexcept {
    const std::size_t begin = at_;
    for (value = 0; peek() >= '0' && peek() <= '9'; ++at_)
      if (value < 100000) value = value * 10 + static_cast<std::uint32_t>(peek() - '0');
    return at_ != begin;
  }
  bool repeat(std::uint32_t begin, std::uint32_t low, std::uint32_t high) {
    const std::vector<step> body(into_.steps_.data() + begin, into_.steps_.data() + into_.steps_.size());
    into_.steps_.resize(begin);
    for (std::uint32_t i = 0; i < low && wrong_ == nullptr; ++i) add_copy(body, begin);
    return high == unbounded ? repeat_forever(body, begin) : repeat_up_to(body, begin, high - low);
  }
  // Appends a copy of the steps of `body`, which began at `begin`.
  void add_copy(const std::vector<step>& body, std::uint32_t begin) {
    const std::uint32_t by = here() - begin;
    for (step instruction : body) {
      shift(instruction, begin, by);
      add(instruction);
    }
  }
  bool repeat_forever(const std::vector<step>& body, std::uint32_t begin) {
    const std::uint32_t loop = add({op::split});
    add_copy(body, begin);
    add({op::jump, loop});
    if (wrong_ != nullptr) return false;
    into_.steps_[loop].first = loop + 1;
    into_.steps_[loop].second = here();
    return true;
  }
  bool repeat_up_to(const std::vector<step>& body, std::uint32_t begin, std::uint32_t count) {
    step_list exits;
    for (; count != 0 && wrong_ == nullptr; --count) {
      exits.push_back(add({op::split, here() + 1}));
      add_copy(body, begin);
    }
    if (wrong_ != nullptr) return false;
    for (std::uint32_t exit : exits) into_.steps_[exit].second = here();
    return true;
  }

  bool atom(int depth) {
    const char c = peek();
    if (c == '(') return group(depth);
    if (c == '[') return bracket();
    if (at_repetition()) return reject("nothing to repeat");
    if (c == '\\') return escape();
    if (c == '.') return take(op::any);
    if (c == '^') return take(op::begin);
    if (c == '$') return take(op::end);
    const char32_t code = next_code(text_, at_);
    return set({{code, code}});
  }
  // One character that is that step.
  bool take(op code) {
    ++at_;
    add({code});
    return wrong_ == nullptr;
  }
  bool group(int depth) {
    ++at_;
    if (accept('?') && !accept(':')) return reject("unsupported group; only (?:…) is supported");
    if (!alternatives(depth + 1)) return false;
    return accept(')') || reject("missing ')'");
  }
  bool set(std::vector<range> ranges) {
    const auto first = static_cast<std::uint32_t>(into_.ranges_.size());
    into_.ranges_.insert(into_.ranges_.end(), ranges.begin(), ranges.end());
    add({op::set, first, static_cast<std::uint32_t>(ranges.size())});
    return wrong_ == nullptr;
  }
  static std::vector<range> negated(std::vector<range> ranges) {
    std::ranges::sort(ranges, {}, &range::low);
    std::vector<range> result;
    char32_t next = 0;
    for (const range& excluded : ranges) {
      if (excluded.low > next) result.push_back({next, excluded.low - 1});
      next = (std::max<char32_t>)(next, excluded.high + 1);
    }
    if (next <= 0x10ffff) result.push_back({next, 0x10ffff});
    return result;
  }
  // The range bounds of \d, \s and \w; empty for other letters.
  static std::u32string_view class_bounds(char lower) noexcept {
    if (lower == 'd') return U"09";
    if (lower == 'w') return U"09AZ__az";
    return lower == 's' ? U"\t\n\f\r  " : U"";
  }
  // Adds the ranges of a class such as \d; false if `c` names no class.
  static bool named_class(char c, std::vector<range>& ranges) {
    const char lower = static_cast<char>(c | 0x20);
    std::vector<range> result;
    for (std::u32string_view bounds = class_bounds(lower); !bounds.empty(); bounds.remove_prefix(2))
      result.push_back({bounds[0], bounds[1]});
    if (result.empty()) return false;
    if (c != lower) result = negated(std::move(result));
    ranges.insert(ranges.end(), result.begin(), result.end());
    return true;
  }
  // The assertion \b or \B; `match` for other letters.
  static op edge_of(char c) noexcept {
    if (c == 'b') return op::word;
    if (c == 'B') return op::not_word;
    if (c == 'A') return op::begin;
    return c == 'z' ? op::end : op::match;
  }
  bool escape() {
    ++at_;
    if (!more()) return reject("a backslash at the end");
    std::vector<range> ranges;
    const char c = peek();
    if (named_class(c, ranges)) {
      ++at_;
      return set(std::move(ranges));
    }
    if (edge_of(c) != op::match) return take(edge_of(c));
    char32_t code = 0;
    return escaped(code) && set({{code, code}});
  }
  // The character an escape means; the backslash is after.
  bool escaped(char32_t& code) {
    constexpr std::string_view letters = "tnrfva", characters = "\t\n\r\f\v\a";
    const char c = peek();
    if (const std::size_t at = letters.find(c); at != std::string_view::npos) {
      ++at_;
      code = static_cast<char32_t>(characters[at]);
      return true;
    }
    if (c == 'x') {
      ++at_;
      return hex(code);
    }
    if (c != '_' && is_word(static_cast<char32_t>(c))) return reject("an unknown escape");
    code = next_code(text_, at_);
    return true;
  }
  bool hex(char32_t& code) {
    const bool braces = accept('{');
    int digits = 0;
    for (code = 0; digits < (braces ? 6 : 2); ++digits, ++at_) {
      const int digit = thriftlens::detail::hex_digit(peek());
      if (digit < 0) break;
      code = code * 16 + static_cast<char32_t>(digit);
    }
    if (digits < (braces ? 1 : 2) || (braces && !accept('}')) || code > 0x10ffff) return reject("hex digits");
    return true;
  }
  bool bracket() {
    ++at_;
    const bool negative = accept('^');
    std::vector<range> ranges;
    for (bool first = true; first || peek() != ']'; first = false) {
      if (!more()) return reject("missing ']'");
      if (text_.substr(at_).starts_with("[:")) return reject("POSIX classes are not supported");
      if (!bracket_item(ranges)) return false;
    }
    ++at_;
    return set(negative ? negated(std::move(ranges)) : std::move(ranges));
  }
  // A class, a character or a range of them.
  bool bracket_item(std::vector<range>& ranges) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with('\\') && rest.size() > 1 && named_class(rest[1], ranges)) {
      at_ += 2;
      return true;
    }
    range parsed{};
    if (!member(parsed.low)) return false;
    parsed.high = parsed.low;
    if (!range_end(parsed.high)) return false;
    if (parsed.high < parsed.low) return reject("a range from high to low");
    ranges.push_back(parsed);
    return true;
  }
  // The upper bound after a dash that is not the last in its bracket.
  bool range_end(char32_t& code) {
    const bool is_range = peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
    if (!is_range) return true;
    ++at_;
    return member(code);
  }
  bool member(char32_t& code) {
    if (accept('\\')) return more() ? escaped(code) : reject("a backslash at the end");
    code = next_code(text_, at_);
    return true;
  }

  static constexpr std::uint32_t unbounded = 0xffffffffu;
  pattern& into_;
  std::string_view text_;
  std::size_t at_ = 0;
  const char* wrong_ = nullptr;
};

inline result<pattern> pattern::try_compile(std::string_view expression) {
  pattern compiled;
  if (result<void> parsed = parser(compiled, expression).run(); !parsed) return parsed.error();
  return compiled;
}

/// All states at once, one character at a time.
class pattern::machine {
 public:
  explicit machine(const pattern& of) : of_(of), seen_(of.steps_.size()) {}

  [[nodiscard]] bool run(std::string_view text) {
    step_list current, next;
    std::size_t at = 0;
    char32_t previous_code = none;
    for (;;) {
      std::size_t next_position = at;
      const char32_t code = at < text.size() ? next_code(text, next_position) : none;
      ++round_;
      // Steps from the previous character take precedence over a start at this position.
      pending_.assign(1, 0);
      pending_.insert(pending_.end(), current.rbegin(), current.rend());
      current.clear();
      if (follow(current, previous_code, code)) return true;
      if (code == none) return false;
      next.clear();
      for (std::uint32_t instruction : current)
        if (takes(of_.steps_[instruction], code)) next.push_back(instruction + 1);
      current.swap(next);
      previous_code = code;
      at = next_position;
    }
  }

 private:
  static constexpr char32_t none = 0xffffffff;

  // Follows pending steps that consume no character; collects the others. True at a match.
  [[nodiscard]] bool follow(step_list& collected, char32_t previous_code, char32_t following_code) {
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (seen_[at] == round_) continue;
      seen_[at] = round_;
      const step& instruction = of_.steps_[at];
      if (instruction.code == op::match) return true;
      if (instruction.code == op::set || instruction.code == op::any)
        collected.push_back(at);
      else
        push_next(at, previous_code, following_code);
    }
    return false;
  }
  // Pushes the successors of a step that consumes no character.
  void push_next(std::uint32_t at, char32_t previous_code, char32_t following_code) {
    const step& instruction = of_.steps_[at];
    if (instruction.code == op::split) pending_.push_back(instruction.second);
    if (instruction.code == op::split || instruction.code == op::jump)
      pending_.push_back(instruction.first);
    else if (holds(instruction.code, previous_code, following_code))
      pending_.push_back(at + 1);
  }
  // Whether the assertion `code` is true between these two characters.
  [[nodiscard]] static bool holds(op code, char32_t previous_code, char32_t following_code) noexcept {
    if (code == op::begin) return previous_code == none;
    if (code == op::end) return following_code == none;
    const bool edge = is_word(previous_code) != is_word(following_code);
    return edge == (code == op::word);
  }
  [[nodiscard]] bool takes(const step& of, char32_t code) const noexcept {
    if (of.code == op::any) return code != '\n';
    for (std::uint32_t i = 0; i < of.second; ++i) {
      const range& bounds = of_.ranges_[of.first + i];
      if (code >= bounds.low && code <= bounds.high) return true;
    }
    return false;
  }

  const pattern& of_;
  std::vector<std::size_t> seen_;
  step_list pending_;
  std::size_t round_ = 0;
};

inline bool pattern::matches(std::string_view text) const { return machine(*this).run(text); }

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
