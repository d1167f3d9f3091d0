#include <thriftlens/rewrite/wire_copier.hpp>

#include "support/order.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using namespace thriftlens_test;

namespace {

template <class P>
struct copies : tl::detail::wire_copier<P> {
  using base = tl::detail::wire_copier<P>;
  using base::base;
  /// Drops the field `id` of a struct of scalars.
  bool run(std::int16_t id) {
    tl::detail::last_ids ids;
    this->begin_at(this->in_.here());
    tl::field_header header;
    for (;;) {
      const std::uint8_t* begin = this->in_.at();
      if (!this->in_.read_field(header)) return false;
      if (header.type == tl::ttype::stop) break;
      if (header.id != id) this->keep_header(ids, header, begin);
      if (!(header.id == id ? this->skip_without_copy(begin, header.type) : this->in_.skip(header.type)))
        return false;
      ids.in = header.id;
    }
    this->flush(this->in_.at());
    return true;
  }
};
template <class P>
struct wire_copier_of : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(wire_copier_of, protocols);

TYPED_TEST(wire_copier_of, headers_after_a_dropped_field_are_mended) {
  const std::string bytes =
      encode<TypeParam>(structure({{1, i32(1)}, {2, boolean(true)}, {40, boolean(true)}, {41, i32(3)}}));
  tl::buffer out;
  tl::detail::splicer pieces(out, tl::detail::splicer::never);
  ASSERT_TRUE(copies<TypeParam>(tl::byte_view(std::string_view(bytes)), pieces).run(2));
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{1, i32(1)}, {40, boolean(true)}, {41, i32(3)}})));
}

}  // namespace
