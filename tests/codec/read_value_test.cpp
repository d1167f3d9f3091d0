#include <thriftlens/codec/read_value.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace tl = thriftlens;

namespace {
enum class narrow : std::int8_t { low = -128, high = 127 };
enum class unsigned_ : std::uint32_t { top = 0xffffffff };

template <class T>
void expect_back(const T& sent) {
  tl::buffer bytes;
  tl::encode(sent, bytes);
  EXPECT_EQ(tl::decode<T>(bytes), sent);
  bytes.clear();
  tl::encode<tl::compact>(sent, bytes);
  EXPECT_EQ((tl::decode<T, tl::compact>(bytes)), sent);
}
template <class Number>
void expect_limits() {
  expect_back(std::numeric_limits<Number>::min());
  expect_back(std::numeric_limits<Number>::max());
  expect_back(Number{});
}
}  // namespace

TEST(codec_read_value, scalars_come_back_over_their_whole_range) {
  expect_back(true);
  expect_back(false);
  expect_limits<std::int8_t>();
  expect_limits<std::uint8_t>();
  expect_limits<std::int16_t>();
  expect_limits<std::uint16_t>();
  expect_limits<std::int32_t>();
  expect_limits<std::uint32_t>();
  expect_limits<std::int64_t>();
  expect_limits<std::uint64_t>();
  expect_limits<double>();
  expect_back(std::byte{0x80});
  expect_back(std::string("text"));
  expect_back(std::array<std::byte, 16>{std::byte{1}});
  expect_back(narrow::low);
  expect_back(unsigned_::top);
}

TEST(codec_read_value, an_enum_refuses_numbers_beyond_its_own_type) {
  tl::buffer bytes;
  tl::encode(std::int32_t{128}, bytes);
  EXPECT_EQ(tl::try_decode<narrow>(bytes).error().code(), tl::errc::unfit_value);
}

TEST(codec_read_value, any_byte_but_zero_is_true) {
  EXPECT_TRUE(tl::decode<bool>(std::string_view("\x02")));
  EXPECT_FALSE((tl::decode<bool, tl::compact>(std::string_view("\x02"))));
}

TEST(codec_read_value, views_borrow_from_the_bytes) {
  const std::string wire("\x00\x00\x00\x03" "abc", 7);
  EXPECT_EQ(tl::decode<std::string_view>(wire).data(), wire.data() + 4);
}
