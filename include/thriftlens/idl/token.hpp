// token: one lexical element of IDL text.
#pragma once

#include <thriftlens/idl/message.hpp>
#include <thriftlens/idl/program.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Punctuation is its own character.
enum class token_kind : std::uint8_t {
  end,
  identifier,
  integer,
  real,
  string,
  invalid,
  open_paren = '(',
  close_paren = ')',
  open_brace = '{',
  close_brace = '}',
  open_bracket = '[',
  close_bracket = ']',
  less = '<',
  greater = '>',
  comma = ',',
  semicolon = ';',
  colon = ':',
  equals = '=',
  ampersand = '&',
  star = '*'
};

/// Why a token is invalid.
enum class token_problem : std::uint8_t { none, unexpected_char, unterminated_string, unterminated_comment };

struct token {
  token_kind kind = token_kind::end;
  token_problem problem = token_problem::none;
  bool escaped = false;   ///< a string with a backslash in it
  bool newline = false;   ///< a string with a line end in it
  std::string_view text;  ///< as written; a string without its quotes
  position where;
};

/// How messages name the token: `'struct'`, `string "a"`, `end of file`. Long texts are cut.
[[nodiscard]] THRIFTLENS_COLD inline message_arg describe(const token& unexpected) {
  switch (unexpected.kind) {
    case token_kind::end:
      return "end of file";
    case token_kind::string:
      return {message_arg::form::string_token, unexpected.text};
    case token_kind::integer:
    case token_kind::real:
      return {message_arg::form::number_token, unexpected.text};
    default:
      return quoted_arg(unexpected.text);
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
