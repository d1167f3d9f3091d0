#include <thriftlens/edit/fast/prefix_trim.hpp>

#include "support/order.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using namespace thriftlens_test;

namespace {

// Order of the shop begins with an i64: its prefix template is not empty.
struct prefix_trim : testing::Test {
  const tl::selection kept = tl::selection::compile(order_type(), "{ * -id }");
  const tl::detail::selection_node& node = kept.nodes()[kept.root()];
  const std::string bytes = order_bytes<tl::binary>();
  const tl::byte_view in{bytes};
  std::uint8_t room[64] = {};
};

TEST_F(prefix_trim, leaves_out_what_is_not_kept) {
  tl::detail::prefix_trim now{in.begin(), in.begin(), room};
  EXPECT_FALSE(now.run(node, in.end()));  // fields that no template tells follow
  EXPECT_EQ(now.dropped, 1u);
  EXPECT_EQ(now.highest, 1);
  EXPECT_EQ(now.copied - in.begin(), 11);
  EXPECT_EQ(now.to, room);
}
TEST_F(prefix_trim, stops_where_the_bytes_are_others) {
  const tl::byte_view cut(bytes.data(), 5);
  tl::detail::prefix_trim now{cut.begin(), cut.begin(), room};
  EXPECT_FALSE(now.run(node, cut.end()));
  EXPECT_EQ(now.at, cut.begin());
  EXPECT_EQ(now.dropped, 0u);
}

}  // namespace
