#include <thriftlens/idl/token_stream.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;
using idl::keyword, idl::token_kind;

namespace {

struct stream_parts {
  std::string text;
  idl::load_options options{};
  thriftlens::arena memory{};
  idl::findings found{100};
};

/// Makes protected members accessible.
class open_stream : public idl::token_stream {
 public:
  explicit open_stream(stream_parts& from)
      : token_stream(from.text, 0, from.options, from.memory, from.found) {}
  using token_stream::accept, token_stream::advance, token_stream::at, token_stream::enter,
      token_stream::expect, token_stream::expect_open, token_stream::first_on_line, token_stream::leave,
      token_stream::open_, token_stream::reject, token_stream::skip_separator, token_stream::take_doc,
      token_stream::take_integer, token_stream::take_string, token_stream::token_,
      token_stream::current_keyword;
};

std::vector<std::string> kinds(stream_parts& from) {
  idl::program in;
  in.source = from.text;
  std::vector<std::string> all;
  for (const auto& each : from.found.diagnostics(std::vector<idl::program>{in})) {
    all.push_back(std::to_string(each.line) + ':' + std::to_string(each.column) + ' ' + each.kind);
  }
  return all;
}

TEST(token_stream, accepts_and_expects) {
  stream_parts parts{"struct { } ,;"};
  open_stream in(parts);
  EXPECT_TRUE(in.accept(keyword::struct_));
  EXPECT_FALSE(in.accept(keyword::struct_));
  EXPECT_TRUE(in.expect(token_kind::open_brace, "'{'"));
  EXPECT_FALSE(in.expect(token_kind::comma, "','"));
  EXPECT_TRUE(in.accept(token_kind::close_brace));
  in.skip_separator();
  EXPECT_TRUE(in.at(token_kind::semicolon));
  in.skip_separator();
  in.skip_separator();
  EXPECT_TRUE(in.at(token_kind::end));
  EXPECT_EQ(kinds(parts), (std::vector<std::string>{"1:10 unexpected-token"}));
}

TEST(token_stream, knows_which_brackets_are_open) {
  stream_parts parts{"{ [ ( ) x"};
  open_stream in(parts);
  EXPECT_TRUE(in.open_.none());
  EXPECT_TRUE(in.expect_open(token_kind::open_brace, "'{'"));
  const idl::brackets level = in.open_;
  in.enter();
  EXPECT_FALSE(in.open_.encloses(level));
  EXPECT_TRUE(in.expect_open(token_kind::open_paren, "'('"));
  EXPECT_TRUE(in.leave(token_kind::close_paren));
  EXPECT_FALSE(in.leave(token_kind::close_bracket));
  EXPECT_FALSE(in.expect_open(token_kind::open_paren, "'('"));
  EXPECT_EQ(in.open_.braces, 1u);
  EXPECT_EQ(in.open_.others, 1u);
  EXPECT_EQ(kinds(parts), (std::vector<std::string>{"1:9 unexpected-token"}));
}

TEST(token_stream, reports_a_token_once) {
  stream_parts parts{"x y"};
  open_stream in(parts);
  EXPECT_FALSE(in.reject("a"));
  EXPECT_FALSE(in.reject("b"));
  in.advance();
  EXPECT_FALSE(in.reject("c"));
  in.advance();
  EXPECT_FALSE(in.reject("d"));
  EXPECT_EQ(kinds(parts),
            (std::vector<std::string>{"1:1 unexpected-token", "1:3 unexpected-token", "1:4 unexpected-eof"}));
}

TEST(token_stream, reports_lexer_errors) {
  for (auto [text, kind] :
       {std::pair("$", "unexpected-char"), {"'a", "unterminated-string"}, {"/* a", "unterminated-comment"}}) {
    stream_parts parts{text};
    open_stream in(parts);
    EXPECT_FALSE(in.reject("anything"));
    EXPECT_EQ(kinds(parts), std::vector<std::string>{std::string("1:1 ") + kind});
  }
}

TEST(token_stream, knows_the_first_token_of_a_line) {
  stream_parts parts{"a b\n c /* x\n */ d 'x\ny' e"};
  open_stream in(parts);
  std::string firsts;
  for (; !in.at(token_kind::end); in.advance()) firsts += in.first_on_line() ? '1' : '0';
  EXPECT_EQ(firsts, "101100");
}

TEST(token_stream, decodes_strings_and_locates_invalid_escapes) {
  stream_parts parts{"'plain' 'a\\tb' 'line\n\\q'"};
  open_stream in(parts);
  EXPECT_EQ(in.take_string(), "plain");
  EXPECT_EQ(in.take_string(), "a\tb");
  EXPECT_EQ(in.take_string(), "");
  EXPECT_EQ(kinds(parts), (std::vector<std::string>{"2:1 bad-escape"}));
}

TEST(token_stream, rejects_line_ends_in_strings_in_strict_mode) {
  stream_parts parts{"'a\nb'"};
  parts.options.mode = idl::mode::strict;
  open_stream in(parts);
  EXPECT_EQ(in.take_string(), "a\nb");
  EXPECT_EQ(kinds(parts), (std::vector<std::string>{"1:1 newline-in-string"}));
}

TEST(token_stream, reads_integers_and_warns_about_leading_zeros) {
  stream_parts parts{"12 010 99999999999999999999"};
  open_stream in(parts);
  EXPECT_EQ(in.take_integer(), 12);
  EXPECT_EQ(in.take_integer(), 10);
  EXPECT_EQ(in.take_integer(), std::nullopt);
  EXPECT_EQ(kinds(parts), (std::vector<std::string>{"1:4 leading-zero", "1:8 number-range"}));
}

TEST(token_stream, returns_the_doc_of_the_current_token) {
  stream_parts parts{"/** words */ a b"};
  open_stream in(parts);
  EXPECT_EQ(in.take_doc(), "words");
  in.advance();
  EXPECT_EQ(in.take_doc(), "");
}

}  // namespace
