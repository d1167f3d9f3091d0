#include <thriftlens/columns/arrow_abi.hpp>

#include "support/test.hpp"

namespace {

TEST(arrow_abi, layout_is_that_of_the_specification) {
  static_assert(std::is_standard_layout_v<ArrowSchema> && std::is_standard_layout_v<ArrowArray>);
  EXPECT_EQ(offsetof(ArrowSchema, flags), 3 * sizeof(void*));
  EXPECT_EQ(offsetof(ArrowArray, buffers), 5 * sizeof(std::int64_t));
  EXPECT_EQ(sizeof(ArrowArrayStream), 5 * sizeof(void*));
}

}  // namespace
