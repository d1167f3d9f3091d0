#include <thriftlens/rewrite/structs.hpp>

#include <thriftlens/rewrite/pass.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_structs_of : testing::Test {};
TYPED_TEST_SUITE(rewrite_structs_of, protocols);

TYPED_TEST(rewrite_structs_of, a_dropped_field_adjusts_later_headers) {
  const std::string bytes =
      encode<TypeParam>(structure({{1, i64(1)}, {10, text("d")}, {77, text("unknown")}}));
  const tl::selection selected = tl::selection::compile(order_type(), "{ -id }");
  tl::detail::rewrite_request<TypeParam> request;
  request.selected = &selected;
  tl::buffer out;
  const tl::view<TypeParam> input(bytes, order_type());
  const auto status = tl::detail::run_rewrite(input, request, std::size_t{1} << 20, out);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->trimmed, 1u);
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{10, text("d")}, {77, text("unknown")}})));
}

}  // namespace
