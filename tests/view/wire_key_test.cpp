#include <thriftlens/view/wire_key.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;
using tl::map_key;

namespace {

template <class P>
struct wire_key_of : testing::Test {
  /// The form in which a key is read, to its end.
  static map_key::form read(const tree& written) {
    const std::string bytes = encode<P>(written);
    typename P::reader in(bytes);
    map_key key = 0;
    EXPECT_TRUE(tl::detail::read_key<P>(in, written.type, key));
    EXPECT_TRUE(in.at_end());
    return key.kind();
  }
  static bool matches(const tree& written, const map_key& expected) {
    const std::string bytes = encode<P>(written);
    typename P::reader in(bytes);
    bool equal = false;
    EXPECT_TRUE(tl::detail::match_key<P>(in, written.type, expected, equal));
    EXPECT_TRUE(in.at_end());
    return equal;
  }
};
TYPED_TEST_SUITE(wire_key_of, protocols);

TYPED_TEST(wire_key_of, keys_are_read_in_the_form_of_their_wire_type) {
  using form = map_key::form;
  EXPECT_EQ(this->read(text("a")), form::text);
  EXPECT_EQ(this->read(i16(-3)), form::integer);
  EXPECT_EQ(this->read(i64(1)), form::integer);
  EXPECT_EQ(this->read(boolean(true)), form::boolean);
  EXPECT_EQ(this->read(real(0.5)), form::real);
  EXPECT_EQ(this->read(structure({{1, i64(4)}})), form::wire);
}

TYPED_TEST(wire_key_of, keys_match_by_value) {
  EXPECT_TRUE(this->matches(text("a"), "a"));
  EXPECT_FALSE(this->matches(text("a"), "b"));
  EXPECT_TRUE(this->matches(i32(-7), -7));
  EXPECT_FALSE(this->matches(i32(-7), 7));
  EXPECT_TRUE(this->matches(boolean(false), false));
  EXPECT_FALSE(this->matches(boolean(false), true));
  EXPECT_TRUE(this->matches(real(0.0), -0.0));
  EXPECT_TRUE(this->matches(real(-0.0), 0.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(this->matches(real(nan), nan));
  EXPECT_FALSE(this->matches(real(nan), 0.0));
}

TYPED_TEST(wire_key_of, keys_of_another_form_match_by_their_bytes_alone) {
  const std::string four = encode<TypeParam>(structure({{1, i64(4)}}));
  EXPECT_TRUE(
      this->matches(structure({{1, i64(4)}}), map_key::wire(tl::byte_view(four.data(), four.size()))));
  EXPECT_FALSE(
      this->matches(structure({{1, i64(5)}}), map_key::wire(tl::byte_view(four.data(), four.size()))));
  const std::string seven = encode<TypeParam>(i32(7));
  EXPECT_TRUE(this->matches(i32(7), map_key::wire(tl::byte_view(seven.data(), seven.size()))));
  EXPECT_FALSE(this->matches(i32(7), "7"));
  EXPECT_FALSE(this->matches(text("7"), 7));
  EXPECT_FALSE(this->matches(text("RED"), map_key::name("RED")));
}

TYPED_TEST(wire_key_of, truncated_keys_fail) {
  for (const tree& written : {text("abc"), real(1.5), structure({{1, i64(4)}})}) {
    const std::string bytes = encode<TypeParam>(written);
    typename TypeParam::reader in(tl::byte_view(bytes.data(), bytes.size() - 1));
    map_key key = 0;
    EXPECT_FALSE(tl::detail::read_key<TypeParam>(in, written.type, key));
    EXPECT_TRUE(in.failed());
  }
}

}  // namespace
