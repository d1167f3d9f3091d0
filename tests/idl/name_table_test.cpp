#include <thriftlens/idl/name_table.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(name_table, keeps_the_first_number_of_a_name) {
  idl::name_table table;
  table.reset(2);
  EXPECT_EQ(table.insert("a", 1), (std::pair<std::uint32_t, bool>(1, true)));
  EXPECT_EQ(table.insert("a", 2), (std::pair<std::uint32_t, bool>(1, false)));
  EXPECT_EQ(table.find("a"), 1u);
  EXPECT_EQ(table.find("b"), idl::name_table::none);
}

TEST(name_table, finds_nothing_when_empty) {
  idl::name_table table;
  EXPECT_EQ(table.find("a"), idl::name_table::none);
}

TEST(name_table, holds_many_names_of_every_length) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 5000; ++i) names.push_back(std::string(i % 40, 'n') + std::to_string(i));
  idl::name_table table;
  table.reset(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_TRUE(table.insert(names[i], i).second);
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(table.find(names[i]), i);
  EXPECT_EQ(table.find("nothing"), idl::name_table::none);
}

TEST(name_table, reset_clears_it_and_keeps_the_memory) {
  idl::name_table table;
  table.reset(100);
  for (int round = 0; round < 3; ++round) {
    table.reset(10);
    EXPECT_EQ(table.find("a"), idl::name_table::none);
    EXPECT_TRUE(table.insert("a", 7).second);
    EXPECT_TRUE(table.insert("", 8).second);
    EXPECT_EQ(table.find(""), 8u);
  }
}

TEST(name_table, accepts_an_empty_name) {
  idl::name_table table;
  table.reset(2);
  EXPECT_TRUE(table.insert({}, 3).second);
  EXPECT_FALSE(table.insert("", 4).second);
  EXPECT_EQ(table.find({}), 3u);
}

TEST(name_table, distinguishes_names_by_owner) {
  idl::name_table table;
  for (std::uint32_t owner = 0; owner < 100; ++owner) EXPECT_TRUE(table.insert("a", owner + 5, owner).second);
  EXPECT_FALSE(table.insert("a", 1, 7).second);
  for (std::uint32_t owner = 0; owner < 100; ++owner) EXPECT_EQ(table.find("a", owner), owner + 5);
  EXPECT_EQ(table.find("a", 100), idl::name_table::none);
}

}  // namespace
