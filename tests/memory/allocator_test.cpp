#include "memory/allocator.hpp"
#include "support/test.hpp"

#include <thriftlens/core/buffer.hpp>

#include <new>

namespace {

namespace memory = thriftlens_test::memory;

TEST(allocator, sees_new_and_buffers) {
  const std::size_t previous_size = memory::held();
  memory::reset_peak();
  {
    const std::vector<char> some(100000);
    thriftlens::buffer out;
    static_cast<void>(out.prepare(50000));
    EXPECT_GE(memory::held(), previous_size + 150000);
  }
  EXPECT_EQ(memory::held(), previous_size);
  EXPECT_GE(memory::peak(), previous_size + 150000);
  EXPECT_GE(memory::allocations(), 2u);
}

TEST(allocator, fails_at_the_requested_allocation) {
  thriftlens::buffer out;
  memory::fail_at(2);
  EXPECT_NO_THROW(static_cast<void>(out.prepare(1000)));
  EXPECT_FALSE(memory::has_failed());
  EXPECT_THROW(static_cast<void>(out.prepare(2000)), std::bad_alloc);
  EXPECT_TRUE(memory::has_failed());
  EXPECT_NO_THROW(static_cast<void>(out.prepare(2000)));
  memory::fail_at(1, memory::failing::from_there_on);
  EXPECT_THROW(std::vector<char>(1000), std::bad_alloc);
  EXPECT_THROW(std::vector<char>(1000), std::bad_alloc);
  memory::fail_at(0);
}

}  // namespace
