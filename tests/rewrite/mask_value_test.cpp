#include <thriftlens/rewrite/mask_value.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct masker_of : testing::Test {
  template <class Mask>
  static std::string masked(const tree& value, Mask mask) {
    const std::string bytes = encode<P>(value);
    typename P::reader in{tl::byte_view(bytes), tl::limits{}};
    tl::buffer out;
    tl::detail::masker<P> by(in, out);
    EXPECT_TRUE(mask(by));
    EXPECT_TRUE(in.at_end());
    return out.str();
  }
};
TYPED_TEST_SUITE(masker_of, protocols);

TYPED_TEST(masker_of, keeps_the_last_characters_and_digits) {
  const auto last = [](tl::ttype wire, std::uint32_t n) {
    return [=](auto& by) { return by.keep_last(wire, n); };
  };
  EXPECT_EQ(this->masked(text("abc\u00e4x"), last(tl::ttype::string, 2)),
            encode<TypeParam>(text("***\u00e4x")));
  EXPECT_EQ(this->masked(text("ab"), last(tl::ttype::string, 2)), encode<TypeParam>(text("**")));
  EXPECT_EQ(this->masked(i32(-12345), last(tl::ttype::i32, 2)), encode<TypeParam>(i32(45)));
  EXPECT_EQ(this->masked(i32(12), last(tl::ttype::i32, 2)), encode<TypeParam>(i32(0)));
}
TYPED_TEST(masker_of, hashes_to_the_same_width) {
  const tl::redact_hash key({1});
  const auto hash = [&](tl::ttype wire) { return [&, wire](auto& by) { return by.hash(wire, key); }; };
  EXPECT_EQ(this->masked(text("x"), hash(tl::ttype::string)).size(),
            encode<TypeParam>(text(std::string(16, 'x'))).size());
  EXPECT_NE(this->masked(i64(5), hash(tl::ttype::i64)), encode<TypeParam>(i64(5)));
}

}  // namespace
