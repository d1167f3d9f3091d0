#include <thriftlens/json/read/text_source.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

TEST(text_source, visits_all_tokens) {
  tl::detail::text_source in;
  const std::uint8_t* at = nullptr;
  ASSERT_EQ(in.open(" { \"a\\n\" : -12 , \"b\":true}\n", at), tl::errc::ok);
  EXPECT_EQ(in.peek(at), '{');
  in.advance(at);
  EXPECT_EQ(in.peek(at), '"');
  std::string_view text;
  EXPECT_FALSE(in.take_plain_string(at, text)) << "it has an escape";
  std::uint8_t storage[64];
  std::uint8_t* end = in.take_string(at, storage);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(std::string_view(reinterpret_cast<char*>(storage), static_cast<std::size_t>(end - storage)),
            "a\n");
  EXPECT_EQ(in.peek(at), ':');
  in.advance(at);
  EXPECT_EQ(in.peek(at), '-');
  std::uint64_t magnitude = 0;
  bool negative = false;
  EXPECT_TRUE(in.take_plain_integer(at, magnitude, negative));
  EXPECT_TRUE(negative && magnitude == 12);
  EXPECT_EQ(in.peek(at), ',');
  in.advance(at);
  in.peek(at);
  char expected[64] = "\"b\":";
  EXPECT_TRUE(in.take_key(at, expected, 4));
  EXPECT_EQ(in.peek(at), 't');
  EXPECT_FALSE(in.take_literal(at, "tru"));
  EXPECT_TRUE(in.take_literal(at, "true"));
  EXPECT_EQ(in.peek(at), '}');
  in.advance(at);
  EXPECT_EQ(in.peek(at), 0);
  EXPECT_EQ(in.remaining(at), 0u);
}

TEST(text_source, numbers_and_words_end_at_a_delimiter) {
  for (const char* text : {"12x", "1.5\"", "truex", "true1", "nullnull", "1-2"}) {
    tl::detail::text_source in;
    const std::uint8_t* at = nullptr;
    ASSERT_EQ(in.open(text, at), tl::errc::ok);
    in.peek(at);
    tl::detail::json_number number;
    EXPECT_FALSE(in.take_number(at, number) || in.take_literal(at, "true") || in.take_literal(at, "null"))
        << text;
  }
}

TEST(text_source, integers_in_quotes_end_at_the_quote) {
  tl::detail::text_source in;
  const std::uint8_t* at = nullptr;
  std::uint64_t magnitude = 0;
  bool negative = false;
  ASSERT_EQ(in.open("\"-345\":", at), tl::errc::ok);
  EXPECT_TRUE(in.take_quoted_integer(at, magnitude, negative));
  EXPECT_TRUE(negative && magnitude == 345 && *at == ':');
  for (const char* text :
       {"\"1", "\"1 \"", "\"1.0\"", "\"01\"", "\"\"", "\"", "\"x\"", "\"12345678901234567890\""}) {
    ASSERT_EQ(in.open(text, at), tl::errc::ok);
    EXPECT_FALSE(in.take_quoted_integer(at, magnitude, negative)) << text;
    EXPECT_EQ(at, in.begin()) << text;
  }
}

TEST(text_source, plain_strings_of_every_length) {
  for (std::size_t size = 0; size < 150; ++size)
    for (const char* suffix : {"\"", "\",\"more\"", "\\n\"", "", "\t\""}) {
      const std::string content(size, 'x');
      const thriftlens_test::at_page_end page('"' + content + suffix);
      tl::detail::text_source in;
      const std::uint8_t* at = nullptr;
      std::string_view text;
      for (bool far : {false, true}) {
        ASSERT_EQ(in.open(page.text(), at), tl::errc::ok);
        const bool taken = far ? in.take_long_plain_string(at, text) : in.take_plain_string(at, text);
        ASSERT_EQ(taken, suffix[0] == '"') << size << suffix;
        ASSERT_EQ(static_cast<std::size_t>(at - in.begin()), taken ? size + 2 : 0);
        if (taken) {
          ASSERT_EQ(text, content);
        }
      }
    }
}

TEST(text_source, an_empty_text_has_an_offset) {
  tl::detail::text_source in;
  const std::uint8_t* at = nullptr;
  ASSERT_EQ(in.open({}, at), tl::errc::ok);
  EXPECT_EQ(in.peek(at), 0);
  EXPECT_NE(at, nullptr);
}

TEST(text_source, refuses_text_that_is_not_utf8) {
  tl::detail::text_source in;
  const std::uint8_t* at = nullptr;
  EXPECT_EQ(in.open("\"ab\xff\"", at), tl::errc::invalid_utf8);
  EXPECT_EQ(at - in.begin(), 3);
}

// Keys of every length, matching or not, at the end of the text.
TEST(text_source, compares_keys_without_reading_on) {
  char expected[160] = {};
  for (std::size_t size = 1; size < 90; ++size) {
    std::string key = '"' + std::string(size, 'k') + "\":";
    std::memcpy(expected, key.data(), key.size());
    for (std::size_t suffix : {0u, 1u, 40u}) {
      const thriftlens_test::at_page_end page(key + std::string(suffix, ' '));
      tl::detail::text_source in;
      const std::uint8_t* at = nullptr;
      ASSERT_EQ(in.open(page.text(), at), tl::errc::ok);
      in.peek(at);
      EXPECT_TRUE(in.take_key(at, expected, key.size()));
      std::string other = key;
      other[size / 2 + 1] = 'j';
      const thriftlens_test::at_page_end missed(other + std::string(suffix, ' '));
      ASSERT_EQ(in.open(missed.text(), at), tl::errc::ok);
      in.peek(at);
      EXPECT_FALSE(in.take_key(at, expected, key.size()));
    }
  }
}

// Before a token and at the end of the text.
TEST(text_source, skips_any_number_of_blanks) {
  for (std::size_t size = 0; size < 40; ++size)
    for (std::size_t at_blank = 0; at_blank <= size; ++at_blank)
      for (const char blank : {'\n', '\r', '\t', '\v'}) {
        std::string blanks(size, ' ');
        if (at_blank != size) blanks[at_blank] = blank;
        const std::size_t expected = blanks.find('\v') == std::string::npos ? size : at_blank;
        for (const char* suffix : {"", "7", "7, 8, 9, 10, 11"}) {
          const thriftlens_test::at_page_end page(blanks + suffix);
          tl::detail::text_source in;
          const std::uint8_t* at = nullptr;
          ASSERT_EQ(in.open(page.text(), at), tl::errc::ok);
          const std::uint8_t first = expected < page.text().size() ? in.begin()[expected] : std::uint8_t{0};
          ASSERT_EQ(in.peek(at), first) << size << ' ' << at_blank;
          ASSERT_EQ(static_cast<std::size_t>(at - in.begin()), expected) << size << ' ' << at_blank;
        }
      }
}
