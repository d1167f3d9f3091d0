#include <thriftlens/json/simdjson_source.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(simdjson_source, walks_from_token_to_token) {
  tl::simdjson_source in;
  ASSERT_EQ(in.open("\xef\xbb\xbf [ \"a\" , 1.5, null ] "), tl::errc::ok);
  EXPECT_EQ(in.peek(), '[');
  in.advance();
  in.peek();
  std::string_view text;
  EXPECT_TRUE(in.take_plain_string(text));
  EXPECT_EQ(text, "a");
  EXPECT_EQ(in.peek(), ',');
  in.advance();
  in.peek();
  tl::json_number number;
  EXPECT_TRUE(in.take_number(number));
  EXPECT_EQ(number.significand, 15u);
  in.peek();
  in.advance();
  in.peek();
  EXPECT_TRUE(in.take_literal("null"));
  EXPECT_EQ(in.peek(), ']');
  in.advance();
  EXPECT_EQ(in.peek(), 0);
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(simdjson_source, says_what_simdjson_says) {
  tl::simdjson_source in;
  EXPECT_EQ(in.open("\"a"), tl::errc::json_syntax);
  EXPECT_EQ(in.open("\"\xff\""), tl::errc::invalid_utf8);
  EXPECT_EQ(in.open(""), tl::errc::ok);
  EXPECT_EQ(in.peek(), 0);
  EXPECT_EQ(in.open("  "), tl::errc::ok);
  EXPECT_EQ(in.peek(), 0);
}
