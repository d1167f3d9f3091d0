#include <thriftlens/core/uint128.hpp>

#include "support/test.hpp"

namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

TEST(uint128, products_at_the_edges) {
  using tl::detail::two_words;
  EXPECT_EQ(tl::detail::product_in_parts(0, all), (two_words{0, 0}));
  EXPECT_EQ(tl::detail::product_in_parts(all, 1), (two_words{0, all}));
  EXPECT_EQ(tl::detail::product_in_parts(all, all), (two_words{all - 1, 1}));
  EXPECT_EQ(tl::detail::product_in_parts(std::uint64_t{1} << 32, std::uint64_t{1} << 32), (two_words{1, 0}));
}
TEST(uint128, a_sum_carries) {
  const tl::detail::two_words sum = tl::detail::two_words{1, all} + 2;
  EXPECT_EQ(upper_half(sum), 2u);
  EXPECT_EQ(lower_half(sum), 1u);
}
TEST(uint128, portable_product_equals_the_native_one) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t lhs = random() >> (i % 64), rhs = random() >> (i / 64 % 64), more = random();
    const tl::detail::two_words parts = tl::detail::product_in_parts(lhs, rhs) + more;
    const tl::detail::uint128 complete = tl::detail::product_of(lhs, rhs) + more;
    ASSERT_EQ(upper_half(parts), tl::detail::upper_half(complete)) << lhs << " x " << rhs;
    ASSERT_EQ(lower_half(parts), tl::detail::lower_half(complete)) << lhs << " x " << rhs;
  }
}

}  // namespace
