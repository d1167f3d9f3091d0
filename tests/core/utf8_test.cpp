#include <thriftlens/core/utf8.hpp>

#include "support/test.hpp"

TEST(utf8_cut, never_splits_a_sequence) {
  EXPECT_EQ(tl::detail::utf8_cut("abc", 3), "abc");
  EXPECT_EQ(tl::detail::utf8_cut("abcd", 3), "abc");
  EXPECT_EQ(tl::detail::utf8_cut("abcd", 0), "");
  EXPECT_EQ(tl::detail::utf8_cut("a\xe2\x82\xac", 3), "a");
  EXPECT_EQ(tl::detail::utf8_cut("a\xe2\x82\xac", 4), "a\xe2\x82\xac");
  EXPECT_EQ(tl::detail::utf8_cut("\xf0\x9f\x98\x80", 3), "");
  EXPECT_EQ(tl::detail::utf8_cut("\x80\x80\x80\x80\x80\x80\x80\x80", 6), "\x80\x80\x80");
}

TEST(put_utf8, at_the_bounds_of_each_length) {
  const auto utf8 = [](std::uint32_t code) {
    char bytes[4];
    return std::string(bytes, tl::detail::put_utf8(bytes, code));
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

TEST(utf8_length, rejects_overlong_surrogate_and_truncated_sequences) {
  EXPECT_EQ(tl::detail::utf8_length("a"), 1u);
  EXPECT_EQ(tl::detail::utf8_length("\xc3\xa9"), 2u);
  EXPECT_EQ(tl::detail::utf8_length("\xe2\x82\xac"), 3u);
  EXPECT_EQ(tl::detail::utf8_length("\xf4\x8f\xbf\xbf"), 4u);
  for (std::string_view bad :
       {"", "\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\xaf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98"}) {
    EXPECT_EQ(tl::detail::utf8_length(bad), 0u) << bad.size();
  }
}
