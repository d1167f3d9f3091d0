#include <thriftlens/core/byte_view.hpp>

#include "support/test.hpp"

#include <gmock/gmock.h>

#include <ranges>
#include <unordered_map>

namespace {

using thriftlens::byte_view;
using thriftlens::input_bytes;

TEST(byte_view, views_every_kind_of_byte_range) {
  const std::string text = "abc";
  const std::vector<std::uint8_t> numbers{'a', 'b', 'c'};
  const std::array<std::byte, 3> raw{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
  const std::string_view part(text);
  const std::span<const std::byte> span(raw);
  for (const byte_view view :
       {byte_view(text), byte_view(numbers), byte_view(raw), byte_view(part), byte_view(span)}) {
    EXPECT_EQ(view.text(), "abc");
  }
  EXPECT_EQ(static_cast<const void*>(byte_view(text).data()), text.data());
}

TEST(byte_view, rejects_temporaries_and_non_bytes) {
  static_assert(!std::is_constructible_v<byte_view, std::string>);
  static_assert(!std::is_constructible_v<byte_view, std::vector<char>>);
  static_assert(!std::is_constructible_v<byte_view, std::vector<int>&>);
  static_assert(!std::is_constructible_v<byte_view, const char(&)[4]>, "its NUL would count");
  static_assert(std::is_constructible_v<byte_view, std::string_view>);
  static_assert(!std::is_constructible_v<byte_view, const std::string>);
  static_assert(std::is_constructible_v<byte_view, std::string&>);
  static_assert(std::is_constructible_v<byte_view, std::span<const std::byte>>);
  static_assert(std::is_constructible_v<byte_view, const std::span<const std::byte>&>);
  static_assert(std::is_trivially_copyable_v<byte_view>);
  SUCCEED();
}

TEST(byte_view, equality_is_by_content) {
  const std::string text = "abc", same = "abc", other = "abd", shorter = "ab";
  EXPECT_TRUE(byte_view(text) == byte_view(same));
  EXPECT_FALSE(byte_view(text) == byte_view(other));
  EXPECT_FALSE(byte_view(text) == byte_view(shorter));
  EXPECT_TRUE(byte_view() == byte_view(text.data(), 0));
}

TEST(byte_view, part_and_index) {
  const std::string text = "abcdef";
  const byte_view view(text);
  EXPECT_EQ(view.part(2, 3).text(), "cde");
  EXPECT_EQ(view.part(6, 0).text(), "");
  EXPECT_EQ(view[5], 'f');
}

TEST(byte_view, iterates) {
  const std::string text = "abc";
  std::string seen;
  for (const std::uint8_t byte : byte_view(text)) seen += static_cast<char>(byte);
  EXPECT_EQ(seen, text);
}

#ifndef NDEBUG
TEST(byte_view_death, asserts_on_misuse_in_debug_builds) {
  const std::string text = "abc";
  EXPECT_DEATH(static_cast<void>(byte_view(text).part(2, 2)), "");
  EXPECT_DEATH(static_cast<void>(byte_view(text)[3]), "");
}
#endif

TEST(byte_view, models_a_standard_view) {
  static_assert(std::ranges::view<byte_view> && std::ranges::borrowed_range<byte_view> &&
                std::ranges::contiguous_range<byte_view> && std::ranges::sized_range<byte_view>);
  const std::string text = "abcab";
  const byte_view bytes(text);
  EXPECT_EQ(std::ranges::count(bytes, 'a'), 2);
  std::string taken;
  for (const std::uint8_t item : bytes | std::views::reverse | std::views::take(2))
    taken += static_cast<char>(item);
  EXPECT_EQ(taken, "ba");
}

TEST(byte_view, hashes_by_content) {
  const std::string text = "abc", same = text, other = "abd";
  EXPECT_EQ(std::hash<byte_view>()(byte_view(text)), std::hash<byte_view>()(byte_view(same)));
  std::unordered_map<byte_view, int> numbers{{byte_view(text), 1}};
  numbers[byte_view(same)] += 1;
  numbers[byte_view(other)] = 5;
  EXPECT_EQ(numbers.size(), 2u);
  EXPECT_EQ(numbers[byte_view(text)], 2);
  EXPECT_EQ(numbers.count(byte_view()), 0u);
}

TEST(input_bytes, bind_to_temporaries) {
  const auto size = [](input_bytes bytes) { return bytes.size(); };
  EXPECT_EQ(size(std::string("abc")), 3u);
  EXPECT_EQ(size(std::vector<char>(3)), 3u);
  EXPECT_EQ(size({"abc", 2}), 2u);
  static_assert(!std::is_convertible_v<std::string, byte_view>);
  static_assert(!std::is_constructible_v<input_bytes, const char(&)[4]>);
}

}  // namespace
