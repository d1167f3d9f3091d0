#include <thriftlens/view/path_visitor.hpp>

#include <thriftlens/view/view.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

TEST(path_visitor, counts_values_and_keeps_the_first_error) {
  const std::string bytes = order_bytes<tl::binary>();
  const tl::view<tl::binary> order(bytes, order_type());
  std::string skus;
  const auto visit = [&](const tl::view<tl::binary>& item) { skus += item.as<std::string_view>(); };
  tl::detail::path_visitor<tl::binary, decltype(visit)> visitor(visit);
  const tl::path last = tl::path::compile(order_type(), "$.items[1:].sku");
  visitor.run(order, last.steps());
  EXPECT_EQ(skus, "bc");
  EXPECT_EQ(visitor.count(), 2u);
  EXPECT_FALSE(visitor.failure());

  const tl::byte_view second = order.at("$.items[1]").bytes();
  const std::string cut =
      bytes.substr(0, static_cast<std::size_t>(second.begin() - order.bytes().begin()) + 1);
  tl::detail::path_visitor<tl::binary, decltype(visit)> broken(visit);
  const tl::path all = tl::path::compile(order_type(), "$.items[*].sku");
  broken.run(tl::view<tl::binary>(cut, order_type()), all.steps());
  ASSERT_TRUE(broken.failure());
  EXPECT_EQ(broken.failure()->code(), tl::errc::truncated);
}

}  // namespace
