#include <thriftlens/rewrite/fast/fast_trim.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct fast_trim_of : testing::Test {
  tl::view<P> root{order_bytes<P>(), order_type()};
};
TYPED_TEST_SUITE(fast_trim_of, protocols);

TYPED_TEST(fast_trim_of, declines_unsupported_options) {
  const tl::selection selected = tl::selection::compile(order_type(), "{ id }");
  using fast = tl::detail::fast_trim<TypeParam>;
  EXPECT_TRUE(fast::serves(selected, {}));
  EXPECT_TRUE(fast::serves(selected, {.limits = {.depth = 3}}));
  EXPECT_FALSE(fast::serves(selected, {.unknown = tl::on_unknown::keep}));
  EXPECT_FALSE(fast::serves(selected, {.defaults = tl::on_absent::write}));
  EXPECT_FALSE(fast::serves(selected, {.limits = {.output_size = 5}}));
}
TYPED_TEST(fast_trim_of, leaves_the_output_unchanged_when_it_declines) {
  const tl::selection selected = tl::selection::compile(order_type(), "{ id user { name } }");
  tl::buffer out(tl::byte_view("front", 5));
  const std::string more = order_bytes<TypeParam>() + "x";
  EXPECT_FALSE(tl::detail::fast_trim<TypeParam>::run(tl::view<TypeParam>(more, order_type()), selected, out));
  EXPECT_EQ(out.text(), "front");
  EXPECT_TRUE(tl::detail::fast_trim<TypeParam>::run(this->root, selected, out));
  EXPECT_GT(out.size(), 5u);
}

}  // namespace
