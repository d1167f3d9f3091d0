#include <thriftlens/http/compile.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

namespace {
tl::detail::plan_image compile(const tl::schema& schema, const tl::http_options& options = {}) {
  return tl::detail::plan_compiler(schema.type("Root"), options, {}).run();
}
}  // namespace

TEST(http_compile, handles_recursive_types) {
  const tl::schema schema = tl::schema::parse(R"(
    struct In { 1: i32 x (api.query="x"), 2: map<string, In> more }
    struct Root { 1: list<In> in, 2: i64 id (api.path="id") })");
  const tl::detail::plan_image plan = compile(schema);
  EXPECT_TRUE(plan.of(schema.type("In").structure()).is_special);
  EXPECT_EQ(plan.slot_count, 2u);
  EXPECT_FALSE(plan.reads_raw_body);
}
TEST(http_compile, one_key_has_one_slot) {
  const tl::schema schema = tl::schema::parse(
      R"(struct Root { 1: i32 a (api.header="X-A"), 2: i32 b (api.header="x-a"), 3: i32 c (api.query="x-a") })");
  EXPECT_EQ(compile(schema).slot_count, 2u);
}
TEST(http_compile, warns_about_unused_annotations) {
  const tl::schema schema = tl::schema::parse(
      R"(struct Root { 1: string a (api.raw_uri="", api.query="q"), 2: i32 b (api.no_body_struct="") })");
  const tl::detail::plan_image plan = compile(schema);
  ASSERT_EQ(plan.warnings.size(), 2u);
  EXPECT_EQ(plan.warnings[0], "Root.a: api.query is unreachable: api.raw_uri always has a value");
}
TEST(http_compile, api_body_may_be_an_alias) {
  const tl::schema schema = tl::schema::parse(R"(struct Root { 1: i32 a (api.body="k") })");
  EXPECT_TRUE(compile(schema).has_root_body);
  const auto plan = compile(schema, {.idl = {.body_as_alias = true}});
  EXPECT_FALSE(plan.has_root_body);
  EXPECT_EQ(plan.fields[schema.type("Root").field("a").index()].key, "k");
}
