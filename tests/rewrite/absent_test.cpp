#include <thriftlens/rewrite/absent.hpp>

#include <thriftlens/rewrite/pass.hpp>

#include "support/order.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_absent_of : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(rewrite_absent_of, protocols);

TYPED_TEST(rewrite_absent_of, creates_absent_parents) {
  const std::string bytes = encode<TypeParam>(structure({{1, i64(1)}}));
  tl::detail::edit_entry entry(tl::detail::edit_action::create,
                               tl::path::compile(order_type(), "$.user.name"), 0, 0);
  const std::string name = encode<TypeParam>(text("made"));
  entry.value_size = name.size();
  tl::detail::edit_tree tree;
  ASSERT_EQ(tree.add<tl::binary>(entry.target_path, entry.action, 0), tl::errc::ok);
  tl::detail::rewrite_request<TypeParam> request;
  request.edits = &tree;
  request.entries = {&entry, 1};
  request.values = tl::byte_view(std::string_view(name));
  tl::buffer out;
  const tl::view<TypeParam> input(bytes, order_type());
  ASSERT_TRUE(tl::detail::run_rewrite(input, request, std::size_t{1} << 20, out));
  EXPECT_EQ(tl::view<TypeParam>(out, order_type()).at("$.user.name").template as<std::string>(), "made");
}

}  // namespace
