#include <thriftlens/core/limits.hpp>

#include <gtest/gtest.h>

namespace {

using thriftlens::limits;

TEST(limits, defaults_suit_bytes_from_a_network) {
  const limits bounds;
  EXPECT_EQ(bounds.depth, 64u);
  EXPECT_EQ(bounds.string_size, 0x7fffffffu);
  EXPECT_EQ(bounds.container_size, 0x7fffffffu);
  EXPECT_LE(bounds.depth, limits::deepest);
}

TEST(limits, are_an_aggregate_that_compares) {
  EXPECT_EQ((limits{.depth = 64}), limits{});
  EXPECT_NE((limits{.depth = 3}), limits{});
}

}  // namespace
