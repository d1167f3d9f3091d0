#include <thriftlens/dom/undo.hpp>

#include "support/test.hpp"

namespace dom = thriftlens::detail::dom;

namespace {

dom::slot field(std::int16_t id, std::uint32_t size) {
  dom::slot result;
  result.id = id;
  result.size = size;
  result.wire = tl::ttype::i32;
  return result;
}

TEST(undo, restores_levels_and_slots_in_reverse_order) {
  dom::tree tree;
  dom::level& structure = *tree.make_level();
  structure.wire = tl::ttype::struct_;
  dom::level& list = *tree.make_level();
  list.wire = tl::ttype::list;
  list.parent = &structure;
  for (dom::level* item : {&structure, &list}) {
    tree.grow(*item, 2);
    for (std::int16_t i = 1; i < 3; ++i) item->items[item->count++] = field(i, static_cast<std::uint32_t>(i));
  }
  dom::undo_log undo(tree);
  undo.keep_above(&list);
  undo.keep(structure);
  undo.keep(list);
  undo.keep(&list, list.items[0]);
  list.items[0] = field(1, 70);
  undo.keep(&list, list.items[0]);
  list.items[0] = field(1, 71);
  tree.grow(list, 20);
  list.items[list.count++] = field(3, 3);
  structure.items[0] = field(9, 90);
  structure.count = 1;
  dom::tree::touch(&list);
  undo.keep(nullptr, tree.root);
  tree.root = field(0, 5);

  undo.roll_back();
  EXPECT_EQ(tree.root.size, 0u);
  EXPECT_EQ(list.count, 2u);
  EXPECT_EQ(list.items[0].size, 1u);
  EXPECT_EQ(list.items[1].size, 2u);
  EXPECT_EQ(structure.count, 2u);
  EXPECT_EQ(structure.items[0].id, 1);
  EXPECT_FALSE(structure.changed);
  EXPECT_FALSE(list.changed);
}

}  // namespace
