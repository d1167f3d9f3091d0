#include <thriftlens/protocol/primitives.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/select.hpp>

using namespace thriftlens;

namespace {

template <class P>
class any_primitives : public testing::Test {};
using protocols = testing::Types<binary, compact>;
TYPED_TEST_SUITE(any_primitives, protocols);

}  // namespace

TYPED_TEST(any_primitives, put_functions_write_what_the_writer_writes) {
  using P = TypeParam;
  std::uint8_t bytes[64];
  std::uint8_t* to = P::put_i8(bytes, -3);
  to = P::put_i16(to, -300);
  to = P::put_i32(to, 70000);
  to = P::put_i64(to, -5000000000);
  to = P::put_double(to, 0.1);
  to = P::put_bool(to, true);
  to = P::put_uuid(to, uuid_bytes{1, 2, 3});
  to = P::put_set(to, {ttype::i32, 0});
  to = P::put_stop(to);
  buffer expected;
  typename P::writer out(expected);
  out.write_i8(-3);
  out.write_i16(-300);
  out.write_i32(70000);
  out.write_i64(-5000000000);
  out.write_double(0.1);
  out.write_bool(true);
  out.write_uuid(uuid_bytes{1, 2, 3});
  out.write_set({ttype::i32, 0});
  out.write_stop();
  EXPECT_EQ(byte_view(bytes, static_cast<std::size_t>(to - bytes)), byte_view(expected));
}
