#include <thriftlens/simd/decimal.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

namespace {

void check(const simd::decimal& read, const std::string& integral, const std::string& fraction, bool point) {
  const std::size_t digits = integral.size() + fraction.size();
  if (integral.size() > 19) {
    EXPECT_GE(read.integral, 20u);
    return;
  }
  ASSERT_EQ(read.integral, integral.size());
  if (digits > 19) {
    EXPECT_GE(read.integral + read.fraction, 21u);
    return;
  }
  EXPECT_EQ(read.fraction, fraction.size() + (point ? 1 : 0));
  EXPECT_EQ(read.value, digits == 0 ? 0 : std::stoull(integral + fraction));
}

// Compares all kernels on a number with `suffix` after it and at the end of the text.
void check(const std::string& sign, const std::string& integral, const std::string& fraction, bool point,
           const std::string& suffix) {
  static thriftlens_test::guarded memory;
  const std::string text = sign + integral + (point ? "." : "") + fraction + suffix;
  SCOPED_TRACE(text);
  const std::uint8_t *from = memory.hold(text), *end = from + text.size();
  check(simd::read_integer(from, end), integral, "", false);
  thriftlens_test::for_each_body(simd::detail::read_integer_bodies,
                                 [&](auto run, const char*) { check(run(from, end), integral, "", false); });
  check(simd::read_decimal(from, end), integral, fraction, point);
  thriftlens_test::for_each_body(simd::detail::read_decimal_bodies, [&](auto run, const char*) {
    check(run(from, end), integral, fraction, point);
  });
}

}  // namespace

TEST(simd_decimal, every_length_before_and_after_the_point) {
  std::mt19937 random(5);
  const auto digits = [&](std::size_t size) {
    std::string text;
    while (text.size() < size) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (std::size_t integral = 0; integral <= 40; ++integral)
    for (std::size_t fraction = 0; fraction <= 40; ++fraction)
      for (const char* suffix :
           {"", ",", "e5", ".1", "-", "/", ":", ",\"key\": 12345678901234567890, 1234567890"})
        check(integral % 2 == 0 ? "-" : "", digits(integral), digits(fraction),
              fraction != 0 || integral % 3 == 0,
              fraction == 0 && integral % 3 != 0 && suffix[0] == '.' ? "x" : suffix);
}

TEST(simd_decimal, the_largest_numbers) {
  for (const char* number :
       {"0", "9", "9999999999999999999", "9223372036854775808", "1000000000000000000", "0000000000000000001"})
    for (const char* suffix : {"", "}", "                                    "})
      check("-", number, "", false, suffix);
  check("", "9999999999999999", "999", true, "");
  check("", "", "9999999999999999999", true, "");
}

TEST(simd_decimal, a_sign_is_only_valid_in_front) {
  thriftlens_test::guarded memory;
  for (const char* text : {"--1", "1-2", "-"}) {
    const std::string_view bytes(text);
    const std::uint8_t* from = memory.hold(bytes);
    const std::uint32_t integral = bytes[0] == '1' ? 1 : 0;
    EXPECT_EQ(simd::read_integer(from, from + bytes.size()).integral, integral) << text;
    EXPECT_EQ(simd::detail::read_integer_swar(from, from + bytes.size()).integral, integral) << text;
    EXPECT_EQ(simd::read_decimal(from, from + bytes.size()).integral, integral) << text;
  }
  EXPECT_EQ(simd::read_integer(memory.hold(""), memory.storage(0)).integral, 0u);
  EXPECT_EQ(simd::read_decimal(memory.hold(""), memory.storage(0)).integral, 0u);
}
