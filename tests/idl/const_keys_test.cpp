#include <thriftlens/idl/const_keys.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

idl::const_value number(std::int64_t value, std::uint32_t line = 0) {
  idl::const_value node;
  node.integer = value;
  node.where = {line, 1};
  return node;
}

TEST(const_keys, the_last_value_replaces_the_first) {
  std::vector<idl::const_value> items{number(1, 1), number(10), number(2, 2), number(20),
                                      number(1, 3), number(11), number(1, 4), number(12)};
  idl::const_value map;
  map.shape = idl::const_value::form::map;
  map.items = std::span(items);
  idl::const_keys keys;
  const auto duplicates = keys.drop_duplicates(map);
  ASSERT_EQ(duplicates.size(), 2u);
  EXPECT_EQ(duplicates[0].line, 3u);
  EXPECT_EQ(duplicates[1].line, 4u);
  ASSERT_EQ(map.items.size(), 4u);
  EXPECT_EQ(map.items[0].integer, 1);
  EXPECT_EQ(map.items[1].integer, 12);
  EXPECT_EQ(map.items[2].integer, 2);
}

TEST(const_keys, compares_reals_texts_and_lists_by_value) {
  idl::const_value zero, minus_zero, text, list;
  zero.shape = minus_zero.shape = idl::const_value::form::real;
  minus_zero.real = -0.0;
  text.shape = idl::const_value::form::string;
  text.text = "a";
  list.shape = idl::const_value::form::list;
  std::vector<idl::const_value> elements{number(1), number(2)};
  list.items = std::span(elements);
  std::vector<idl::const_value> items{zero, number(1), minus_zero, number(2), text, number(3),
                                      text, number(4), list,       number(5), list, number(6)};
  idl::const_value map;
  map.shape = idl::const_value::form::map;
  map.items = std::span(items);
  idl::const_keys keys;
  EXPECT_EQ(keys.drop_duplicates(map).size(), 3u);
  EXPECT_EQ(map.items.size(), 6u);
  EXPECT_TRUE(keys.drop_duplicates(map).empty());
}

}  // namespace
