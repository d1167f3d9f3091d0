#include <thriftlens/rewrite/fast/field_walk.hpp>

#include "support/test.hpp"

namespace {

tl::detail::redact_node node_with_fields(std::initializer_list<std::int16_t> ids) {
  tl::detail::redact_node node;
  for (const std::int16_t id : ids) node.fields.push_back({id, tl::ttype::i32, true, {}, 0});
  node.required = static_cast<std::uint32_t>(ids.size());
  return node;
}

TEST(field_walk, finds_the_rules_of_ascending_ids) {
  const tl::detail::redact_node rules = node_with_fields({2, 5});
  const tl::detail::fast_guides<false, true, false> guides{.rules = &rules};
  EXPECT_FALSE(guides.empty());
  tl::detail::fast_field_walk<false, true, false> walk{guides, 0, 1};
  walk.open_rules(rules);
  EXPECT_FALSE(walk.has_required());
  EXPECT_FALSE(walk.find_edge(1));
  EXPECT_TRUE(walk.find_edge(2));
  EXPECT_FALSE(walk.find_edge(4));
  EXPECT_TRUE(walk.find_edge(5));
  EXPECT_FALSE(walk.find_edge(6));
  walk.required = 2;
  EXPECT_TRUE(walk.has_required());
  EXPECT_EQ(walk.next_change(0), walk.nowhere);
}

TEST(field_walk, a_selection_without_a_required_field_is_detected) {
  const tl::detail::redact_node rules = node_with_fields({2, 5});
  tl::detail::selection_node selected;
  selected.parts.emplace_back().id = 2;
  const tl::detail::fast_guides<true, true, false> guides{.selected = &selected, .rules = &rules};
  EXPECT_FALSE(guides.keeps_required());
  selected.parts.emplace_back().id = 5;
  EXPECT_TRUE(guides.keeps_required());
}

}  // namespace
