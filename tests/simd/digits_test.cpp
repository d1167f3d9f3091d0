#include <thriftlens/simd/digits.hpp>

#include "bodies.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

namespace {
void check(std::uint32_t high, std::uint32_t low) {
  std::uint8_t fast[18];
  fast[16] = '?';
  simd::put_sixteen_digits(fast, high, low);
  const std::string text(reinterpret_cast<char*>(fast), 17);
  thriftlens_test::for_each_body(simd::detail::put_sixteen_digits_bodies, [&](auto run, const char* name) {
    std::uint8_t other[18];
    other[16] = '?';
    run(other, high, low);
    ASSERT_EQ(text, std::string(reinterpret_cast<char*>(other), 17)) << name;
  });
  ASSERT_EQ(std::stoull(text), high * std::uint64_t{100000000} + low);
  ASSERT_EQ(text[16], '?');
}
}  // namespace

TEST(simd_digits, every_group_of_four) {
  for (std::uint32_t four = 0; four < 10000; ++four) {
    check(four * 10000, four);
    check(four, four * 10000 + 9999);
  }
}

TEST(simd_digits, random_numbers) {
  std::mt19937 random(11);
  for (int i = 0; i < 100000; ++i)
    check(static_cast<std::uint32_t>(random() % 100000000), static_cast<std::uint32_t>(random() % 100000000));
  check(99999999, 99999999);
  check(0, 0);
}
