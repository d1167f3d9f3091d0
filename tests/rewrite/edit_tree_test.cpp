#include <thriftlens/rewrite/edit_tree.hpp>

#include <thriftlens/protocol/binary.hpp>

#include "path/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::order_path, tl::errc, tl::detail::edit_action;

namespace {

/// The index of a child among its siblings.
std::uint32_t child(const tl::detail::edit_tree& tree, std::uint32_t at, std::uint32_t which) {
  std::uint32_t number = tree.steps()[at].first_child;
  while (which-- > 0) number = tree.steps()[number].next;
  return number;
}

TEST(edit_tree, shares_path_prefixes) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.user.name"), edit_action::set, 0), errc::ok);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.user.secret"), edit_action::erase, 1), errc::ok);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.items[*].price"), edit_action::set, 2), errc::ok);
  ASSERT_EQ(tree.steps()[0].children, 2u);
  const std::uint32_t user = child(tree, 0, 0);
  EXPECT_EQ(tree.steps()[user].children, 2u);
  EXPECT_TRUE(tree[user].strict);
  EXPECT_TRUE(tree[user].counts);
  EXPECT_TRUE(tree.goes_deeper(user));
  const std::uint32_t items = child(tree, 0, 1);
  EXPECT_EQ(tree.steps()[items].children, 0u);
  ASSERT_EQ(tree.extras(tree[items]).many_children.size(), 1u);
  EXPECT_EQ(tree[tree.extras(tree[items]).many_children[0].node].first, 2u);
  EXPECT_TRUE(tree.goes_deeper(items));
  EXPECT_FALSE(tree.goes_deeper(child(tree, user, 0)));
}

TEST(edit_tree, last_edit_of_a_value_wins) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.id"), edit_action::set, 0), errc::ok);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.id"), edit_action::set, 1), errc::ok);
  EXPECT_EQ(tree[child(tree, 0, 0)].action, 1u);
}

TEST(edit_tree, edits_of_a_value_and_its_part_contradict) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.user"), edit_action::set, 0), errc::ok);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.user.name"), edit_action::set, 1), errc::edit_conflict);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.items[0].sku"), edit_action::set, 2), errc::ok);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.items[0]"), edit_action::erase, 3), errc::edit_conflict);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.numbers"), edit_action::append, 4), errc::ok);
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.numbers"), edit_action::erase, 5), errc::edit_conflict);
}

TEST(edit_tree, inserts_belong_to_the_list) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add<tl::binary>(order_path("$.items[2]"), edit_action::insert, 0), errc::ok);
  const std::uint32_t items = child(tree, 0, 0);
  ASSERT_EQ(tree.extras(tree[items]).inserts.size(), 1u);
  EXPECT_EQ(tree.extras(tree[items]).inserts[0].first, 2);
  EXPECT_EQ(tree.steps()[items].children, 0u);
}

}  // namespace
