#include <thriftlens/idl/named_nodes.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(named_nodes, reads_names_and_positions_of_any_node) {
  std::vector<idl::enum_member> members(3);
  members[2].name = "C";
  members[2].where = {4, 5};
  const idl::named_nodes nodes(members);
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes.name(1), "");
  EXPECT_EQ(nodes.name(2), "C");
  EXPECT_EQ(nodes.where(2), (idl::position{4, 5}));
  std::vector<idl::function> functions(2);
  functions[1].name = "f";
  EXPECT_EQ(idl::named_nodes(functions).name(1), "f");
  EXPECT_NE(idl::named_nodes(functions).key(), nodes.key());
}

TEST(named_nodes, of_an_empty_list_has_no_key) {
  const idl::named_nodes nodes(std::vector<idl::field>{});
  EXPECT_EQ(nodes.size(), 0u);
  EXPECT_EQ(nodes.key(), nullptr);
}

}  // namespace
