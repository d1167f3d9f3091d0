#include <thriftlens/protocol/walk.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;

namespace {

/// Records the visited values.
template <class P>
class lister : public tl::detail::walk<lister<P>, P> {
  using base = tl::detail::walk<lister<P>, P>;
  friend base;

 public:
  using base::base;
  std::string seen;

 private:
  bool scalar(ttype wire, std::uint32_t type) {
    seen += std::string(tl::to_string(wire)) + ' ';
    return base::scalar(wire, type);
  }
  bool sequence(ttype wire, std::uint32_t type) {
    seen += wire == ttype::set ? "set( " : "list( ";
    const bool is_ok = base::sequence(wire, type);
    seen += ") ";
    return is_ok;
  }
};

template <class P>
struct walk_of : testing::Test {};
TYPED_TEST_SUITE(walk_of, protocols);

tree sample() {
  return structure({{1, boolean(true)},
                    {2, list(ttype::i32, {i32(1), i32(300)})},
                    {3, list(ttype::string, {text("a")}, ttype::set)},
                    {40, map(ttype::i8, ttype::struct_, {{i8(1), structure({{1, real(0.5)}})}})}});
}

TYPED_TEST(walk_of, visits_every_value_once) {
  const std::string bytes = encode<TypeParam>(sample());
  typename TypeParam::reader in(bytes);
  lister<TypeParam> walk(in);
  EXPECT_TRUE(walk.value(ttype::struct_));
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(walk.seen, "bool list( i32 i32 ) set( string ) i8 double ");
}

TYPED_TEST(walk_of, ends_where_the_reader_fails) {
  const std::string bytes = encode<TypeParam>(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    typename TypeParam::reader in(tl::byte_view(bytes.data(), size)),
        skips(tl::byte_view(bytes.data(), size));
    lister<TypeParam> walk(in);
    EXPECT_FALSE(walk.value(ttype::struct_));
    EXPECT_FALSE(skips.skip(ttype::struct_));
    EXPECT_EQ(in.fault().code, skips.fault().code) << size;
  }
}

TYPED_TEST(walk_of, respects_the_depth_limit) {
  const std::string bytes = encode<TypeParam>(sample());
  typename TypeParam::reader in(bytes, tl::limits{.depth = 2});
  EXPECT_FALSE(lister<TypeParam>(in).value(ttype::struct_));
  EXPECT_EQ(in.fault().code, tl::errc::depth_limit);
  typename TypeParam::reader deeper(bytes, tl::limits{.depth = 3});
  EXPECT_TRUE(lister<TypeParam>(deeper).value(ttype::struct_));
}

}  // namespace
