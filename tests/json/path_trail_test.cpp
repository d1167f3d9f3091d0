#include <thriftlens/json/path_trail.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(path_trail, reads_from_the_root) {
  tl::path_trail trail;
  EXPECT_EQ(trail.text(), "$");
  EXPECT_FALSE(trail.field("price"));
  EXPECT_FALSE(trail.key("\"a b\""));
  EXPECT_FALSE(trail.index(3));
  EXPECT_FALSE(trail.field("items"));
  EXPECT_EQ(trail.text(), "$.items[3]{\"a b\"}.price");
}

TEST(path_trail, cuts_long_keys) {
  tl::path_trail trail;
  trail.key(std::string(1000, 'x'));
  EXPECT_EQ(trail.text(), "${" + std::string(80, 'x') + "…}");
  tl::path_trail whole;
  whole.key('"' + std::string(78, 'x') + "é\"");
  EXPECT_EQ(whole.text(), "${\"" + std::string(78, 'x') + "…}");
}

TEST(path_trail, places_keys_and_entries_by_their_number) {
  tl::path_trail trail;
  EXPECT_TRUE(trail.empty());
  EXPECT_FALSE(trail.key_at(2));
  EXPECT_FALSE(trail.entry(7));
  EXPECT_FALSE(trail.empty());
  EXPECT_EQ(trail.text(), "${entry 7}{key 2}");
}
