// Compiled and linked with -ffast-math: no comparison of doubles here, only of bits and texts.
#include <thriftlens/json.hpp>

#include <thriftlens/schema/schema.hpp>
#include "support/test.hpp"

namespace {

tl::type real_type() {
  static const tl::schema schema = tl::schema::parse("struct T { 1: double d }");
  return schema.type("T");
}
/// A struct with a double of these bits.
std::string record(std::uint64_t bits) {
  std::string bytes("\x04\x00\x01", 3);
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift);
  return bytes + '\0';
}
std::string number_of(std::string_view json) {
  json.remove_prefix(std::string_view(R"({"d":)").size());
  json.remove_suffix(1);
  return std::string(json);
}

const struct {
  std::uint64_t bits;
  const char* text;
} finite_numbers[] = {{0x0000000000000000, "0.0"},
                      {0x8000000000000000, "-0.0"},
                      {0x0000000000000001, "5e-324"},
                      {0x8000000000000001, "-5e-324"},
                      {0x000fffffffffffff, "2.225073858507201e-308"},
                      {0x0010000000000000, "2.2250738585072014e-308"},
                      {0x3fb999999999999a, "0.1"},
                      {0x3fd3333333333334, "0.30000000000000004"},
                      {0x3ff8000000000000, "1.5"},
                      {0x405edd2f1a9fbe77, "123.456"},
                      {0x7fefffffffffffff, "1.7976931348623157e+308"}};

}  // namespace

TEST(fast_math, finite_numbers_are_written_and_read) {
  for (const auto& number : finite_numbers) {
    const std::string bytes = record(number.bits);
    const auto json = tl::try_to_json<tl::binary>(real_type(), bytes);
    ASSERT_TRUE(json) << number.text;
    EXPECT_EQ(number_of(json->text()), number.text);
    const auto back = tl::try_from_json<tl::binary>(real_type(), json->text());
    ASSERT_TRUE(back) << number.text;
    EXPECT_EQ(back->text(), bytes) << number.text;
  }
}

TEST(fast_math, nan_and_infinity_are_errors_or_names) {
  const struct {
    std::uint64_t bits;
    const char* text;
  } all[] = {{0x7ff8000000000000, "\"NaN\""},
             {0x7ff0000000000000, "\"Infinity\""},
             {0xfff0000000000000, "\"-Infinity\""}};
  for (const auto& item : all) {
    const std::string bytes = record(item.bits);
    const auto refused = tl::try_to_json<tl::binary>(real_type(), bytes);
    EXPECT_TRUE(!refused && refused.error().code() == tl::errc::nonfinite) << item.text;
    const auto json = tl::try_to_json<tl::binary>(real_type(), bytes,
                                                  {.leniency = {.nonfinite = tl::json_nonfinite::string}});
    ASSERT_TRUE(json) << item.text;
    EXPECT_EQ(number_of(json->text()), item.text);
    const auto back = tl::try_from_json<tl::binary>(real_type(), json->text(),
                                                    {.leniency = {.nonfinite = tl::json_nonfinite::string}});
    ASSERT_TRUE(back) << item.text;
    EXPECT_EQ(back->text(), bytes) << item.text;
  }
}

TEST(fast_math, out_of_range_doubles_are_errors) {
  for (const char* text :
       {R"({"d":1e400})", R"({"d":-1e400})", R"({"d":179769313486231590000000000000000000000e270})"}) {
    const auto read = tl::try_from_json<tl::binary>(real_type(), text);
    EXPECT_TRUE(!read && read.error().code() == tl::errc::double_range) << text;
  }
}
