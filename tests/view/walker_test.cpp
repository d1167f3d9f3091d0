#include <thriftlens/view/walker.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct walker_of : testing::Test {
  static tl::detail::walker<P> at_root() {
    typename P::reader in(order_bytes<P>());
    return {order_bytes<P>(), order_type().image(), {in.here(), order_type().index(), ttype::struct_}};
  }
};
TYPED_TEST_SUITE(walker_of, protocols);

TYPED_TEST(walker_of, follows_every_step_of_a_path) {
  tl::path path_text = tl::path::compile(order_type(), "$.deep{\"d\"}[-1]{7}.id");
  auto at = this->at_root();
  for (const tl::path_step& step : path_text.steps()) ASSERT_EQ(at.step(step), errc::ok);
  std::int64_t id = 0;
  EXPECT_TRUE(at.reader().read_i64(id));
  EXPECT_EQ(id, 70);
  EXPECT_EQ(at.type(), path_text.to().index());
}

TYPED_TEST(walker_of, reports_the_failed_step) {
  EXPECT_EQ(this->at_root().index(0), errc::wrong_type);
  EXPECT_EQ(this->at_root().key(1), errc::wrong_type);
  EXPECT_EQ(this->at_root().field(99, tl::detail::image::none), errc::absent);
  auto at = this->at_root();
  ASSERT_EQ(at.field(3, order_type().find_field("items").index()), errc::ok);
  auto other = at;
  EXPECT_EQ(at.index(3), errc::bad_index);
  EXPECT_EQ(other.field(1, tl::detail::image::none), errc::wrong_type);
}

TYPED_TEST(walker_of, keys_of_other_forms_are_different) {
  auto at = this->at_root();
  ASSERT_EQ(at.field(4, order_type().find_field("by_sku").index()), errc::ok);
  EXPECT_EQ(at.key(1), errc::absent);
}

}  // namespace
