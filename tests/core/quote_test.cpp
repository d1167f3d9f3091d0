#include <thriftlens/core/quote.hpp>

#include "support/test.hpp"

namespace {
std::string quoted(std::string_view text) {
  std::string out;
  tl::detail::append_quoted(out, text);
  return out;
}
TEST(with_article, uses_an_before_a_vowel) {
  EXPECT_EQ(thriftlens::detail::with_article("i64"), "an i64");
  EXPECT_EQ(thriftlens::detail::with_article("Order"), "an Order");
  EXPECT_EQ(thriftlens::detail::with_article("string"), "a string");
  EXPECT_EQ(thriftlens::detail::with_article("User"), "a User");
  EXPECT_EQ(thriftlens::detail::with_article("uuid"), "a uuid");
  EXPECT_EQ(thriftlens::detail::with_article(""), "a ");
}

}  // namespace

TEST(append_quoted, escapes_what_json_must_escape) {
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("plain_name"), "\"plain_name\"");
  EXPECT_EQ(quoted("a\"b\\c\n\r\t\x01\x1f"), "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u001f\"");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(append_quoted, keeps_valid_utf8_and_replaces_the_rest) {
  EXPECT_EQ(quoted("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
  EXPECT_EQ(quoted("a\xff"
                   "b"),
            "\"a\xef\xbf\xbd"
            "b\"");
  EXPECT_EQ(quoted("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(in_quotes, truncates_long_names_between_characters_on_one_line) {
  EXPECT_EQ(tl::detail::in_quotes("User"), "'User'");
  EXPECT_EQ(tl::detail::in_quotes(""), "''");
  EXPECT_EQ(tl::detail::in_quotes("it's \\ \"so\""), "'it's \\ \"so\"'");
  EXPECT_EQ(tl::detail::in_quotes(std::string_view("a\0b\nc\xff", 6)), "'a\\u0000b\\nc\xef\xbf\xbd'");
  EXPECT_EQ(tl::detail::in_quotes(std::string(60, 'x')), '\'' + std::string(60, 'x') + '\'');
  EXPECT_EQ(tl::detail::in_quotes(std::string(1'000'000, 'x')), '\'' + std::string(60, 'x') + "...'");
  for (std::size_t previous_size = 55; previous_size < 62; ++previous_size) {
    std::string euros(previous_size, 'x');
    for (int i = 0; i < 10; ++i) euros += "\xe2\x82\xac";
    EXPECT_EQ(tl::detail::in_quotes(euros).find("\xef\xbf\xbd"), std::string::npos) << previous_size;
  }
}

TEST(in_quotes, escapes_control_characters) {
  // C0, DEL, C1, bidirectional marks, line and paragraph separators
  EXPECT_EQ(tl::detail::in_quotes("\x1b[31m\a\x7f"), "'\\u001b[31m\\u0007\\u007f'");
  EXPECT_EQ(tl::detail::in_quotes("\xc2\x9b\xc2\x80\xc2\xa0"), "'\\u009b\\u0080\xc2\xa0'");
  EXPECT_EQ(tl::detail::in_quotes("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"), "'\\u061c\\u200e\\u200f'");
  EXPECT_EQ(tl::detail::in_quotes("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae"), "'\\u2028\\u2029\\u202e'");
  EXPECT_EQ(tl::detail::in_quotes("\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa"), "'\\u2066\\u2069\xe2\x81\xaa'");
}

TEST(append_decimal, writes_all_digits) {
  std::string text = "n=";
  thriftlens::detail::append_decimal(text, 0);
  thriftlens::detail::append_decimal(text += ' ', 18446744073709551615u);
  EXPECT_EQ(text, "n=0 18446744073709551615");
}
