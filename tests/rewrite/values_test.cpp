#include <thriftlens/rewrite/values.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc, tl::detail::edit_action;
using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_values : testing::Test {
  tl::detail::edit_tree tree;
  std::vector<tl::detail::edit_entry> edits;
  tl::buffer values;

  tl::detail::rewrite_request<P> request(bool two_pass) const {
    tl::detail::rewrite_request<P> result;
    result.edits = &tree;
    result.entries = edits;
    result.values = values;
    result.two_pass = two_pass;
    return result;
  }
  void add(std::string_view text, edit_action action, std::string_view value) {
    tl::detail::edit_entry entry(action, tl::path::compile(order_type(), text), values.size(), value.size());
    values.append({value.data(), value.size()});
    ASSERT_EQ(tree.add<tl::binary>(entry.target_path, action, static_cast<std::uint32_t>(edits.size())),
              errc::ok);
    edits.push_back(std::move(entry));
  }
};
TYPED_TEST_SUITE(rewrite_values, protocols);

TYPED_TEST(rewrite_values, field_out_of_order_needs_two_passes) {
  std::string bytes = encode<TypeParam>(structure({{10, text("d")}, {1, i64(1)}}));
  this->add("$.id", edit_action::set, encode<TypeParam>(i64(2)));
  tl::view<TypeParam> v(bytes, order_type());
  tl::buffer own;
  tl::detail::splicer out(own, tl::detail::splicer::never);
  const auto once = this->request(false), twice = this->request(true);
  tl::detail::rewrite_state<TypeParam> quick(v, once, out);
  EXPECT_FALSE(tl::detail::value_rewriter<TypeParam>(quick).run());
  EXPECT_TRUE(quick.out_of_order);
  out.restart();
  tl::detail::rewrite_state<TypeParam> careful(v, twice, out);
  EXPECT_TRUE(tl::detail::value_rewriter<TypeParam>(careful).run());
  EXPECT_EQ(own.text(), encode<TypeParam>(structure({{10, text("d")}, {1, i64(2)}})));
}

TYPED_TEST(rewrite_values, reports_the_failed_edit_and_its_path) {
  std::string bytes = encode<TypeParam>(structure({{1, i64(1)}, {13, list(ttype::i32, {}, ttype::set)}}));
  this->add("$.id", edit_action::set, encode<TypeParam>(i64(2)));
  this->add("$.numbers[3]", edit_action::set, encode<TypeParam>(i32(2)));
  tl::buffer own;
  tl::detail::splicer out(own, tl::detail::splicer::never);
  const auto requested = this->request(true);
  tl::detail::rewrite_state<TypeParam> pass(tl::view<TypeParam>(bytes, order_type()), requested, out);
  EXPECT_FALSE(tl::detail::value_rewriter<TypeParam>(pass).run());
  EXPECT_EQ(pass.code, errc::bad_index);
  EXPECT_EQ(pass.failing_edit, 1u);
  EXPECT_LT(pass.where, bytes.size());
}

}  // namespace
