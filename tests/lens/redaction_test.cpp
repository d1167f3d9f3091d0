#include <thriftlens/lens/redaction.hpp>

#include "../path/samples.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using tl::errc;
using thriftlens_test::shop;

namespace {

const tl::redact_hash::key_bytes secret{1, 2, 3};
tl::result<tl::redaction> by_path(std::string_view type, const char* path, const char* action) { return tl::redaction::try_compile(shop().type(type), {.paths = {{path, action}}}); }

TEST(redaction, enters_only_places_where_something_happens) {
  tl::redaction rules = tl::redaction::compile(
      shop().type("Order"),
      {.paths = {{"$.user.name", "hash"}}, .key = secret, .unknown = tl::redact_unknown::keep, .missing_required = tl::missing_required::omit});
  const tl::redact_node& order = rules.nodes()[rules.root().node];
  ASSERT_EQ(order.fields.size(), 1u);
  EXPECT_EQ(order.fields[0].id, 2);
  const tl::redact_node& user = rules.nodes()[order.fields[0].to.node];
  ASSERT_EQ(user.fields.size(), 1u);
  EXPECT_EQ(rules.replaced(user.fields[0].to.replacement).kind, tl::redact_action::form::hash);
}

TEST(redaction, of_a_recursive_type_is_finite) {
  tl::redaction rules = tl::redaction::compile(shop().type("Item"), {.paths = {{"$", "hash"}}, .key = secret});
  EXPECT_LE(rules.nodes().size(), 3u);  // Item and its list of tags, all hashed
}

TEST(redaction, errors_say_what_is_wrong) {
  EXPECT_EQ(by_path("Order", "$.user.id", "drop").error().code(), errc::missing_required);
  EXPECT_NE(std::string(by_path("Order", "$.user.id", "drop").error().what()).find("field 'id' of User"), std::string::npos);
  EXPECT_EQ(by_path("Order", "$", "drop").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.nmae", "drop").error().code(), errc::no_such_field);
  EXPECT_EQ(by_path("Order", "$.items[0]", "drop").error().code(), errc::wrong_type);
  EXPECT_EQ(by_path("Order", "$.items[1:2].sku", "drop").error().code(), errc::wrong_type);
  EXPECT_EQ(by_path("Order", "$.user.name", "scramble").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.items[*].price", "constant(cheap)").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.numbers[*]", "constant(4000000000)").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.items", "constant(x)").error().code(), errc::bad_rule);
  EXPECT_EQ(by_path("Order", "$.user", "constant(x)").error().code(), errc::bad_rule);
  EXPECT_EQ(tl::redaction::try_compile(tl::type(), {}).error().code(), errc::wrong_type);
  EXPECT_EQ(tl::redaction::try_compile(shop().type("Order"), {.otherwise = "?"}).error().code(), errc::bad_rule);
  EXPECT_EQ(tl::redaction::try_compile(shop().type("Order"), {.values = {{"a", "?"}}}).error().code(), errc::bad_rule);
}

TEST(redaction, is_bounded_where_wildcards_and_keys_multiply) {
  std::string map_type = "string";
  for (int i = 0; i < 24; ++i) map_type = "map<string, " + map_type + ">";
  tl::schema schema = tl::schema::parse("struct S { 1: " + map_type + " m }");
  tl::redact_options options;
  for (int i = 0; i < 24; ++i) {
    std::string path = "$.m";
    for (int level = 0; level < 24; ++level) path += level == i ? "{\"a\"}" : "{*}";
    options.paths.emplace_back(path, "blank");
  }
  EXPECT_EQ(tl::redaction::try_compile(schema.type("S"), options).error().code(), errc::size_limit);
}

}  // namespace
