#include <thriftlens/lens/edit_tree.hpp>

#include "../path/samples.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using tl::errc;
using tl::detail::edit_action;
using tl::detail::edit_node;

namespace {

tl::path way(std::string_view text) { return tl::path::parse(thriftlens_test::shop().type("Order"), text); }

TEST(edit_tree, shares_the_front_of_paths) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add(way("$.user.name"), edit_action::set, 0), errc::ok);
  EXPECT_EQ(tree.add(way("$.user.secret"), edit_action::erase, 1), errc::ok);
  EXPECT_EQ(tree.add(way("$.items[*].price"), edit_action::set, 2), errc::ok);
  ASSERT_EQ(tree[0].children.size(), 2u);
  const edit_node& user = tree[tree[0].children.begin()->second];
  EXPECT_EQ(user.children.size(), 2u);
  EXPECT_TRUE(user.strict);
  EXPECT_TRUE(user.counts);
  const edit_node& items = tree[tree[0].children.rbegin()->second];
  EXPECT_EQ(items.many_children.size(), 1u);
}

TEST(edit_tree, last_edit_of_a_value_holds) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add(way("$.id"), edit_action::set, 0), errc::ok);
  EXPECT_EQ(tree.add(way("$.id"), edit_action::set, 1), errc::ok);
  EXPECT_EQ(tree[tree[0].children.begin()->second].action, 1u);
}

TEST(edit_tree, whole_and_part_contradict_each_other) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add(way("$.user"), edit_action::set, 0), errc::ok);
  EXPECT_EQ(tree.add(way("$.user.name"), edit_action::set, 1), errc::edit_conflict);
  EXPECT_EQ(tree.add(way("$.items[0].sku"), edit_action::set, 2), errc::ok);
  EXPECT_EQ(tree.add(way("$.items[0]"), edit_action::erase, 3), errc::edit_conflict);
  EXPECT_EQ(tree.add(way("$.numbers"), edit_action::append, 4), errc::ok);
  EXPECT_EQ(tree.add(way("$.numbers"), edit_action::erase, 5), errc::edit_conflict);
}

TEST(edit_tree, inserts_belong_to_the_list) {
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add(way("$.items[2]"), edit_action::insert, 0), errc::ok);
  const edit_node& items = tree[tree[0].children.begin()->second];
  ASSERT_EQ(items.inserts.size(), 1u);
  EXPECT_EQ(items.inserts[0].first, 2);
  EXPECT_TRUE(items.children.empty());
}

}  // namespace
