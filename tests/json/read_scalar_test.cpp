#include <thriftlens/json/read/read_scalar.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

// Scalars as root: of the reader for containers only its switch is used.
TEST(json_scalar_reader, every_scalar_in_both_protocols) {
  const struct {
    const char* type;
    const char* json;
    std::string binary, compact;
  } all[] = {
      {"bool", "true", "\x01", "\x01"},
      {"bool", "false", std::string(1, '\0'), "\x02"},
      {"i8", "-1", "\xff", "\xff"},
      {"i16", "258", "\x01\x02", "\x84\x04"},
      {"i32", "-2", "\xff\xff\xff\xfe", "\x03"},
      {"i64", "1e0", std::string("\0\0\0\0\0\0\0\1", 8), "\x02"},
      {"double", "1", std::string("\x3f\xf0\0\0\0\0\0\0", 8), std::string("\0\0\0\0\0\0\xf0\x3f", 8)},
      {"string", "\"\\u00e9\"", std::string("\0\0\0\2\xc3\xa9", 6), "\x02\xc3\xa9"},
      {"binary", "\"AQI=\"", std::string("\0\0\0\2\1\2", 6), "\x02\x01\x02"},
      {"Color", "\"BLUE\"", std::string("\0\0\0\5", 4), "\x0a"},
  };
  for (const auto& item : all) {
    const tl::type type = thriftlens_test::sample_type(item.type);
    EXPECT_EQ(tl::from_json<tl::binary>(type, item.json).str(), item.binary) << item.json;
    EXPECT_EQ(tl::from_json<tl::compact>(type, item.json).str(), item.compact) << item.json;
  }
}

TEST(json_scalar_reader, rejects_at_the_token) {
  const struct {
    const char* type;
    const char* json;
    tl::errc code;
    std::size_t offset;
  } all[] = {
      {"bool", " 1", tl::errc::json_type, 1},     {"i8", " 128", tl::errc::integer_range, 1},
      {"i32", "  \"1\"", tl::errc::json_type, 2}, {"double", " x", tl::errc::json_syntax, 1},
      {"string", "1", tl::errc::json_type, 0},    {"binary", "\"A\"", tl::errc::bad_base64, 0},
      {"uuid", "\"\"", tl::errc::bad_uuid, 0},    {"Color", "\"X\"", tl::errc::unknown_enum_name, 0},
      {"i32", "1 1", tl::errc::json_syntax, 2},   {"string", "\"a", tl::errc::json_syntax, 2},
      {"i32", "-", tl::errc::json_syntax, 0},
  };
  for (const auto& item : all) {
    const tl::result<tl::buffer> outcome =
        tl::try_from_json<tl::binary>(thriftlens_test::sample_type(item.type), item.json);
    ASSERT_EQ(errc_of(outcome), item.code) << item.json;
    EXPECT_EQ(outcome.error().offset(), item.offset) << item.json;
  }
}
