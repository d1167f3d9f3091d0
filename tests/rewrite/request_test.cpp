#include <thriftlens/rewrite/request.hpp>

#include <thriftlens/rewrite/value_in.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

TEST(rewrite_request, without_policy_only_its_edits_apply) {
  const tl::selection selected = tl::selection::compile(order_type(), "{ id }");
  const tl::detail::rewrite_program rules;
  const tl::detail::edit_tree edits;
  tl::detail::rewrite_request<tl::binary> request;
  request.selected = &selected;
  request.rules = &rules;
  request.edits = &edits;
  request.two_pass = true;
  const auto remaining = request.without_policy();
  EXPECT_EQ(remaining.selected, nullptr);
  EXPECT_EQ(remaining.rules, nullptr);
  EXPECT_EQ(remaining.edits, &edits);
  EXPECT_TRUE(remaining.two_pass);
}

TEST(rewrite_request, depth_of_a_value_is_checked) {
  tl::buffer value;
  ASSERT_EQ(tl::detail::append_value<tl::binary>(
                value, order_type().find_field("items").type().element().field("tags").type(),
                std::vector<std::string>{"a"}),
            tl::errc::ok);
  EXPECT_FALSE(tl::detail::fits_depth<tl::binary>(value, tl::ttype::list, 0));
  EXPECT_TRUE(tl::detail::fits_depth<tl::binary>(value, tl::ttype::list, 1));
  EXPECT_TRUE(tl::detail::fits_depth<tl::binary>({}, tl::ttype::i32, 0));
}
