#include <thriftlens/text/powers_of_five.hpp>

#include "support/test.hpp"

namespace {

// Numbers of any size, least significant word first.
using words = std::vector<std::uint32_t>;

void multiply(words& number, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::uint32_t& name : number) {
    carry += static_cast<std::uint64_t>(name) * factor;
    name = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) number.push_back(static_cast<std::uint32_t>(carry));
}
void divide(words& number, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    rest = rest << 32 | number[i];
    number[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  while (!number.empty() && number.back() == 0) number.pop_back();
}
// The 128 leading bits.
tl::detail::power_of_five leading(const words& number) {
  std::uint64_t high = 0, low = 0;
  std::size_t taken = 0;
  for (std::size_t bit = number.size() * 32; taken < 128; --bit) {
    const std::uint64_t first = bit == 0 ? 0 : (number[(bit - 1) / 32] >> ((bit - 1) % 32)) & 1;
    if (taken == 0 && first == 0 && bit != 0) continue;
    high = high << 1 | low >> 63;
    low = low << 1 | first;
    ++taken;
    if (bit == 0) bit = 1;
  }
  return {high, low};
}

}  // namespace

TEST(powers_of_five, positive_ones_are_the_leading_bits) {
  words power{1};
  for (int q = 0; q <= tl::detail::greatest_power_of_five; ++q) {
    EXPECT_EQ(tl::detail::five_to(q).high, leading(power).high) << q;
    EXPECT_EQ(tl::detail::five_to(q).low, leading(power).low) << q;
    multiply(power, 5);
  }
}

// floor(floor(2^n / 5^a) / 5) = floor(2^n / 5^(a + 1)), so repeated division of a large power of two
// suffices.
TEST(powers_of_five, negative_ones_are_the_leading_bits_of_the_quotient) {
  words quotient(40, 0);
  quotient.push_back(1);
  for (int q = -1; q >= tl::detail::least_power_of_five; --q) {
    divide(quotient, 5);
    EXPECT_EQ(tl::detail::five_to(q).high, leading(quotient).high) << q;
    EXPECT_EQ(tl::detail::five_to(q).low, leading(quotient).low) << q;
  }
}
