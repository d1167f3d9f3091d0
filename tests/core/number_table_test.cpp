#include <thriftlens/core/number_table.hpp>

#include "support/test.hpp"

using thriftlens::detail::number_table;

namespace {

TEST(number_table, keeps_the_first_number_of_a_key) {
  number_table table;
  EXPECT_EQ(table.find(std::uint64_t{0}), number_table::none);
  EXPECT_EQ(table.insert(std::uint64_t{0}, 4), (std::pair<std::uint32_t, bool>(4, true)));
  EXPECT_EQ(table.insert(std::uint64_t{0}, 5), (std::pair<std::uint32_t, bool>(4, false)));
  EXPECT_EQ(table.find(std::uint64_t{0}), 4u);
}

TEST(number_table, holds_many_keys) {
  number_table table;
  for (std::uint32_t i = 0; i < 5000; ++i)
    EXPECT_TRUE(table.insert(std::uint64_t{i} << 32 | i % 3, i).second);
  for (std::uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(table.find(std::uint64_t{i} << 32 | i % 3), i);
  EXPECT_EQ(table.find(std::uint64_t{5000} << 32), number_table::none);
}

TEST(number_table, takes_addresses) {
  const int values[] = {1, 2};
  number_table table;
  table.insert(&values[0], 0);
  EXPECT_EQ(table.find(&values[0]), 0u);
  EXPECT_EQ(table.find(&values[1]), number_table::none);
}

}  // namespace
