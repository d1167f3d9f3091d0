#include <thriftlens/rewrite/state.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

TEST(rewrite_state, first_failure_is_reported) {
  const tl::view<tl::binary> root(thriftlens_test::order_bytes<tl::binary>(), thriftlens_test::order_type());
  const tl::detail::rewrite_request<tl::binary> request;
  tl::buffer own;
  tl::detail::splicer out(own, tl::detail::splicer::never);
  tl::detail::rewrite_state<tl::binary> pass(root, request, out);
  EXPECT_FALSE(pass.reject(tl::errc::bad_index, 3));
  EXPECT_FALSE(pass.reject(tl::errc::absent, 4));
  EXPECT_EQ(pass.code, tl::errc::bad_index);
  EXPECT_EQ(pass.failing_edit, 3u);
}
