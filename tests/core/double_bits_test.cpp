#include <thriftlens/core/double_bits.hpp>

#include "support/test.hpp"

#include <bit>

using namespace thriftlens::detail;

TEST(double_bits, classes_of_the_smallest_and_largest_values) {
  const struct {
    std::uint64_t bits;
    bool finite, nan;
  } all[] = {{0, true, false},
             {1, true, false},
             {0x000fffffffffffff, true, false},
             {0x0010000000000000, true, false},
             {0x7fefffffffffffff, true, false},
             {0x7ff0000000000000, false, false},
             {0x7ff0000000000001, false, true},
             {0x7ff8000000000000, false, true},
             {0x7fffffffffffffff, false, true}};
  for (const auto& item : all) {
    for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1} << 63}) {
      const auto value = std::bit_cast<double>(item.bits | sign);
      EXPECT_EQ(is_finite(value), item.finite) << item.bits;
      EXPECT_EQ(is_nan(value), item.nan) << item.bits;
      EXPECT_EQ(is_negative(value), sign != 0) << item.bits;
      EXPECT_EQ(bits_of(absolute(value)), item.bits);
      EXPECT_EQ(equality_bits(value), item.bits == 0 ? 0 : item.bits | sign);
    }
  }
}
