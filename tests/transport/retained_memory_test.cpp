#include <thriftlens/transport/retained_memory.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(retained_memory, a_large_buffer_is_freed_and_a_small_one_reused) {
  buffer bytes;
  bytes.commit(bytes.prepare(1000) + 1000);
  const std::size_t small = bytes.capacity();
  detail::clear_retaining(bytes);
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(bytes.capacity(), small);
  bytes.commit(bytes.prepare(detail::retained_capacity + 1) + 1);
  detail::clear_retaining(bytes);
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(bytes.capacity(), 0u);
}
