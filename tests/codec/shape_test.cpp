#include <thriftlens/codec/shape.hpp>

#include "support/test.hpp"

TEST(codec_shape, find_returns_the_member_of_an_id) {
  thriftlens::detail::codec::shape result;
  result.fields.resize(3);
  result.by_id = {{-2, 1}, {5, 0}, {300, 2}};
  EXPECT_EQ(result.find(-2), 1u);
  EXPECT_EQ(result.find(300), 2u);
  EXPECT_EQ(result.find(6), 3u);
  EXPECT_EQ(thriftlens::detail::codec::shape().find(1), 0u);
}
