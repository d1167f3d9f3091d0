#include <thriftlens/protocol/learned_layouts.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

#include <deque>

using namespace thriftlens;
using detail::layout_lease, detail::layout_row, detail::learned_layouts;

namespace {

/// A struct of `fields` numbers, with bytes after it that blocks may load.
std::string numbers(std::int16_t fields) {
  buffer bytes;
  binary::writer out(bytes);
  for (std::int16_t id = 1; id <= fields; ++id) {
    out.write_field(ttype::i32, id);
    out.write_i32(id);
  }
  out.write_stop();
  return bytes.str();
}
/// A struct that has no layout.
std::string shapeless() {
  buffer bytes;
  binary::writer out(bytes);
  out.write_field(ttype::list, 1);
  out.write_list({ttype::string, 0});
  out.write_stop();
  return bytes.str();
}
const std::uint8_t* begin(const std::string& of) { return byte_view(of).begin(); }
const std::uint8_t* end(const std::string& of) { return byte_view(of).end(); }

}  // namespace

TEST(learned_layouts, a_row_inside_another_neither_replaces_nor_clears_the_layout_of_the_outer_one) {
  const std::string text = numbers(1), two = numbers(2), none = shapeless();
  learned_layouts layouts;
  layout_row outer(layouts, 64, 4);
  EXPECT_EQ(outer.match(begin(text), end(text)), nullptr) << "nothing was learned";
  outer.miss(begin(text));
  for (const std::string* learned : {&two, &none}) {
    layout_row inner(layouts, 64, 4);
    inner.miss(begin(*learned));
    EXPECT_EQ(outer.match(begin(text), end(text)), end(text));
  }
  EXPECT_EQ(outer.match(begin(text), end(text)), end(text));
}

TEST(learned_layouts, the_next_row_of_a_level_begins_with_what_the_one_before_learned) {
  const std::string text = numbers(1);
  learned_layouts layouts;
  EXPECT_FALSE(layouts.has_candidate());
  {
    layout_row row(layouts, 64, 4);
    row.miss(begin(text));
  }
  EXPECT_TRUE(layouts.has_candidate());
  layout_row row(layouts, 64, 4);
  EXPECT_FALSE(layouts.has_candidate()) << "that is the level inside";
  EXPECT_EQ(row.match(begin(text), end(text)), end(text));
}

TEST(learned_layouts, a_struct_without_a_layout_clears_the_one_of_its_level) {
  const std::string text = numbers(1), none = shapeless();
  learned_layouts layouts;
  {
    layout_lease lease(layouts);
    EXPECT_TRUE(lease.learn(begin(text)));
    EXPECT_FALSE(lease.learn(begin(none)));
    EXPECT_FALSE(lease.candidate());
  }
  EXPECT_FALSE(layouts.has_candidate());
  layout_row row(layouts, 64, 4);
  EXPECT_EQ(row.match(begin(text), end(text)), nullptr);
}

TEST(learned_layouts, a_hint_is_used_by_one_row) {
  const std::string text = numbers(1);
  detail::binary_shape known;
  ASSERT_TRUE(known.learn(begin(text)));
  learned_layouts layouts;
  layouts.expect(known.ref());
  EXPECT_TRUE(layouts.has_candidate());
  layout_row first(layouts, 64, 0), second(layouts, 64, 0);
  EXPECT_EQ(first.match(begin(text), end(text)), end(text));
  EXPECT_EQ(second.match(begin(text), end(text)), nullptr);
}

TEST(learned_layouts, a_layout_that_nests_deeper_than_allowed_is_not_tried) {
  const std::string text = numbers(1);
  detail::binary_shape known;
  ASSERT_TRUE(known.learn(begin(text)));
  learned_layouts layouts;
  layout_row row(layouts, known.ref(), 0, 4);
  EXPECT_EQ(row.match(begin(text), end(text)), nullptr);
}

TEST(learned_layouts, rows_deeper_than_there_are_layouts_learn_nothing) {
  const std::string text = numbers(1);
  learned_layouts layouts;
  std::deque<layout_lease> levels;
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_FALSE(layouts.has_candidate());
    layout_lease& lease = levels.emplace_back(layouts);
    EXPECT_EQ(static_cast<bool>(lease.learn(begin(text))), i < 4) << i;
    EXPECT_EQ(static_cast<bool>(lease.candidate()), i < 4) << i;
  }
  while (!levels.empty()) levels.pop_back();
  EXPECT_TRUE(layouts.has_candidate());
}

TEST(learned_layouts, a_row_that_varies_learns_only_what_two_structs_share) {
  const std::string one = numbers(1), two = numbers(2);
  learned_layouts layouts;
  layout_row row(layouts, 64, 16);
  row.miss(begin(one));
  EXPECT_EQ(row.match(begin(two), end(two)), nullptr) << "the first struct is learned at once";
  row.miss(begin(two));
  EXPECT_EQ(row.match(begin(two), end(two)), nullptr) << "differs from the one that missed before";
  layout_row inside(layouts, 64, 16);
  inside.miss(begin(one));
  EXPECT_EQ(inside.match(begin(one), end(one)), nullptr) << "no budget: the layout above did not pay off";
  inside.miss(begin(one));
  EXPECT_EQ(inside.match(begin(one), end(one)), end(one));
}

TEST(learned_layouts, a_successful_layout_refills_the_budget) {
  const std::string one = numbers(1), two = numbers(2);
  learned_layouts layouts;
  {
    layout_row row(layouts, 64, 16);
    row.miss(begin(one));
    EXPECT_EQ(row.match(begin(one), end(one)), end(one));
  }
  layout_row outer(layouts, 64, 16), inner(layouts, 64, 16);
  inner.miss(begin(two));
  EXPECT_EQ(inner.match(begin(two), end(two)), end(two));
}

TEST(learned_layouts, after_a_row_that_varied_short_rows_of_its_level_try_nothing) {
  const std::string one = numbers(1), two = numbers(2);
  learned_layouts layouts;
  {
    layout_row row(layouts, 64, 16);
    row.miss(begin(one));
    EXPECT_EQ(row.match(begin(two), end(two)), nullptr);
    row.miss(begin(two));
  }
  {
    layout_row row(layouts, 64, 16);
    EXPECT_EQ(row.match(begin(one), end(one)), nullptr);
    row.miss(begin(one)), row.miss(begin(one));
    EXPECT_EQ(row.match(begin(one), end(one)), nullptr);
  }
  layout_row row(layouts, 64, 1000);
  row.miss(begin(two)), row.miss(begin(two));
  EXPECT_EQ(row.match(begin(two), end(two)), end(two)) << "long rows learn again";
}
