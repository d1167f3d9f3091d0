#include <thriftlens/view/scalar.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct scalar_of : testing::Test {
  template <class T>
  static errc read(const tree& value, T& into) {
    std::string bytes = encode<P>(value);
    typename P::reader in(bytes);
    return tl::detail::read_scalar<P>(in, value.type, into);
  }
};
TYPED_TEST_SUITE(scalar_of, protocols);

TYPED_TEST(scalar_of, integers_by_width) {
  std::int8_t a = 0;
  std::int16_t b = 0;
  std::int32_t c = 0;
  std::int64_t d = 0;
  EXPECT_EQ(this->read(i8(-1), a), errc::ok);
  EXPECT_EQ(this->read(i8(-1), d), errc::ok);
  EXPECT_EQ(d, -1);
  EXPECT_EQ(this->read(i16(5), a), errc::wrong_type);
  EXPECT_EQ(this->read(i16(5), b), errc::ok);
  EXPECT_EQ(this->read(i32(5), b), errc::wrong_type);
  EXPECT_EQ(this->read(i64(5), c), errc::wrong_type);
  EXPECT_EQ(this->read(i64(INT64_MIN), d), errc::ok);
  EXPECT_EQ(d, INT64_MIN);
}

TYPED_TEST(scalar_of, others_by_type) {
  bool flag = false;
  double real_ = 0;
  std::string_view view;
  tl::uuid_bytes id{};
  EXPECT_EQ(this->read(boolean(true), flag), errc::ok);
  EXPECT_TRUE(flag);
  EXPECT_EQ(this->read(real(0.5), real_), errc::ok);
  EXPECT_EQ(real_, 0.5);
  EXPECT_EQ(this->read(i32(1), flag), errc::wrong_type);
  EXPECT_EQ(this->read(i32(1), real_), errc::wrong_type);
  EXPECT_EQ(this->read(i32(1), view), errc::wrong_type);
  EXPECT_EQ(this->read(i32(1), id), errc::wrong_type);
}

TYPED_TEST(scalar_of, uuid) {
  std::string bytes = "0123456789abcdef";
  typename TypeParam::reader in(bytes);
  tl::uuid_bytes id{};
  EXPECT_EQ((tl::detail::read_scalar<TypeParam>(in, ttype::uuid, id)), errc::ok);
  EXPECT_EQ(id[15], 'f');
}

TYPED_TEST(scalar_of, malformed_bytes_have_the_readers_code) {
  std::string empty;
  typename TypeParam::reader in(empty);
  double value = 1;
  EXPECT_EQ((tl::detail::read_scalar<TypeParam>(in, ttype::double_, value)), errc::truncated);
}

}  // namespace
