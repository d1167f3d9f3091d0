#include <thriftlens/lens/range.hpp>

#include "order.hpp"

#include <thriftlens/lens/view.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;
using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct range_of : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(range_of, protocols);

TYPED_TEST(range_of, plain_range_raises_at_broken_bytes) {
  std::string cut = order_bytes<TypeParam>().substr(0, order_bytes<TypeParam>().size() - 3);
  tl::view<TypeParam> v(cut, order_type());
  auto visit = [&] {
    for (auto field : v.fields()) static_cast<void>(field);
  };
  EXPECT_THROW(visit(), tl::error);
}

TYPED_TEST(range_of, try_range_ends_and_keeps_the_code) {
  std::string cut = order_bytes<TypeParam>().substr(0, order_bytes<TypeParam>().size() - 3);
  tl::view<TypeParam> v(cut, order_type());
  auto fields = v.try_fields();
  std::size_t count = 0;
  for (auto field : fields) count += field.id != 0;
  EXPECT_GT(count, 5u);
  EXPECT_EQ(fields.code(), errc::truncated);
  EXPECT_EQ(fields.error().code(), errc::truncated);
}

TYPED_TEST(range_of, wrong_kind_of_value_is_an_error) {
  tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  auto none = v["id"].try_elements();
  for (auto each : none) ADD_FAILURE() << each.offset();
  EXPECT_EQ(none.code(), errc::wrong_type);
  auto absent = v["payment"]["card"].try_entries();
  for (auto each : absent) ADD_FAILURE() << each.key.offset();
  EXPECT_EQ(absent.code(), errc::absent);
  auto visit = [&] {
    for (auto each : v["items"].entries()) static_cast<void>(each);
  };
  EXPECT_THROW(visit(), tl::error);
}

TYPED_TEST(range_of, empty_containers_have_no_children) {
  std::string bytes = encode<TypeParam>(structure({{3, list(ttype::struct_, {})}, {4, map(ttype::string, ttype::struct_, {})}}));
  tl::view<TypeParam> v(bytes, order_type());
  for (auto each : v["items"].elements()) ADD_FAILURE() << each.offset();
  for (auto each : v["by_sku"].entries()) ADD_FAILURE() << each.key.offset();
  EXPECT_EQ(v["items"].size() + v["by_sku"].size(), 0u);
}

}  // namespace
