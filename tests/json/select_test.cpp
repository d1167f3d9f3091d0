#include <thriftlens/json/to_json.hpp>

#include "json/samples.hpp"
#include "support/cases.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

#include <thriftlens/edit/trim.hpp>

using namespace thriftlens_test;
using tl::errc;

namespace {

constexpr std::string_view shop_idl = R"(
struct User { 1: required i64 id, 2: optional string name, 3: required string mail }
struct Item { 1: required string sku, 2: double price, 3: optional User seller }
struct Order { 1: required i64 id, 2: optional User user, 3: list<Item> items, 4: map<string, User> by_name, 5: required bool paid,
               6: map<User, Item> by_user, 7: string note = "none", 8: i32 count = 3, 9: list<i32> numbers }
union Either { 1: i32 number, 2: string text }
)";
const tl::schema& shop_schema() {
  static const tl::schema made = tl::schema::parse(shop_idl);
  return made;
}
tl::type order() { return shop_schema().type("Order"); }
tree user(std::int64_t id) { return structure({{1, i64(id)}, {2, text("Ann")}, {3, text("a@b.c")}}); }
tree sample() {
  return structure(
      {{1, i64(7)},
       {2, user(1)},
       {3, list(ttype::struct_,
                {structure({{1, text("a")}, {2, real(1.5)}, {3, user(2)}}), structure({{1, text("b")}})})},
       {4, map(ttype::string, ttype::struct_, {{text("x"), user(3)}})},
       {5, boolean(true)},
       {6, map(ttype::struct_, ttype::struct_, {{user(4), structure({{1, text("c")}, {2, real(2)}})}})},
       {300, text("unknown")}});
}

template <class P>
struct select_of : testing::Test {
  static std::string json(const tree& value, std::string_view selected, tl::to_json_options options = {}) {
    const tl::selection select = tl::selection::compile(order(), selected);
    options.select = &select;
    const std::string bytes = encode<P>(value);
    return tl::to_json<P>(order(), bytes, options).str();
  }
  static tl::error fault(const std::string& bytes, std::string_view selected,
                         tl::to_json_options options = {}) {
    const tl::selection select = tl::selection::compile(order(), selected);
    options.select = &select;
    tl::buffer out(tl::byte_view("kept", 4));
    const tl::result<void> status = tl::try_append_json<P>(order(), bytes, out, options);
    EXPECT_EQ(out.text(), "kept");
    return status ? tl::error() : status.error();
  }
};
TYPED_TEST_SUITE(select_of, protocols);

/// Trim, then JSON: the expected result of a selection in to_json.
template <class P>
tl::result<tl::buffer> in_two_steps(tl::type of, std::string_view bytes, const tl::selection& selected,
                                    const tl::to_json_options& options = {}) {
  const tl::result<tl::buffer> cut =
      tl::try_trim(tl::view<P>(tl::byte_view(bytes.data(), bytes.size()), of), selected);
  if (!cut) return cut.error();
  tl::to_json_options second = options;
  second.leniency.missing_required = tl::on_missing::omit;
  second.select = nullptr;
  return tl::try_to_json<P>(of, *cut, second);
}

/// Some of its fields become required, for which random values care nothing.
std::string with_required(std::string idl, randomness& random) {
  for (std::size_t at = 0; (at = idl.find("optional ", at)) != std::string::npos; ++at) {
    if (random.one_in(3)) idl.replace(at, 9, "required ");
  }
  return idl;
}

TYPED_TEST(select_of, the_selection_of_the_readme) {
  EXPECT_EQ(this->json(sample(), "{ id user { name } }"), R"({"id":7,"user":{"name":"Ann"}})");
}

TYPED_TEST(select_of, selects_in_lists_and_map_values_but_not_in_keys) {
  EXPECT_EQ(this->json(sample(), "{ items { sku seller { id } } by_name { mail } }"),
            R"({"items":[{"sku":"a","seller":{"id":2}},{"sku":"b"}],"by_name":{"x":{"mail":"a@b.c"}}})");
  EXPECT_EQ(this->json(sample(), "{ by_user { price } }"),
            R"({"by_user":[[{"id":4,"name":"Ann","mail":"a@b.c"},{"price":2.0}]]})");
  EXPECT_EQ(this->json(sample(), "{ items { price } }"), R"({"items":[{"price":1.5},{}]})");
  EXPECT_EQ(this->json(sample(), "{ user { } }"), R"({"user":{}})");
}

TYPED_TEST(select_of, selecting_everything_equals_no_selection) {
  const std::string bytes = encode<TypeParam>(sample());
  const std::string complete = tl::to_json<TypeParam>(order(), bytes).str();
  EXPECT_EQ(this->json(sample(), "{ * }"), complete);
  const tl::selection full = tl::selection::all(order());
  EXPECT_EQ(tl::to_json<TypeParam>(order(), bytes, {.select = &full}).str(), complete);
}

TYPED_TEST(select_of, required_fields_count_where_they_are_selected) {
  const tree lacking = structure({{1, i64(7)}, {2, structure({{2, text("Ann")}})}});
  const std::string bytes = encode<TypeParam>(lacking);
  EXPECT_EQ(this->json(lacking, "{ id user { name } }"), R"({"id":7,"user":{"name":"Ann"}})");
  const tl::error inner = this->fault(bytes, "{ id user { id name } }");
  EXPECT_EQ(inner.code(), errc::missing_required);
  EXPECT_EQ(inner.path(), "$.user.id");
  EXPECT_EQ(this->fault(bytes, "{ user }").path(), "$.user.id") << "kept whole, with all that it requires";
  EXPECT_EQ(this->fault(bytes, "{ paid }").path(), "$.paid");
  EXPECT_EQ(this->fault(bytes, "{ -id }").path(), "$.user.id");
  EXPECT_EQ(this->fault(bytes, "{ * -id user { name } }").path(), "$.paid");
  const tl::to_json_options omit{.leniency = {.missing_required = tl::on_missing::omit}};
  EXPECT_EQ(this->json(lacking, "{ id user { id name } paid }", omit), R"({"id":7,"user":{"name":"Ann"}})");
  EXPECT_EQ(this->json(lacking, "{ * }", omit), R"({"id":7,"user":{"name":"Ann"}})");
}

TYPED_TEST(select_of, dropped_values_are_checked_as_by_trim) {
  const std::string twice = encode<TypeParam>(structure({{1, i64(7)}, {2, user(1)}, {2, user(2)}}));
  const tl::error repeated = this->fault(twice, "{ id }");
  EXPECT_EQ(repeated.code(), errc::duplicate_field);
  EXPECT_EQ(repeated.path(), "$.user");
  EXPECT_EQ(this->fault(encode<TypeParam>(structure({{300, i64(7)}, {300, user(1)}})), "{ user }").path(),
            "$.#300");
  const std::string complete = encode<TypeParam>(sample());
  for (std::size_t size = 0; size < complete.size(); ++size)
    ASSERT_EQ(this->fault(complete.substr(0, size), "{ id }").code(), errc::truncated) << size;
  EXPECT_EQ(this->fault(complete + '\0', "{ id }").code(), errc::trailing_bytes);
  // A value that is not selected may be anything that has an end.
  const tree odd = structure({{1, i64(7)}, {2, i32(1)}, {3, list(ttype::i32, {i32(1)})}, {7, text("\xff")}});
  EXPECT_EQ(this->json(odd, "{ id }"), R"({"id":7})");
  EXPECT_EQ(this->fault(encode<TypeParam>(odd), "{ id user }").code(), errc::type_mismatch);
  EXPECT_EQ(this->fault(encode<TypeParam>(odd), "{ id items { sku } }").code(), errc::type_mismatch);
  EXPECT_EQ(this->fault(encode<TypeParam>(odd), "{ id note }").code(), errc::invalid_utf8);
}

TYPED_TEST(select_of, unknown_fields_matter_only_if_the_selection_keeps_them) {
  const tl::to_json_options strict{.leniency = {.unknown = tl::on_unknown::error}};
  EXPECT_EQ(this->json(sample(), "{ id }", strict), R"({"id":7})");
  EXPECT_EQ(this->fault(encode<TypeParam>(sample()), "{ id * }", strict).path(), "$.#300");
  EXPECT_EQ(this->fault(encode<TypeParam>(sample()), "{ -id }", strict).code(), errc::unknown_field);
}

TYPED_TEST(select_of, combines_with_other_options) {
  const tl::to_json_options pretty{.format = {.pretty = 2}};
  EXPECT_EQ(this->json(sample(), "{ id user { name } }", pretty),
            "{\n  \"id\": 7,\n  \"user\": {\n    \"name\": \"Ann\"\n  }\n}");
  EXPECT_EQ(this->json(sample(), "{ id count }", {.defaults = tl::on_absent::write}),
            R"({"id":7,"count":3})");
  EXPECT_EQ(this->json(sample(), "{ id }", {.format = {.int64 = tl::json_int64::string}}), R"({"id":"7"})");
  const tree twice =
      structure({{1, i64(7)}, {7, text("a")}, {300, i32(1)}, {300, i32(1)}, {1, i64(8)}, {7, text("b")}});
  EXPECT_EQ(this->json(twice, "{ id }", {.leniency = {.duplicates = tl::on_duplicate::last}}), R"({"id":8})");
  const tree odd = structure({{1, i64(7)}, {2, i32(1)}, {3, list(ttype::i32, {i32(1)})}});
  EXPECT_EQ(this->json(odd, "{ id user items }", {.leniency = {.mismatch = tl::on_mismatch::drop}}),
            R"({"id":7})");
  const std::string bad = encode<TypeParam>(structure({{1, i64(7)}, {7, text("a\xff")}}));
  EXPECT_EQ(this->fault(bad, "{ id note }").path(), "$.note");
  EXPECT_EQ(this->json(structure({{1, i64(7)}, {7, text("a\xff")}}), "{ note }",
                       {.leniency = {.invalid_utf8 = tl::on_invalid_utf8::replace}}),
            "{\"note\":\"a\xef\xbf\xbd\"}");
}

TYPED_TEST(select_of, a_union_needs_one_selected_member) {
  const tl::type either = shop_schema().type("Either");
  const std::string both = encode<TypeParam>(structure({{1, i32(1)}, {2, text("x")}}));
  const tl::selection selected = tl::selection::compile(either, "{ text }"),
                      two = tl::selection::compile(either, "{ text number }");
  EXPECT_EQ(tl::to_json<TypeParam>(either, both, {.select = &selected}).str(), R"({"text":"x"})");
  EXPECT_EQ(tl::try_to_json<TypeParam>(either, both, {.select = &two}).error().code(), errc::union_members);
}

TYPED_TEST(select_of, a_selection_from_a_type_requires_its_required_fields) {
  const tl::schema schema = tl::schema::parse(
      "struct A { 1: optional i32 a, 2: i32 b } struct B { 1: required i32 a } struct C { 1: i32 a, 9: "
      "required i32 z }");
  const tl::type a = schema.type("A");
  const tl::selection to_b = tl::selection::compile(a, schema.type("B")),
                      to_c = tl::selection::compile(a, schema.type("C"));
  const std::string with = encode<TypeParam>(structure({{1, i32(1)}, {2, i32(2)}})),
                    without = encode<TypeParam>(structure({{2, i32(2)}}));
  EXPECT_EQ(tl::to_json<TypeParam>(a, with, {.select = &to_b}).str(), R"({"a":1})");
  EXPECT_EQ(tl::try_to_json<TypeParam>(a, without, {.select = &to_b}).error().path(), "$.a");
  EXPECT_EQ(tl::try_to_json<TypeParam>(a, with, {.select = &to_c}).error().code(), errc::missing_required);
  EXPECT_EQ(tl::to_json<TypeParam>(a, without,
                                   {.leniency = {.missing_required = tl::on_missing::omit}, .select = &to_b})
                .str(),
            "{}");
}

TYPED_TEST(select_of, is_refused_for_another_type) {
  const tl::selection of_user = tl::selection::compile(shop_schema().type("User"), "{ id }");
  const std::string bytes = encode<TypeParam>(sample());
  EXPECT_EQ(tl::try_to_json<TypeParam>(order(), bytes, {.select = &of_user}).error().code(),
            errc::wrong_type);
}

TYPED_TEST(select_of, a_text_is_compiled_by_the_call) {
  const std::string bytes = encode<TypeParam>(sample());
  const std::string text = "{ id user { name } }";
  const tl::selection compiled = tl::selection::compile(order(), text);
  const std::string expected = tl::to_json<TypeParam>(order(), bytes, {.select = &compiled}).str();
  EXPECT_NE(expected, tl::to_json<TypeParam>(order(), bytes).str());
  EXPECT_EQ(tl::to_json<TypeParam>(order(), bytes, {.select = "{ id user { name } }"}).str(), expected);
  EXPECT_EQ(tl::to_json<TypeParam>(order(), bytes, {.select = compiled}).str(), expected);
  EXPECT_EQ(tl::to_json(TypeParam::id, order(), bytes, {.select = text}).str(), expected);
  const tl::view<TypeParam> root(bytes, order());
  EXPECT_EQ(tl::to_json(root, {.select = text}).str(), expected);
  EXPECT_EQ(tl::to_json(root["items"], {.select = "{ price }"}).str(), R"([{"price":1.5},{}])");
}

TYPED_TEST(select_of, an_invalid_selection_text_is_the_error_of_the_call) {
  const std::string bytes = encode<TypeParam>(sample());
  const tl::view<TypeParam> root(bytes, order());
  const tl::error typo = tl::try_to_json(root, {.select = "{ id user { nmae } }"}).error();
  EXPECT_EQ(typo.code(), errc::no_such_field);
  EXPECT_EQ(typo.offset(), 12u);
  EXPECT_EQ(typo.source(), tl::error_source::selection);
  EXPECT_NE(typo.detail().find("'name'"), std::string_view::npos) << typo.what();
  EXPECT_EQ(tl::try_to_json<TypeParam>(order(), bytes, {.select = ""}).error().code(), errc::path_syntax);
  EXPECT_EQ(tl::try_to_json<TypeParam>(order(), bytes, {.select = "{ id { x } }"}).error().code(),
            errc::wrong_type);
  EXPECT_EQ(tl::try_to_json<TypeParam>({}, bytes, {.select = "{ id }"}).error().code(), errc::wrong_type);
  tl::buffer out;
  out.push_back('x');
  EXPECT_FALSE(tl::try_append_json<TypeParam>(order(), bytes, out, {.select = "{ nope }"}));
  EXPECT_EQ(out.text(), "x");
}

TYPED_TEST(select_of, values_other_than_structs) {
  const tl::type items = order().find_field("items").type();
  const tl::selection selected = tl::selection::compile(items, "{ price }");
  const std::string bytes = encode<TypeParam>(sample());
  const tl::view<TypeParam> root(bytes, order());
  EXPECT_EQ(tl::to_json(root["items"], {.select = &selected}).str(), R"([{"price":1.5},{}])");
}

TYPED_TEST(select_of, random_selections_of_random_values_equal_trim_and_then_json) {
  std::size_t cut = 0, refused = 0;
  std::optional<tl::schema> schema;
  for (std::size_t seed = 0; seed < thriftlens_test::cases(3000u); ++seed) {
    if (seed % 10 == 0) {
      randomness random(seed / 10);
      schema = tl::schema::parse(with_required(random_idl(random), random));
    }
    randomness choice(seed + 7);
    const tl::type type = schema->type("S0");
    std::string bytes = encode<TypeParam>(random_struct(choice, type, 4));
    const tl::selection selected = random_selection(choice, type);
    // One in three is damaged.
    if (choice.one_in(3) && !bytes.empty())
      bytes[choice.below(bytes.size())] ^= static_cast<char>(1 << choice.below(8));
    tl::to_json_options options{.leniency = {.missing_required = tl::on_missing::omit}, .select = &selected};
    if (choice.one_in(4)) options.format.pretty = 1;
    if (choice.one_in(4)) options.leniency.unknown = tl::on_unknown::error;
    const tl::result<tl::buffer> twice = in_two_steps<TypeParam>(type, bytes, selected, options);
    const tl::result<tl::buffer> once = tl::try_to_json<TypeParam>(type, bytes, options);
    // Trimmed elements of a set can be equal.
    if (once && !twice && twice.error().code() == tl::errc::duplicate_key) continue;
    ASSERT_EQ(once.has_value(), twice.has_value())
        << seed << ' ' << selected.to_string() << (once ? "" : once.error().what())
        << (twice ? "" : twice.error().what());
    if (!once) {
      ++refused;
      continue;
    }
    ASSERT_EQ(once->text(), twice->text()) << seed << ' ' << selected.to_string();
    cut += once->size();
    // With required fields looked at it is the same text or that one error.
    options.leniency.missing_required = tl::on_missing::error;
    const tl::result<tl::buffer> strict = tl::try_to_json<TypeParam>(type, bytes, options);
    if (strict)
      ASSERT_EQ(strict->text(), once->text());
    else
      ASSERT_EQ(strict.error().code(), errc::missing_required);
  }
  EXPECT_GT(cut, thriftlens_test::cases(20000u));
  EXPECT_GT(refused, thriftlens_test::cases(100u));
}

}  // namespace
