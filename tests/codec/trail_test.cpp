#include <thriftlens/codec/trail.hpp>

#include <gtest/gtest.h>

#include <string>

using thriftlens::codec::trail;

TEST(codec_trail, steps_are_gathered_from_the_inside) {
  trail way;
  EXPECT_EQ(way.path(), "$");
  way.index(3);
  way.entry(-7, 0);
  way.entry(std::string("a\"b"), 1);
  way.entry(1.5, 9);
  way.field({}, 12);
  way.field("user", 1);
  EXPECT_EQ(way.path(), "$.user.#12[9]{\"a\\\"b\"}{-7}[3]");
}

TEST(codec_trail, long_keys_are_cut) {
  trail way;
  way.text(std::string(1000, 'k'));
  EXPECT_LT(way.path().size(), 100u);
  trail whole;
  whole.text(std::string(79, 'k') + "é...");
  EXPECT_EQ(whole.path(), "${\"" + std::string(79, 'k') + "\"…}");
}
