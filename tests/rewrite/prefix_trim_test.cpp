#include <thriftlens/rewrite/fast/prefix_trim.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

// Order of the shop begins with an i64: its prefix template is not empty.
struct prefix_trim : testing::Test {
  const tl::selection selected = tl::selection::compile(order_type(), "{ * -id }");
  const tl::detail::selection_node& node = selected.nodes()[selected.root()];
  const std::string bytes = order_bytes<tl::binary>();
  const tl::byte_view in{bytes};
  std::uint8_t storage[64] = {};
};

TEST_F(prefix_trim, drops_unselected_fields) {
  tl::detail::prefix_trim current{in.begin(), in.begin(), storage};
  EXPECT_FALSE(current.run(node, in.end()));  // fields that no template tells follow
  EXPECT_EQ(current.dropped, 1u);
  EXPECT_EQ(current.highest, 1);
  EXPECT_EQ(current.copied - in.begin(), 11);
  EXPECT_EQ(current.to, storage);
}
TEST_F(prefix_trim, stops_at_a_mismatch) {
  const tl::byte_view cut(bytes.data(), 5);
  tl::detail::prefix_trim current{cut.begin(), cut.begin(), storage};
  EXPECT_FALSE(current.run(node, cut.end()));
  EXPECT_EQ(current.at, cut.begin());
  EXPECT_EQ(current.dropped, 0u);
}

}  // namespace
