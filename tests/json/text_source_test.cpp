#include <thriftlens/json/text_source.hpp>

#include "json/samples.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(text_source, walks_from_token_to_token) {
  tl::text_source in;
  ASSERT_EQ(in.open(" { \"a\\n\" : -12 , \"b\":true}\n"), tl::errc::ok);
  EXPECT_EQ(in.peek(), '{');
  in.advance();
  EXPECT_EQ(in.peek(), '"');
  std::string_view text;
  EXPECT_FALSE(in.take_plain_string(text)) << "it has an escape";
  std::uint8_t room[64];
  std::uint8_t* end = in.take_string(room);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(std::string_view(reinterpret_cast<char*>(room), static_cast<std::size_t>(end - room)), "a\n");
  EXPECT_EQ(in.peek(), ':');
  in.advance();
  EXPECT_EQ(in.peek(), '-');
  std::uint64_t magnitude = 0;
  bool negative = false;
  EXPECT_TRUE(in.take_plain_integer(magnitude, negative));
  EXPECT_TRUE(negative && magnitude == 12);
  EXPECT_EQ(in.peek(), ',');
  in.advance();
  in.peek();
  char expected[64] = "\"b\":";
  EXPECT_TRUE(in.take_key(expected, 4));
  EXPECT_EQ(in.peek(), 't');
  EXPECT_FALSE(in.take_literal("tru"));
  EXPECT_TRUE(in.take_literal("true"));
  EXPECT_EQ(in.peek(), '}');
  in.advance();
  EXPECT_EQ(in.peek(), 0);
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(text_source, numbers_and_words_end_at_a_delimiter) {
  for (const char* text : {"12x", "1.5\"", "truex", "true1", "nullnull", "1-2"}) {
    tl::text_source in;
    ASSERT_EQ(in.open(text), tl::errc::ok);
    in.peek();
    tl::json_number number;
    EXPECT_FALSE(in.take_number(number) || in.take_literal("true") || in.take_literal("null")) << text;
  }
}

TEST(text_source, refuses_text_that_is_not_utf8) {
  tl::text_source in;
  EXPECT_EQ(in.open("\"ab\xff\""), tl::errc::invalid_utf8);
  EXPECT_EQ(in.at() - in.begin(), 3);
}

// Keys of every length, found and missed, with the text ending right behind.
TEST(text_source, compares_keys_without_reading_on) {
  char expected[160] = {};
  for (std::size_t size = 1; size < 90; ++size) {
    std::string key = '"' + std::string(size, 'k') + "\":";
    std::memcpy(expected, key.data(), key.size());
    for (std::size_t behind : {0u, 1u, 40u}) {
      const thriftlens_test::at_page_end page(key + std::string(behind, ' '));
      tl::text_source in;
      ASSERT_EQ(in.open(page.text()), tl::errc::ok);
      in.peek();
      EXPECT_TRUE(in.take_key(expected, key.size()));
      std::string other = key;
      other[size / 2 + 1] = 'j';
      const thriftlens_test::at_page_end missed(other + std::string(behind, ' '));
      ASSERT_EQ(in.open(missed.text()), tl::errc::ok);
      in.peek();
      EXPECT_FALSE(in.take_key(expected, key.size()));
    }
  }
}
