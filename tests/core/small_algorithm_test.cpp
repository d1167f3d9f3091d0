#include <thriftlens/core/small_algorithm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace thriftlens::detail;

TEST(small_algorithm, least_and_greatest_are_those_of_the_standard) {
  for (const int left : {-3, 0, 7}) {
    for (const int right : {-3, 0, 7}) {
      EXPECT_EQ(least(left, right), std::min(left, right));
      EXPECT_EQ(greatest(left, right), std::max(left, right));
      EXPECT_EQ(greatest(left, right, 5), std::max({left, right, 5}));
      EXPECT_EQ(greatest(left), left);
    }
  }
}

TEST(small_algorithm, the_end_of_a_part_is_found_in_runs_of_every_length) {
  for (int size = 0; size != 20; ++size) {
    std::vector<int> run;
    for (int i = 0; i < size; ++i) run.push_back(i / 2);
    for (int wanted = -1; wanted != 11; ++wanted) {
      const auto before = [wanted](int each) { return each < wanted; };
      EXPECT_EQ(end_of(run.begin(), run.end(), before), std::partition_point(run.begin(), run.end(), before))
          << size << ' ' << wanted;
    }
  }
}
