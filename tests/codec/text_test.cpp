#include <thriftlens/codec/text.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace tl = thriftlens;
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

TEST(codec_text, every_kind_is_made_from_bytes_and_seen_as_bytes) {
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

TEST(codec_text, copy_bytes_copies_exactly_every_length) {
  std::string from(130, '\0');
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i + 1);
  for (std::size_t size = 0; size <= from.size(); ++size) {
    std::vector<std::uint8_t> exact(size),
        source(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(size));
    codec::copy_bytes(exact.data(), source.data(), size);
    EXPECT_EQ(exact, source) << size;
  }
}
