#include <thriftlens/policy/redact_type_rules.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

namespace {

TEST(redact_type_rules, find_fields_and_types_by_name) {
  const tl::schema schema =
      tl::schema::parse("include \"base.thrift\" struct User { 1: string mail, 2: base.User other }",
                        {.includes = {{"base.thrift", "struct User { 1: string mail } enum Sex { F = 1 }"}}});
  const tl::schema_image& image = *schema.image();
  tl::detail::redact_type_rules rules;
  ASSERT_TRUE(rules.add(image, "base.User.mail", 7, 0));
  ASSERT_TRUE(rules.add(image, "base.Sex", 8, 1));
  ASSERT_TRUE(rules.add(image, "User", 9, 2));
  const tl::type user = schema.type("User"), other = schema.type("base.User");
  EXPECT_FALSE(rules.of_field(user.field("mail"), user));
  EXPECT_FALSE(rules.is_reached(0));
  EXPECT_EQ(rules.of_field(other.field("mail"), other).action, 7u);
  EXPECT_TRUE(rules.is_reached(0));
  EXPECT_EQ(rules.of_type(schema.type("base.Sex")).action, 8u);
  EXPECT_EQ(rules.of_type(user).action, 9u);
  EXPECT_FALSE(rules.of_type(other));
  EXPECT_FALSE(rules.add(image, "User", 9, 3));
  EXPECT_EQ(rules.add(image, "Usr", 9, 4).error().code(), tl::errc::unknown_name);
  EXPECT_EQ(rules.add(image, "User.mial", 9, 5).error().code(), tl::errc::no_such_field);
}

TEST(redact_type_rules, apply_to_all_files_of_one_name) {
  const tl::schema schema =
      tl::schema::parse("include \"a/base.thrift\" include \"b/base.thrift\" struct S { 1: i32 n }",
                        {.includes = {{"a/base.thrift", "struct User { 1: string mail }"},
                                      {"b/base.thrift", "struct User { 1: string mail, 2: i32 n }"}}});
  tl::detail::redact_type_rules rules;
  ASSERT_TRUE(rules.add(*schema.image(), "base.User.mail", 7, 0));
  std::size_t actual = 0;
  for (std::uint32_t i = 0; i < schema.image()->types.size(); ++i) {
    const tl::type item(schema.image().get(), i);
    if (item.is_struct() && item.name() == "base.User")
      actual += rules.of_field(item.field("mail"), item).action == 7;
  }
  EXPECT_EQ(actual, 2u);
}

}  // namespace
