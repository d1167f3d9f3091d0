#include <thriftlens/columns/arrow_export.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::all_of, tl::detail::column_plan;

namespace {

TEST(arrow_export, formats_names_flags_and_metadata) {
  const column_plan plan = *column_plan::try_compile(
      all_of("Row"), {.types = {.enums = tl::enum_values::name, .field_ids = tl::column_field_ids::unique}});
  ArrowSchema result;
  tl::detail::export_schema(plan, result);
  EXPECT_EQ(std::string_view(result.format), "+s");
  ASSERT_EQ(result.n_children, 10);
  std::string formats;
  for (std::int64_t i = 0; i < 10; ++i) formats += std::string(result.children[i]->format) + ' ';
  EXPECT_EQ(formats, "i +l +m +s i +s b u z w:16 ");
  EXPECT_EQ(result.children[0]->flags, ARROW_FLAG_NULLABLE);
  EXPECT_EQ(result.children[2]->children[0]->flags, 0);
  EXPECT_EQ(std::string_view(result.children[4]->dictionary->format), "u");
  const std::string_view metadata(result.children[7]->metadata, 4 + 4 + 16 + 4 + 2 + 4 + 3 + 4 + 5);
  EXPECT_NE(metadata.find("PARQUET:field_id"), std::string_view::npos);
  EXPECT_NE(metadata.find("words"), std::string_view::npos);
  result.release(&result);
  EXPECT_EQ(result.release, nullptr);
}

TEST(arrow_export, a_child_may_be_moved_out_of_its_parent) {
  tl::columns rows = tl::columns::compile(all_of("Row"));
  rows.append_null();
  ArrowArray complete;
  rows.take(complete);
  ArrowArray child = *complete.children[8];
  complete.children[8]->release = nullptr;
  complete.release(&complete);
  EXPECT_EQ(child.length, 1);
  EXPECT_EQ(child.null_count, 1);
  child.release(&child);
}

}  // namespace
