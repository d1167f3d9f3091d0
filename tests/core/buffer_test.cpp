#include <thriftlens/core/buffer.hpp>

#include "support/test.hpp"

#include <gmock/gmock.h>

#include <concepts>
#include <sstream>

namespace {

using thriftlens::buffer, thriftlens::byte_view;

TEST(buffer, begins_empty_without_memory) {
  const buffer empty;
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.capacity(), 0u);
  EXPECT_EQ(empty.text(), "");
}

TEST(buffer, append_and_push_back_collect_bytes_in_order) {
  buffer out;
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 7), static_cast<char>('a' + i % 26));
    out.append(piece);
    out.push_back('|');
    expected += piece + '|';
  }
  EXPECT_EQ(out.text(), expected);
  EXPECT_EQ(out.str(), expected);
  EXPECT_EQ(static_cast<std::string_view>(out), expected);
}

TEST(buffer, prepare_returns_memory_and_commit_counts_it) {
  buffer out(byte_view("ab", 2));
  std::uint8_t* to = out.prepare(1000);
  EXPECT_EQ(out.size(), 2u);
  std::memcpy(to, "cd", 2);
  out.commit(to + 2);
  EXPECT_EQ(out.text(), "abcd");
  EXPECT_GE(out.capacity(), 1002u);
}

TEST(buffer, reserve_is_a_total_as_in_the_standard) {
  buffer out(byte_view("ab", 2));
  out.reserve(1000);
  EXPECT_GE(out.capacity(), 1000u);
  const void* const data = out.data();
  out.reserve(1000);
  out.reserve(1);
  EXPECT_EQ(out.prepare(998), static_cast<const std::uint8_t*>(data) + 2);
  EXPECT_EQ(out.text(), "ab");
  EXPECT_THROW(out.reserve(static_cast<std::size_t>(-1) - 2), std::bad_alloc);
}

TEST(buffer, growth_is_amortised) {
  buffer out;
  int moves = 0;
  std::size_t capacity = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    out.push_back(0);
    if (out.capacity() != capacity) ++moves;
    capacity = out.capacity();
  }
  EXPECT_LT(moves, 20);
}

TEST(buffer, truncate_and_clear_keep_the_memory) {
  buffer out(byte_view("abcdef", 6));
  const std::size_t capacity = out.capacity();
  out.truncate(3);
  EXPECT_EQ(out.text(), "abc");
  out.clear();
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(out.capacity(), capacity);
}

TEST(buffer, copies_are_independent_and_moves_take_the_memory) {
  buffer first(byte_view("abc", 3));
  buffer copy = first;
  copy.push_back('d');
  EXPECT_EQ(first.text(), "abc");
  EXPECT_EQ(copy.text(), "abcd");
  const std::uint8_t* memory = copy.data();
  const buffer moved = std::move(copy);
  EXPECT_EQ(moved.data(), memory);
  first = moved;
  EXPECT_EQ(first.text(), "abcd");
  EXPECT_TRUE(first == moved);
  buffer& self = first;
  first = self;
  first = std::move(self);
  EXPECT_EQ(first.text(), "abcd");
  EXPECT_TRUE(copy.empty());  // NOLINT: moved from
  copy.push_back('x');
  EXPECT_FALSE(copy == first);
  EXPECT_TRUE(copy == std::string_view("x"));
}

TEST(buffer, is_a_byte_range) {
  buffer out(byte_view("abc", 3));
  const byte_view seen = out;
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen.data(), out.data());
  EXPECT_THAT(std::string(out.begin(), out.end()), "abc");
}

TEST(buffer, an_impossible_size_is_out_of_memory) {
  buffer out(byte_view("abc", 3));
  EXPECT_THROW(static_cast<void>(out.prepare(static_cast<std::size_t>(-1) - 2)), std::bad_alloc);
  EXPECT_EQ(out.text(), "abc");
}

template <class Buffer>
concept gives_text = requires(Buffer&& of) { std::forward<Buffer>(of).text(); };
template <class Buffer>
concept converts_to_text = std::convertible_to<Buffer, std::string_view>;
static_assert(gives_text<buffer&> && gives_text<const buffer&> && !gives_text<buffer> &&
              !gives_text<const buffer>);
static_assert(converts_to_text<buffer&> && converts_to_text<const buffer&> && !converts_to_text<buffer> &&
              !converts_to_text<const buffer>);
static_assert(!std::constructible_from<byte_view, buffer>);

TEST(buffer, str_copies_also_from_a_temporary) {
  const std::string text = buffer(byte_view("abc", 3)).str();
  EXPECT_EQ(text, "abc");
}

TEST(buffer, is_printed_as_its_text) {
  std::ostringstream out;
  buffer bytes;
  bytes.append(std::string_view("{\"id\":1}"));
  out << bytes << ' ' << buffer(std::string_view("of a temporary"));
  EXPECT_EQ(out.str(), "{\"id\":1} of a temporary");
}

}  // namespace
