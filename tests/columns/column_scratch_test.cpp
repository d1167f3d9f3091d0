#include <thriftlens/columns/column_scratch.hpp>

#include "columns/samples.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;

namespace {

TEST(column_scratch, begins_without_a_fault) {
  const auto plan = *tl::detail::column_plan::try_compile(thriftlens_test::all_of("Must"), {});
  const tl::detail::column_scratch made(plan);
  EXPECT_TRUE(made.keys.empty());
  EXPECT_TRUE(made.fault.path.empty());
  EXPECT_FALSE(made.fault.of_condition);
  EXPECT_EQ(made.speculation, tl::detail::column_speculation::on);
}

}  // namespace
