#include <thriftlens/codec/read_list.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace tl = thriftlens;

namespace {
template <class Protocol, class C>
void expect_back(const C& sent) {
  tl::buffer bytes;
  tl::encode<Protocol>(sent, bytes);
  EXPECT_EQ((tl::decode<C, Protocol>(bytes)), sent);
  C object{};
  for (int i = 0; i < 2; ++i) tl::decode_into<Protocol>(bytes, object);
  EXPECT_EQ(object, sent);
  tl::buffer none;
  if constexpr (!tl::codec::detail::is_array<C>) {
    tl::encode<Protocol>(C{}, none);
    tl::decode_into<Protocol>(none, object);
    EXPECT_TRUE(object.empty());
  }
}
template <class C>
void expect_back_on_both(const C& sent) {
  expect_back<tl::binary>(sent);
  expect_back<tl::compact>(sent);
}
template <class Number>
std::vector<Number> numbers(std::size_t count) {
  std::vector<Number> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] = static_cast<Number>(static_cast<std::int64_t>(i * i) * (i % 2 == 0 ? 1 : -1));
  return made;
}
}  // namespace

TEST(codec_read_list, numbers_of_every_count_come_back) {
  for (std::size_t count : {0u, 1u, 15u, 63u, 64u, 65u, 511u, 512u, 513u, 3000u}) {
    expect_back_on_both(numbers<std::int8_t>(count));
    expect_back_on_both(numbers<std::int16_t>(count));
    expect_back_on_both(numbers<std::int32_t>(count));
    expect_back_on_both(numbers<std::int64_t>(count));
    expect_back_on_both(numbers<double>(count));
  }
}

TEST(codec_read_list, every_container_comes_back) {
  expect_back_on_both(std::vector<bool>{true, false, true});
  expect_back_on_both(std::deque<std::int32_t>{1, -2});
  expect_back_on_both(std::list<std::string>{"a", ""});
  expect_back_on_both(std::array<std::int64_t, 2>{1, -2});
  expect_back_on_both(std::array<std::string, 2>{"x", "y"});
  expect_back_on_both(std::set<std::string>{"b", "a"});
  expect_back_on_both(std::unordered_set<std::int32_t>{1, 2, 3});
  expect_back_on_both(std::vector<std::vector<std::deque<bool>>>{{{true}, {}}, {}});
}

TEST(codec_read_list, what_does_not_fit_is_an_error) {
  tl::buffer three;
  tl::encode(std::vector<std::int32_t>{1, 2, 3}, three);
  EXPECT_EQ((tl::try_decode<std::array<std::int32_t, 2>>(three).error().code()), tl::errc::unfit_value);
  EXPECT_EQ(tl::try_decode<std::vector<std::int64_t>>(three).error().code(), tl::errc::type_mismatch);
  const std::string none("\x0b\x00\x00\x00\x00", 5);
  EXPECT_TRUE(tl::decode<std::vector<std::int64_t>>(none).empty()) << "an empty list may be of any type";

  const std::string twice("\x03\x00\x00\x00\x02\x07\x07", 7);
  const auto found = tl::try_decode<std::set<std::int8_t>>(twice);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), tl::errc::duplicate_key);
  EXPECT_EQ(found.error().path(), "$[1]");
  EXPECT_EQ(tl::decode<std::set<std::int8_t>>(twice, {.duplicates = tl::decode_duplicates::last}).size(), 1u);
}

TEST(codec_read_list, a_broken_varint_is_named_by_its_place) {
  tl::buffer bytes;
  tl::encode<tl::compact>(numbers<std::int32_t>(3000), bytes);
  // The last element becomes the beginning of a longer varint.
  bytes.data()[bytes.size() - 1] |= 0x80;
  const auto found = tl::try_decode<std::vector<std::int32_t>, tl::compact>(bytes);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), tl::errc::truncated);
  EXPECT_EQ(found.error().path(), "$[2999]");
}

TEST(codec_read_list, elements_behind_pointers_are_made) {
  tl::buffer bytes;
  tl::encode(std::vector<std::int32_t>{4, 5}, bytes);
  const auto owned = tl::decode<std::vector<std::unique_ptr<std::int32_t>>>(bytes);
  EXPECT_EQ(*owned.at(1), 5);
}
