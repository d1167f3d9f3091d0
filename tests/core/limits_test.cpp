#include <thriftlens/core/limits.hpp>

#include "support/test.hpp"

namespace {

using thriftlens::limits;

TEST(limits, defaults) {
  const limits bounds;
  EXPECT_EQ(bounds.depth, 64u);
  EXPECT_EQ(bounds.string_size, 0x7fffffffu);
  EXPECT_EQ(bounds.container_size, 0x7fffffffu);
  EXPECT_LE(bounds.depth, limits::max_depth);
}

TEST(limits, are_an_aggregate_that_compares) {
  EXPECT_EQ((limits{.depth = 64}), limits{});
  EXPECT_NE((limits{.depth = 3}), limits{});
}

TEST(limits, an_automatic_output_size_depends_on_the_input) {
  constexpr std::size_t mebi = std::size_t{1} << 20;
  constexpr std::size_t huge = static_cast<std::size_t>(-1);
  const limits bounds;
  EXPECT_EQ(bounds.output_size, limits::automatic);
  EXPECT_EQ(bounds.max_output(0), 16 * mebi);
  EXPECT_EQ(bounds.max_output(mebi), 24 * mebi);
  EXPECT_EQ(bounds.max_objects(mebi), 80 * mebi);
  EXPECT_EQ(bounds.max_output(huge), huge);
  EXPECT_EQ(bounds.max_output(huge / 8), huge);
  EXPECT_EQ(bounds.max_given(), huge);
}

TEST(limits, an_explicit_output_size_is_used) {
  constexpr limits bounds{.output_size = 100};
  EXPECT_EQ(bounds.max_output(0), 100u);
  EXPECT_EQ(bounds.max_output(1000), 100u);
  EXPECT_EQ(bounds.max_objects(1000), 100u);
  EXPECT_EQ(bounds.max_given(), 100u);
}

TEST(limits, the_end_of_an_output_does_not_wrap) {
  constexpr std::size_t huge = static_cast<std::size_t>(-1);
  EXPECT_EQ(thriftlens::detail::output_end(5, 7), 12u);
  EXPECT_EQ(thriftlens::detail::output_end(5, huge - 5), huge);
  EXPECT_EQ(thriftlens::detail::output_end(5, huge - 4), huge - 4);
}

}  // namespace
