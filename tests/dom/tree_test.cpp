#include <thriftlens/dom/tree.hpp>

#include "support/test.hpp"

namespace dom = thriftlens::detail::dom;

namespace {

TEST(tree, grow_keeps_slots_and_doubles_the_capacity) {
  dom::tree of;
  dom::level in;
  std::uint32_t moves = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const dom::slot* previous = in.items;
    of.grow(in, 1);
    moves += in.items != previous;
    ::new (&in.items[in.count++]) dom::slot;
    in.items[i].id = static_cast<std::int16_t>(i);
  }
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(in.items[i].id, static_cast<std::int16_t>(i));
  EXPECT_LE(moves, 10u);
}

TEST(tree, touch_marks_only_ancestors) {
  dom::level top, middle, bottom, beside;
  middle.parent = &top;
  bottom.parent = &middle;
  beside.parent = &top;
  dom::tree::touch(&bottom);
  EXPECT_TRUE(top.changed && middle.changed && bottom.changed);
  EXPECT_FALSE(beside.changed);
  dom::tree::touch(nullptr);
}

TEST(tree, first_time_is_true_once_until_reset) {
  dom::tree of;
  std::vector<dom::slot> fields(3);
  fields[0].id = -32768;
  fields[1].id = 0;
  fields[2].id = 32767;
  of.forget(fields);  // nothing was met yet
  for (int round = 0; round < 2; ++round) {
    for (const dom::slot& field : fields) EXPECT_TRUE(of.first_time(field.id));
    for (const dom::slot& field : fields) EXPECT_FALSE(of.first_time(field.id));
    of.forget(fields);
  }
}

TEST(tree, charge_fails_at_the_limit_until_reset) {
  dom::tree of;
  of.options.limits.output_size = 100;
  EXPECT_TRUE(of.charge(60));
  EXPECT_TRUE(of.charge(40));
  EXPECT_FALSE(of.charge(1));
  const std::uint32_t previous_size = of.generation;
  of.reset();
  EXPECT_EQ(of.generation, previous_size + 1);
  EXPECT_TRUE(of.charge(100));
  EXPECT_TRUE(of.root.erased());
}

TEST(tree, level_counts_what_is_not_erased) {
  dom::level map;
  map.wire = tl::ttype::map;
  map.count = 10;
  map.dead = 2;
  EXPECT_EQ(map.stride(), 2u);
  EXPECT_EQ(map.live(), 3u);
  map.wire = tl::ttype::list;
  EXPECT_EQ(map.live(), 8u);
}

}  // namespace
