#include <thriftlens/text/number_in.hpp>

#include "same_bits.hpp"
#include "simd/bodies.hpp"
#include "support/test.hpp"

#include <cmath>
#include <cstdlib>

using thriftlens_test::same_bits;

namespace {
// The text in memory of exactly its size, so that a sanitizer sees a step too far.
struct exact_text {
  explicit exact_text(std::string_view text) : bytes(new std::uint8_t[text.size()]), size(text.size()) {
    std::memcpy(bytes.get(), text.data(), text.size());
  }
  const std::uint8_t* begin() const { return bytes.get(); }
  const std::uint8_t* end() const { return bytes.get() + size; }
  std::unique_ptr<std::uint8_t[]> bytes;
  std::size_t size;
};
bool whole(std::string_view text, tl::detail::json_number& number, exact_text& retained) {
  static_cast<void>(text);
  number = {};
  number.begin = retained.begin();
  return tl::detail::parse_number(number, retained.end()) && number.end == retained.end();
}
tl::detail::number_fit integer(std::string_view text, std::int64_t& value) {
  exact_text retained(text);
  tl::detail::json_number number;
  EXPECT_TRUE(whole(text, number, retained)) << text;
  return tl::detail::to_integer(number, value);
}
bool is_number(std::string_view text) {
  exact_text retained(text);
  tl::detail::json_number number;
  return whole(text, number, retained);
}
bool real(std::string_view text, double& value) {
  exact_text retained(text);
  tl::detail::json_number number;
  EXPECT_TRUE(whole(text, number, retained)) << text;
  return tl::detail::to_double(number, value);
}
}  // namespace

TEST(parse_number, accepts_exactly_the_json_grammar) {
  for (const char* good : {"0", "-0", "1", "10", "-1.5", "0.0", "1e5", "1E+5", "1e-5", "1.25e10",
                           "123456789012345678901234567890", "0e0", "-0.0e-0"})
    EXPECT_TRUE(is_number(good)) << good;
  for (const char* bad : {"", "-", "+1", "01", "-01", "00", "1.", ".5", "1.e5", "1e", "1e+", "--1", "0x10",
                          "1_000", "1a", "e5", "NaN", "Infinity", "1.5.5"})
    EXPECT_FALSE(is_number(bad)) << bad;
}

TEST(parse_plain_integer, agrees_with_parse_number_at_every_length) {
  std::string digits;
  for (int length = 1; length <= 25; ++length) {
    digits += static_cast<char>('1' + length % 9);
    for (const std::string& text : {digits, "-" + digits}) {
      exact_text retained(text);
      std::uint64_t magnitude = 0;
      bool negative = false;
      const std::uint8_t* end =
          tl::detail::parse_plain_integer(retained.begin(), retained.end(), magnitude, negative);
      if (length > 19) {
        EXPECT_EQ(end, nullptr);
        continue;
      }
      ASSERT_EQ(end, retained.end()) << text;
      EXPECT_EQ(negative, text[0] == '-');
      EXPECT_EQ(std::to_string(magnitude), digits);
    }
  }
  for (const char* other : {"", "-", "01", "-01", "abc", ".5"}) {
    exact_text retained(other);
    std::uint64_t magnitude = 0;
    bool negative = false;
    EXPECT_EQ(tl::detail::parse_plain_integer(retained.begin(), retained.end(), magnitude, negative), nullptr)
        << other;
  }
}

TEST(parse_plain_integer, does_not_consume_following_bytes) {
  for (const char* text : {"-12.0", "-12e2", "-12,", "-12x", "-12-3"}) {
    exact_text retained(text);
    std::uint64_t magnitude = 0;
    bool negative = false;
    EXPECT_EQ(tl::detail::parse_plain_integer(retained.begin(), retained.end(), magnitude, negative),
              retained.begin() + 3)
        << text;
    EXPECT_TRUE(negative && magnitude == 12) << text;
  }
}

TEST(to_integer, exact_or_error) {
  std::int64_t value = 0;
  using tl::detail::number_fit;
  const struct {
    const char* text;
    std::int64_t value;
  } fits[] = {{"0", 0},
              {"-0", 0},
              {"-0.0", 0},
              {"1.0", 1},
              {"1e2", 100},
              {"1.5e1", 15},
              {"100e-2", 1},
              {"0e999999999999", 0},
              {"1.00000000000000000000000000", 1},
              {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
              {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
              {"9223372036854775807.000", std::numeric_limits<std::int64_t>::max()},
              {"9007199254740993", 9007199254740993},
              {"0.00000000000000000000012e23", 12},
              {"92233720368547758070e-1", std::numeric_limits<std::int64_t>::max()}};
  for (const auto& fit : fits) {
    EXPECT_EQ(integer(fit.text, value), number_fit::fits) << fit.text;
    EXPECT_EQ(value, fit.value) << fit.text;
  }
  for (const char* fraction :
       {"1.5", "0.1", "1e-1", "-2.000000000000000000000000001", "1e-400", "123e-4", "1234567890123456789.5",
        "1.2345678901234567895e18", "12345678901234567890123e-4"})
    EXPECT_EQ(integer(fraction, value), number_fit::fraction) << fraction;
  for (const char* range : {"9223372036854775808", "-9223372036854775809", "18446744073709551615", "1e19",
                            "1e400", "1e999999999999", "99999999999999999999999999"})
    EXPECT_EQ(integer(range, value), number_fit::range) << range;
}

/// What parse_number() makes of a text, in words that compare.
std::string parsed(const exact_text& text) {
  tl::detail::json_number number;
  number.begin = text.begin();
  if (!tl::detail::parse_number(number, text.end())) return "none";
  return std::to_string(number.end - number.begin) + " " + std::to_string(number.significand) + " " +
         std::to_string(number.exponent) + (number.negative ? " -" : "") + (number.inexact ? " inexact" : "");
}
/// By the rules of JSON's grammar alone: how long the number is, or 0.
std::size_t json_number_size(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - first;
  };
  const std::size_t begin = at, whole = digits();
  if (whole == 0 || (whole > 1 && text[begin] == '0')) return 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return 0;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return 0;
  }
  return at;
}

TEST(parse_number, all_instruction_sets_agree_for_every_byte_at_every_position) {
  const std::string digits = "1000000000000000019884624838656987654321012345678900000000000000001234567890";
  for (const std::string& front : {std::string(), std::string("-"), std::string("0.")}) {
    for (std::size_t at = 0; at < digits.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = front + digits;
        text[front.size() + at] = static_cast<char>(byte);
        for (const std::size_t size : {front.size() + at + 1, front.size() + at + 2, text.size()}) {
          const exact_text retained(std::string_view(text).substr(0, size));
          const std::size_t expected = json_number_size(std::string_view(text).substr(0, size));
          std::string first;
          thriftlens_test::for_each_level([&](const char* level) {
            const std::string actual = parsed(retained);
            if (first.empty()) first = actual;
            ASSERT_EQ(actual, first) << level << ' ' << text.substr(0, size);
          });
          if (HasFatalFailure()) return;
          ASSERT_EQ(first == "none" ? 0u : std::stoul(first), expected) << text.substr(0, size);
        }
      }
    }
  }
}

TEST(to_double, nearest_value) {
  double value = 0;
  for (const char* text :
       {"0", "-0.0", "1", "0.1", "1e22", "1e23", "9007199254740993.0", "1.7976931348623157e308", "5e-324",
        "2.2250738585072011e-308", "2.2250738585072014e-308", "123456789012345678901234567890", "1e-400",
        "-1e-999999999999", "8.41e21", "0.30000000000000004", "4.9406564584124654e-324",
        "2.4703282292062327e-324", "179769313486231570000000000000000000000"}) {
    ASSERT_TRUE(real(text, value)) << text;
    EXPECT_TRUE(same_bits(value, std::strtod(text, nullptr))) << text << ' ' << value;
  }
  for (const char* text : {"1e309", "-1e309", "1e999999999999", "1.7976931348623159e308"})
    EXPECT_FALSE(real(text, value)) << text;
}

TEST(to_double, random_texts_agree_with_strtod) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    std::string text = random() % 2 ? "-" : "";
    text += std::to_string(random() >> (random() % 64));
    if (random() % 2) text += "." + std::to_string(random() >> (random() % 64));
    if (random() % 2) text += "e" + std::to_string(static_cast<int>(random() % 660) - 340);
    double value = 0;
    const double expected = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(expected))
      EXPECT_FALSE(real(text, value)) << text;
    else
      ASSERT_TRUE(real(text, value) && same_bits(value, expected)) << text << ' ' << value;
  }
}

TEST(to_double, a_million_digits_in_linear_time) {
  std::string text = "0.";
  for (int i = 0; i < 1000000; ++i) text += static_cast<char>('0' + i % 10);
  double value = 0;
  ASSERT_TRUE(real(text, value));
  EXPECT_TRUE(same_bits(value, 0.0123456789012345678901234567890123456789));
}
