#include <thriftlens/core/escape.hpp>

#include "support/test.hpp"

namespace {

/// The unescaped text, or "bad".
std::string read(std::string_view text) {
  char bytes[4];
  char* to = bytes;
  std::size_t at = 1;
  if (!tl::detail::read_escape(text, at, to)) return "bad";
  EXPECT_EQ(at, text.size()) << text;
  return {bytes, to};
}

TEST(escape, characters_bytes_and_code_points) {
  EXPECT_EQ(read("\\n"), "\n");
  EXPECT_EQ(read("\\r"), "\r");
  EXPECT_EQ(read("\\t"), "\t");
  EXPECT_EQ(read("\\\""), "\"");
  EXPECT_EQ(read("\\'"), "'");
  EXPECT_EQ(read("\\\\"), "\\");
  EXPECT_EQ(read("\\x41"), "A");
  EXPECT_EQ(read("\\xfF"), "\xff");
  EXPECT_EQ(read("\\u0041"), "A");
  EXPECT_EQ(read("\\u00e9"), "\xc3\xa9");
  EXPECT_EQ(read("\\u20AC"), "\xe2\x82\xac");
  EXPECT_EQ(read("\\ud83d\\ude00"), "\xf0\x9f\x98\x80");
}

TEST(escape, invalid_escapes_are_rejected) {
  for (const char* text : {"\\", "\\q", "\\x", "\\x4", "\\x4g", "\\x+1", "\\u004", "\\u004g", "\\ud83d",
                           "\\ud83d\\n", "\\ud83d\\u0041", "\\ude00", "\\ud83d\\ude0"})
    EXPECT_EQ(read(text), "bad") << text;
}

TEST(escape, surrogate_pairs_are_consumed_completely) {
  EXPECT_EQ(read("\\ud7ff"), "\xed\x9f\xbf");
  EXPECT_EQ(read("\\ud800\\udc00"), "\xf0\x90\x80\x80");
  EXPECT_EQ(read("\\udbff\\udfff"), "\xf4\x8f\xbf\xbf");
  EXPECT_EQ(read("\\ue000"), "\xee\x80\x80");
  for (const char* text : {"\\ud800\\udbff", "\\ud800\\ue000", "\\udc00", "\\udfff", "\\udbff", "\\ud800"})
    EXPECT_EQ(read(text), "bad") << text;
}

}  // namespace
