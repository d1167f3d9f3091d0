#include <thriftlens/http/zero.hpp>

#include <thriftlens/http/compile.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

TEST(http_zero, structs_have_their_required_fields) {
  const tl::schema schema = tl::schema::parse(R"(
    struct In { 1: required bool b, 2: required string s, 3: i32 n, 4: required map<string, i32> m, 5: required uuid u }
    struct Root { 1: required In in, 2: required list<In> l, 3: required double d, 4: required i64 i })");
  const tl::type root = schema.type("Root");
  const auto plan = tl::detail::plan_compiler(root, {}, {}).run();
  const auto json = [&]<class P>(P) {
    tl::buffer made;
    EXPECT_TRUE(tl::detail::append_zero<P>(plan, root.index(), 8, made));
    return tl::to_json<P>(root, made).str();
  };
  const char* const expected =
      R"({"in":{"b":false,"s":"","m":{},"u":"00000000-0000-0000-0000-000000000000"},"l":[],"d":0.0,"i":0})";
  EXPECT_EQ(json(tl::binary()), expected);
  EXPECT_EQ(json(tl::compact()), expected);
}
TEST(http_zero, ends_for_types_that_require_themselves) {
  const tl::schema schema = tl::schema::parse("struct Root { 1: required Root r }");
  const auto plan = tl::detail::plan_compiler(schema.type("Root"), {}, {}).run();
  tl::buffer made;
  EXPECT_FALSE(tl::detail::append_zero<tl::binary>(plan, schema.type("Root").index(), 64, made));
}
TEST(http_zero, is_bounded_for_exponential_types) {
  std::string idl = "struct T0 { 1: required i32 x }";
  for (int i = 1; i < 40; ++i) {
    const std::string below = "T" + std::to_string(i - 1);
    idl += " struct T" + std::to_string(i) + " { 1: required " + below + " a, 2: required " + below + " b }";
  }
  const tl::schema schema = tl::schema::parse(idl);
  const tl::type top = schema.type("T39");
  const auto plan = tl::detail::plan_compiler(top, {}, {}).run();
  tl::buffer made;
  EXPECT_FALSE(tl::detail::append_zero<tl::binary>(plan, top.index(), 64, made));
}
