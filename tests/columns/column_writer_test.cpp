#include <thriftlens/columns/column_writer.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::all_of, tl::detail::column_plan, tl::detail::column_scratch, tl::detail::column_set,
    tl::detail::column_writer;

namespace {

TEST(column_writer, one_row_of_binary_or_compact) {
  const column_plan plan = *column_plan::try_compile(all_of("Must"), {});
  column_set columns(plan);
  column_scratch scratch(plan);
  const tl::columns_options options;
  column_writer<tl::binary> binary(plan, columns, scratch, thriftlens_test::five(), options);
  EXPECT_TRUE(binary.row(nullptr, [] {}));
  const std::string compact("\x15\x0c\0", 3);
  column_writer<tl::compact> other(plan, columns, scratch, compact, options);
  EXPECT_TRUE(other.row(nullptr, [] {}));
  const auto& x = columns[plan.root().children[0]];
  EXPECT_EQ(x.length, 2u);
  EXPECT_EQ(x.values.at<std::int32_t>(0), 5);
  EXPECT_EQ(x.values.at<std::int32_t>(1), 6);
}

TEST(column_writer, errors_in_skipped_bytes_have_an_offset) {
  const auto selected = tl::selection::compile(thriftlens_test::column_schema().type("Row"), "{ a }");
  const column_plan plan = *column_plan::try_compile(selected, {});
  column_set columns(plan);
  column_scratch scratch(plan);
  const tl::columns_options options;
  const std::string cut("\x0c\0\4\x0b\0\2\0\0\0\7hi", 13);
  column_writer<tl::binary> writer(plan, columns, scratch, cut, options);
  ASSERT_FALSE(writer.row(nullptr, [] {}));
  EXPECT_EQ(writer.failure().path(), "$.i.y");
}

}  // namespace
