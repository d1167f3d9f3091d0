#include <thriftlens/text/number_out.hpp>

#include "same_bits.hpp"
#include "support/test.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

using thriftlens_test::same_bits;

namespace {
template <class Int>
std::string text_of(Int value) {
  std::uint8_t storage[tl::detail::max_integer_text];
  return {reinterpret_cast<char*>(storage), reinterpret_cast<char*>(tl::detail::put_integer(storage, value))};
}
std::string text_of_double(double value) {
  std::uint8_t storage[tl::detail::max_double_text];
  std::uint8_t* end = tl::detail::put_double(storage, value);
  EXPECT_LE(end, storage + tl::detail::max_double_text);
  return {reinterpret_cast<char*>(storage), reinterpret_cast<char*>(end)};
}
}  // namespace

TEST(put_integer, boundaries_of_every_length) {
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits, power *= 10) {
    for (std::uint64_t value : {power - 1, power, power + 1, power * 9, power * 3 + 7})
      EXPECT_EQ(text_of(value), std::to_string(value));
  }
  for (std::int64_t value : {std::numeric_limits<std::int64_t>::min(),
                             std::numeric_limits<std::int64_t>::max(), std::int64_t{0}, std::int64_t{-1}})
    EXPECT_EQ(text_of(value), std::to_string(value));
}

TEST(put_integer, random_values_of_all_sizes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (random() % 64)) * (i % 2 == 0 ? 1 : -1);
    ASSERT_EQ(text_of(value), std::to_string(value));
  }
}

TEST(put_integer, every_number_of_up_to_five_digits) {
  for (std::uint64_t value = 0; value < 100000; ++value) ASSERT_EQ(text_of(value), std::to_string(value));
}

TEST(put_double, has_a_fraction_or_an_exponent) {
  EXPECT_EQ(text_of_double(0.0), "0.0");
  EXPECT_EQ(text_of_double(-0.0), "-0.0");
  EXPECT_EQ(text_of_double(1), "1.0");
  EXPECT_EQ(text_of_double(-17), "-17.0");
  EXPECT_EQ(text_of_double(0.1), "0.1");
  EXPECT_EQ(text_of_double(1e21), "1e+21");
  EXPECT_EQ(text_of_double(9007199254740992.0), "9007199254740992.0");
  EXPECT_EQ(text_of_double(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(text_of_double(5e-324), "5e-324");
  const struct {
    double value;
    const char* text;
  } as_python[] = {{1e15, "1000000000000000.0"},
                   {1e16, "1e+16"},
                   {1.5e15, "1500000000000000.0"},
                   {123456789012345680.0, "1.2345678901234568e+17"},
                   {1234567890123456.7, "1234567890123456.8"},
                   {0.0001, "0.0001"},
                   {0.00012345, "0.00012345"},
                   {0.00001, "1e-05"},
                   {1.25e-5, "1.25e-05"},
                   {1e100, "1e+100"},
                   {-2.5e-300, "-2.5e-300"},
                   {123.456, "123.456"},
                   {4.35, "4.35"},
                   {12345678.9, "12345678.9"}};
  for (const auto& item : as_python) EXPECT_EQ(text_of_double(item.value), item.text);
}

TEST(put_double, random_bits_round_trip_at_the_shortest_length) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    std::uint64_t bits = random();
    if (i % 3 == 0) bits = (bits & 0x800fffffffffffffu) | ((1023 - 30 + random() % 80) << 52);
    if (i % 17 == 0) bits &= ~((std::uint64_t{1} << (random() % 52)) - 1);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = text_of_double(value);
    ASSERT_TRUE(same_bits(std::strtod(text.c_str(), nullptr), value)) << text;
    char shortest[32];
    const auto length = static_cast<std::size_t>(
        std::to_chars(shortest, shortest + 32, value, std::chars_format::scientific).ptr - shortest);
    const auto digits = [](std::string_view joined) {
      std::string only;
      for (char character : joined.substr(0, joined.find_first_of("eE")))
        if (character >= '0' && character <= '9') only += character;
      while (only.size() > 1 && only.front() == '0') only.erase(0, 1);
      while (only.size() > 1 && only.back() == '0') only.pop_back();
      return only;
    };
    ASSERT_EQ(digits(text), digits({shortest, length})) << text;
  }
}

TEST(put_double, short_decimals_and_their_neighbours) {
  std::mt19937_64 random(3);
  const auto check = [](double value) {
    char shortest[64];
    const auto end = std::to_chars(shortest, shortest + 64, value, std::chars_format::fixed).ptr;
    const std::string_view text(shortest, static_cast<std::size_t>(end - shortest));
    ASSERT_EQ(text_of_double(value),
              text.find('.') == text.npos ? std::string(text) + ".0" : std::string(text));
  };
  for (int i = 0; i < 100000; ++i) {
    const double value = static_cast<double>(random() >> (24 + random() % 40)) /
                         (i % 2 == 0 ? 1e6 : std::pow(10.0, static_cast<double>(random() % 7)));
    if (value < 0.001) continue;
    check(value);
    check(std::nextafter(value, 0));
    check(std::nextafter(value, 1e300));
  }
  for (double value :
       {0.0001, 0.000101, 0.5, 0.999999, 0.9999995, 999999999.999999, 1000000000.000001, 0.1, 99.99, 3.14})
    check(value);
}
