#include <thriftlens/http/sparse_table.hpp>

#include "support/test.hpp"

TEST(sparse_table, stores_records_of_some_nodes) {
  tl::detail::sparse_table<std::string> table;
  EXPECT_EQ(table.size(), 0u);
  table.reset(1000);
  std::string& first = table.make(7);
  first = "seven";
  for (std::size_t i = 100; i < 200; ++i) table.make(i) = std::to_string(i);
  EXPECT_EQ(&table.make(7), &first);
  EXPECT_EQ(table[7], "seven");
  EXPECT_EQ(table[150], "150");
  EXPECT_EQ(table[8], "");
  EXPECT_EQ(table.size(), 101u);
  const auto copy = table;
  EXPECT_EQ(copy[7], "seven");
}
