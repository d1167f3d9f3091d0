#include <thriftlens/text/pattern.hpp>

#include "support/test.hpp"

#include <regex>

namespace {

bool matches(std::string_view expression, std::string_view text) {
  return tl::detail::pattern::compile(expression).matches(text);
}

TEST(pattern, literals_anchors_and_classes) {
  EXPECT_TRUE(matches("b", "abc"));
  EXPECT_FALSE(matches("^b", "abc"));
  EXPECT_TRUE(matches("^a.c$", "abc"));
  EXPECT_FALSE(matches("^a.c$", "a\nc"));
  EXPECT_TRUE(matches("^[a-c]+$", "abcabc"));
  EXPECT_FALSE(matches("^[^a-c]+$", "xbz"));
  EXPECT_TRUE(matches("^[]x-]+$", "]x-"));
  EXPECT_TRUE(matches("^\\d{3}-\\d{4}$", "555-1234"));
  EXPECT_FALSE(matches("^\\d{3}-\\d{4}$", "555-123"));
  EXPECT_TRUE(matches("^\\w+@[\\w.]+$", "me@there.org"));
  EXPECT_TRUE(matches("^\\S+\\s\\S+$", "two words"));
  EXPECT_TRUE(matches("\\bword\\b", "a word here"));
  EXPECT_FALSE(matches("\\bword\\b", "swordfish"));
  EXPECT_TRUE(matches("\\Bord", "word"));
  EXPECT_TRUE(matches("^\\x41\\x{1F600}$", "A\xf0\x9f\x98\x80"));
  EXPECT_TRUE(matches("^\\$\\.\\*$", "$.*"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("^$", ""));
}

TEST(pattern, alternatives_and_repetitions) {
  EXPECT_TRUE(matches("^(cat|dog|bird)s?$", "birds"));
  EXPECT_FALSE(matches("^(cat|dog|bird)s?$", "fish"));
  EXPECT_TRUE(matches("^(?:ab)*$", "ababab"));
  EXPECT_FALSE(matches("^(ab)*$", "aba"));
  EXPECT_TRUE(matches("^a{2,3}$", "aaa"));
  EXPECT_FALSE(matches("^a{2,3}$", "aaaa"));
  EXPECT_TRUE(matches("^a{2,}$", "aaaaa"));
  EXPECT_FALSE(matches("^a{2,}$", "a"));
  EXPECT_TRUE(matches("^a{,3}$", "a{,3}"));
  EXPECT_TRUE(matches("^x*?y+?$", "xxy"));
  EXPECT_TRUE(matches("^(a|b|)c$", "c"));
  EXPECT_TRUE(matches("^((a|bc)+|d)$", "abcabc"));
  EXPECT_TRUE(matches("^(a*)*$", "aaaa"));
}

TEST(pattern, text_is_read_as_utf8) {
  EXPECT_TRUE(matches("^.$", "\xc3\xa9"));
  EXPECT_TRUE(matches("^[\xc3\xa0-\xc3\xbf]{2}$", "\xc3\xa9\xc3\xa8"));
  EXPECT_TRUE(matches("^..$", "\xff\xfe"));
  EXPECT_FALSE(matches("^.$", "\xe2\x82"));
}

TEST(pattern, unsupported_syntax_is_an_error) {
  for (const char* wrong : {"(", ")", "[a", "a**", "*a", "(?=a)", "\\", "\\q", "[z-a]", "a{3,2}", "a{2000}",
                            "[[:alpha:]]", "\\1", "\\x{}", "\\xg0", "(?i)a"}) {
    const tl::result<tl::detail::pattern> outcome = tl::detail::pattern::try_compile(wrong);
    ASSERT_EQ(errc_of(outcome), tl::errc::path_syntax) << wrong;
    EXPECT_LE(outcome.error().offset(), std::string_view(wrong).size());
  }
  EXPECT_FALSE(tl::detail::pattern::try_compile("((a{1000}){1000}){1000}"));
  EXPECT_FALSE(tl::detail::pattern::try_compile(std::string(100000, '(')));
  EXPECT_FALSE(tl::detail::pattern::try_compile(std::string(100000, 'a')));
}

TEST(pattern, random_expressions_agree_with_the_standard_library) {
#if THRIFTLENS_EXCEPTIONS
  std::mt19937 random(20261121);
  const auto expression = [&](auto&& self, int depth) -> std::string {
    const auto atom = [&]() -> std::string {
      switch (random() % (depth > 0 ? 7 : 5)) {
        case 0:
          return "a";
        case 1:
          return "b";
        case 2:
          return ".";
        case 3:
          return "[ab]";
        case 4:
          return "[^a]";
        default:
          return '(' + self(self, depth - 1) + ')';
      }
    };
    std::string bytes;
    for (std::size_t parts = 1 + random() % 3; parts > 0; --parts) {
      bytes += atom();
      const char* repeats[] = {"", "", "", "*", "+", "?", "{1,2}", "{2}"};
      bytes += repeats[random() % 8];
    }
    return random() % 4 == 0 ? bytes + '|' + atom() : bytes;
  };
  for (int round = 0; round < 2000; ++round) {
    std::string text = expression(expression, 2);
    if (round % 3 == 0) text = "^(" + text + ")$";
    const tl::detail::pattern ours = tl::detail::pattern::compile(text);
    const std::regex theirs(text);
    for (int subject = 0; subject < 8; ++subject) {
      std::string name;
      for (std::size_t size = random() % 7; size > 0; --size) name += "abc"[random() % 3];
      ASSERT_EQ(ours.matches(name), std::regex_search(name, theirs)) << text << " on " << name;
    }
  }
#endif
}

}  // namespace
