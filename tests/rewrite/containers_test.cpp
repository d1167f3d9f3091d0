#include <thriftlens/rewrite/containers.hpp>

#include <thriftlens/rewrite/pass.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_containers_of : testing::Test {
  tl::view<P> root{order_bytes<P>(), order_type()};
};
TYPED_TEST_SUITE(rewrite_containers_of, protocols);

TYPED_TEST(rewrite_containers_of, sizes_follow_edits) {
  tl::detail::edit_entry entry(tl::detail::edit_action::erase, tl::path::compile(order_type(), "$.items[*]"),
                               0, 0);
  tl::detail::edit_tree tree;
  ASSERT_EQ(tree.add<tl::binary>(entry.target_path, entry.action, 0), tl::errc::ok);
  tl::detail::rewrite_request<TypeParam> request;
  request.edits = &tree;
  request.entries = {&entry, 1};
  tl::buffer out;
  ASSERT_TRUE(tl::detail::run_rewrite(this->root, request, std::size_t{1} << 20, out));
  EXPECT_EQ(tl::view<TypeParam>(out, order_type()).at("$.items").size(), 0u);
}

}  // namespace
