#include <thriftlens/http/key_table.hpp>

#include "support/test.hpp"

TEST(key_table, finds_only_added_keys) {
  tl::detail::key_table table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.find("a"), tl::detail::key_table::none);
  for (std::uint32_t i = 0; i < 500; ++i) EXPECT_EQ(table.add("key" + std::to_string(i), i), i);
  EXPECT_EQ(table.add("key7", 900), 7u);
  EXPECT_EQ(table.size(), 500u);
  for (std::uint32_t i = 0; i < 500; ++i) EXPECT_EQ(table.find("key" + std::to_string(i)), i);
  EXPECT_EQ(table.find("key500"), tl::detail::key_table::none);
  EXPECT_EQ(table.find(""), tl::detail::key_table::none);
}
TEST(key_table, finds_keys_of_any_case) {
  tl::detail::key_table table;
  table.add("x-tok", 3);
  EXPECT_EQ(table.find_lower("X-Tok"), 3u);
  EXPECT_EQ(table.find("X-Tok"), tl::detail::key_table::none);
  EXPECT_EQ(table.find_lower(std::string(5000, 'x')), tl::detail::key_table::none);
}
