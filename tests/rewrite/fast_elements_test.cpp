#include <thriftlens/rewrite/fast/fast_elements.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
void takes_complete_elements(std::size_t cut_off, std::size_t expected) {
  std::string bytes;
  for (const char* sku : {"a", "b", "c"}) bytes += encode<P>(item(sku, 2));
  bytes.resize(bytes.size() - cut_off);
  const tl::type of = order_type().find_field("items").type().element();
  const tl::selection selected = tl::selection::compile(of, "{ sku }");
  const tl::view<P> from(bytes, of);
  const tl::detail::fast_request request{.selected = &selected};
  tl::buffer out;
  tl::detail::fast_elements<P> pass(from, request, out);
  tl::byte_ptr at = from.whole().begin();
  EXPECT_EQ(pass.run(at, selected.root(), of.index(), 3, 8), expected);
  std::string retained;
  for (std::size_t i = 0; i < expected; ++i)
    retained += encode<P>(structure({{1, text(std::string(1, static_cast<char>('a' + i)))}}));
  EXPECT_EQ(out.str(), retained);
  EXPECT_EQ(pass.report.trimmed, 2 * expected);
  EXPECT_EQ(static_cast<std::size_t>(at - from.whole().begin()), encode<P>(item("a", 2)).size() * expected);
}

TEST(fast_elements, stops_before_an_incomplete_element) {
  takes_complete_elements<tl::binary>(0, 3);
  takes_complete_elements<tl::binary>(1, 2);
  takes_complete_elements<tl::compact>(0, 3);
  takes_complete_elements<tl::compact>(3, 2);
}

}  // namespace
