#include <thriftlens/rewrite/edit_order.hpp>

#include "path/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::order_path;

namespace {

TEST(edit_order, sorts_by_path_and_groups_by_first_step) {
  std::vector<tl::detail::edit_entry> edits;
  for (const char* text : {"$.user.name", "$.id", "$.user.id"})
    edits.emplace_back(tl::detail::edit_action::set, order_path(text), 0, 0);
  tl::detail::edit_order order(edits);
  ASSERT_TRUE(order.sort());
  tl::detail::edit_group rest = order.root_group();
  const tl::detail::edit_group first = order.same(rest);
  EXPECT_TRUE(order.is_leaf(first));
  EXPECT_EQ(order.number(first.begin), 1u);
  rest.begin = first.end;
  EXPECT_EQ(order.same(rest).end, 3u);
  EXPECT_FALSE(order.is_leaf(order.same(rest)));
}
TEST(edit_order, rejects_nested_paths_and_too_many) {
  std::vector<tl::detail::edit_entry> edits;
  edits.emplace_back(tl::detail::edit_action::set, order_path("$.user"), 0, 0);
  edits.emplace_back(tl::detail::edit_action::set, order_path("$.user.name"), 0, 0);
  EXPECT_FALSE(tl::detail::edit_order(edits).sort());
  const tl::detail::edit_entry first = edits[0];
  edits.assign(tl::detail::edit_order::max_edits + 1, first);
  EXPECT_FALSE(tl::detail::edit_order(edits).sort());
}

}  // namespace
