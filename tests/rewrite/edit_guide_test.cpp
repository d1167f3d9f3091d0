#include <thriftlens/rewrite/edit_guide.hpp>

#include <thriftlens/protocol/binary.hpp>

#include "path/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::order_path;

namespace {

TEST(edit_guide, lists_every_field_once_with_its_last_edit) {
  tl::detail::edit_tree tree;
  std::vector<tl::detail::edit_entry> edits;
  for (const char* text : {"$.user.name", "$.id", "$.id"}) {
    edits.emplace_back(tl::detail::edit_action::set, order_path(text), 0, 0);
    ASSERT_EQ(tree.add<tl::binary>(edits.back().target_path, edits.back().action,
                                   static_cast<std::uint32_t>(edits.size() - 1)),
              tl::errc::ok);
  }
  tl::detail::edit_guide guide(&tree, edits, {});
  const tl::detail::edit_requests full = guide.collect(guide.root(), false);
  ASSERT_EQ(full.end - full.begin, 2u);
  EXPECT_LT(guide.id(full.begin), guide.id(full.begin + 1));
  const std::size_t id = guide.find_field(full, 1);
  tl::detail::edit_decision result;
  EXPECT_TRUE(guide.decide(guide.request(id).at, result));
  EXPECT_EQ(result.edit, 2u);
  EXPECT_EQ(guide.find_field(full, 77), full.end);
  EXPECT_EQ(guide.unseen(full).size(), 2u);
}

}  // namespace
