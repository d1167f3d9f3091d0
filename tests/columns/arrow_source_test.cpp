#include <thriftlens/columns/arrow_source.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::all_of, thriftlens_test::batch, thriftlens_test::column_schema, thriftlens_test::five;

namespace {

using tl::detail::arrow_form, tl::detail::arrow_source_tree;

/// Damages a valid batch and returns the error.
template <class Change>
std::string fault_after(Change change) {
  tl::columns rows = tl::columns::compile(all_of("Row"), {.types = {.enums = tl::enum_values::name}});
  rows.append<tl::binary>(five());
  ArrowSchema schema;
  ArrowArray array;
  rows.export_schema(schema);
  rows.take(array);
  const ArrowSchema good_schema = schema;
  const ArrowArray good_array = array;
  ArrowArray* const a = array.children[0];
  const ArrowArray good_child = *a;
  ArrowSchema* const a_schema = schema.children[0];
  const ArrowSchema good_child_schema = *a_schema;
  change(schema, array);
  const auto result =
      arrow_source_tree::try_make(column_schema().type("Row"), schema, array, tl::on_unknown::error, {});
  std::string text =
      result ? "good" : std::string(to_string(result.error().code())) + ' ' + result.error().path();
  *a = good_child;
  *a_schema = good_child_schema;
  schema = good_schema;
  array = good_array;
  schema.release(&schema);
  array.release(&array);
  return text;
}

TEST(arrow_source, builds_a_tree_over_the_arrays) {
  tl::columns rows = tl::columns::compile(all_of("Row"));
  rows.append<tl::binary>(five());
  const batch result(rows);
  const auto tree = arrow_source_tree::try_make(column_schema().type("Row"), result.schema(), result.array(),
                                                tl::on_unknown::error, {});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->nodes[0].form, arrow_form::structure);
  EXPECT_EQ(tree->nodes[0].members.size(), 10u);
  const auto& a = tree->nodes[tree->nodes[0].members[0].source];
  EXPECT_EQ(a.form, arrow_form::i32);
  EXPECT_TRUE(a.is_exact);
  EXPECT_FALSE(a.has_null_bit(0));
  EXPECT_TRUE(tree->nodes[tree->nodes[0].members[1].source].has_null_bit(0));
}

TEST(arrow_source, inconsistent_structs_are_errors) {
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray&) {}), "good");
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { schema.release = nullptr; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.release = nullptr; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { schema.format = nullptr; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { --schema.n_children; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.length = -1; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.length = 2; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.offset = 1; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.offset = INT64_MAX; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.buffers = nullptr; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.children = nullptr; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.null_count = 1; }), "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.children[0]->n_buffers = 1; }),
            "wrong_type $.a");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.children[0]->buffers = nullptr; }),
            "wrong_type $.a");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.children[0]->length = 0; }),
            "wrong_type $");
  EXPECT_EQ(fault_after([](ArrowSchema&, ArrowArray& array) { array.children[0]->release = nullptr; }),
            "wrong_type $");
}

TEST(arrow_source, mismatched_types_and_names_are_errors) {
  const auto with_format = [](const char* format) {
    return fault_after([=](ArrowSchema& schema, ArrowArray&) { schema.children[0]->format = format; });
  };
  for (const char* character :
       {"l", "c", "S", "L", "g", "e", "b", "tsu:UTC", "tdD", "d:10,2", "", "?", "+vl", "+r"})
    EXPECT_EQ(with_format(character), "wrong_type $.a") << character;
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { schema.children[0]->name = "zz"; }),
            "unknown_field $");
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { schema.children[0]->name = nullptr; }),
            "unknown_field $");
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { schema.children[0]->name = "s"; }),
            "value_type $.s");
  EXPECT_EQ(fault_after([](ArrowSchema& schema, ArrowArray&) { schema.format = "+l"; }), "wrong_type $");
}

TEST(arrow_source, depth_is_bounded) {
  tl::columns rows = tl::columns::compile(all_of("Row"));
  const batch result(rows);
  const auto failed = arrow_source_tree::try_make(column_schema().type("Row"), result.schema(),
                                                  result.array(), tl::on_unknown::error, {.depth = 2});
  EXPECT_EQ(failed.error().code(), tl::errc::depth_limit);
  EXPECT_EQ(
      arrow_source_tree::try_make(tl::type(), result.schema(), result.array(), tl::on_unknown::error, {})
          .error()
          .code(),
      tl::errc::wrong_type);
}

}  // namespace
