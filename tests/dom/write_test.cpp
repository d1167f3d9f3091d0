#include <thriftlens/dom/write.hpp>

#include "dom/model.hpp"
#include "support/test.hpp"

#include <thriftlens/dom/expand.hpp>

namespace {

using namespace thriftlens_test;
namespace dom = thriftlens::detail::dom;

template <class P>
class write : public testing::Test {};
TYPED_TEST_SUITE(write, protocols);

void touch(dom::slot& of) {
  if (!of.expanded) return;
  of.below->changed = true;
  for (std::uint32_t i = 0; i < of.below->count; ++i) touch(of.below->items[i]);
}

TYPED_TEST(write, a_tree_marked_as_changed_gives_the_same_bytes) {
  chance random(9);
  for (int round = 0; round < 300; ++round) {
    const std::string bytes = wire_bytes_of<TypeParam>(random_model(random, dom_schema().type("Tree"), 4));
    dom::tree of;
    dom::slot root;
    dom::expander<TypeParam> work(of, bytes, 64, true);
    ASSERT_TRUE(work.root(root, tl::ttype::struct_, tl::detail::image::none));
    touch(root);
    tl::buffer out;
    dom::tree_writer<TypeParam> writer(of, out);
    ASSERT_TRUE(writer.value(root));
    ASSERT_EQ(out.str(), bytes);
  }
}

TYPED_TEST(write, erased_fields_are_left_out) {
  model root{.wire = tl::ttype::struct_};
  for (int id = 1; id <= 5; ++id)
    root.fields.emplace_back(static_cast<std::int16_t>(id),
                             model{.wire = tl::ttype::bool_, .number = id % 2});
  const std::string bytes = wire_bytes_of<TypeParam>(root);
  for (std::size_t gone = 0; gone < 5; ++gone) {
    dom::tree of;
    dom::slot at;
    dom::expander<TypeParam> work(of, bytes, 64, true);
    ASSERT_TRUE(work.root(at, tl::ttype::struct_, tl::detail::image::none));
    at.below->changed = true;
    at.below->items[gone].wire = tl::ttype::stop;
    at.below->dead = 1;
    tl::buffer out;
    ASSERT_TRUE((dom::tree_writer<TypeParam>(of, out).value(at)));
    model expected = root;
    expected.fields.erase(expected.fields.begin() + static_cast<std::ptrdiff_t>(gone));
    EXPECT_EQ(out.str(), wire_bytes_of<TypeParam>(expected));
  }
}

TYPED_TEST(write, limits_of_output_and_depth_are_faults) {
  chance random(2);
  const std::string bytes = wire_bytes_of<TypeParam>(random_model(random, dom_schema().type("Tree"), 4));
  dom::tree of;
  dom::slot root;
  dom::expander<TypeParam> work(of, bytes, 64, true);
  ASSERT_TRUE(work.root(root, tl::ttype::struct_, tl::detail::image::none));
  touch(root);
  tl::buffer out;
  dom::tree_writer<TypeParam> shallow(of, out);
  EXPECT_FALSE(shallow.value(root, 0));
  EXPECT_EQ(shallow.failure().code, tl::errc::depth_limit);
  of.options.limits.output_size = 1;
  dom::tree_writer<TypeParam> narrow(of, out);
  EXPECT_FALSE(narrow.value(root));
  EXPECT_EQ(narrow.failure().code, tl::errc::output_limit);
}

}  // namespace
