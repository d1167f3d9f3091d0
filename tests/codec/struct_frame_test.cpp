#include <thriftlens/codec/struct_frame.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace codec = thriftlens::detail::codec;

namespace {
struct frame_ordered {
  std::int32_t first = 0;
  std::string second;
  bool third = false;
};
struct frame_reversed {
  std::int32_t first = 0;
  std::string second;
  bool third = false;
};
}  // namespace
template <>
struct tl::binding<frame_ordered>
    : tl::fields<tl::field<1, &frame_ordered::first>, tl::field<2, &frame_ordered::second>,
                 tl::field<3, &frame_ordered::third>> {};
// Written in this order, since a struct's fields are written by id.
template <>
struct tl::binding<frame_reversed>
    : tl::fields<tl::field<3, &frame_reversed::third>, tl::field<2, &frame_reversed::second>,
                 tl::field<1, &frame_reversed::first>> {};

TEST(codec_struct_frame, members_already_read) {
  codec::field_bits<70> bits;
  bits.set(1);
  bits.words()[1] |= 2;
  EXPECT_TRUE(bits.has(1));
  EXPECT_TRUE(bits.has(65));
  EXPECT_FALSE(bits.has(64));
}

// Fields that are not in id order are found by number.
TEST(codec_struct_frame, fields_in_any_order) {
  // 3: true, 2: "x", 1: 7
  const std::uint8_t bytes[] = {2, 0, 3, 1, 11, 0, 2, 0, 0, 0, 1, 'x', 8, 0, 1, 0, 0, 0, 7, 0};
  const auto result = tl::decode<frame_ordered>(tl::byte_view(bytes, sizeof bytes));
  EXPECT_EQ(result.first, 7);
  EXPECT_EQ(result.second, "x");
  EXPECT_TRUE(result.third);
  const auto other = tl::decode<frame_reversed>(tl::byte_view(bytes, sizeof bytes));
  EXPECT_EQ(other.second, "x");
}
