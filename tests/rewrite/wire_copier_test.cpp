#include <thriftlens/rewrite/wire_copier.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct wire_copier_of : testing::Test {};
TYPED_TEST_SUITE(wire_copier_of, protocols);

TYPED_TEST(wire_copier_of, headers_after_a_dropped_field_are_adjusted) {
  const std::string bytes =
      encode<TypeParam>(structure({{1, i32(1)}, {2, boolean(true)}, {40, boolean(true)}, {41, i32(3)}}));
  tl::buffer out;
  tl::detail::splicer pieces(out, tl::detail::splicer::never);
  tl::detail::wire_copier<TypeParam> copier(tl::byte_view(std::string_view(bytes)), pieces);
  copier.begin_at(copier.in.here());
  tl::detail::last_ids ids;
  tl::field_header header;
  for (const std::uint8_t* begin = copier.in.at();
       copier.in.read_field(header) && header.type != tl::ttype::stop; begin = copier.in.at()) {
    if (header.id != 2) copier.keep_header(ids, header, begin);
    ASSERT_TRUE(header.id == 2 ? copier.skip_without_copy(begin, header.type) : copier.in.skip(header.type));
    ids.in = header.id;
  }
  copier.flush(copier.in.at());
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{1, i32(1)}, {40, boolean(true)}, {41, i32(3)}})));
}

}  // namespace
