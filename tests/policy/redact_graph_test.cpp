#include <thriftlens/policy/redact_graph.hpp>

#include "support/test.hpp"

namespace {

tl::detail::redact_target to_node(std::uint32_t node) {
  tl::detail::redact_target result;
  result.node = node;
  return result;
}

TEST(redact_target, without_an_action_is_unchanged) {
  EXPECT_TRUE(tl::detail::redact_target().stays());
  EXPECT_FALSE(to_node(0).stays());
}

TEST(redact_graph, finds_the_ancestors_of_nodes_with_actions) {
  tl::detail::redact_graph graph;
  graph.nodes.resize(5);
  graph.nodes[0].fields.push_back({1, tl::ttype::struct_, false, to_node(1)});
  graph.nodes[1].value = to_node(2);
  graph.nodes[2].key = to_node(0);  // a circle
  graph.nodes[3].keyed.push_back({tl::map_key(1), "{1}", to_node(1)});
  graph.nodes[2].value.replacement = 0;
  EXPECT_TRUE(tl::detail::has_rule(graph.nodes[2]));
  EXPECT_FALSE(tl::detail::has_rule(graph.nodes[0]));
  EXPECT_EQ(graph.leading_to(tl::detail::has_rule), (std::vector<bool>{true, true, true, true, false}));
}

TEST(redact_node, is_inert_only_without_actions) {
  tl::detail::redact_node node;
  EXPECT_TRUE(node.contents_stay());
  node.key = to_node(0);
  EXPECT_FALSE(node.contents_stay());
  node.key = {};
  node.keyed.push_back({tl::map_key(1), "{1}", {}});
  EXPECT_FALSE(node.contents_stay());
}

}  // namespace
