#include <thriftlens/core/read_number.hpp>

#include "support/test.hpp"

#include <cmath>
#include <system_error>

namespace {

struct answer {
  std::errc error;
  std::size_t size;
  double value;
};
answer read(std::string_view text, std::chars_format format = std::chars_format::general) {
  double value = 7;
  const auto status = tl::detail::read_number(text.data(), text.data() + text.size(), value, format);
  return {status.ec, static_cast<std::size_t>(status.ptr - text.data()), value};
}
void expect(std::string_view text, std::size_t size, double value) {
  const answer got = read(text);
  EXPECT_EQ(got.error, std::errc()) << text;
  EXPECT_EQ(got.size, size) << text;
  EXPECT_EQ(got.value, value) << text;
}

TEST(read_number, doubles_end_with_their_grammar) {
  expect("1", 1, 1);
  expect("-1.5e3,", 6, -1500);
  expect(".5", 2, .5);
  expect("5.", 2, 5);
  expect("1e", 1, 1);
  expect("1e+x", 1, 1);
  expect("0x10", 1, 0);
  expect("4.9406564584124654e-324", 23, std::numeric_limits<double>::denorm_min());
  expect("1.7976931348623157e308 ", 22, std::numeric_limits<double>::max());
  expect("inf", 3, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(read("nan").value));
}
TEST(read_number, invalid_doubles_leave_the_value_unchanged) {
  for (const std::string_view text : {"", "-", "+1", "--1", "-+1", " 1", "x", ".", "e5", "-x"}) {
    const answer got = read(text);
    EXPECT_EQ(got.error, std::errc::invalid_argument) << text;
    EXPECT_EQ(got.size, 0u) << text;
    EXPECT_EQ(got.value, 7) << text;
  }
}
TEST(read_number, out_of_range_doubles_leave_the_value_unchanged) {
  for (const std::string_view text : {"1e999", "-1e999", "1e-999"}) {
    const answer got = read(text);
    EXPECT_EQ(got.error, std::errc::result_out_of_range) << text;
    EXPECT_EQ(got.size, text.size()) << text;
    EXPECT_EQ(got.value, 7) << text;
  }
}
TEST(read_number, hexadecimal_doubles_have_no_prefix) {
  const answer got = read("1.8p3", std::chars_format::hex);
  EXPECT_EQ(got.error, std::errc());
  EXPECT_EQ(got.size, 5u);
  EXPECT_EQ(got.value, 12);
  EXPECT_EQ(read("0x1p3", std::chars_format::hex).size, 1u);
  EXPECT_EQ(read("z", std::chars_format::hex).error, std::errc::invalid_argument);
}
TEST(read_number, integers_in_a_base) {
  const std::string_view text = "ffg";
  std::uint32_t value = 0;
  const auto status = tl::detail::read_number(text.data(), text.data() + text.size(), value, 16);
  EXPECT_EQ(status.ptr - text.data(), 2);
  EXPECT_EQ(value, 255u);
}

}  // namespace
