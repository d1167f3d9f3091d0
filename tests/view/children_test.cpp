#include <thriftlens/view/children.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct children_of : testing::Test {
  static tl::children<P> root(std::string_view bytes) {
    typename P::reader in(bytes);
    return {bytes, order_type().image(), {in.here(), order_type().index(), ttype::struct_}};
  }
};
TYPED_TEST_SUITE(children_of, protocols);

TYPED_TEST(children_of, ends_after_the_value) {
  const std::string& bytes = order_bytes<TypeParam>();
  auto inside = this->root(bytes);
  std::size_t count = 0, unknown = 0;
  while (inside.next()) {
    ++count;
    unknown += inside.field() == tl::detail::image::none;
  }
  EXPECT_EQ(inside.code(), errc::ok);
  EXPECT_EQ(count, 15u);
  EXPECT_EQ(unknown, 1u);
  EXPECT_EQ(reinterpret_cast<const char*>(inside.end()), bytes.data() + bytes.size());
  EXPECT_FALSE(inside.next());
}

TYPED_TEST(children_of, every_truncation_has_a_code) {
  const std::string& bytes = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::string cut = bytes.substr(0, size);
    auto inside = this->root(cut);
    while (inside.next()) {
    }
    EXPECT_EQ(inside.code(), errc::truncated) << size;
  }
}

TYPED_TEST(children_of, scalars_have_no_children) {
  std::string bytes = encode<TypeParam>(i32(5));
  typename TypeParam::reader in(bytes);
  tl::children<TypeParam> inside(bytes, nullptr, {in.here(), tl::detail::image::none, ttype::i32});
  EXPECT_EQ(inside.code(), errc::wrong_type);
  EXPECT_FALSE(inside.next());
}

}  // namespace
