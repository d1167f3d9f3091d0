#include <thriftlens/edit/fast/fast_elements.hpp>

#include "support/order.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using namespace thriftlens_test;

namespace {

template <class P>
void takes_the_whole_ones(std::size_t cut_off, std::size_t expected) {
  std::string bytes;
  for (const char* sku : {"a", "b", "c"}) bytes += encode<P>(item(sku, 2));
  bytes.resize(bytes.size() - cut_off);
  const tl::type of = order_type().find_field("items").type().element();
  const tl::selection what = tl::selection::compile(of, "{ sku }");
  const tl::view<P> from(bytes, of);
  const tl::detail::fast_request asked{.selected = &what};
  tl::buffer out;
  tl::detail::fast_elements<P> pass(from, asked, out);
  tl::byte_ptr at = from.whole().begin();
  EXPECT_EQ(pass.run(at, what.root(), of.index(), 3, 8), expected);
  std::string kept;
  for (std::size_t i = 0; i < expected; ++i)
    kept += encode<P>(structure({{1, text(std::string(1, static_cast<char>('a' + i)))}}));
  EXPECT_EQ(out.str(), kept);
  EXPECT_EQ(pass.report.trimmed, 2 * expected);
  EXPECT_EQ(static_cast<std::size_t>(at - from.whole().begin()), encode<P>(item("a", 2)).size() * expected);
}

TEST(fast_elements, stops_in_front_of_one_that_is_not_whole) {
  takes_the_whole_ones<tl::binary>(0, 3);
  takes_the_whole_ones<tl::binary>(1, 2);
  takes_the_whole_ones<tl::compact>(0, 3);
  takes_the_whole_ones<tl::compact>(3, 2);
}

}  // namespace
