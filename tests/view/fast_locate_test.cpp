#include <thriftlens/view/fast/fast_locate.hpp>

#include <thriftlens/view/locate.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

// locate_test.cpp compares it with generic_locate on complete, truncated and random bytes.
template <class P>
struct fast_locate_of : testing::Test {
  static bool runs(std::string_view bytes, const char* text) {
    const tl::path path_text = tl::path::compile(order_type(), text);
    typename P::reader in(bytes);
    const tl::detail::wire_location root{in.here(), order_type().index(), ttype::struct_};
    tl::detail::located fast, generic;
    if (!tl::detail::fast_locator<P>(bytes, order_type().image()).run(root, path_text.steps(), fast))
      return false;
    tl::detail::generic_locate<P>(bytes, order_type().image(), root, path_text.steps(), generic);
    EXPECT_EQ(fast.code, generic.code) << text;
    EXPECT_EQ(fast.location.at.at, generic.location.at.at) << text;
    return true;
  }
};
TYPED_TEST_SUITE(fast_locate_of, protocols);

TYPED_TEST(fast_locate_of, handles_fields_elements_and_keys) {
  const std::string bytes = encode<TypeParam>(sample_order());
  for (const char* text : {"$", "$.id", "$.user.name", "$.items[1].sku", "$.items[-1].price",
                           "$.by_sku{\"k1\"}.price", "$.notes{1}", "$.by_sku{\"none\"}"})
    EXPECT_TRUE(this->runs(bytes, text)) << text;
}

TYPED_TEST(fast_locate_of, falls_back_on_errors) {
  const std::string bytes = encode<TypeParam>(sample_order());
  EXPECT_FALSE(this->runs(bytes, "$.items[1000]"));
  EXPECT_FALSE(this->runs(std::string_view(bytes).substr(0, 3), "$.items[0]"));
  // At the root, absent requires that all bytes are valid.
  const std::string without = encode<TypeParam>(structure({{1, i64(7)}}));
  EXPECT_TRUE(this->runs(without, "$.debug"));
  EXPECT_FALSE(this->runs(without + "more", "$.debug"));
}

}  // namespace
