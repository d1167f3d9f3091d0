// pattern: regular expressions matched in linear time, for rules that stand in an IDL.
// In: an expression in the syntax of RE2 (no captures, no look-around, no back references). Out: whether a
// text has a match. Never backtracks: time is text times expression, whatever either holds.
#pragma once

#include <thriftlens/core/result.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A compiled expression. A value; threads may share it. Texts are read as UTF-8, a broken byte as U+FFFD.
///
/// Syntax: literals, `.` (not a line feed), `[a-z]`, `[^…]`, `\d \w \s \D \W \S \b \B \t \n \r \f \v \xHH
/// \x{H…}`, `^ $ \A \z`,
/// `( )`, `(?: )`, `|`, `* + ? {m} {m,} {m,n}` (up to 1000) and their lazy forms, which match the same texts.
class pattern {
 public:
  /// Linear in the expression after its counts are written out; at most 20,000 steps. Error: path_syntax with
  /// the offset.
  [[nodiscard]] static result<pattern> try_compile(std::string_view expression);
  [[nodiscard]] static pattern compile(std::string_view expression) {
    return try_compile(expression).value();
  }

  /// Whether the text holds a match anywhere (use ^ and $ for the whole text). O(text * expression).
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
  static constexpr std::size_t most_steps = 20000;

  [[nodiscard]] static bool is_word(char32_t c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  [[nodiscard]] static char32_t next_code(std::string_view text, std::size_t& at) noexcept;
  class machine;

  std::vector<step> steps_;
  std::vector<range> ranges_;
};

inline char32_t pattern::next_code(std::string_view text, std::size_t& at) noexcept {
  const auto lead = static_cast<std::uint8_t>(text[at++]);
  if (lead < 0x80) return lead;
  const std::size_t more = lead >= 0xf0 && lead <= 0xf4  ? 3
                           : lead >= 0xe0 && lead < 0xf0 ? 2
                           : lead >= 0xc2 && lead < 0xe0 ? 1
                                                         : 0;
  char32_t code = lead & (0x3fu >> more);
  if (more == 0 || text.size() - at < more) return 0xfffd;
  for (std::size_t i = 0; i < more; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[at + i]);
    if ((byte & 0xc0) != 0x80) return 0xfffd;
    code = code << 6 | (byte & 0x3fu);
  }
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0xfffd;
  at += more;
  return code;
}

/// Text to steps: recursive descent; nesting at most 200.
class pattern::parser {
 public:
  parser(pattern& into, std::string_view text) noexcept : into_(into), text_(text) {}

  [[nodiscard]] result<void> run() {
    if (alternatives(0) && at_ != text_.size()) fail("an unmatched ')'");
    if (wrong_ == nullptr) add({op::match});
    if (wrong_ != nullptr) return error(errc::path_syntax, std::string("expression: ") + wrong_, at_);
    return {};
  }

 private:
  static constexpr int deepest = 200;

  bool fail(const char* what) noexcept {
    if (wrong_ == nullptr) wrong_ = what;
    return false;
  }
  [[nodiscard]] bool more() const noexcept { return at_ < text_.size(); }
  [[nodiscard]] char peek() const noexcept { return more() ? text_[at_] : '\0'; }
  bool accept(char c) noexcept {
    if (!more() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::uint32_t add(step made) {
    if (into_.steps_.size() >= most_steps)
      fail("too large");
    else
      into_.steps_.push_back(made);
    return static_cast<std::uint32_t>(into_.steps_.size() - 1);
  }
  [[nodiscard]] std::uint32_t here() const noexcept {
    return static_cast<std::uint32_t>(into_.steps_.size());
  }
  // Moves the steps from `begin` on by one and puts `made` in front; jumps within them move too.
  void insert(std::uint32_t begin, step made) {
    if (into_.steps_.size() >= most_steps) return static_cast<void>(fail("too large"));
    into_.steps_.insert(into_.steps_.begin() + begin, made);
    for (std::uint32_t at = begin + 1; at < here(); ++at) shift(into_.steps_[at], begin, 1);
  }
  static void shift(step& each, std::uint32_t from, std::uint32_t by) noexcept {
    if (each.code == op::split || each.code == op::jump) {
      if (each.first >= from) each.first += by;
      if (each.code == op::split && each.second >= from) each.second += by;
    }
  }

  bool alternatives(int depth) {
    if (depth > deepest) return fail("nested too deep");
    const std::uint32_t begin = here();
    if (!sequence(depth)) return false;
    std::vector<std::uint32_t> ends;
    std::uint32_t last = begin;
    while (accept('|')) {
      insert(last, {op::split, last + 1, 0});
      ends.push_back(add({op::jump}));
      if (wrong_ != nullptr) return false;
      into_.steps_[last].second = here();
      last = here();
      if (!sequence(depth)) return false;
    }
    for (std::uint32_t end : ends) into_.steps_[end].first = here();
    return wrong_ == nullptr;
  }
  bool sequence(int depth) {
    while (more() && peek() != '|' && peek() != ')') {
      const std::uint32_t begin = here();
      if (!atom(depth) || !repeats(begin)) return false;
    }
    return true;
  }
  bool repeats(std::uint32_t begin) {
    std::uint32_t low = 0, high = 0;
    if (accept('*'))
      high = unbounded;
    else if (accept('+'))
      low = 1, high = unbounded;
    else if (accept('?'))
      high = 1;
    else if (peek() != '{' || !counts(low, high))
      return wrong_ == nullptr;
    accept('?');
    if (peek() == '*' || peek() == '+' || peek() == '?') return fail("a repetition of a repetition");
    return repeat(begin, low, high);
  }
  // `{` that does not begin counts is a literal, as in RE2.
  bool counts(std::uint32_t& low, std::uint32_t& high) {
    const std::size_t begin = at_++;
    const bool some = number(low);
    high = low;
    if (some && accept(',') && !number(high)) high = unbounded;
    if (!some || !accept('}')) {
      at_ = begin;
      return false;
    }
    if (low > 1000 || (high != unbounded && (high > 1000 || high < low))) return fail("a count out of range");
    return true;
  }
  bool number(std::uint32_t& value) noexcept {
    const std::size_t begin = at_;
    for (value = 0; peek() >= '0' && peek() <= '9'; ++at_)
      if (value < 100000) value = value * 10 + static_cast<std::uint32_t>(peek() - '0');
    return at_ != begin;
  }
  bool repeat(std::uint32_t begin, std::uint32_t low, std::uint32_t high) {
    const std::vector<step> body(into_.steps_.begin() + begin, into_.steps_.end());
    into_.steps_.resize(begin);
    const auto copy = [&] {
      const std::uint32_t to = here();
      for (step each : body) {
        shift(each, begin, to - begin);
        add(each);
      }
    };
    for (std::uint32_t i = 0; i < low && wrong_ == nullptr; ++i) copy();
    if (high == unbounded) {
      const std::uint32_t loop = add({op::split});
      copy();
      add({op::jump, loop});
      if (wrong_ != nullptr) return false;
      into_.steps_[loop].first = loop + 1;
      into_.steps_[loop].second = here();
      return true;
    }
    std::vector<std::uint32_t> exits;
    for (std::uint32_t i = low; i < high && wrong_ == nullptr; ++i) {
      exits.push_back(add({op::split, here() + 1}));
      copy();
    }
    if (wrong_ != nullptr) return false;
    for (std::uint32_t exit : exits) into_.steps_[exit].second = here();
    return true;
  }

  bool atom(int depth) {
    const char c = peek();
    if (c == '(') return group(depth);
    if (c == '[') return bracket();
    if (c == '*' || c == '+' || c == '?') return fail("a repetition of nothing");
    if (c == '\\') return escape();
    if (c == '.' || c == '^' || c == '$') {
      ++at_;
      add({c == '.' ? op::any : c == '^' ? op::begin : op::end});
      return wrong_ == nullptr;
    }
    const char32_t code = next_code(text_, at_);
    return set({{code, code}});
  }
  bool group(int depth) {
    ++at_;
    if (accept('?') && !accept(':')) return fail("only (?:…) is known of the groups with '?'");
    if (!alternatives(depth + 1)) return false;
    return accept(')') || fail("a missing ')'");
  }
  bool set(std::vector<range> ranges) {
    const auto first = static_cast<std::uint32_t>(into_.ranges_.size());
    into_.ranges_.insert(into_.ranges_.end(), ranges.begin(), ranges.end());
    add({op::set, first, static_cast<std::uint32_t>(ranges.size())});
    return wrong_ == nullptr;
  }
  static std::vector<range> negated(std::vector<range> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const range& left, const range& right) { return left.low < right.low; });
    std::vector<range> made;
    char32_t next = 0;
    for (const range& each : ranges) {
      if (each.low > next) made.push_back({next, each.low - 1});
      next = std::max<char32_t>(next, each.high + 1);
    }
    if (next <= 0x10ffff) made.push_back({next, 0x10ffff});
    return made;
  }
  // \d and its like; false where `c` is none of them.
  static bool named_class(char c, std::vector<range>& ranges) {
    std::vector<range> made;
    const char lower = static_cast<char>(c | 0x20);
    if (lower == 'd')
      made = {{'0', '9'}};
    else if (lower == 'w')
      made = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    else if (lower == 's')
      made = {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
    else
      return false;
    if (c != lower) made = negated(std::move(made));
    ranges.insert(ranges.end(), made.begin(), made.end());
    return true;
  }
  bool escape() {
    ++at_;
    if (!more()) return fail("a backslash at the end");
    std::vector<range> ranges;
    const char c = peek();
    if (named_class(c, ranges)) return ++at_, set(std::move(ranges));
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z') {
      ++at_;
      add({c == 'b' ? op::word : c == 'B' ? op::not_word : c == 'A' ? op::begin : op::end});
      return wrong_ == nullptr;
    }
    char32_t code = 0;
    return escaped(code) && set({{code, code}});
  }
  // The character an escape means; the backslash is behind.
  bool escaped(char32_t& code) {
    constexpr std::string_view letters = "tnrfva", meant = "\t\n\r\f\v\a";
    const char c = peek();
    if (const std::size_t at = letters.find(c); at != std::string_view::npos)
      return ++at_, code = static_cast<char32_t>(meant[at]), true;
    if (c == 'x') return ++at_, hex(code);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
      return fail("an unknown escape");
    code = next_code(text_, at_);
    return true;
  }
  bool hex(char32_t& code) {
    const bool braces = accept('{');
    int digits = 0;
    for (code = 0; digits < (braces ? 6 : 2); ++digits, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) break;
      code = code * 16 + static_cast<char32_t>(digit);
    }
    if (digits < (braces ? 1 : 2) || (braces && !accept('}')) || code > 0x10ffff) return fail("hex digits");
    return true;
  }
  bool bracket() {
    ++at_;
    const bool negative = accept('^');
    std::vector<range> ranges;
    for (bool first = true; first || peek() != ']'; first = false) {
      if (!more()) return fail("a missing ']'");
      if (text_.substr(at_, 2) == "[:") return fail("POSIX classes are not known");
      if (peek() == '\\' && at_ + 1 < text_.size() && named_class(text_[at_ + 1], ranges)) {
        at_ += 2;
        continue;
      }
      range made{};
      if (!member(made.low)) return false;
      made.high = made.low;
      if (peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        if (!member(made.high)) return false;
        if (made.high < made.low) return fail("a range from high to low");
      }
      ranges.push_back(made);
    }
    ++at_;
    return set(negative ? negated(std::move(ranges)) : std::move(ranges));
  }
  bool member(char32_t& code) {
    if (!accept('\\')) return code = next_code(text_, at_), true;
    return more() ? escaped(code) : fail("a backslash at the end");
  }

  static constexpr std::uint32_t unbounded = 0xffffffffu;
  pattern& into_;
  std::string_view text_;
  std::size_t at_ = 0;
  const char* wrong_ = nullptr;
};

inline result<pattern> pattern::try_compile(std::string_view expression) {
  pattern made;
  if (result<void> done = parser(made, expression).run(); !done) return done.error();
  return made;
}

/// All states at once, one character at a time.
class pattern::machine {
 public:
  explicit machine(const pattern& of) : of_(of), seen_(of.steps_.size()) {}

  [[nodiscard]] bool run(std::string_view text) {
    std::vector<std::uint32_t> now, next;
    std::size_t at = 0;
    char32_t before = none;
    for (;;) {
      std::size_t behind = at;
      const char32_t code = at < text.size() ? next_code(text, behind) : none;
      ++round_;
      // Steps that the character before led to, then a start at this place.
      pending_.assign(now.rbegin(), now.rend());
      now.clear();
      if (follow(now, before, code)) return true;
      pending_.assign(1, 0);
      if (follow(now, before, code)) return true;
      if (code == none) return false;
      next.clear();
      for (std::uint32_t place : now)
        if (takes(of_.steps_[place], code)) next.push_back(place + 1);
      now.swap(next);
      before = code;
      at = behind;
    }
  }

 private:
  static constexpr char32_t none = 0xffffffff;

  // Follows the steps that take no character, from those pending; collects the others. True at a match.
  [[nodiscard]] bool follow(std::vector<std::uint32_t>& collected, char32_t before, char32_t after) {
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (seen_[at] == round_) continue;
      seen_[at] = round_;
      const step& each = of_.steps_[at];
      const bool edge = (before != none && is_word(before)) != (after != none && is_word(after));
      switch (each.code) {
        case op::match:
          return true;
        case op::jump:
          pending_.push_back(each.first);
          break;
        case op::split:
          pending_.push_back(each.second);
          pending_.push_back(each.first);
          break;
        case op::begin:
          if (before == none) pending_.push_back(at + 1);
          break;
        case op::end:
          if (after == none) pending_.push_back(at + 1);
          break;
        case op::word:
          if (edge) pending_.push_back(at + 1);
          break;
        case op::not_word:
          if (!edge) pending_.push_back(at + 1);
          break;
        case op::set:
        case op::any:
          collected.push_back(at);
          break;
      }
    }
    return false;
  }
  [[nodiscard]] bool takes(const step& of, char32_t code) const noexcept {
    if (of.code == op::any) return code != '\n';
    for (std::uint32_t i = 0; i < of.second; ++i) {
      const range& each = of_.ranges_[of.first + i];
      if (code >= each.low && code <= each.high) return true;
    }
    return false;
  }

  const pattern& of_;
  std::vector<std::size_t> seen_;
  std::vector<std::uint32_t> pending_;
  std::size_t round_ = 0;
};

inline bool pattern::matches(std::string_view text) const { return machine(*this).run(text); }

}  // namespace thriftlens::inline THRIFTLENS_ABI
