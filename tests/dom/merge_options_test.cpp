#include <thriftlens/dom/merge_options.hpp>

#include "support/test.hpp"

namespace {

TEST(merge_options, by_default_lists_are_replaced_and_maps_merged) {
  constexpr tl::merge_options usual;
  static_assert(usual.lists == tl::merge_options::lists_as{} && usual.maps == tl::merge_options::maps_as{});
  EXPECT_EQ(usual.lists, tl::merge_options::lists_as::replace);
  EXPECT_EQ(usual.maps, tl::merge_options::maps_as::merge);
}

}  // namespace
