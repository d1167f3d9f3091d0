#include <thriftlens/protocol/integer.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;

namespace {

TEST(integer, has_four_wire_types) {
  for (int raw = 0; raw < 256; ++raw) {
    const auto wire = static_cast<tl::ttype>(raw);
    EXPECT_EQ(tl::detail::is_integer(wire), raw == 3 || raw == 6 || raw == 8 || raw == 10) << raw;
  }
}

TEST(integer, accepts_the_range_of_the_width) {
  EXPECT_TRUE(tl::detail::fits_integer(tl::ttype::i8, -128) && tl::detail::fits_integer(tl::ttype::i8, 127));
  EXPECT_FALSE(tl::detail::fits_integer(tl::ttype::i8, -129) || tl::detail::fits_integer(tl::ttype::i8, 128));
  EXPECT_TRUE(tl::detail::fits_integer(tl::ttype::i16, -32768) &&
              !tl::detail::fits_integer(tl::ttype::i16, 32768));
  EXPECT_TRUE(tl::detail::fits_integer(tl::ttype::i32, INT32_MAX) &&
              !tl::detail::fits_integer(tl::ttype::i32, 1LL << 31));
  EXPECT_TRUE(tl::detail::fits_integer(tl::ttype::i64, INT64_MIN) &&
              tl::detail::fits_integer(tl::ttype::i64, INT64_MAX));
}

template <class P>
struct integer_of : testing::Test {};
TYPED_TEST_SUITE(integer_of, protocols);

TYPED_TEST(integer_of, any_width_is_read_in_64_bits) {
  const auto read = [](auto write, tl::ttype wire) {
    tl::buffer bytes;
    typename TypeParam::writer out(bytes);
    write(out);
    typename TypeParam::reader in(bytes);
    std::int64_t value = 0;
    EXPECT_TRUE(tl::detail::read_integer(in, wire, value));
    EXPECT_TRUE(in.at_end());
    return value;
  };
  EXPECT_EQ(read([](auto& out) { out.write_i8(-5); }, tl::ttype::i8), -5);
  EXPECT_EQ(read([](auto& out) { out.write_i16(-300); }, tl::ttype::i16), -300);
  EXPECT_EQ(read([](auto& out) { out.write_i32(INT32_MIN); }, tl::ttype::i32), INT32_MIN);
  EXPECT_EQ(read([](auto& out) { out.write_i64(INT64_MAX); }, tl::ttype::i64), INT64_MAX);
}

TYPED_TEST(integer_of, any_width_is_written_as_the_writer_does) {
  const auto same = [](tl::ttype wire, std::int64_t number, auto write) {
    std::uint8_t result[16];
    std::uint8_t* const end = tl::detail::put_integer<TypeParam>(result, wire, number);
    tl::buffer bytes;
    typename TypeParam::writer out(bytes);
    write(out);
    EXPECT_EQ(std::string(result, end), bytes.str());
  };
  same(tl::ttype::i8, -5, [](auto& out) { out.write_i8(-5); });
  same(tl::ttype::i16, -300, [](auto& out) { out.write_i16(-300); });
  same(tl::ttype::i32, INT32_MIN, [](auto& out) { out.write_i32(INT32_MIN); });
  same(tl::ttype::i64, INT64_MAX, [](auto& out) { out.write_i64(INT64_MAX); });
}

TYPED_TEST(integer_of, other_types_and_malformed_bytes_are_errors) {
  const std::string bytes("\x01", 1);
  typename TypeParam::reader in(bytes);
  std::int64_t value = 0;
  EXPECT_FALSE(tl::detail::read_integer(in, tl::ttype::bool_, value));
  EXPECT_FALSE(tl::detail::read_integer(in, tl::ttype::double_, value));
  EXPECT_FALSE(in.failed());
  EXPECT_EQ(in.offset(), 0u);
  const std::string cut("\x80", 1);
  typename TypeParam::reader ends(cut);
  EXPECT_FALSE(tl::detail::read_integer(ends, tl::ttype::i32, value));
  EXPECT_EQ(ends.fault().code, tl::errc::truncated);
}

}  // namespace
