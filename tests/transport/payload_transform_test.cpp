#include <thriftlens/transport/payload_transform.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(payload_transform, is_supplied_by_the_caller) {
  EXPECT_TRUE(std::is_abstract_v<payload_transform>);
  EXPECT_EQ(payload_transform::zlib, 1u);
}
