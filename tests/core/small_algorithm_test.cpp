#include <thriftlens/core/small_algorithm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace thriftlens::detail;

TEST(small_algorithm, least_and_greatest_are_those_of_the_standard) {
  for (const int lhs : {-3, 0, 7}) {
    for (const int rhs : {-3, 0, 7}) {
      EXPECT_EQ(least(lhs, rhs), std::min(lhs, rhs));
      EXPECT_EQ(greatest(lhs, rhs), std::max(lhs, rhs));
      EXPECT_EQ(greatest(lhs, rhs, 5), std::max({lhs, rhs, 5}));
      EXPECT_EQ(greatest(lhs), lhs);
    }
  }
}

TEST(small_algorithm, the_end_of_a_part_is_found_in_runs_of_every_length) {
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
