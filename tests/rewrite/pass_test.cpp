#include <thriftlens/rewrite/pass.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_pass_of : testing::Test {
  tl::view<P> root{order_bytes<P>(), order_type()};
};
TYPED_TEST_SUITE(rewrite_pass_of, protocols);

TYPED_TEST(rewrite_pass_of, without_a_request_is_a_copy) {
  tl::buffer out;
  const tl::detail::rewrite_request<TypeParam> nothing;
  ASSERT_TRUE(tl::detail::run_rewrite(this->root, nothing, std::size_t{1} << 20, out));
  EXPECT_EQ(out.text(), order_bytes<TypeParam>());
}
TYPED_TEST(rewrite_pass_of, overwrites_in_place_if_nothing_moves) {
  std::uint8_t bytes[4] = {1, 2, 3, 4};
  const tl::byte_view old(bytes, 4);
  tl::buffer fresh(tl::byte_view("\x09", 1));
  const tl::byte_view result(fresh.data(), 1);
  EXPECT_FALSE(tl::detail::overwrite(bytes, old, tl::gathered({}, {result, old.part(0, 3)})));
  EXPECT_EQ(bytes[0], 1);
  EXPECT_TRUE(tl::detail::overwrite(bytes, old, tl::gathered({}, {result, old.part(1, 3)})));
  EXPECT_EQ(bytes[0], 9);
}

}  // namespace
