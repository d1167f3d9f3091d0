#include <thriftlens/rewrite/fast/fast_rewrite.hpp>

#include <thriftlens/rewrite/pass.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct fast_rewrite_of : testing::Test {
  tl::view<P> root{order_bytes<P>(), order_type()};
};
TYPED_TEST_SUITE(fast_rewrite_of, protocols);

TYPED_TEST(fast_rewrite_of, leaves_the_output_unchanged_when_it_declines) {
  const tl::selection selected = tl::selection::compile(order_type(), "{ id user { name } }");
  const tl::detail::fast_request request{.selected = &selected};
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < complete.size(); ++size) {
    tl::buffer out(tl::byte_view("front", 5));
    const tl::view<TypeParam> cut(std::string_view(complete).substr(0, size), order_type());
    EXPECT_FALSE((tl::detail::fast_rewriter<TypeParam, true, false, false>(cut, request, out).run()));
    EXPECT_EQ(out.text(), "front");
  }
}
TYPED_TEST(fast_rewrite_of, equals_the_general_pass) {
  for (const char* text : {"{ id }", "{ -items }", "{ user { name } items { sku } }", "{ * }"}) {
    const tl::selection selected = tl::selection::compile(order_type(), text);
    const tl::detail::fast_request request{.selected = &selected};
    tl::detail::rewrite_request<TypeParam> general;
    general.selected = &selected;
    tl::buffer fast, slow;
    tl::detail::fast_rewriter<TypeParam, true, false, false> pass(this->root, request, fast);
    ASSERT_TRUE(pass.run());
    const auto status = tl::detail::run_rewrite(this->root, general, std::size_t{1} << 20, slow);
    ASSERT_TRUE(status);
    EXPECT_EQ(fast, slow) << text;
    EXPECT_EQ(pass.report.trimmed, status->trimmed);
  }
}

}  // namespace
