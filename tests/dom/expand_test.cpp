#include <thriftlens/dom/expand.hpp>

#include "dom/model.hpp"
#include "support/test.hpp"

namespace {

using namespace thriftlens_test;
namespace dom = thriftlens::detail::dom;

template <class P>
class expand : public testing::Test {};
TYPED_TEST_SUITE(expand, protocols);

model sample() {
  model list{.wire = tl::ttype::list, .element = tl::ttype::i32}, empty = list;
  for (int index : {1, 2, 3}) list.elements.push_back({.wire = tl::ttype::i32, .number = index});
  model root{.wire = tl::ttype::struct_};
  root.fields = {{std::int16_t{1}, {.wire = tl::ttype::bool_, .number = 1}},
                 {std::int16_t{2}, list},
                 {std::int16_t{3}, empty}};
  return root;
}

TYPED_TEST(expand, one_level_leaves_the_others_as_bytes) {
  const std::string bytes = wire_bytes_of<TypeParam>(sample());
  dom::tree of;
  dom::expander<TypeParam> work(of, bytes, 64, false);
  dom::slot root;
  ASSERT_TRUE(work.root(root, tl::ttype::struct_, tl::detail::image::none));
  EXPECT_TRUE(work.at_end());
  ASSERT_EQ(root.below->count, 3u);
  EXPECT_EQ(root.below->items[0].size, 1u);
  EXPECT_EQ(root.below->items[0].bytes[0], 1);
  EXPECT_FALSE(root.below->items[1].expanded);
  EXPECT_EQ(root.below->size, bytes.size());
}

TYPED_TEST(expand, deep_expands_all_but_empty_containers) {
  const std::string bytes = wire_bytes_of<TypeParam>(sample());
  dom::tree of;
  dom::expander<TypeParam> work(of, bytes, 64, true);
  dom::slot root;
  ASSERT_TRUE(work.root(root, tl::ttype::struct_, tl::detail::image::none));
  const dom::slot* fields = root.below->items;
  ASSERT_TRUE(fields[1].expanded);
  EXPECT_EQ(fields[1].below->count, 3u);
  EXPECT_EQ(fields[1].below->parent, root.below);
  EXPECT_FALSE(fields[2].expanded);
  EXPECT_TRUE(of.scratch.empty());
}

TYPED_TEST(expand, errors_leave_the_scratch_empty) {
  const std::string complete = wire_bytes_of<TypeParam>(sample());
  for (std::size_t cut = 0; cut < complete.size(); ++cut) {
    const std::string part = complete.substr(0, cut);
    for (const bool deep : {true, false}) {
      dom::tree of;
      dom::expander<TypeParam> work(of, part, 64, deep);
      dom::slot root;
      ASSERT_FALSE(work.root(root, tl::ttype::struct_, tl::detail::image::none));
      EXPECT_NE(work.failure().code, tl::errc::ok);
      EXPECT_TRUE(of.scratch.empty());
    }
  }
}

}  // namespace
