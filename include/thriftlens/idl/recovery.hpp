// recovery: where the parser goes on after a syntax error.
// In: the token of the error and the brackets open there. Out: the stream at the next member or declaration.
// Never reports: the error was, and what it swallowed is no second one.
#pragma once

#include <thriftlens/idl/value_parser.hpp>

#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// What a list in brackets is made of.
enum class member_kind : std::uint8_t { field, argument, enum_member, function };

/// How a member begins.
struct member_start {
  position where;
  bool word_first_on_line = false;
};

/// Linear in the tokens passed over.
class recovery : public value_parser {
 protected:
  using value_parser::value_parser;
  ~recovery() = default;

  /// To the next declaration behind the one that began at `from`: a keyword that is the first word of its
  /// line, or that stands outside all brackets and is followed by what such a declaration begins with.
  void recover(position from) {
    for (; !at(token_kind::end); pass({})) {
      if (!at_word() || !begins_declaration(word()) || is_at(from)) continue;
      if (first_on_line() || (open_.none() && looks_like_declaration())) break;
      swallowed_ = true;
    }
    open_ = {};
  }
  /// To the next member of a list, behind the one that began at `from`; false where the list seems to have
  /// ended without its bracket. `level` is what was open in front of the member.
  [[nodiscard]] bool recover_in_list(token_kind close, member_kind kind, const member_start& from,
                                     const brackets& level) {
    // `i32 f(` on a line of its own was read as an argument of type i32 with annotations.
    if (kind == member_kind::argument && from.word_first_on_line && open_.others > level.others) return false;
    for (;; pass(level)) {
      switch (token_.kind) {
        case token_kind::end:
          return false;
        case token_kind::open_brace:
          // A declaration whose first words were taken for members.
          swallowed_ = swallowed_ || open_.encloses(level);
          break;
        case token_kind::close_brace:
          // Nothing that a brace ends stands inside parentheses of its own.
          if (open_.braces == level.braces) return open_ = level, at(close);
          break;
        case token_kind::close_paren:
          if (at(close) && open_.encloses(level)) return open_ = level, true;
          break;
        case token_kind::comma:
        case token_kind::semicolon:
          if (!open_.encloses(level)) break;
          // In `map<i32 string, i64> a` the comma is none of the list's.
          if (at(token_kind::comma) && open_.angles != 0 && !looks_like_field(ahead())) break;
          advance();
          open_ = level;
          if (at(token_kind::integer) && (kind == member_kind::function || kind == member_kind::enum_member))
            break;
          return true;
        case token_kind::integer:
        case token_kind::identifier:
          if (at_word() && first_on_line() && begins_declaration(word())) return false;
          if (kind == member_kind::argument && looks_like_function()) return false;
          if (!is_at(from.where) && begins_member(kind, level)) return open_ = level, true;
          swallowed_ = swallowed_ || begins_declaration(word());
          break;
        default:
          break;
      }
    }
  }
  /// Whether a declaration may have been passed over since the last call.
  [[nodiscard]] bool take_swallowed() noexcept { return std::exchange(swallowed_, false); }

 private:
  /// Tokens from the one at hand on, without passing any.
  struct glance {
    lexer from;
    token at;

    void next() noexcept { from.next(at); }
    [[nodiscard]] bool is(token_kind kind) const noexcept { return at.kind == kind; }
    [[nodiscard]] bool is_word() const noexcept { return at.kind == token_kind::identifier; }
  };
  [[nodiscard]] glance look() noexcept { return {lexer_.ahead(), token_}; }
  [[nodiscard]] glance ahead() noexcept {
    glance behind = look();
    behind.next();
    return behind;
  }

  [[nodiscard]] bool is_at(position where) const noexcept {
    return token_.where.line == where.line && token_.where.column == where.column;
  }
  /// Passes a token and counts what it opens or closes, not below `floor`.
  void pass(const brackets& floor) noexcept {
    switch (token_.kind) {
      case token_kind::open_brace:
        ++open_.braces;
        break;
      case token_kind::open_paren:
      case token_kind::open_bracket:
        ++open_.others;
        break;
      case token_kind::close_brace:
        down(open_.braces, floor.braces);
        open_.angles = 0;
        break;
      case token_kind::close_paren:
      case token_kind::close_bracket:
        down(open_.others, floor.others);
        open_.angles = 0;
        break;
      case token_kind::less:
        ++open_.angles;
        break;
      case token_kind::greater:
        down(open_.angles, 0);
        break;
      default:
        break;
    }
    const bool endless = token_.problem > token_problem::unexpected_char;
    advance();
    if (endless && at(token_kind::end)) swallowed_ = true;
  }
  static void down(std::uint32_t& count, std::uint32_t floor) noexcept {
    if (count > floor) --count;
  }

  [[nodiscard]] bool begins_member(member_kind kind, const brackets& level) {
    const bool outside = open_.encloses(level);
    switch (kind) {
      case member_kind::field:
      case member_kind::argument:
        if (!at(token_kind::integer)) return false;
        return (outside && first_on_line()) || ((outside || first_on_line()) && looks_like_field(look()));
      case member_kind::enum_member:
        return at_word() && outside && first_on_line();
      case member_kind::function:
        return looks_like_function() ||
               (at_word() && outside && first_on_line() && word() != keyword::throws);
    }
    return false;
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
    const keyword first = word();
    glance at = ahead();
    if (first == keyword::include || first == keyword::cpp_include) return at.is(token_kind::string);
    if (first == keyword::namespace_) return at.is_word() || at.is(token_kind::star);
    if (!at.is_word()) return false;
    at.next();
    if (first == keyword::const_ || first == keyword::typedef_)
      return at.is_word() || at.is(token_kind::less);
    const keyword second = find_keyword(at.at.text);
    return at.is(token_kind::open_brace) || second == keyword::extends || second == keyword::xsd_all;
  }

  bool swallowed_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
