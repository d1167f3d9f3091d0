#include <thriftlens/edit/edit_run.hpp>

#include "support/order.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using tl::errc;
using tl::detail::edit_action;
using namespace thriftlens_test;

namespace {

template <class P>
struct edit_run_of : testing::Test {
  tl::detail::edit_tree tree;
  std::vector<tl::detail::edit_entry> edits;
  tl::buffer values;

  void add(std::string_view text, edit_action action, std::string_view value) {
    tl::detail::edit_entry entry;
    entry.action = action;
    entry.way = tl::path::parse(order_type(), text);
    entry.value_at = values.size();
    entry.value_size = value.size();
    values.append({value.data(), value.size()});
    ASSERT_EQ(tree.add(entry.way, action, static_cast<std::uint32_t>(edits.size())), errc::ok);
    edits.push_back(std::move(entry));
  }
};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(edit_run_of, protocols);

TYPED_TEST(edit_run_of, field_that_stands_further_behind_asks_for_a_careful_run) {
  std::string bytes = encode<TypeParam>(structure({{10, text("d")}, {1, i64(1)}}));
  this->add("$.id", edit_action::set, encode<TypeParam>(i64(2)));
  tl::view<TypeParam> v(bytes, order_type());
  tl::buffer own;
  tl::splicer out(own, tl::splicer::never);
  tl::detail::edit_runner<TypeParam> quick(v, this->tree, this->edits, this->values, out, false);
  EXPECT_FALSE(quick.run());
  EXPECT_TRUE(quick.out_of_order);
  out.restart();
  tl::detail::edit_runner<TypeParam> careful(v, this->tree, this->edits, this->values, out, true);
  EXPECT_TRUE(careful.run());
  EXPECT_EQ(own.text(), encode<TypeParam>(structure({{10, text("d")}, {1, i64(2)}})));
}

TYPED_TEST(edit_run_of, says_which_edit_failed_and_where) {
  std::string bytes = encode<TypeParam>(structure({{1, i64(1)}, {13, list(ttype::i32, {}, ttype::set)}}));
  this->add("$.id", edit_action::set, encode<TypeParam>(i64(2)));
  this->add("$.numbers[3]", edit_action::set, encode<TypeParam>(i32(2)));
  tl::buffer own;
  tl::splicer out(own, tl::splicer::never);
  tl::detail::edit_runner<TypeParam> pass(tl::view<TypeParam>(bytes, order_type()), this->tree, this->edits,
                                          this->values, out, true);
  EXPECT_FALSE(pass.run());
  EXPECT_EQ(pass.code, errc::bad_index);
  EXPECT_EQ(pass.culprit, 1u);
  EXPECT_LT(pass.where, bytes.size());
}

}  // namespace
