#include <thriftlens/core/select.hpp>

#include "support/test.hpp"

using thriftlens::detail::select_equal;

TEST(select, equal_numbers_select_the_first_value) {
  for (const std::uint32_t number : {0u, 1u, 0x00ffffffu, 0x80000000u, 0xffffffffu}) {
    EXPECT_EQ(select_equal(number, number, 7, 9), 7u);
    EXPECT_EQ(select_equal(number, number ^ 1u, 7, 9), 9u);
    EXPECT_EQ(select_equal(number ^ 0x80000000u, number, 7, 9), 9u);
  }
}

TEST(select, values_keep_all_their_bits) {
  EXPECT_EQ(select_equal(1, 1, UINTPTR_MAX, 0), UINTPTR_MAX);
  EXPECT_EQ(select_equal(1, 2, 0, UINTPTR_MAX - 1), UINTPTR_MAX - 1);
}
