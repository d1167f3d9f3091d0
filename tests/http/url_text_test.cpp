#include <thriftlens/http/url_text.hpp>

#include "support/test.hpp"

TEST(url_text, finds_path_and_query) {
  EXPECT_EQ(tl::detail::query_of("http://h/p?a=1&b#c?d"), "a=1&b");
  EXPECT_EQ(tl::detail::query_of("/p"), "");
  EXPECT_EQ(tl::detail::path_of("http://h:1/p/q?a=/"), "/p/q");
  EXPECT_EQ(tl::detail::path_of("http://h"), "/");
  EXPECT_EQ(tl::detail::path_of("/a://b"), "/a://b");
}
TEST(url_text, decodes) {
  tl::detail::decoded_texts texts;
  texts.reserve(100);
  std::string_view made;
  EXPECT_TRUE(texts.decode("a+b%20%c3%A9", true, made));
  EXPECT_EQ(made, "a b \xc3\xa9");
  EXPECT_FALSE(texts.decode("%4", true, made));
  EXPECT_FALSE(texts.decode("%zz", true, made));
  for (const std::string_view text : {"%", "%4", "%zz", "100%", "%%4", "%4g"}) {
    EXPECT_TRUE(texts.decode(text, false, made));
    EXPECT_EQ(made, text);
  }
  EXPECT_TRUE(texts.decode("%%41+%", false, made));
  EXPECT_EQ(made, "%A %");
  std::string path;
  EXPECT_TRUE(tl::detail::append_decoded("a+b%2F", false, path));
  EXPECT_EQ(path, "a+b/");
}
TEST(url_text, splits_pairs) {
  std::string seen;
  const auto add = [&](std::string_view name, std::string_view value) {
    seen.append(name).append(1, '>').append(value).append(1, ' ');
  };
  EXPECT_TRUE(tl::detail::each_pair("a=1&&b;c=2&d&e==", 10, true, add));
  EXPECT_EQ(seen, "a>1 d> e>= ");
  seen.clear();
  EXPECT_TRUE(tl::detail::each_pair("a=1;2&b;c=2", 10, false, add));
  EXPECT_EQ(seen, "a>1;2 b;c>2 ");
  EXPECT_FALSE(tl::detail::each_pair("a&b&c", 2, true, add));
}
