#include <thriftlens/columns/column_buffer.hpp>

#include "support/test.hpp"

using tl::detail::column_buffer;

namespace {

TEST(column_buffer, values_and_bytes_are_appended) {
  column_buffer result;
  for (std::int32_t i = 0; i < 1000; ++i) result.put(i);
  EXPECT_EQ(result.size(), 4000u);
  EXPECT_EQ(result.at<std::int32_t>(999), 999);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(result.data()) % 64, 0u);
  result.truncate(4);
  result.append(std::string_view("abc"));
  result.put_zeros(1);
  EXPECT_EQ(result.size(), 8u);
  EXPECT_EQ(result.at<std::uint8_t>(7), 0);
}

TEST(column_buffer, bits) {
  column_buffer result;
  for (std::size_t i = 0; i < 20; ++i) result.put_bit(i, i % 3 == 0);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(result.bit(i), i % 3 == 0) << i;
  result.truncate_bits(9);
  result.put_bit(9, true);
  EXPECT_TRUE(result.bit(9));
  result.put_ones(9);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_TRUE(result.bit(i)) << i;
}

TEST(column_buffer, release_is_never_null) {
  column_buffer empty;
  const tl::detail::column_block memory = empty.release();
  EXPECT_NE(memory.data, nullptr);
  column_buffer::give_back(nullptr, memory);
  column_buffer full;
  full.put(std::int64_t{7});
  column_buffer moved = std::move(full);
  EXPECT_TRUE(full.empty());  // NOLINT: moved-from buffers are empty
  EXPECT_EQ(moved.at<std::int64_t>(0), 7);
}

}  // namespace
