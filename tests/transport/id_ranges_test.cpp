#include <thriftlens/transport/id_ranges.hpp>

#include "support/test.hpp"

using thriftlens::detail::id_ranges;

TEST(id_ranges, is_exact_with_few_ranges) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    id_ranges ids(100);
    std::set<std::int32_t> expected;
    for (int step = 0; step < 64; ++step) {
      const auto id = static_cast<std::int32_t>(random() % 128);
      ids.insert(id);
      expected.insert(id);
      for (std::int32_t probe = -1; probe < 130; ++probe)
        ASSERT_EQ(ids.contains(probe), expected.contains(probe)) << probe;
    }
  }
}

TEST(id_ranges, never_loses_an_id_in_bounded_memory) {
  id_ranges ids(4);
  for (std::int32_t id = 0; id < 1'000; id += 2) {
    ids.insert(id);
    ASSERT_LE(ids.ranges(), 4u);
  }
  for (std::int32_t id = 0; id < 1'000; id += 2) ASSERT_TRUE(ids.contains(id)) << id;
  EXPECT_FALSE(ids.contains(997));
  EXPECT_FALSE(ids.contains(1'000));
  EXPECT_FALSE(ids.contains(-1));
}

TEST(id_ranges, adjacent_ids_form_one_range) {
  id_ranges ids(4);
  for (const std::int32_t id : {1, 3, 2, 5, 4, 6}) ids.insert(id);
  EXPECT_EQ(ids.ranges(), 1u);
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min(),
                         highest = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t id : {lowest, highest}) {
    ids.insert(id);
    EXPECT_TRUE(ids.contains(id));
  }
}
