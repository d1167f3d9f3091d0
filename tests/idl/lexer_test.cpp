#include <thriftlens/idl/lexer.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;
using idl::token_kind, idl::token_problem;

namespace {

std::vector<idl::token> tokens_of(const std::string& text) {
  std::vector<idl::token> tokens;
  idl::lexer from(text);
  do {
    idl::token current;
    from.next(current);
    tokens.push_back(current);
  } while (tokens.back().kind != token_kind::end);
  return tokens;
}
idl::token first_of(const std::string& text) { return tokens_of(text).front(); }
std::string place_of(const idl::token& current) {
  return std::to_string(current.where.line) + ':' + std::to_string(current.where.column);
}

TEST(lexer, splits_words_numbers_strings_and_punctuation) {
  const std::string text = "struct a.b_1{1:list<i32>x=-5}'s' \"t\"&*";
  std::string kinds;
  for (const idl::token& current : tokens_of(text)) {
    switch (current.kind) {
      case token_kind::identifier:
        kinds += 'w';
        break;
      case token_kind::integer:
        kinds += 'i';
        break;
      case token_kind::string:
        kinds += 's';
        break;
      case token_kind::end:
        kinds += '.';
        break;
      default:
        kinds += static_cast<char>(current.kind);
    }
  }
  EXPECT_EQ(kinds, "ww{i:w<w>w=i}ss&*.");
}

TEST(lexer, dots_join_words_only_between_parts) {
  const std::string text = "a.b.c a. .b";
  auto tokens = tokens_of(text);
  EXPECT_EQ(tokens[0].text, "a.b.c");
  EXPECT_EQ(tokens[1].text, "a");
  EXPECT_EQ(tokens[2].problem, token_problem::unexpected_char);
  EXPECT_EQ(tokens[3].problem, token_problem::unexpected_char);
}

TEST(lexer, reads_numbers_as_the_apache_compiler_does) {
  for (const char* text : {"0", "12", "-7", "+3", "0x1F", "-0x1f", "0XaB"}) {
    EXPECT_EQ(first_of(text).kind, token_kind::integer) << text;
    EXPECT_EQ(first_of(text).text, text);
  }
  for (const char* text : {"1.5", "-0.25", ".5", "1e5", "1E-5", "-2.5e+10", "-.5"}) {
    EXPECT_EQ(first_of(text).kind, token_kind::real) << text;
    EXPECT_EQ(first_of(text).text, text);
  }
  EXPECT_EQ(tokens_of("0x")[1].text, "x");
  EXPECT_EQ(tokens_of("0o17")[1].text, "o17");
  EXPECT_EQ(tokens_of("1e")[1].text, "e");
  EXPECT_EQ(tokens_of("1.")[0].text, "1");
  EXPECT_EQ(first_of("-").problem, token_problem::unexpected_char);
  EXPECT_EQ(first_of("+x").problem, token_problem::unexpected_char);
}

TEST(lexer, strings_have_either_quote_and_record_escapes_and_line_ends) {
  EXPECT_EQ(first_of("'a\"b'").text, "a\"b");
  EXPECT_EQ(first_of("\"a'b\"").text, "a'b");
  EXPECT_FALSE(first_of("'ab'").escaped);
  EXPECT_TRUE(first_of("'a\\'b'").escaped);
  EXPECT_EQ(first_of("'a\\'b'").text, "a\\'b");
  EXPECT_TRUE(first_of("'a\nb'").newline);
  EXPECT_EQ(place_of(tokens_of("'a\nb' x")[1]), "2:4");
  EXPECT_EQ(first_of("''").text, "");
}

TEST(lexer, reports_unterminated_tokens) {
  EXPECT_EQ(first_of("'abc").problem, token_problem::unterminated_string);
  EXPECT_EQ(first_of("'abc\\").problem, token_problem::unterminated_string);
  EXPECT_EQ(first_of("'abc\\'").problem, token_problem::unterminated_string);
  EXPECT_EQ(first_of("'abc\\\n").problem, token_problem::unterminated_string);
  EXPECT_EQ(first_of("/* abc").problem, token_problem::unterminated_comment);
  EXPECT_EQ(first_of("/*/").problem, token_problem::unterminated_comment);
  EXPECT_EQ(place_of(first_of("\n  /* a\nb")), "2:3");
}

TEST(lexer, returns_other_bytes_as_single_characters) {
  EXPECT_EQ(first_of(std::string("\0a", 2)).problem, token_problem::unexpected_char);
  EXPECT_EQ(first_of("\xC3\xA4x").text, "\xC3\xA4");
  EXPECT_EQ(first_of("\xFF").text, "\xFF");
  EXPECT_EQ(first_of("/ x").problem, token_problem::unexpected_char);
  EXPECT_EQ(first_of("@").text, "@");
}

TEST(lexer, skips_three_kinds_of_comments) {
  for (const char* text : {"# c\nx", "// c\nx", "/* c */x", "/**/x", "/* a\n * b\n */ x", "#\n//\n/***/x",
                           "//c\rx", "#c\r\nx"}) {
    EXPECT_EQ(first_of(text).text, "x") << text;
  }
  EXPECT_EQ(first_of("# only").kind, token_kind::end);
}

TEST(lexer, counts_all_kinds_of_line_ends) {
  EXPECT_EQ(place_of(first_of("\n\n x")), "3:2");
  EXPECT_EQ(place_of(first_of("\r\n\r\n x")), "3:2");
  EXPECT_EQ(place_of(first_of("\r\r x")), "3:2");
  EXPECT_EQ(place_of(first_of("/*\n*/ x")), "2:4");
  EXPECT_EQ(place_of(first_of("/*\r\n*/ x")), "2:4");
  EXPECT_EQ(place_of(first_of("/*\r*/ x")), "2:4");
  EXPECT_EQ(place_of(first_of("'\r\n' x")), "1:1");
  EXPECT_EQ(place_of(tokens_of("'\r\n' x")[1]), "2:3");
  EXPECT_EQ(place_of(tokens_of("a\n")[1]), "2:1");
}

TEST(lexer, skips_a_byte_order_mark) {
  EXPECT_EQ(first_of("\xEF\xBB\xBFstruct").text, "struct");
  EXPECT_EQ(place_of(first_of("\xEF\xBB\xBFstruct")), "1:1");
}

TEST(lexer, ends_the_first_unterminated_string_at_its_line) {
  const std::string text = "a 'b\\\n c\n \"d\n e";  // the tokens borrow from it
  const auto tokens = tokens_of(text);
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[1].problem, idl::token_problem::unterminated_string);
  EXPECT_EQ(tokens[1].text, "b\\");
  EXPECT_EQ(tokens[2].text, "c");
  EXPECT_EQ(place_of(tokens[2]), "2:2");
  EXPECT_EQ(tokens[3].text, "d\n e");
  EXPECT_EQ(place_of(tokens[3]), "3:2");
  EXPECT_EQ(tokens[4].kind, token_kind::end);
  EXPECT_EQ(place_of(tokens[4]), "4:3");
}

TEST(lexer, looks_ahead_without_moving) {
  const std::string text = "a // b\n c d";
  idl::lexer from(text);
  idl::token current;
  from.next(current);
  idl::lexer ahead = from.ahead();
  ahead.next(current);
  EXPECT_EQ(place_of(current), "2:2");
  ahead.next(current);
  EXPECT_EQ(current.text, "d");
  from.next(current);
  EXPECT_EQ(place_of(current), "2:2");
}

TEST(lexer, keeps_the_last_doc_comment_before_a_token) {
  const std::string text = "/** one */ /** two */ a /* no */ b /** c */ // line\n d /**/ e";
  idl::lexer from(text);
  idl::token current;
  std::vector<std::string> docs;
  for (from.next(current); current.kind != token_kind::end; from.next(current)) docs.emplace_back(from.doc());
  EXPECT_EQ(docs, (std::vector<std::string>{" two ", "", " c ", ""}));
}

TEST(lexer, joins_parts_by_hyphens_on_request) {
  const std::string text = "my-pkg.a-b x";
  idl::lexer from(text);
  idl::token current;
  from.next(current);
  from.extend_by_hyphens(current);
  EXPECT_EQ(current.text, "my-pkg.a-b");
  from.next(current);
  EXPECT_EQ(current.text, "x");
}

}  // namespace
