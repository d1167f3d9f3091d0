#include <thriftlens/http/plain_text.hpp>

#include "support/test.hpp"

#include <cmath>

using namespace thriftlens;
using namespace thriftlens::detail;

TEST(plain_text, bools) {
  bool value = false;
  for (const char* each : {"1", "t", "T", "TRUE", "true", "True"})
    EXPECT_TRUE(text_to_bool(each, value) && value);
  for (const char* each : {"0", "f", "F", "FALSE", "false", "False"})
    EXPECT_TRUE(text_to_bool(each, value) && !value);
  for (const char* each : {"", "yes", "tRUE", "2", " 1"}) EXPECT_FALSE(text_to_bool(each, value));
}
TEST(plain_text, integers) {
  std::uint64_t magnitude = 0;
  bool negative = false;
  EXPECT_EQ(text_to_integer("-007", magnitude, negative), errc::ok);
  EXPECT_TRUE(magnitude == 7 && negative);
  EXPECT_EQ(text_to_integer("+5", magnitude, negative), errc::ok);
  EXPECT_EQ(text_to_integer("99999999999999999999", magnitude, negative), errc::integer_range);
  for (const char* each : {"", "-", " 1", "1 ", "1.0", "1e3", "0x1", "1_0", "--1"})
    EXPECT_EQ(text_to_integer(each, magnitude, negative), errc::json_type) << each;
}
TEST(plain_text, doubles) {
  double value = 0;
  const auto read = [&](const char* text) { return text_to_double(text, value) == errc::ok ? value : 12345; };
  EXPECT_EQ(read("-1.5e3"), -1500);
  EXPECT_EQ(read(".5"), 0.5);
  EXPECT_EQ(read("+5."), 5);
  EXPECT_EQ(read("0x1.8p1"), 3);
  EXPECT_EQ(read("1e-400"), 0);
  EXPECT_EQ(read("-Infinity"), -INFINITY);
  EXPECT_EQ(read("iNf"), INFINITY);
  EXPECT_TRUE(std::isnan(read("NAN")));
  EXPECT_EQ(text_to_double("1e400", value), errc::double_range);
  for (const char* each : {"", "-nan", "nan(1)", "0x1.8", "1,5", " 1", "--1", "e5", "infinit"})
    EXPECT_EQ(text_to_double(each, value), errc::json_type) << each;
}
TEST(plain_text, json_is_recognized_by_its_delimiters) {
  EXPECT_TRUE(looks_like_json("[1]") && looks_like_json("{}") && looks_like_json("\"\""));
  EXPECT_FALSE(looks_like_json("[1") || looks_like_json("\"") || looks_like_json("") ||
               looks_like_json("[}"));
}
