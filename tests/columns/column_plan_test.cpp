#include <thriftlens/columns/column_plan.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

#include <gmock/gmock.h>

using testing::HasSubstr, thriftlens_test::all_of, thriftlens_test::column_schema, tl::detail::column_plan;

namespace {

TEST(column_plan, columns_in_the_order_of_the_idl) {
  const auto selected = tl::selection::compile(column_schema().type("Row"), "{ s a i { y } }");
  const tl::result<column_plan> outcome = column_plan::try_compile(selected, {});
  ASSERT_TRUE(outcome);
  std::string names;
  for (const std::uint32_t child : outcome->root().children)
    names += outcome->nodes[child].name + outcome->nodes[child].format + ' ';
  EXPECT_EQ(names, "ai i+s su ");
}

TEST(column_plan, recursive_types_need_a_selection) {
  const tl::result<column_plan> endless = column_plan::try_compile(all_of("Node"), {});
  ASSERT_EQ(errc_of(endless), tl::errc::wrong_type);
  EXPECT_EQ(endless.error().path(), "$.next");
  EXPECT_THAT(endless.error().what(), HasSubstr("Node is recursive; select"));
  EXPECT_TRUE(
      column_plan::try_compile(tl::selection::compile(column_schema().type("Node"), "{ v next { v } }"), {}));
}

TEST(column_plan, types_without_columns_are_rejected) {
  const tl::type list = column_schema().type("Row").field("l").type();
  EXPECT_EQ(column_plan::try_compile(tl::selection::all(list), {}).error().code(), tl::errc::wrong_type);
  EXPECT_EQ(column_plan::try_compile(all_of("Row"), {.extras = {.record = "a"}}).error().code(),
            tl::errc::bad_option);
}

TEST(column_plan, too_many_columns_are_rejected) {
  std::string idl = "struct S0 { 1: i32 v }\n";
  for (int i = 1; i < 20; ++i) {
    const std::string inner = 'S' + std::to_string(i - 1);
    idl += "struct S" + std::to_string(i) + " { 1: " + inner + " a, 2: " + inner + " b }\n";
  }
  const tl::schema doubled = tl::schema::parse(idl);
  const tl::result<column_plan> outcome =
      column_plan::try_compile(tl::selection::all(doubled.type("S19")), {});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().what(), HasSubstr("more than 65536 columns"));
}

}  // namespace
