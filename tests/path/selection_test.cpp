#include <thriftlens/path/selection.hpp>

#include "samples.hpp"
#include "support/test.hpp"

using thriftlens_test::shop_order, tl::errc;

namespace {

tl::selection parse(std::string_view text) { return tl::selection::compile(shop_order(), text); }
std::string round_trip(std::string_view text) { return parse(text).to_string(); }
void expect_refused(std::string_view text, errc code, std::size_t offset) {
  auto compiled = tl::selection::try_compile(shop_order(), text);
  ASSERT_EQ(errc_of(compiled), code) << text << ": " << compiled.error().what() << text;
  EXPECT_EQ(compiled.error().offset(), offset) << text << ": " << compiled.error().what();
}

TEST(selection, fields_in_braces_through_lists_and_maps) {
  EXPECT_EQ(round_trip("{ id user { name } items { sku price } }"),
            "{ id user { name } items { sku price } }");
  EXPECT_EQ(round_trip("{by_sku{price},deep{id},groups{name}}"),
            "{ by_sku { price } groups { name } deep { id } }");
  EXPECT_EQ(round_trip("{ #1 user { #2 } }"), "{ id user { name } }");
}

TEST(selection, star_and_exclusion) {
  tl::selection all_but = parse("{ * -debug }");
  EXPECT_TRUE(all_but.nodes()[all_but.root()].unknown);
  EXPECT_EQ(all_but.nodes()[all_but.root()].find(10), nullptr);
  EXPECT_NE(all_but.nodes()[all_but.root()].find(1), nullptr);
  EXPECT_EQ(all_but.to_string(), parse("{ -debug }").to_string());
  const tl::selection id = parse("{ id }");
  EXPECT_FALSE(id.nodes()[0].unknown);
  EXPECT_EQ(round_trip("{ user { -secret } }"), "{ user { id name } }");
  tl::selection part = parse("{ * user { name } }");
  EXPECT_EQ((part & parse("{ user }")).to_string(), "{ user { name } }");
}

TEST(selection, field_named_twice_keeps_both_parts) {
  EXPECT_EQ(round_trip("{ user { name } user { id } }"), "{ user { id name } }");
  EXPECT_EQ(round_trip("{ user { name } user }"), "{ user }");
  EXPECT_EQ((parse("{ * user { name } user { id } }") & parse("{ user }")).to_string(),
            "{ user { id name } }");
}

TEST(selection, size_is_linear_in_the_text) {
  std::string twice = "{", many = "{", wide = "struct Wide {";
  for (int i = 0; i < 5'000; ++i) twice += " user { name } user { id }";
  EXPECT_EQ(round_trip(twice + " }"), "{ user { id name } }");
  for (int i = 1; i <= 30'000; ++i) wide += std::to_string(i) + ": i32 f" + std::to_string(i) + '\n';
  for (int i = 0; i < 36; ++i) many += " all{*}";
  const tl::schema schema = tl::schema::parse(wide + "} struct Order { 1: Wide all }");
  auto compiled = tl::selection::try_compile(schema.type("Order"), many + " }");
  ASSERT_EQ(errc_of(compiled), errc::size_limit);
}

TEST(selection, errors_point_into_the_text) {
  expect_refused("", errc::path_syntax, 0);
  expect_refused("{ id", errc::path_syntax, 4);
  expect_refused("{ id } x", errc::path_syntax, 7);
  expect_refused("{ id usr }", errc::no_such_field, 5);
  expect_refused("{ user { #9 } }", errc::no_such_field, 9);
  expect_refused("{ id { x } }", errc::wrong_type, 5);
  expect_refused("{ -user { name } }", errc::path_syntax, 8);
  expect_refused("{ user -user }", errc::path_syntax, 14);
  EXPECT_EQ(tl::selection::try_compile(shop_order().find_field("id").type(), "{ a }").error().code(),
            errc::wrong_type);
}

TEST(selection, nesting_is_bounded) {
  std::string text = "{ items ";
  for (int i = 0; i < 100000; ++i) text += "{ part ";
  auto compiled = tl::selection::try_compile(shop_order(), text);
  ASSERT_EQ(errc_of(compiled), errc::depth_limit);
}

TEST(selection, from_the_texts_of_paths) {
  EXPECT_EQ(tl::selection::compile(shop_order(), {"$.user.name", "$.items[*].price", "$.id"}).to_string(),
            "{ id user { name } items { price } }");
  const std::vector<std::string_view> texts = {"$.user.name"};
  EXPECT_EQ(tl::selection::compile(shop_order(), texts).to_string(), "{ user { name } }");
  const tl::error typo = tl::selection::try_compile(shop_order(), {"$.id", "$.user.nmae"}).error();
  EXPECT_EQ(typo.code(), errc::no_such_field);
  EXPECT_EQ(typo.offset(), 6u);
  EXPECT_NE(typo.detail().find("did you mean 'name'?"), std::string_view::npos) << typo.what();
  EXPECT_EQ(tl::selection::try_compile(shop_order(), {"$.items[1].price"}).error().code(), errc::wrong_type);
  EXPECT_EQ(tl::selection::try_compile({}, {"$.id"}).error().code(), errc::wrong_type);
}

TEST(selection, from_paths) {
  std::vector<tl::path> paths = {
      tl::path::compile(shop_order(), "$.user.name"), tl::path::compile(shop_order(), "$.items[*].price"),
      tl::path::compile(shop_order(), "$.items[*].sku"), tl::path::compile(shop_order(), "$.by_sku{*}.part"),
      tl::path::compile(shop_order(), "$.id")};
  EXPECT_EQ(tl::selection::compile(shop_order(), paths).to_string(),
            "{ id user { name } items { sku price } by_sku { part } }");
  paths.push_back(tl::path::compile(shop_order(), "$.user"));
  EXPECT_EQ((tl::selection::compile(shop_order(), paths) & parse("{ user }")).to_string(), "{ user }");
  std::vector<tl::path> one = {tl::path::compile(shop_order(), "$.items[1].price")};
  EXPECT_EQ(tl::selection::try_compile(shop_order(), one).error().code(), errc::wrong_type);
}

TEST(selection, from_another_type_by_shared_ids) {
  tl::selection compiled = tl::selection::compile(shop_order(), thriftlens_test::shop().type("PartialOrder"));
  EXPECT_EQ(compiled.to_string(2), "{ user { id } items { price part { … } } groups { id } }");
  EXPECT_FALSE(compiled.nodes()[compiled.root()].unknown);
  EXPECT_EQ(compiled.target().name(), "PartialOrder");
}

TEST(selection, from_the_same_type_is_everything) {
  EXPECT_EQ(tl::selection::compile(shop_order(), shop_order()).root(), tl::detail::selection_node::entire);
}

TEST(selection, from_another_type_with_contradicting_field) {
  auto compiled = tl::selection::try_compile(shop_order(), thriftlens_test::shop().type("WrongOrder"));
  ASSERT_EQ(errc_of(compiled), errc::type_mismatch);
  EXPECT_EQ(compiled.error().path(), "$.items");
}

TEST(selection, over_deeply_nested_types) {
  std::string idl;
  for (int i = 0; i < 10'000; ++i)
    idl += "struct S" + std::to_string(i) + " { 1: S" + std::to_string(i + 1) + " next, 2: i32 x }\n";
  const tl::schema data = tl::schema::parse(idl + "struct S10000 { 3: i64 end }"),
                   wanted = tl::schema::parse(idl + "struct S10000 {}");
  const tl::schema wrong = tl::schema::parse(idl + "struct S10000 { 3: string end }");
  const tl::type from = data.type("S0");
  const tl::selection compiled = tl::selection::compile(from, wanted.type("S0"));
  EXPECT_EQ(compiled.nodes().size(), 10'001u);
  const tl::selection both = compiled | tl::selection::compile(from, wanted.type("S0"));
  EXPECT_EQ(both.nodes().size(), 10'001u);
  const auto failed = tl::selection::try_compile(from, wrong.type("S0"));
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().path().starts_with("$.next.next.")) << failed.error().path().substr(0, 50);
  EXPECT_TRUE(failed.error().path().ends_with(".next.end"));
}

TEST(selection, union_intersection_difference) {
  tl::selection a = parse("{ id user { id name } items { sku } }");
  tl::selection b = parse("{ user { name secret } items debug }");
  EXPECT_EQ((a | b).to_string(), "{ id user { id name secret } items debug }");
  EXPECT_EQ((a & b).to_string(), "{ user { name } items { sku } }");
  EXPECT_EQ((a - b).to_string(), "{ id user { id } }");
  EXPECT_EQ((b - a).to_string(), "{ user { secret } items { price tags part } debug }");
  EXPECT_EQ((parse("{ id }") & parse("{ debug }")).to_string(), "{ }");
}

TEST(selection, algebra_on_recursive_selections_ends) {
  tl::selection recursive =
      tl::selection::compile(shop_order(), thriftlens_test::shop().type("PartialOrder"));
  tl::selection both = recursive & parse("{ items }");
  EXPECT_EQ(both.to_string(2), "{ items { price part { … } } }");
  tl::selection rest = tl::selection::all(shop_order()) - recursive;
  EXPECT_NE(rest.nodes()[rest.root()].find(1), nullptr);
  EXPECT_TRUE(rest.nodes()[rest.root()].unknown);
}

TEST(selection, selections_of_different_types_cannot_be_combined) {
  const tl::selection one = tl::selection::compile(shop_order(), "{ id }"),
                      other = tl::selection::compile(thriftlens_test::shop().type("User"), "{ id }");
  for (const auto& combine : {+[](const tl::selection& l, const tl::selection& r) { return l | r; },
                              +[](const tl::selection& l, const tl::selection& r) { return l & r; },
                              +[](const tl::selection& l, const tl::selection& r) { return l - r; }}) {
    try {
      static_cast<void>(combine(one, other));
      FAIL();
    } catch (const tl::error& why) {
      EXPECT_EQ(why.code(), tl::errc::wrong_type);
    }
  }
  for (const auto& combine :
       {tl::selection::try_unite, tl::selection::try_intersect, tl::selection::try_subtract}) {
    EXPECT_EQ(combine(one, other).error().code(), tl::errc::wrong_type);
  }
}

TEST(selection, operators_have_try_versions) {
  const tl::selection both = tl::selection::compile(shop_order(), "{ id user { name } }"),
                      one = tl::selection::compile(shop_order(), "{ id }");
  EXPECT_EQ(tl::selection::try_unite(one, both)->to_string(), (one | both).to_string());
  EXPECT_EQ(tl::selection::try_intersect(one, both)->to_string(), "{ id }");
  EXPECT_EQ(tl::selection::try_subtract(both, one)->to_string(), "{ user { name } }");
}

TEST(selection, is_printed_as_its_text) {
  EXPECT_EQ(testing::PrintToString(parse("{ id user { name } }")), "{ id user { name } }");
}

}  // namespace
