#include <thriftlens/columns/column_scratch.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

namespace {

TEST(column_scratch, begins_without_a_fault) {
  const auto plan = *tl::detail::column_plan::try_compile(thriftlens_test::all_of("Must"), {});
  const tl::detail::column_scratch result(plan);
  EXPECT_TRUE(result.keys.empty());
  EXPECT_TRUE(result.fault.path.empty());
  EXPECT_FALSE(result.fault.of_condition);
  EXPECT_EQ(result.speculation, tl::detail::column_speculation::on);
}

}  // namespace
