#include <thriftlens/view/plan_slots.hpp>

#include <thriftlens/view/plan.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

using binary_view = tl::view<tl::binary>;
using slots = tl::detail::plan_slots<tl::binary, tl::plan>;
using edges = tl::detail::open_edges<tl::binary, tl::plan>;

binary_view binary_order() { return binary_view(order_bytes<tl::binary>(), order_type()); }

TEST(open_edges, every_edge_is_followed_once) {
  const tl::plan plan = tl::plan::compile(order_type(), {"$.items", "$.id", "$.user.name"});
  std::vector<binary_view> out(plan.size());
  const binary_view root = binary_order();
  const slots filled(plan, root, out);
  edges open(filled, plan.nodes()[0]);
  EXPECT_EQ(open.remaining(), 3u);
  EXPECT_EQ(open.take_field(99), nullptr);
  const tl::plan::edge* user = open.take_field(2);
  ASSERT_NE(user, nullptr);
  EXPECT_EQ(user->id, 2);
  EXPECT_EQ(open.take_field(2), nullptr);
  ASSERT_NE(open.take_field(1), nullptr);  // back again
  EXPECT_EQ(open.remaining(), 1u);
  std::vector<int> remaining;
  open.each_open([&](const tl::plan::edge& item) { remaining.push_back(item.id); });
  EXPECT_EQ(remaining, std::vector<int>{3});
  EXPECT_EQ(open.take(3), nullptr);
}

TEST(open_edges, more_edges_than_bits_use_the_views) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back("$.by_sku{\"" + std::to_string(i) + "\"}");
  const std::vector<std::string_view> paths(texts.begin(), texts.end());
  const tl::plan plan = tl::plan::compile(order_type(), paths);
  std::vector<binary_view> out(plan.size());
  const binary_view root = binary_order();
  const slots filled(plan, root, out);
  const tl::plan::node& node = plan.nodes().back();
  edges open(filled, node);
  ASSERT_EQ(open.edges().size(), 100u);
  EXPECT_TRUE(open.is_open(7));
  out[open.edges()[7].slot] = root;
  EXPECT_FALSE(open.is_open(7));
  EXPECT_EQ(open.take(7), nullptr);
  EXPECT_NE(open.take(8), nullptr);
}

}  // namespace
