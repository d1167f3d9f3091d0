#include <thriftlens/codec/sequence.hpp>

#include "support/test.hpp"

#include <deque>
#include <memory_resource>

namespace codec = thriftlens::detail::codec;

static_assert(codec::is_bulk<std::int16_t> && codec::is_bulk<double> && !codec::is_bulk<bool> &&
              !codec::is_bulk<std::string>);
static_assert(codec::is_varint<std::int64_t> && !codec::is_varint<std::int8_t> && !codec::is_varint<double>);
static_assert(codec::resizable_run<std::vector<int>> && !codec::resizable_run<std::deque<int>> &&
              !codec::resizable_run<std::vector<bool>>);

TEST(codec_sequence, reserved_capacity_is_bounded_by_the_bytes) {
  std::vector<std::string> list;
  codec::reserve_unseen(list, 1u << 30);
  EXPECT_LE(list.capacity() * sizeof(std::string), 2 * codec::unread_capacity);
  std::vector<std::string> linear;
  codec::reserve_unseen(linear, 1u << 30, 100'000);
  EXPECT_LE(linear.capacity() * sizeof(std::string),
            2 * codec::unread_capacity + 100'000 * codec::unread_capacity_per_byte);
  std::vector<std::string> small;
  codec::reserve_unseen(small, 3);
  EXPECT_EQ(small.capacity(), 3u);
  std::deque<int> without;
  codec::reserve_unseen(without, 3);
}

TEST(codec_sequence, added_elements_are_default_constructed) {
  std::deque<int> list;
  codec::add_element(list) = 4;
  EXPECT_EQ(codec::add_element(list), 0);
  EXPECT_EQ(list.front(), 4);
}

TEST(codec_sequence, values_are_created_with_the_containers_allocator) {
  std::pmr::monotonic_buffer_resource pool;
  std::pmr::vector<std::pmr::string> list(&pool);
  EXPECT_EQ(codec::make_for<std::pmr::string>(list).get_allocator().resource(), &pool);
  EXPECT_EQ(codec::make_for<int>(list), 0);
}
