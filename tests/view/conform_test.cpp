#include <thriftlens/view/conform.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct conforms_of : testing::Test {
  static errc check(const tree& value, tl::type of) {
    std::string bytes = encode<P>(value);
    return tl::detail::conforms<P>(bytes, of).code;
  }
};
TYPED_TEST_SUITE(conforms_of, protocols);

TYPED_TEST(conforms_of, values_of_the_type) {
  EXPECT_EQ(this->check(sample_order(), order_type()), errc::ok);
  EXPECT_EQ(this->check(list(ttype::struct_, {item("a", 1)}), order_type().find_field("items").type()),
            errc::ok);
  EXPECT_EQ(this->check(i64(1), order_type().find_field("id").type()), errc::ok);
  EXPECT_EQ(this->check(boolean(true), order_type().find_field("rates").type().value()), errc::ok);
}

TYPED_TEST(conforms_of, contradictions_at_any_depth) {
  EXPECT_EQ(this->check(structure({{1, i32(1)}}), order_type()), errc::type_mismatch);
  EXPECT_EQ(this->check(structure({{2, structure({{1, i32(1)}})}}), order_type()), errc::type_mismatch);
  EXPECT_EQ(this->check(structure({{3, list(ttype::i32, {i32(1)})}}), order_type()), errc::type_mismatch);
  EXPECT_EQ(this->check(
                structure({{4, map(ttype::string, ttype::struct_, {{text("k"), structure({{2, i32(1)}})}})}}),
                order_type()),
            errc::type_mismatch);
  EXPECT_EQ(
      this->check(structure({{11, map(ttype::struct_, ttype::i32, {{structure({{1, i32(1)}}), i32(1)}})}}),
                  order_type()),
      errc::type_mismatch);
}

TYPED_TEST(conforms_of, truncated_and_trailing_bytes) {
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < complete.size(); ++size) {
    std::string cut = complete.substr(0, size);
    EXPECT_EQ(tl::detail::conforms<TypeParam>(cut, order_type()).code, errc::truncated) << size;
  }
  std::string longer = complete + '\0';
  EXPECT_EQ(tl::detail::conforms<TypeParam>(longer, order_type()).code, errc::trailing_bytes);
}

TYPED_TEST(conforms_of, depth_is_bounded) {
  tree nested = item("x", 1);
  for (int i = 0; i < 70; ++i) {
    tree outer = structure({{4, nested}});
    nested = outer;
  }
  EXPECT_EQ(this->check(nested, shop().type("Item")), errc::depth_limit);
}

}  // namespace
