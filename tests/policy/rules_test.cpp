#include <thriftlens/policy/rules.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>
#include <thriftlens/text/pattern.hpp>

#include <gmock/gmock.h>

namespace {

using form = tl::detail::rules::form;

tl::result<tl::detail::rules> compiled(const std::string& fields, bool tolerant = false) {
  static std::vector<tl::schema> retained;  // rules refer to the schema's text
  retained.push_back(tl::schema::parse(
      "enum Color { RED = 1, BLUE = 5 } struct Inner { 1: i32 x (vt.gt = \"0\") } struct Outer { " + fields +
      " }"));
  return tl::detail::rules::try_compile(retained.back().type("Outer"), tolerant);
}
std::string refused(const std::string& fields) {
  const tl::result<tl::detail::rules> outcome = compiled(fields);
  EXPECT_FALSE(outcome) << fields;
  if (outcome) return {};
  EXPECT_EQ(outcome.error().code(), tl::errc::bad_rule);
  return std::string(outcome.error().detail());
}

TEST(rules, of_each_kind_are_read) {
  const tl::detail::rules result = compiled(R"(
      1: i32 a (vt.gt = "1", vt.le = "0x10", vt.in = "2", vt.in = "3"),
      2: string s (vt.min_size = "1", vt.pattern = "^[a-z]+$"),
      3: list<string> l (vt.max_size = "3", vt.elem.prefix = "x", vt.elem.min_size = "2"),
      4: map<Color, list<double>> m (vt.key.defined_only = "true", vt.value.elem.lt = "2.5", vt.no_sparse = "true"),
      5: Color c (vt.const = "Color.BLUE", vt.not_nil = "true"),
      6: Inner i (vt.skip = "true"),
      7: bool b (vt.const = "true"), 8: i64 plain)")
                                       .value();
  // The fields of Inner precede those of the struct in the image; find the rule sets by their contents.
  std::vector<const tl::detail::rules::rule_set*> sets;
  for (std::uint32_t field = 0; field < 9; ++field)
    if (result.of_field(field) != tl::detail::rules::none)
      sets.push_back(&result.set(result.of_field(field)));
  ASSERT_EQ(sets.size(), 8u);
  const auto holding = [&](form kind) {
    for (const tl::detail::rules::rule_set* item : sets)
      for (const tl::detail::rules::rule& rule : item->entries)
        if (rule.kind == kind) return item;
    return static_cast<const tl::detail::rules::rule_set*>(nullptr);
  };
  const tl::detail::rules::rule_set* a = holding(form::le);
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->entries.size(), 3u);
  EXPECT_EQ(a->entries[0].operands[0].number, 1);
  EXPECT_EQ(a->entries[1].operands[0].number, 16);
  EXPECT_EQ(a->entries[2].operands.size(), 2u);
  const tl::detail::rules::rule_set* s = holding(form::pattern);
  EXPECT_TRUE(result.expression(s->entries[1].pattern).matches("abc"));
  const tl::detail::rules::rule_set* l = holding(form::max_size);
  ASSERT_NE(l->element, tl::detail::rules::none);
  EXPECT_EQ(result.set(l->element).entries.size(), 2u);
}

TEST(rules, invalid_ones_name_field_and_reason) {
  EXPECT_THAT(refused("1: string s (vt.gt = \"1\")"),
              testing::HasSubstr("vt.gt = \"1\" of field 's' in Outer"));
  for (const char* wrong :
       {"1: i32 a (vt.pattern = \"x\")", "1: i32 a (vt.gt = \"one\")", "1: i32 a (vt.wat = \"1\")",
        "1: i32 a (vt.elem.gt = \"1\")", "1: list<i32> a (vt.elem.prefix = \"1\")",
        "1: string s (vt.pattern = \"(\")", "1: string s (vt.min_size = \"-1\")", "1: i32 a (vt.gt = \"$b\")",
        "1: i32 a (vt.gt = \"@len($b)\")", "1: i32 a (vt.skip = \"true\")",
        "1: i32 a (vt.defined_only = \"true\")", "1: bool b (vt.const = \"maybe\")",
        "1: Color c (vt.const = \"PINK\")", "1: double d (vt.gt = \"x\")", "1: i32 a (vt.not_nil = \"yes\")",
        "1: map<i32, i32> m (vt.elem.gt = \"1\")"}) {
    refused(wrong);
    EXPECT_TRUE(compiled(wrong, true)) << wrong;
  }
}

TEST(rules, none_where_nothing_is_annotated) {
  EXPECT_TRUE(compiled("1: i32 a (api.key = \"b\")").value().empty());
  EXPECT_TRUE(tl::detail::rules::try_compile(tl::type()).value().empty());
  EXPECT_EQ(tl::detail::rules().of_field(5), tl::detail::rules::none);
}

const tl::detail::rules::rule_set& of_field(const tl::schema& schema, const tl::detail::rules& result,
                                            const char* name) {
  return result.set(result.of_field(schema.type("S").find_field(name).index()));
}

TEST(rules, of_typedefs_apply_where_they_are_used) {
  static const tl::schema schema = tl::schema::parse(R"(
    typedef string Word (vt.min_size = "2", vt.in = "ab", vt.in = "abc")
    typedef list<Word> Words (vt.max_size = "3")
    struct S { 1: Word one, 2: list<Word> some, 3: Words few (vt.elem.prefix = "a", vt.elem.in = "abc"), 4: map<Word, Words> both, 5: Words plain })");
  const tl::detail::rules result = tl::detail::rules::try_compile(schema.type("S")).value();
  EXPECT_EQ(of_field(schema, result, "one").entries.size(), 2u);
  EXPECT_EQ(result.set(of_field(schema, result, "some").element).entries.size(), 2u);
  // The field's own are added, and its `in` does not widen the type's.
  const tl::detail::rules::rule_set& small = of_field(schema, result, "few");
  EXPECT_EQ(small.entries.size(), 1u);
  ASSERT_EQ(result.set(small.element).entries.size(), 4u);
  EXPECT_EQ(result.set(small.element).entries[1].operands.size(), 2u);
  EXPECT_EQ(result.set(small.element).entries[3].operands.size(), 1u);
  // An annotation of a field does not change another field.
  EXPECT_EQ(result.set(of_field(schema, result, "plain").element).entries.size(), 2u);
  const tl::detail::rules::rule_set& both = of_field(schema, result, "both");
  EXPECT_EQ(result.set(both.key).entries.size(), 2u);
  EXPECT_EQ(result.set(both.value).entries.size(), 1u);
  EXPECT_EQ(both.value, result.of_field(schema.type("S").find_field("plain").index()));  // shared
}

TEST(rules, of_typedefs_that_are_invalid_name_the_field) {
  const tl::schema schema =
      tl::schema::parse("typedef string Word (vt.gt = \"1\")\nstruct S { 1: list<Word> l }");
  const tl::result<tl::detail::rules> outcome = tl::detail::rules::try_compile(schema.type("S"));
  ASSERT_EQ(errc_of(outcome), tl::errc::bad_rule);
  EXPECT_THAT(std::string(outcome.error().detail()), testing::HasSubstr("vt.gt = \"1\" of field 'l' in S"));
  EXPECT_TRUE(tl::detail::rules::try_compile(schema.type("S"), true));
}

TEST(rules, of_nested_typedefs_are_compiled_once) {
  std::string text = "typedef string T0 (vt.min_size = \"1\")\n";
  for (int i = 1; i < 13; ++i)
    text += "typedef map<T" + std::to_string(i - 1) + ", T" + std::to_string(i - 1) + "> T" +
            std::to_string(i) + "\n";
  const tl::schema schema =
      tl::schema::parse(text + "struct S { 1: T12 a, 2: T12 b (vt.key.min_size = \"1\") }");
  const tl::detail::rules result = tl::detail::rules::try_compile(schema.type("S")).value();
  EXPECT_LT(result.of_field(schema.type("S").find_field("b").index()), 100u);
}

}  // namespace
