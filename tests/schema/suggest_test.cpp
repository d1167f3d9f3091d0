#include <thriftlens/schema/suggest.hpp>

#include "support/test.hpp"

#include <path/samples.hpp>

namespace {

TEST(suggest, names_the_nearest_field) {
  auto user = thriftlens_test::shop().type("User");
  EXPECT_EQ(
      thriftlens::detail::no_such_field_text(user, "nme").find("no field 'nme' in User; did you mean 'name'"),
      0u);
  EXPECT_EQ(thriftlens::detail::no_such_field_text(user, "nmae"),
            "no field 'nmae' in User; did you mean 'name'?");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(user, "completely_else"),
            "no field 'completely_else' in User");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(user, 9), "no field with id 9 in User");
}

TEST(suggest, does_not_suggest_the_name_itself) {
  const auto schema = thriftlens::schema::parse(
      R"(struct Note { 1: string from_whom (api.key = "fromWhom"), 2: string text (go.tag = 'json:"body"') })");
  const auto note = schema.type("Note");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(note, "from_whom"),
            "no field 'from_whom' in Note; did you mean 'fromWhom'?");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(note, "text"), "no field 'text' in Note");
}

TEST(suggest, arguments_and_results_are_named_by_function) {
  const auto schema =
      thriftlens::schema::parse("struct get_args { 1: i32 b } service S { i32 get(1: i32 a) }");
  const auto get = schema.service("S").function("get");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(get.arguments(), "long"),
            "no field 'long' in the arguments of get");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(get.result(), 9),
            "no field with id 9 in the result of get");
  EXPECT_EQ(thriftlens::detail::no_such_field_text(schema.type("get_args"), 9),
            "no field with id 9 in get_args");
}

TEST(suggest, keys_report_type_and_range) {
  const auto schema = thriftlens::schema::parse("struct S { 1: map<i8, i64> m }");
  const thriftlens::type map = schema.type("S").field("m").type();
  EXPECT_EQ(thriftlens::detail::key_type_text(map), "a key of map<i8, i64> must be an i8");
  EXPECT_EQ(thriftlens::detail::key_range_text(map), "a key of map<i8, i64> is out of range for i8");
}

TEST(suggest, two_members_are_named_or_numbered) {
  EXPECT_EQ(thriftlens::detail::two_members_text(thriftlens_test::shop().type("User"), 2, 99),
            "a union has more than one member set: '" +
                std::string(thriftlens_test::shop().type("User").find_field(2).name()) + "' and '#99'");
}

TEST(suggest, names_the_nearest_member) {
  EXPECT_NE(
      thriftlens::detail::no_such_member_text(thriftlens_test::shop().type("Color"), "GREN").find("'GREEN'"),
      std::string::npos);
  EXPECT_EQ(thriftlens::detail::no_such_member_text(thriftlens_test::shop().type("Color"), "RDE"),
            "no member 'RDE' in Color; did you mean 'RED'?");
}

}  // namespace
