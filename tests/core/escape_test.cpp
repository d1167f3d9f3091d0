#include <thriftlens/core/escape.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tl = thriftlens;

namespace {

/// What the escape stands for, or "bad".
std::string read(std::string_view text) {
  char bytes[4];
  char* to = bytes;
  std::size_t at = 1;
  if (!tl::read_escape(text, at, to)) return "bad";
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

TEST(escape, what_is_none_is_refused) {
  for (const char* text : {"\\", "\\q", "\\x", "\\x4", "\\x4g", "\\x+1", "\\u004", "\\u004g", "\\ud83d",
                           "\\ud83d\\n", "\\ud83d\\u0041", "\\ude00", "\\ud83d\\ude0"})
    EXPECT_EQ(read(text), "bad") << text;
}

TEST(escape, utf8_of_the_bounds) {
  const auto utf8 = [](std::uint32_t code) {
    char bytes[4];
    return std::string(bytes, tl::put_utf8(bytes, code));
  };
  EXPECT_EQ(utf8(0), std::string(1, '\0'));
  EXPECT_EQ(utf8(0x7f), "\x7f");
  EXPECT_EQ(utf8(0x80), "\xc2\x80");
  EXPECT_EQ(utf8(0x7ff), "\xdf\xbf");
  EXPECT_EQ(utf8(0x800), "\xe0\xa0\x80");
  EXPECT_EQ(utf8(0xffff), "\xef\xbf\xbf");
  EXPECT_EQ(utf8(0x10000), "\xf0\x90\x80\x80");
  EXPECT_EQ(utf8(0x10ffff), "\xf4\x8f\xbf\xbf");
}

}  // namespace
