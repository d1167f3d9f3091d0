#include <thriftlens/codec/text.hpp>

#include "support/test.hpp"

namespace codec = thriftlens::detail::codec;

namespace {
template <class T>
void expect_both_ways() {
  const std::string wire("a\0\xff", 3);
  T value{};
  codec::assign_text(value, wire);
  EXPECT_EQ(codec::text_bytes(value), tl::byte_view(wire));
  EXPECT_EQ(codec::borrows<T>,
            codec::text_bytes(value).data() == reinterpret_cast<const std::uint8_t*>(wire.data()));
  codec::assign_text(value, tl::byte_view());
  EXPECT_TRUE(codec::text_bytes(value).empty());
}
}  // namespace

TEST(codec_text, every_kind_converts_from_and_to_bytes) {
  expect_both_ways<std::string>();
  expect_both_ways<std::u8string>();
  expect_both_ways<std::string_view>();
  expect_both_ways<std::u8string_view>();
  expect_both_ways<tl::byte_view>();
  expect_both_ways<tl::buffer>();
  expect_both_ways<std::vector<std::uint8_t>>();
  expect_both_ways<std::vector<std::byte>>();
  expect_both_ways<std::span<const std::byte>>();
  expect_both_ways<std::span<const std::uint8_t>>();
}
