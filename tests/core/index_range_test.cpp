#include <thriftlens/core/index_range.hpp>

#include "support/test.hpp"

#include <iterator>

static_assert(std::forward_iterator<tl::index_range::iterator>);

TEST(index_range, iterates_over_a_half_open_range) {
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t number : tl::index_range(3, 6)) seen.push_back(number);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{3, 4, 5}));
}
TEST(index_range, may_be_empty_and_ends_at_the_largest_number) {
  const tl::index_range none(7, 7), last(0xfffffffeu, 0xffffffffu);
  EXPECT_EQ(std::distance(none.begin(), none.end()), 0);
  EXPECT_EQ(std::ranges::count_if(last, [](std::uint32_t number) { return number == 0xfffffffeu; }), 1);
}
