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

TEST(codec_text, a_text_replaces_an_older_one_of_any_size) {
  std::string source;
  for (int i = 0; i < 140; ++i) source += static_cast<char>('0' + i % 75);
  for (std::size_t old_size = 0; old_size <= source.size(); ++old_size) {
    for (std::size_t size = 0; size <= source.size(); ++size) {
      std::string value(old_size, '#');
      codec::assign_text(value, std::string_view(source).substr(0, size));
      ASSERT_EQ(value, source.substr(0, size)) << old_size;
      ASSERT_EQ(value.c_str()[size], 0) << old_size;
    }
  }
}

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
