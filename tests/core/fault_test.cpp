#include <thriftlens/core/fault.hpp>

#include "support/test.hpp"

namespace {

using namespace thriftlens;

TEST(fault, is_false_without_an_error) {
  EXPECT_FALSE(fault{});
  EXPECT_TRUE((fault{errc::truncated, 0, 4}));
  EXPECT_EQ(fault{}, (fault{errc::ok, 0, 0}));
  EXPECT_NE((fault{errc::truncated, 0, 4}), (fault{errc::truncated, 0, 5}));
}

TEST(fault, stays_small_enough_for_two_registers) {
  static_assert(sizeof(fault) == 2 * sizeof(std::size_t));
  static_assert(std::is_trivially_copyable_v<fault>);
  SUCCEED();
}

}  // namespace
