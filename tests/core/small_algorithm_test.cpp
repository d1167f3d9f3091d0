#include <thriftlens/core/small_algorithm.hpp>

#include "support/test.hpp"

using namespace thriftlens::detail;

TEST(small_algorithm, min_and_max_equal_the_standard_ones) {
  for (const int lhs : {-3, 0, 7}) {
    for (const int rhs : {-3, 0, 7}) {
      EXPECT_EQ(least(lhs, rhs), std::min(lhs, rhs));
      EXPECT_EQ(greatest(lhs, rhs), std::max(lhs, rhs));
      EXPECT_EQ(greatest(lhs, rhs, 5), std::max({lhs, rhs, 5}));
      EXPECT_EQ(greatest(lhs), lhs);
    }
  }
}

TEST(small_algorithm, partition_point_of_runs_of_every_length) {
  for (int size = 0; size != 20; ++size) {
    std::vector<int> run;
    for (int i = 0; i < size; ++i) run.push_back(i / 2);
    for (int expected = -1; expected != 11; ++expected) {
      const auto previous = [expected](int number) { return number < expected; };
      EXPECT_EQ(end_of(run.begin(), run.end(), previous),
                std::partition_point(run.begin(), run.end(), previous))
          << size << ' ' << expected;
    }
  }
}

TEST(small_algorithm, stable_sort_equals_the_standard_one) {
  std::uint32_t seed = 1;
  for (std::size_t size = 0; size != 70; ++size) {
    std::vector<std::uint32_t> keys;
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i != size; ++i) {
      keys.push_back((seed = seed * 1664525 + 1013904223) >> 28);
      expected.push_back(i);
    }
    const auto less = [&](std::size_t lhs, std::size_t rhs) { return keys[lhs] < keys[rhs]; };
    std::stable_sort(expected.begin(), expected.end(), less);
    EXPECT_TRUE(std::ranges::equal(stable_order(size, less), expected));
  }
}
