#include <thriftlens/idl/literal.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(parse_integer, reads_decimal_and_hexadecimal_with_signs) {
  EXPECT_EQ(idl::parse_integer("0"), 0);
  EXPECT_EQ(idl::parse_integer("+12"), 12);
  EXPECT_EQ(idl::parse_integer("-12"), -12);
  EXPECT_EQ(idl::parse_integer("0x10"), 16);
  EXPECT_EQ(idl::parse_integer("-0x1F"), -31);
  EXPECT_EQ(idl::parse_integer("010"), 10);
}

TEST(parse_integer, rejects_integers_beyond_64_bits) {
  EXPECT_EQ(idl::parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(idl::parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(idl::parse_integer("0x7FFFFFFFFFFFFFFF"), std::numeric_limits<std::int64_t>::max());
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "0x8000000000000000", "0x1FFFFFFFFFFFFFFFF"}) {
    EXPECT_EQ(idl::parse_integer(text), std::nullopt) << text;
  }
  EXPECT_EQ(idl::parse_integer(std::string(100'000, '9')), std::nullopt);
  EXPECT_EQ(idl::parse_integer(std::string(100'000, '0') + "7"), 7);
}

TEST(looks_octal, is_a_leading_zero_before_a_digit) {
  EXPECT_TRUE(idl::looks_octal("010"));
  EXPECT_TRUE(idl::looks_octal("-07"));
  EXPECT_FALSE(idl::looks_octal("0"));
  EXPECT_FALSE(idl::looks_octal("0x10"));
  EXPECT_FALSE(idl::looks_octal("10"));
}

TEST(parse_real, reads_fractions_and_exponents) {
  EXPECT_EQ(idl::parse_real("1.5"), 1.5);
  EXPECT_EQ(idl::parse_real("+.5"), 0.5);
  EXPECT_EQ(idl::parse_real("-1e5"), -100000.0);
  EXPECT_EQ(idl::parse_real("1e400"), std::nullopt);
  EXPECT_EQ(idl::parse_real("-1e400"), std::nullopt);
  for (const char* text :
       {"1e-400", "123.5e-400", "0.0e999", "0e99999999999999999999", "1e-99999999999999999999"})
    EXPECT_EQ(idl::parse_real(text), 0.0) << text;
  EXPECT_EQ(idl::parse_real('0' + ('.' + std::string(400, '0')) + "1"), 0.0);
  EXPECT_EQ(idl::parse_real('0' + ('.' + std::string(400, '0')) + "1e401"), 1.0);
  EXPECT_EQ(idl::parse_real('1' + std::string(400, '0') + "e-400"), 1.0);
  for (const char* text : {"0.001e400", "1e99999999999999999999", "-12.5E+400", ".5e310"})
    EXPECT_EQ(idl::parse_real(text), std::nullopt) << text;
  EXPECT_EQ(idl::parse_real('1' + std::string(400, '0')), std::nullopt);
}

std::string text_of(std::string_view literal) {
  thriftlens::arena memory;
  return std::string(idl::unescape(literal, memory).text);
}
std::size_t bad_of(std::string_view literal) {
  thriftlens::arena memory;
  return idl::unescape(literal, memory).bad;
}

TEST(unescape, accepts_the_escapes_of_apache_and_two_more) {
  EXPECT_EQ(text_of(R"(a\n\r\t\"\'\\b)"), "a\n\r\t\"'\\b");
  EXPECT_EQ(text_of(R"(\x41\xff)"), "A\xFF");
  EXPECT_EQ(text_of(R"(\u0041\u00e4\u20AC)"), "A\xC3\xA4\xE2\x82\xAC");
  EXPECT_EQ(text_of(R"(\ud83d\ude00)"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(text_of(R"(\u0000)"), std::string(1, '\0'));
}

TEST(unescape, reports_the_first_invalid_escape) {
  EXPECT_EQ(bad_of("plain"), std::string_view::npos);
  EXPECT_EQ(bad_of(R"(ab\q)"), 2u);
  EXPECT_EQ(bad_of(R"(\n\x4)"), 2u);
  for (const char* text : {R"(\d)", R"(\x4g)", R"(\u12)", R"(\u12g4)", R"(\ud83d)", R"(\ud83dx)",
                           R"(\ud83d\u0041)", R"(\ude00)", R"(\x-1)", R"(\u+123)"}) {
    EXPECT_EQ(bad_of(text), 0u) << text;
  }
}

}  // namespace
