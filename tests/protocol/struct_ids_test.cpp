#include <thriftlens/protocol/struct_ids.hpp>

#include "support/test.hpp"

using thriftlens::detail::struct_ids;

TEST(struct_ids, distinguishes_structs) {
  struct_ids ids;
  EXPECT_TRUE(ids.add(1, 5));
  EXPECT_TRUE(ids.add(2, 5));
  EXPECT_TRUE(ids.add(1, -5));
  EXPECT_FALSE(ids.add(1, 5));
  EXPECT_FALSE(ids.add(1, -5));
}
