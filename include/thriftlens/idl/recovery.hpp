// recovery: finds where the parser resumes after a syntax error. Does not report: skipped tokens are not
// further errors.
#pragma once

#include <thriftlens/idl/value_parser.hpp>

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
class recovery : public value_parser {
 protected:
  using value_parser::value_parser;
  ~recovery() = default;

  /// Skips to the next declaration after the one that began at `from`: a keyword that is first on its line,
  /// or that is outside all brackets and followed by tokens that begin such a declaration.
  void recover(position from) {
    for (; !at(token_kind::end); pass({})) {
      if (!at_word() || !begins_declaration(current_keyword()) || is_at(from)) continue;
      if (first_on_line() || (open_.none() && looks_like_declaration())) break;
      swallowed_ = true;
    }
    open_ = {};
  }
  /// Skips to the next member of a list after the one that began at `from`; false if the list seems to have
  /// ended without its bracket. `level`: brackets open before the member.
  [[nodiscard]] bool recover_in_list(token_kind close, member_kind kind, const member_start& from,
                                     const brackets& level) {
    // `i32 f(` on a line of its own was read as an argument of type i32 with annotations.
    if (kind == member_kind::argument && from.word_first_on_line && open_.others > level.others) return false;
    for (;; pass(level)) {
      const resume_point here = find(close, kind, from, level);
      if (here == resume_point::nothing) continue;
      if (here == resume_point::member) open_ = level;
      return here == resume_point::member;
    }
  }
  /// Whether a declaration may have been skipped since the last call.
  [[nodiscard]] bool take_swallowed() noexcept { return std::exchange(swallowed_, false); }

 private:
  /// Classification of the current token: a member or the end of the list, or a sign that the list ended
  /// earlier.
  enum class resume_point : std::uint8_t { nothing, member, other };

  [[nodiscard]] resume_point find(token_kind close, member_kind kind, const member_start& from,
                                  const brackets& level) {
    switch (token_.kind) {
      case token_kind::end:
        return resume_point::other;
      case token_kind::open_brace:
        swallowed_ = swallowed_ || open_.encloses(level);  // a declaration was parsed as members
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
    if (at(token_kind::close_paren))
      return at(close) && open_.encloses(level) ? resume_point::member : resume_point::nothing;
    // A closing brace cannot be inside parentheses that were opened after its opening brace.
    if (open_.braces != level.braces) return resume_point::nothing;
    open_ = level;
    return at(close) ? resume_point::member : resume_point::other;
  }
  [[nodiscard]] resume_point find_after_separator(member_kind kind, const brackets& level) {
    if (!open_.encloses(level)) return resume_point::nothing;
    // In `map<i32 string, i64> a` the comma does not separate members.
    if (at(token_kind::comma) && open_.angles != 0 && !looks_like_field(ahead()))
      return resume_point::nothing;
    advance();
    open_ = level;
    const bool named = kind == member_kind::function || kind == member_kind::enum_member;
    return at(token_kind::integer) && named ? resume_point::nothing : resume_point::member;
  }
  [[nodiscard]] resume_point find_member(member_kind kind, const member_start& from, const brackets& level) {
    if (at_word() && first_on_line() && begins_declaration(current_keyword())) return resume_point::other;
    if (kind == member_kind::argument && looks_like_function()) return resume_point::other;
    if (!is_at(from.where) && begins_member(kind, level)) return resume_point::member;
    swallowed_ = swallowed_ || begins_declaration(current_keyword());
    return resume_point::nothing;
  }

  /// Lookahead from the current token.
  struct glance {
    lexer from;
    token at;

    void next() noexcept { from.next(at); }
    [[nodiscard]] bool is(token_kind kind) const noexcept { return at.kind == kind; }
    [[nodiscard]] bool is_word() const noexcept { return at.kind == token_kind::identifier; }
  };
  [[nodiscard]] glance look() noexcept { return {lexer_.ahead(), token_}; }
  [[nodiscard]] glance ahead() noexcept {
    glance following = look();
    following.next();
    return following;
  }

  [[nodiscard]] bool is_at(position where) const noexcept { return token_.where == where; }
  /// Consumes a token and updates the open brackets.
  void pass(const brackets& floor) noexcept {
    count_brackets(floor);
    const bool endless = token_.problem > token_problem::unexpected_char;
    advance();
    if (endless && at(token_kind::end)) swallowed_ = true;
  }
  /// Counts what the token opens or closes, not below `floor`.
  void count_brackets(const brackets& floor) noexcept {
    switch (token_.kind) {
      case token_kind::open_brace:
        ++open_.braces;
        break;
      case token_kind::open_paren:
      case token_kind::open_bracket:
        ++open_.others;
        break;
      case token_kind::close_brace:
        return count_closed(open_.braces, floor.braces);
      case token_kind::close_paren:
      case token_kind::close_bracket:
        return count_closed(open_.others, floor.others);
      case token_kind::less:
        ++open_.angles;
        break;
      case token_kind::greater:
        if (open_.angles != 0) --open_.angles;
        break;
      default:
        break;
    }
  }
  void count_closed(std::uint32_t& count, std::uint32_t floor) noexcept {
    if (count > floor) --count;
    open_.angles = 0;
  }

  [[nodiscard]] bool begins_member(member_kind kind, const brackets& level) {
    const bool outside = open_.encloses(level);
    const bool first_word = at_word() && outside && first_on_line();
    if (kind == member_kind::enum_member) return first_word;
    if (kind == member_kind::function)
      return looks_like_function() || (first_word && current_keyword() != keyword::throws);
    if (!at(token_kind::integer)) return false;
    if (outside && first_on_line()) return true;
    return (outside || first_on_line()) && looks_like_field(look());
  }
  /// `1: i32` or `1: A a`, not the `1: A` of a map.
  [[nodiscard]] static bool looks_like_field(glance at) noexcept {
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
  [[nodiscard]] bool looks_like_function() noexcept {
    if (!at_word() || !first_on_line()) return false;
    glance at = look();
    const keyword first = find_keyword(at.at.text);
    if (first == keyword::oneway || first == keyword::async) at.next();
    at.next();
    if (!at.is_word()) return at.is(token_kind::less);
    at.next();
    return at.is(token_kind::open_paren);
  }
  [[nodiscard]] bool looks_like_declaration() noexcept {
    const keyword first = current_keyword();
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

  bool swallowed_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
