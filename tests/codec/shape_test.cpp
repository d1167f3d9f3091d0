#include <thriftlens/codec/shape.hpp>

#include <gtest/gtest.h>

TEST(codec_shape, find_gives_the_member_of_an_id) {
  thriftlens::detail::codec::shape made;
  made.fields.resize(3);
  made.by_id = {{-2, 1}, {5, 0}, {300, 2}};
  EXPECT_EQ(made.find(-2), 1u);
  EXPECT_EQ(made.find(300), 2u);
  EXPECT_EQ(made.find(6), 3u);
  EXPECT_EQ(thriftlens::detail::codec::shape().find(1), 0u);
}
