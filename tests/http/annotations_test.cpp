#include <thriftlens/http/annotations.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;
using tl::detail::http_field;

namespace {
http_field read(const std::string& annotations, const tl::http_idl_options& options = {}) {
  const tl::schema schema = tl::schema::parse("struct S { 1: string myField (" + annotations + ") }");
  http_field made;
  EXPECT_EQ(tl::detail::field_annotations(schema.type("S").field("myField"), {}, options).read(made), "");
  return made;
}
}  // namespace

TEST(http_annotations, are_in_idl_order_with_the_body_last) {
  const http_field made = read(R"(api.body="b", api.query="q", api.header="h")");
  ASSERT_EQ(made.request.size(), 3u);
  EXPECT_EQ(made.request[0].part, tl::http_part::query);
  EXPECT_EQ(made.request[1].key, "h");
  EXPECT_EQ(made.request[2].part, tl::http_part::body);
}
TEST(http_annotations, keys_are_case_insensitive_and_the_first_of_two_wins) {
  const http_field made = read(R"(API.Query="a", api.query="b")");
  ASSERT_EQ(made.request.size(), 1u);
  EXPECT_EQ(made.request[0].key, "a");
}
TEST(http_annotations, set_the_key_of_a_field) {
  EXPECT_EQ(read(R"(api.key="k", go.tag="json:\"g\"")").key, "k");
  EXPECT_EQ(read(R"(go.tag="json:\"g,omitempty\"")").key, "g");
  EXPECT_EQ(read(R"(go.tag="json:\",omitempty\"")").key, "myField");
  EXPECT_EQ(read(R"(agw.to_snake="")").key, "my_field");
  EXPECT_EQ(read(R"(agw.to_snake="false")").key, "myField");
  EXPECT_EQ(read(R"(agw.to_snake="")", {.agw = false}).key, "myField");
  EXPECT_EQ(read(R"(api.key="k")", {.names = tl::json_names::field}).key, "myField");
}
TEST(http_annotations, of_gateways_name_parts) {
  const http_field made = read(R"(agw.source="POST", janus.target="header")");
  ASSERT_EQ(made.request.size(), 2u);
  EXPECT_EQ(made.request[0].part, tl::http_part::form);
  EXPECT_EQ(made.request[0].key, "myField");
  EXPECT_EQ(made.request[1].part, tl::http_part::header);
  EXPECT_TRUE(read(R"(agw.target="ignore")").removed);
  EXPECT_EQ(read(R"(agw.body_dynamic="")").form, tl::detail::json_form::dynamic);
}
TEST(http_annotations, contradict_each_other) {
  const tl::schema schema = tl::schema::parse(R"(struct S { 1: i32 a (api.body="x", api.body="y") })");
  http_field made;
  const tl::http_idl_options options;
  EXPECT_EQ(tl::detail::field_annotations(schema.type("S").field("a"), {}, options).read(made),
            "api.body is declared more than once");
}
