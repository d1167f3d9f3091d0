#include <thriftlens/edit/attempt_budget.hpp>

#include "support/test.hpp"

namespace {

TEST(attempt_budget, retries_at_most_half_of_the_passed_bytes) {
  tl::detail::attempt_budget budget;
  EXPECT_EQ(budget.window(0, 63), 0u);
  EXPECT_EQ(budget.window(0, 1000), 1000u);
  EXPECT_EQ(budget.window(0, 1 << 20), 16384u);
  budget.lose(16384);
  EXPECT_EQ(budget.window(0, 1000), 0u);
  EXPECT_EQ(budget.window(100, 1000), 1000u);
  budget.lose(50);
  EXPECT_EQ(budget.window(100, 1000), 0u);
  budget.win_back(1);
  EXPECT_EQ(budget.window(100, 1000), 1000u);
}

}  // namespace
