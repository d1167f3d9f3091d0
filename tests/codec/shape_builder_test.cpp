#include <thriftlens/codec/shape_builder.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

namespace {
struct tree_node {
  std::vector<tree_node> kids;
  std::map<std::string, tree_node> named;
  int value = 0;
};
}  // namespace

TEST(codec_shape_builder, recursive_types_have_one_shape) {
  const tl::schema schema =
      tl::schema::parse("struct N { 3: i32 value, 1: list<N> kids, 2: map<string, N> named }");
  tl::detail::codec::shape_builder builder;
  const tl::detail::codec::shape* result = builder.build<tree_node>(schema.type("N"), "$");
  ASSERT_NE(result, nullptr);
  EXPECT_TRUE(builder.mismatches.empty());
  EXPECT_EQ(builder.shapes.size(), 3u);
  EXPECT_EQ(result->fields[0].value->first, result);
  EXPECT_EQ(result->fields[1].value->second, result);
  EXPECT_EQ(result->fields[1].value->first, nullptr);
  EXPECT_EQ(result->fields[2].id, 3);
  EXPECT_EQ(result->find(1), 0u);
}

TEST(codec_shape_builder, containers_of_the_wrong_kind_are_mismatches) {
  const tl::schema schema =
      tl::schema::parse("struct N { 3: i64 value, 1: map<i32, N> kids, 2: map<i32, N> named }");
  tl::detail::codec::shape_builder builder;
  builder.build<tree_node>(schema.type("N"), "$");
  EXPECT_EQ(builder.mismatches, (std::vector<std::string>{"$.kids: a C++ list for the IDL type map<i32, N>",
                                                          "$.named{key}: a C++ string for the IDL type i32",
                                                          "$.value: a C++ i32 for the IDL type i64"}));
}
