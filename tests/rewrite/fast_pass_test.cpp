#include <thriftlens/rewrite/fast/fast_pass.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

/// The arguments of passes.
template <class P>
struct pass : tl::detail::fast_pass<P> {
  using base = tl::detail::fast_pass<P>;
  explicit pass(const tl::view<P>& from) : base(from) {}
  using base::open_list;
  using base::open_map;
};
template <class P>
struct fast_pass_of : testing::Test {
  /// Whether the header at the start of the bytes is accepted for a value of that type.
  bool opens(const tl::type& type, const tree& value) {
    const std::string bytes = encode<P>(value);
    const tl::view<P> root(bytes, type);
    const std::uint8_t* at = root.whole().begin();
    tl::list_header list;
    tl::map_header map;
    const tl::detail::image::type_node& self = type.image()->types[type.index()];
    const pass<P> request(root);
    return type.kind() == tl::type_kind::map ? request.open_map(at, self, map)
                                             : request.open_list(at, self, list);
  }
};
TYPED_TEST_SUITE(fast_pass_of, protocols);

TYPED_TEST(fast_pass_of, containers_of_other_types_are_declined_unless_empty) {
  const tl::schema schema = tl::schema::parse("struct S { 1: list<i32> l, 2: map<i32, string> m }");
  const tl::type list_type = schema.type("S").find_field("l").type(),
                 map_type = schema.type("S").field("m").type();
  EXPECT_TRUE(this->opens(list_type, list(ttype::i32, {i32(1)})));
  EXPECT_FALSE(this->opens(list_type, list(ttype::i64, {i64(1)})));
  EXPECT_TRUE(this->opens(list_type, list(ttype::i64, {})));
  EXPECT_TRUE(this->opens(map_type, map(ttype::i32, ttype::string, {{i32(1), text("a")}})));
  EXPECT_FALSE(this->opens(map_type, map(ttype::i32, ttype::i32, {{i32(1), i32(1)}})));
  EXPECT_FALSE(this->opens(map_type, map(ttype::i64, ttype::string, {{i64(1), text("a")}})));
  EXPECT_TRUE(this->opens(map_type, map(ttype::i64, ttype::string, {})));
}

}  // namespace
