#include <thriftlens/json/read/read_state.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

TEST(json_position, is_false_after_an_error) {
  const std::uint8_t byte = 0;
  EXPECT_FALSE(tl::detail::json_position(tl::detail::json_failed()));
  EXPECT_TRUE((tl::detail::json_position{&byte, nullptr}));
}

// The words of the faults that all parts share, with byte, line and column.
TEST(json_read_state, reports_the_expected_token_and_its_offset) {
  const struct {
    const char* type;
    const char* json;
    const char* label;
  } all[] = {
      {"Point", "\n  7", "expected struct, found number at $ (byte 3, line 2 column 3)"},
      {"i32", "null", "expected i32, found null at $ (byte 0, line 1 column 1)"},
      {"Point", "{\"x\"", "the text ends where ':' is expected at $ (byte 4, line 1 column 5)"},
      {"Point", "{\"x\":1,",
       "the text ends where a key in quotes is expected at $ (byte 7, line 1 column 8)"},
      {"Point", "{\"x\":1", "the text ends where ',' or '}' is expected at $ (byte 6, line 1 column 7)"},
      {"Point", "{\"x\" 1}", "expected ':' at $ (byte 5, line 1 column 6)"},
      {"Every", "{\"ints\":[1 2]}", "expected ',' or ']' at $.ints (byte 11, line 1 column 12)"},
      {"Every", "{\"by_point\":[7]}",
       "expected a [key, value] pair, found number at $.by_point{key 0} (byte 13, line 1 column 14)"},
      {"Point", "", "the text ends where a value is expected at $ (byte 0, line 1 column 1)"},
      {"bool", "nul", "expected a value at $ (byte 0, line 1 column 1)"},
      {"i8", "300", "an integer outside the range of i8 at $ (byte 0, line 1 column 1)"},
  };
  for (const auto& item : all) {
    const tl::result<tl::buffer> outcome =
        tl::try_from_json<tl::binary>(thriftlens_test::sample_type(item.type), item.json);
    ASSERT_FALSE(outcome.has_value()) << item.json;
    EXPECT_NE(std::string(outcome.error().what()).find(item.label), std::string::npos)
        << outcome.error().what();
  }
}
