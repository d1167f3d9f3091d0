#include <thriftlens/json/simdjson_source.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(simdjson_source, walks_from_token_to_token) {
  tl::simdjson_source in;
  const std::uint8_t* at = nullptr;
  ASSERT_EQ(in.open("\xef\xbb\xbf [ \"a\" , 1.5, null ] ", at), tl::errc::ok);
  EXPECT_EQ(in.peek(at), '[');
  in.advance(at);
  in.peek(at);
  std::string_view text;
  EXPECT_TRUE(in.take_plain_string(at, text));
  EXPECT_EQ(text, "a");
  EXPECT_EQ(in.peek(at), ',');
  in.advance(at);
  in.peek(at);
  tl::json_number number;
  EXPECT_TRUE(in.take_number(at, number));
  EXPECT_EQ(number.significand, 15u);
  in.peek(at);
  in.advance(at);
  in.peek(at);
  EXPECT_TRUE(in.take_literal(at, "null"));
  EXPECT_EQ(in.peek(at), ']');
  in.advance(at);
  EXPECT_EQ(in.peek(at), 0);
  EXPECT_EQ(in.remaining(at), 0u);
}

TEST(simdjson_source, says_what_simdjson_says) {
  tl::simdjson_source in;
  const std::uint8_t* at = nullptr;
  EXPECT_EQ(in.open("\"a", at), tl::errc::json_syntax);
  EXPECT_EQ(in.open("\"\xff\"", at), tl::errc::invalid_utf8);
  EXPECT_EQ(in.open("", at), tl::errc::ok);
  EXPECT_EQ(in.peek(at), 0);
  EXPECT_EQ(in.open("  ", at), tl::errc::ok);
  EXPECT_EQ(in.peek(at), 0);
}
