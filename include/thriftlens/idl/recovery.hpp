// recovery: finds where the parser resumes after a syntax error. Does not report: skipped tokens are not
// further errors.
#pragma once

#include <thriftlens/idl/token_stream.hpp>

#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Kind of the members of a bracketed list.
enum class member_kind : std::uint8_t { field, argument, enum_member, function };

/// How a member begins.
struct member_start {
  position where;
  bool word_first_on_line = false;
};

/// Linear in the skipped tokens.
class recovery {
 public:
  explicit recovery(token_stream& in) noexcept : in_(in) {}

  /// Skips to the next declaration after the one that began at `from`: a keyword that is first on its line,
  /// or that is outside all brackets and followed by tokens that begin such a declaration.
  THRIFTLENS_COLD void recover(position from) {
    for (; !in_.at(token_kind::end); pass({})) {
      if (!in_.at_word() || !begins_declaration(in_.current_keyword()) || is_at(from)) continue;
      if (in_.first_on_line() || (in_.open_.none() && looks_like_declaration())) break;
      swallowed_ = true;
    }
    in_.open_ = {};
  }
  /// Skips to the next member of a list after the one that began at `from`; false if the list seems to have
  /// ended without its bracket. `level`: brackets open before the member.
  [[nodiscard]] THRIFTLENS_COLD bool recover_in_list(token_kind close, member_kind kind,
                                                     const member_start& from, const brackets& level) {
    // `i32 f(` on a line of its own was read as an argument of type i32 with annotations.
    if (kind == member_kind::argument && from.word_first_on_line && in_.open_.others > level.others)
      return false;
    for (;; pass(level)) {
      const resume_point here = find(close, kind, from, level);
      if (here == resume_point::nothing) continue;
      if (here == resume_point::member) in_.open_ = level;
      return here == resume_point::member;
    }
  }
  /// Whether a declaration may have been skipped since the last call.
  [[nodiscard]] bool take_swallowed() noexcept { return std::exchange(swallowed_, false); }

 private:
  /// Classification of the current token: a member or the end of the list, or a sign that the list ended
  /// earlier.
  enum class resume_point : std::uint8_t { nothing, member, other };

  [[nodiscard]] THRIFTLENS_COLD resume_point find(token_kind close, member_kind kind,
                                                  const member_start& from, const brackets& level) {
    switch (in_.token_.kind) {
      case token_kind::end:
        return resume_point::other;
      case token_kind::open_brace:
        swallowed_ = swallowed_ || in_.open_.encloses(level);  // a declaration was parsed as members
        return resume_point::nothing;
      case token_kind::close_brace:
      case token_kind::close_paren:
        return find_end(close, level);
      case token_kind::comma:
      case token_kind::semicolon:
        return find_after_separator(kind, level);
      case token_kind::integer:
      case token_kind::identifier:
        return find_member(kind, from, level);
      default:
        return resume_point::nothing;
    }
  }
  [[nodiscard]] resume_point find_end(token_kind close, const brackets& level) {
    if (in_.at(token_kind::close_paren))
      return in_.at(close) && in_.open_.encloses(level) ? resume_point::member : resume_point::nothing;
    // A closing brace cannot be inside parentheses that were opened after its opening brace.
    if (in_.open_.braces != level.braces) return resume_point::nothing;
    in_.open_ = level;
    return in_.at(close) ? resume_point::member : resume_point::other;
  }
  [[nodiscard]] resume_point find_after_separator(member_kind kind, const brackets& level) {
    if (!in_.open_.encloses(level)) return resume_point::nothing;
    // In `map<i32 string, i64> a` the comma does not separate members.
    if (in_.at(token_kind::comma) && in_.open_.angles != 0 && !looks_like_field(ahead()))
      return resume_point::nothing;
    in_.advance();
    in_.open_ = level;
    const bool named = kind == member_kind::function || kind == member_kind::enum_member;
    return in_.at(token_kind::integer) && named ? resume_point::nothing : resume_point::member;
  }
  [[nodiscard]] THRIFTLENS_COLD resume_point find_member(member_kind kind, const member_start& from,
                                                         const brackets& level) {
    if (in_.at_word() && in_.first_on_line() && begins_declaration(in_.current_keyword()))
      return resume_point::other;
    if (kind == member_kind::argument && looks_like_function()) return resume_point::other;
    if (!is_at(from.where) && begins_member(kind, level)) return resume_point::member;
    swallowed_ = swallowed_ || begins_declaration(in_.current_keyword());
    return resume_point::nothing;
  }

  /// Lookahead from the current token.
  struct glance {
    lexer from;
    token at;

    THRIFTLENS_NOINLINE void next() noexcept { from.next(at); }
    [[nodiscard]] bool is(token_kind kind) const noexcept { return at.kind == kind; }
    [[nodiscard]] bool is_word() const noexcept { return at.kind == token_kind::identifier; }
  };
  [[nodiscard]] glance look() noexcept { return {in_.lexer_.ahead(), in_.token_}; }
  [[nodiscard]] glance ahead() noexcept {
    glance following = look();
    following.next();
    return following;
  }

  [[nodiscard]] bool is_at(position where) const noexcept { return in_.token_.where == where; }
  /// Consumes a token and updates the open brackets.
  THRIFTLENS_COLD void pass(const brackets& floor) noexcept {
    count_brackets(floor);
    const bool endless = in_.token_.problem > token_problem::unexpected_char;
    in_.advance();
    if (endless && in_.at(token_kind::end)) swallowed_ = true;
  }
  /// Counts what the token opens or closes, not below `floor`.
  void count_brackets(const brackets& floor) noexcept {
    switch (in_.token_.kind) {
      case token_kind::open_brace:
        ++in_.open_.braces;
        break;
      case token_kind::open_paren:
      case token_kind::open_bracket:
        ++in_.open_.others;
        break;
      case token_kind::close_brace:
        return count_closed(in_.open_.braces, floor.braces);
      case token_kind::close_paren:
      case token_kind::close_bracket:
        return count_closed(in_.open_.others, floor.others);
      case token_kind::less:
        ++in_.open_.angles;
        break;
      case token_kind::greater:
        if (in_.open_.angles != 0) --in_.open_.angles;
        break;
      default:
        break;
    }
  }
  void count_closed(std::uint32_t& count, std::uint32_t floor) noexcept {
    if (count > floor) --count;
    in_.open_.angles = 0;
  }

  [[nodiscard]] THRIFTLENS_COLD bool begins_member(member_kind kind, const brackets& level) {
    const bool outside = in_.open_.encloses(level);
    const bool first_word = in_.at_word() && outside && in_.first_on_line();
    if (kind == member_kind::enum_member) return first_word;
    if (kind == member_kind::function)
      return looks_like_function() || (first_word && in_.current_keyword() != keyword::throws);
    if (!in_.at(token_kind::integer)) return false;
    if (outside && in_.first_on_line()) return true;
    return (outside || in_.first_on_line()) && looks_like_field(look());
  }
  /// `1: i32` or `1: A a`, not the `1: A` of a map.
  [[nodiscard]] THRIFTLENS_COLD static bool looks_like_field(glance at) noexcept {
    if (!at.is(token_kind::integer)) return false;
    at.next();
    if (!at.is(token_kind::colon)) return false;
    at.next();
    if (!at.is_word()) return false;
    const keyword type = find_keyword(at.at.text);
    at.next();
    return at.is_word() || at.is(token_kind::less) || (type >= keyword::bool_ && type <= keyword::binary);
  }
  /// `i32 f(` or `list<`, first on its line.
  [[nodiscard]] THRIFTLENS_COLD bool looks_like_function() noexcept {
    if (!in_.at_word() || !in_.first_on_line()) return false;
    glance at = look();
    const keyword first = find_keyword(at.at.text);
    if (first == keyword::oneway || first == keyword::async) at.next();
    at.next();
    if (!at.is_word()) return at.is(token_kind::less);
    at.next();
    return at.is(token_kind::open_paren);
  }
  [[nodiscard]] THRIFTLENS_COLD bool looks_like_declaration() noexcept {
    const keyword first = in_.current_keyword();
    glance at = ahead();
    if (first == keyword::include || first == keyword::cpp_include) return at.is(token_kind::string);
    if (first == keyword::namespace_) return at.is_word() || at.is(token_kind::star);
    return at.is_word() && looks_like_definition(first, at);
  }
  /// `at`: at the token after the keyword.
  [[nodiscard]] static bool looks_like_definition(keyword first, glance& at) noexcept {
    at.next();
    if (first == keyword::const_ || first == keyword::typedef_)
      return at.is_word() || at.is(token_kind::less);
    return at.is(token_kind::open_brace) || follows_name(find_keyword(at.at.text));
  }
  /// Keywords that may follow the name of a service or struct.
  [[nodiscard]] static bool follows_name(keyword kind) noexcept {
    return kind == keyword::extends || kind == keyword::xsd_all;
  }

  token_stream& in_;
  bool swallowed_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
