#include <thriftlens/columns/column_set.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using tl::detail::column_plan, tl::detail::column_set;

namespace {

TEST(column_set, nulls_are_added_to_all_columns_and_can_be_removed) {
  for (const tl::column_unions unions : {tl::column_unions::structure, tl::column_unions::dense}) {
    const column_plan plan =
        *column_plan::try_compile(thriftlens_test::all_of("Row"), {.types = {.unions = unions}});
    column_set result(plan);
    for (int i = 0; i < 3; ++i) result.add_null(plan, 0);
    for (const std::uint32_t child : plan.root().children) EXPECT_EQ(result[child].length, 3u);
    EXPECT_EQ(result.longest() >= 3, true);
    result.cut(plan, 0, 1);
    for (const std::uint32_t child : plan.root().children) EXPECT_EQ(result[child].length, 1u);
    result.cut(plan, 0, 0);
    EXPECT_EQ(result.longest(), 0u);
  }
}

}  // namespace
