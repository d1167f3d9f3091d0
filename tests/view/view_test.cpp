#include <thriftlens/view/view.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

#include <thriftlens/edit/edit.hpp>

#include <gmock/gmock.h>

using tl::errc, tl::presence;
using namespace thriftlens_test;

namespace {

template <class P>
struct view_of : testing::Test {
  using V = tl::view<P>;
  static V order() { return V(order_bytes<P>(), order_type()); }
  static std::string what(const V& v) { return v.error().what(); }
};
TYPED_TEST_SUITE(view_of, protocols);

enum class Colour : std::int32_t { red = 0, blue = 5 };

template <class V, class... Arguments>
constexpr bool is_deduced = std::is_same_v<decltype(tl::view(std::declval<Arguments>()...)), V>;

TEST(view, bytes_without_a_protocol_are_binary) {
  using binary = tl::view<tl::binary>;
  const std::string& bytes = order_bytes<tl::binary>();
  const tl::view v(bytes, order_type());
  static_assert(std::is_same_v<decltype(v), const binary>);
  EXPECT_EQ(v["id"].as<std::int64_t>(), 77);
  EXPECT_EQ(tl::view(bytes)[1].as<std::int64_t>(), 77);
  const tl::view bounded(bytes, order_type(), {.depth = 1});
  EXPECT_EQ(bounded["user"]["name"].code(), errc::depth_limit);
  static_assert(is_deduced<binary, tl::byte_view, tl::type> &&
                is_deduced<binary, std::string_view, tl::type>);
  static_assert(is_deduced<binary, std::vector<char>&> && is_deduced<binary, const tl::buffer&, tl::type>);
  static_assert(is_deduced<binary, std::span<const std::byte>, tl::limits>);
  static_assert(is_deduced<tl::view<tl::compact>, tl::view<tl::compact>>);  // a copy keeps its type
}

TYPED_TEST(view_of, fields_by_name_and_id) {
  auto v = this->order();
  EXPECT_EQ(v["id"].template as<std::int64_t>(), 77);
  EXPECT_EQ(v[1].template as<std::int64_t>(), 77);
  EXPECT_EQ(v.field(1).template as<std::int64_t>(), 77);
  EXPECT_EQ(v["user"]["name"].template as<std::string_view>(), "Ann");
  EXPECT_EQ(v["user"]["name"].type().kind(), tl::type_kind::string);
  EXPECT_EQ(v["user"]["name"].field_info().name(), "name");
}

TYPED_TEST(view_of, elements_by_index) {
  auto items = this->order()["items"];
  EXPECT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0]["sku"].template as<std::string>(), "a");
  EXPECT_EQ(items[1]["part"]["price"].template as<double>(), 0.5);
  EXPECT_EQ(items[-1]["sku"].template as<std::string_view>(), "c");
  EXPECT_EQ(items[-3]["sku"].template as<std::string_view>(), "a");
  EXPECT_EQ(this->order()["numbers"][1].template as<std::int32_t>(), 70000);
  EXPECT_EQ(this->order()["groups"][0][1]["id"].template as<std::int64_t>(), 2);
}

TYPED_TEST(view_of, entries_by_key_of_every_type) {
  auto v = this->order();
  EXPECT_EQ(v["by_sku"]["k1"]["sku"].template as<std::string_view>(), "m1");
  EXPECT_EQ(v["by_sku"].key("k\"2")["price"].template as<double>(), 5);
  EXPECT_EQ(v["notes"][-3].template as<std::string_view>(), "minus");
  EXPECT_EQ(v["notes"].key(300).template as<std::string_view>(), "plus");
  EXPECT_EQ(v["colors"]["BLUE"].template as<std::int32_t>(), 50);
  EXPECT_EQ(v["colors"].key(0).template as<std::int32_t>(), 10);
  EXPECT_EQ(v["rates"].key(0.5).template as<bool>(), true);
  EXPECT_EQ(v["rates"].key(2).template as<bool>(), false);
  EXPECT_EQ(v["flags"].key(true).template as<std::string_view>(), "yes");
  EXPECT_EQ(v["flags"].key(false).template as<std::string_view>(), "no");
  std::string key = encode<TypeParam>(structure({{1, i64(5)}}));
  EXPECT_EQ(v["by_user"].key(tl::map_key::wire(key)).template as<int>(), 55);
}

TYPED_TEST(view_of, entries_by_uuid) {
  const tl::schema ids = tl::schema::parse("struct T { 1: map<uuid, i32> m }");
  tl::uuid_bytes first{}, second{};
  first.fill(0x11);
  second.fill(0xab);
  const bool is_binary = std::is_same_v<TypeParam, tl::binary>;
  std::string bytes =
      is_binary ? std::string("\x0d\0\x01\x10\x08\0\0\0\x02", 9) : std::string("\x1b\x02\xd5", 3);
  bytes += std::string(16, '\x11') + (is_binary ? std::string("\0\0\0\x01", 4) : std::string("\x02", 1));
  bytes += std::string(16, '\xab') + (is_binary ? std::string("\0\0\0\x02\0", 5) : std::string("\x04\0", 2));
  const tl::view<TypeParam> v(bytes, ids.type("T"));
  EXPECT_EQ(v["m"].key(second).template as<std::int32_t>(), 2);
  EXPECT_EQ(v.at("$.m{'ABABABAB-abab-abab-abab-abababababab'}").template as<std::int32_t>(), 2);
  EXPECT_EQ(v.at("$.m{'00000000-0000-0000-0000-000000000000'}").presence(), presence::absent);
  EXPECT_EQ(v["m"].key(first).template try_as<std::string_view>().error().path(),
            "$.m{\"11111111-1111-1111-1111-111111111111\"}");
}

TYPED_TEST(view_of, paths) {
  auto v = this->order();
  EXPECT_EQ(v.at("$.user.name").template as<std::string_view>(), "Ann");
  EXPECT_EQ(v.at("$.items[1].tags[-1]").template as<std::string_view>(), "y");
  EXPECT_EQ(v.at("$.deep{\"d\"}[0]{7}.name").template as<std::string_view>(), "deep");
  EXPECT_EQ(v.at("$.colors{BLUE}").template as<int>(), 50);
  tl::path compiled = tl::path::compile(order_type(), "$.#3[2].#2");
  EXPECT_EQ(v.at(compiled).template as<double>(), 3.5);
  EXPECT_EQ(v.at("$").location().at.at, v.location().at.at);
  EXPECT_EQ(v.try_at("$.nothing").error().code(), errc::no_such_field);
}

TYPED_TEST(view_of, a_path_from_an_absent_value_is_absent) {
  const auto v = this->order();
  EXPECT_EQ(v["items"][9].at("$.sku").code(), errc::bad_index);
  EXPECT_EQ(v["items"][9].try_at("$.sku")->code(), errc::bad_index);
  EXPECT_STREQ(v["nope"].at("$.id").error().what(), v["nope"].error().what());
}

TYPED_TEST(view_of, for_each_follows_wildcards_and_slices) {
  auto v = this->order();
  auto collect = [&](std::string_view text) {
    std::vector<std::string> views;
    v.for_each(tl::path::compile(order_type(), text),
               [&](const auto& item) { views.push_back(item.template as<std::string>()); });
    return views;
  };
  using testing::ElementsAre;
  EXPECT_THAT(collect("$.items[*].sku"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(collect("$.items[1:].sku"), ElementsAre("b", "c"));
  EXPECT_THAT(collect("$.items[:-1].sku"), ElementsAre("a", "b"));
  EXPECT_THAT(collect("$.items[-2:-1].sku"), ElementsAre("b"));
  EXPECT_THAT(collect("$.items[2:1].sku"), ElementsAre());
  EXPECT_THAT(collect("$.by_sku{*}.sku"), ElementsAre("m1", "m2"));
  EXPECT_THAT(collect("$.items[*].tags[*]"), ElementsAre("x", "y"));
  EXPECT_THAT(collect("$.items[*].part.sku"), ElementsAre("inner"));
  EXPECT_THAT(collect("$.deep{*}[*]{*}.name"), ElementsAre("deep"));
}

TYPED_TEST(view_of, presence_has_three_states) {
  auto v = this->order();
  EXPECT_EQ(v["user"].presence(), presence::present);
  EXPECT_EQ(v["payment"]["card"].presence(), presence::absent);
  EXPECT_EQ(v["items"][7].presence(), presence::absent);
  EXPECT_EQ(v["items"][-4].presence(), presence::absent);
  EXPECT_EQ(v["by_sku"]["none"].presence(), presence::absent);
  EXPECT_EQ(v["items"][0]["part"]["part"].presence(), presence::absent);
  EXPECT_EQ(v["nonsense"].presence(), presence::error);
  EXPECT_EQ(v["id"]["x"].presence(), presence::error);
  std::string cut = order_bytes<TypeParam>().substr(0, 2);
  EXPECT_EQ(tl::view<TypeParam>(cut, order_type())["user"].presence(), presence::error);
  EXPECT_TRUE(v["user"]);
  EXPECT_FALSE(v["items"][7]);
}

TYPED_TEST(view_of, absent_has_the_path_of_the_requested_value) {
  auto v = this->order();
  auto absent = v["items"][0]["part"]["price"].error();
  EXPECT_EQ(absent.code(), errc::absent);
  EXPECT_EQ(absent.path(), "$.items[0].part");
  EXPECT_EQ(v["items"][7].error().path(), "$.items[7]");
  EXPECT_EQ(v["items"][7].error().code(), errc::bad_index);
  EXPECT_EQ(v.at("$.items[0].part.price").error().path(), "$.items[0].part");
  EXPECT_EQ(v["by_sku"]["k1"].path(), "$.by_sku{\"k1\"}");
  EXPECT_EQ(v["by_sku"]["k\"2"]["price"].path(), "$.by_sku{\"k\\\"2\"}.price");
  EXPECT_EQ(v["rates"].key(0.5).path(), "$.rates{0.5}");
  EXPECT_EQ(v["flags"].key(true).path(), "$.flags{true}");
  EXPECT_EQ(v["notes"].key(-3).path(), "$.notes{-3}");
  EXPECT_EQ(v.path(), "$");
}

TYPED_TEST(view_of, value_or_applies_only_to_absent_values) {
  auto v = this->order();
  EXPECT_EQ(v["user"]["name"].template value_or<std::string_view>("?"), "Ann");
  EXPECT_EQ(v["payment"]["card"].template value_or<std::string_view>("?"), "?");
  EXPECT_EQ(v["items"][9]["sku"].template value_or<std::string_view>("?"), "?");
  EXPECT_THROW(std::ignore = v["id"].template value_or<std::string_view>("?"), tl::error);
  EXPECT_EQ(v["id"].template try_value_or<std::string_view>("?").error().code(), errc::wrong_type);
}

TYPED_TEST(view_of, scalars_widen_and_never_narrow) {
  auto v = this->order();
  EXPECT_EQ(v["numbers"][0].template as<std::int64_t>(), -1);
  EXPECT_EQ(v["id"].template try_as<std::int32_t>().error().code(), errc::wrong_type);
  EXPECT_EQ(v["numbers"][0].template try_as<double>().error().code(), errc::wrong_type);
  EXPECT_EQ(v["debug"].template as<tl::byte_view>().size(), 3u);
  EXPECT_EQ(v["debug"].template as<std::span<const std::uint8_t>>().size(), 3u);
  std::int64_t number = 5;
  EXPECT_EQ(v["user"].get(number), errc::wrong_type);
  EXPECT_EQ(number, 5);
  EXPECT_EQ(v["id"].get(number), errc::ok);
  EXPECT_EQ(number, 77);
  auto wrong = v["user"]["name"].template try_as<int>().error();
  EXPECT_STREQ(
      wrong.what(),
      ("expected i32, found a string at $.user.name (byte " + std::to_string(wrong.offset()) + ")").c_str());
}

TYPED_TEST(view_of, first_error_of_a_chain_is_kept) {
  auto broken = this->order()["nonsense"]["name"][3];
  EXPECT_EQ(broken.code(), errc::no_such_field);
  EXPECT_THROW(std::ignore = broken.template as<int>(), tl::error);
  EXPECT_EQ(broken.try_size().error().code(), errc::no_such_field);
  EXPECT_EQ(broken.try_bytes().error().code(), errc::no_such_field);
}

TYPED_TEST(view_of, unknown_id_is_an_error_like_an_unknown_name) {
  auto v = this->order();
  EXPECT_EQ(v[99].code(), errc::no_such_field);
  EXPECT_EQ(v["nonsense"].code(), errc::no_such_field);
  EXPECT_EQ(v[100000].code(), errc::no_such_field);
}

TYPED_TEST(view_of, enum_names) {
  auto v = tl::view<TypeParam>(order_bytes<TypeParam>(), order_type());
  std::vector<std::string> names;
  for (auto [key, value] : v["colors"].entries()) names.emplace_back(key.enum_name());
  EXPECT_THAT(names, testing::ElementsAre("RED", "BLUE"));
  for (auto [key, value] : v["colors"].entries())
    EXPECT_TRUE(key.template as<Colour>() == Colour::red || key.template as<Colour>() == Colour::blue);
  EXPECT_EQ(v["id"].try_enum_name().error().code(), errc::wrong_type);
}

TYPED_TEST(view_of, union_member) {
  auto v = this->order()["payment"];
  EXPECT_EQ(v.member().field_info().name(), "voucher");
  EXPECT_EQ(v.member().template as<std::int64_t>(), 1000);
  tl::type payment = shop().type("Payment");
  std::string none = encode<TypeParam>(structure({})),
              two = encode<TypeParam>(structure({{1, text("x")}, {2, i64(1)}}));
  EXPECT_EQ(tl::view<TypeParam>(none, payment).member().presence(), presence::absent);
  EXPECT_EQ(tl::view<TypeParam>(two, payment).member().code(), errc::union_members);
}

TYPED_TEST(view_of, default_of_an_absent_field_on_request) {
  tl::schema schema = tl::schema::parse(
      "struct D { 1: i32 a = 7, 2: list<string> l = [\"x\", \"y\"], 3: bool b = true, 4: i32 none }");
  std::string empty = encode<TypeParam>(structure({}));
  std::string full = encode<TypeParam>(structure({{1, i32(1)}}));
  tl::view<TypeParam> v(empty, schema.type("D"));
  EXPECT_EQ(v["a"].presence(), presence::absent);
  EXPECT_EQ(v["a"].or_default().template as<int>(), 7);
  EXPECT_EQ(v["l"].or_default()[1].template as<std::string_view>(), "y");
  EXPECT_EQ(v["b"].or_default().template as<bool>(), true);
  EXPECT_EQ(v["none"].or_default().presence(), presence::absent);
  tl::view<TypeParam> f(full, schema.type("D"));
  EXPECT_EQ(f["a"].or_default().template as<int>(), 1);
}

TYPED_TEST(view_of, bytes_are_those_of_the_value) {
  auto v = this->order();
  EXPECT_EQ(v.bytes().size(), order_bytes<TypeParam>().size());
  EXPECT_EQ(v["user"].bytes().text(),
            encode<TypeParam>(structure({{1, i64(9)}, {2, text("Ann")}, {3, text("s3cret")}})));
  EXPECT_EQ(v["numbers"].bytes().text(),
            encode<TypeParam>(list(ttype::i32, {i32(-1), i32(70000), i32(3)}, ttype::set)));
  std::string flag = encode<TypeParam>(structure({{1, boolean(true)}, {2, boolean(false)}}));
  tl::schema schema = tl::schema::parse("struct B { 1: bool a, 2: bool b }");
  tl::view<TypeParam> b(flag, schema.type("B"));
  EXPECT_EQ(b["a"].bytes().size(), 1u);
  EXPECT_TRUE(b["a"].template as<bool>());
  EXPECT_FALSE(b["b"].template as<bool>());
  EXPECT_EQ(b["b"].path(), "$.b");
}

TYPED_TEST(view_of, size_of_containers_and_strings) {
  auto v = this->order();
  EXPECT_EQ(v.size(), 15u);
  EXPECT_EQ(v["items"].size(), 3u);
  EXPECT_EQ(v["numbers"].size(), 3u);
  EXPECT_EQ(v["by_sku"].size(), 2u);
  EXPECT_EQ(v["user"]["name"].size(), 3u);
  EXPECT_EQ(v["id"].try_size().error().code(), errc::wrong_type);
}

TYPED_TEST(view_of, errors_name_the_key_the_member_and_the_type) {
  const char* const idl =
      "enum C { RED = 1 } struct S { 1: map<string, i32> m 2: map<C, i32> e 3: list<i64> n }";
  const tl::schema schema = tl::schema::parse(idl), same = tl::schema::parse(idl);
  const std::string bytes =
      encode<TypeParam>(structure({{1, map(ttype::string, ttype::i32, {{text("a"), i32(1)}})},
                                   {2, map(ttype::i32, ttype::i32, {{i32(1), i32(2)}})},
                                   {3, list(ttype::i64, {i64(1)})}}));
  const tl::view<TypeParam> v(bytes, schema.type("S"));
  EXPECT_EQ(v["m"]["zz"].error().path(), "$.m{\"zz\"}");
  EXPECT_EQ(v.at("$.m{\"zz\"}").error(), v["m"]["zz"].error());
  EXPECT_EQ(v["e"][7].error().path(), "$.e{7}");
  EXPECT_EQ(v["e"]["REDD"].error().detail(), "no member 'REDD' in C; did you mean 'RED'?");
  EXPECT_EQ(v["n"].template try_numbers<int>().error().detail(), "expected a list of i32, found a list<i64>");
  const tl::path foreign = tl::path::compile(same.type("S"), "$.m");
  EXPECT_EQ(v.at(foreign).error().detail(), "the path is for a different type");
  EXPECT_EQ(v.try_for_each(foreign, [](const auto&) {}).error().detail(), "the path is for a different type");
  EXPECT_EQ(tl::edit(v).erase(foreign).try_apply().error().detail(), "the path is for a different type");
}

TYPED_TEST(view_of, numbers_are_copied_in_bulk) {
  auto v = this->order();
  std::vector<std::int32_t> numbers(5);
  EXPECT_EQ(v["numbers"].copy_to(numbers), 3u);
  EXPECT_THAT(numbers, testing::ElementsAre(-1, 70000, 3, 0, 0));
  std::array<std::int32_t, 2> small{};
  EXPECT_EQ(v["numbers"].try_copy_to(small).error().code(), errc::buffer_too_small);
  std::vector<std::int64_t> wide(5);
  EXPECT_EQ(v["numbers"].try_copy_to(wide).error().code(), errc::wrong_type);
  tl::schema schema = tl::schema::parse(
      "struct N { 1: list<i64> l, 2: list<double> d, 3: list<bool> b, 4: list<i16> s, 5: list<byte> y }");
  std::string bytes = encode<TypeParam>(structure({{1, list(ttype::i64, {i64(INT64_MIN), i64(-1)})},
                                                   {2, list(ttype::double_, {real(-0.5)})},
                                                   {3, list(ttype::bool_, {boolean(true), boolean(false)})},
                                                   {4, list(ttype::i16, {i16(-2)})},
                                                   {5, list(ttype::i8, {i8(-8)})}}));
  tl::view<TypeParam> n(bytes, schema.type("N"));
  std::array<std::int64_t, 2> i64s{};
  std::array<double, 2> doubles{};
  std::array<bool, 2> bools{};
  std::array<std::int16_t, 2> i16s{};
  std::array<std::int8_t, 2> i8s{};
  EXPECT_EQ(n["l"].copy_to(i64s) + n["d"].copy_to(doubles) + n["b"].copy_to(bools) + n["s"].copy_to(i16s) +
                n["y"].copy_to(i8s),
            7u);
  EXPECT_EQ(i64s[0], INT64_MIN);
  EXPECT_EQ(doubles[0], -0.5);
  EXPECT_TRUE(bools[0] && !bools[1]);
  EXPECT_EQ(i16s[0], -2);
  EXPECT_EQ(i8s[0], -8);
}

TYPED_TEST(view_of, without_a_schema_by_ids) {
  tl::view<TypeParam> v(order_bytes<TypeParam>());
  EXPECT_FALSE(v.type());
  EXPECT_EQ(v[2][2].template as<std::string_view>(), "Ann");
  EXPECT_EQ(v[3][1][4][1].template as<std::string_view>(), "inner");
  EXPECT_EQ(v[4]["k1"][1].template as<std::string_view>(), "m1");
  EXPECT_EQ(v[200].template as<bool>(), true);
  EXPECT_EQ(v[99].presence(), presence::absent);
  EXPECT_EQ(v["user"].code(), errc::no_such_field);
  EXPECT_EQ(v[3][1][4].path(), "$.#3[1].#4");
  EXPECT_EQ(v.at("$#2.#2").template as<std::string_view>(), "Ann");
}

TYPED_TEST(view_of, wire_type_that_contradicts_the_idl_is_an_error) {
  tl::schema wrong = tl::schema::parse(
      "struct Order { 1: i32 id, 2: string user, 3: list<i32> items, 4: map<i32, i32> by_sku, 13: set<i64> "
      "numbers }");
  tl::view<TypeParam> v(order_bytes<TypeParam>(), wrong.type("Order"));
  EXPECT_EQ(v["id"].code(), errc::type_mismatch);
  EXPECT_NE(this->what(v["id"]).find("expected i32, found i64 at $.id"), std::string::npos)
      << this->what(v["id"]);
  EXPECT_NE(this->what(v["user"]).find("expected string, found struct at $.user"), std::string::npos)
      << this->what(v["user"]);
  EXPECT_EQ(v["items"].presence(), presence::present);
  EXPECT_NE(this->what(v["items"][0]).find("expected list<i32>, found list of struct at $.items"),
            std::string::npos)
      << this->what(v["items"][0]);
  EXPECT_EQ(v["by_sku"].key(1).code(), errc::type_mismatch);
  EXPECT_NE(this->what(v["by_sku"].key(1)).find("$.by_sku"), std::string::npos);
  EXPECT_EQ(v["numbers"][0].code(), errc::type_mismatch);
  std::vector<std::int64_t> numbers(3);
  EXPECT_EQ(v["numbers"].try_copy_to(numbers).error().code(), errc::type_mismatch);
}

TYPED_TEST(view_of, the_first_of_duplicate_fields_is_returned) {
  std::string twice = encode<TypeParam>(structure({{1, i64(1)}, {1, i64(2)}}));
  EXPECT_EQ(tl::view<TypeParam>(twice, order_type())["id"].template as<int64_t>(), 1);
}

TYPED_TEST(view_of, depth_is_bounded) {
  tree nested = item("x", 1);
  for (int i = 0; i < 100; ++i) {
    tree outer = item("x", 1);
    outer.fields.push_back({4, nested});
    nested = outer;
  }
  std::string bytes = encode<TypeParam>(nested);
  tl::type type = shop().type("Item");
  tl::view<TypeParam> v(bytes, type);
  std::string path = "$";
  for (int i = 0; i < 80; ++i) path += ".part";
  EXPECT_EQ(v.at(path).code(), errc::depth_limit);
  EXPECT_EQ(v.try_bytes().error().code(), errc::depth_limit);
  EXPECT_EQ(
      (tl::view<TypeParam>(bytes, type, {.depth = 200}).at(path)["sku"].template as<std::string_view>()),
      "x");
}

TYPED_TEST(view_of, ranges_visit_in_wire_order) {
  auto v = this->order();
  std::vector<int> ids;
  for (auto field : v.fields()) ids.push_back(field.id);
  EXPECT_THAT(ids, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 200));
  double sum = 0;
  for (auto item : v["items"].elements()) sum += item["price"].template as<double>();
  EXPECT_EQ(sum, 7.5);
  std::string keys;
  for (auto [key, value] : v["by_sku"].entries())
    keys += key.template as<std::string>() + value["sku"].template as<std::string>();
  EXPECT_EQ(keys, "k1m1k\"2m2");
}

TYPED_TEST(view_of, temporaries_are_not_viewable) {
  static_assert(std::is_constructible_v<tl::view<TypeParam>, std::string&, tl::type>);
  static_assert(!std::is_constructible_v<tl::view<TypeParam>, std::string&&, tl::type>);
}

TYPED_TEST(view_of, default_made_view_is_absent) {
  tl::view<TypeParam> v;
  EXPECT_EQ(v.presence(), presence::absent);
  EXPECT_EQ(v["a"][3].error().code(), errc::absent);
}

// The first error ends a visit of a pattern, with its own offset and path.
TYPED_TEST(view_of, for_each_ends_at_the_first_error) {
  const auto walk = [](const tl::view<TypeParam>& of, const tl::path& path_text, std::size_t& visited) {
    visited = 0;
    const tl::result<std::size_t> outcome = of.try_for_each(path_text, [&](const auto&) { ++visited; });
    if (outcome) {
      EXPECT_EQ(*outcome, visited);
    }
    return outcome ? tl::error(errc::absent, {}, 0, "$") : outcome.error();  // absent: no error
  };
  std::size_t visited = 0;
  // Steps for another kind of value, without a schema.
  const tl::view<TypeParam> bare(order_bytes<TypeParam>());
  for (const char* text : {"$#1[*]", "$#2[*]", "$#2{*}", "$#4[*]", "$#3{*}", "$#3[*][*]", "$#4{*}{*}",
                           "$#13[*]#1", "$#1#1[*]"}) {
    EXPECT_EQ(walk(bare, tl::path::compile(text), visited).code(), errc::wrong_type) << text;
    EXPECT_EQ(visited, 0u) << text;
  }
  EXPECT_EQ(walk(bare, tl::path::compile("$#3[*]#1"), visited).code(), errc::absent);
  EXPECT_EQ(visited, 3u);
  // A path of another type, and a view that is an error itself.
  EXPECT_EQ(walk(this->order()["user"], tl::path::compile(order_type(), "$.items[*]"), visited).code(),
            errc::wrong_type);
  EXPECT_EQ(walk(this->order()["nonsense"], tl::path::compile(order_type(), "$.items[*]"), visited).code(),
            errc::no_such_field);
  // An element with a field of a wrong wire type: previous elements were visited.
  tree wrong = sample_order();
  *wrong.find(3)->elements[1].find(1) = i32(5);
  const std::string bytes = encode<TypeParam>(wrong);
  const tl::error fault = walk(tl::view<TypeParam>(bytes, order_type()),
                               tl::path::compile(order_type(), "$.items[*].sku"), visited);
  EXPECT_EQ(fault.code(), errc::type_mismatch);
  EXPECT_EQ(fault.path(), "$.items[1].sku");
  EXPECT_EQ(visited, 1u);
  // Truncated anywhere: reachable values are visited, then truncated; never more than exist.
  const std::string& complete = order_bytes<TypeParam>();
  for (const char* text : {"$.items[*].sku", "$.by_sku{*}.price", "$.deep{*}[*]{*}.name", "$.groups[*][*].id",
                           "$.items[1:].tags[*]", "$.numbers[-1:]"}) {
    const tl::path path_text = tl::path::compile(order_type(), text);
    std::size_t total = 0, previous_total = 0;
    EXPECT_EQ(walk(tl::view<TypeParam>(complete, order_type()), path_text, total).code(), errc::absent)
        << text;
    for (std::size_t size = 0; size < complete.size(); ++size) {
      const std::string cut = complete.substr(0, size);
      const errc code = walk(tl::view<TypeParam>(cut, order_type()), path_text, visited).code();
      EXPECT_TRUE(code == errc::truncated || code == errc::absent)
          << text << ' ' << size << ' ' << tl::to_string(code);
      EXPECT_LE(previous_total, visited) << text << ' ' << size;
      EXPECT_LE(visited, total) << text << ' ' << size;
      previous_total = visited;
    }
  }
}

// ---- unsigned numbers, as the codec has them ----

template <class P, class N>
void expect_unsigned(std::int64_t greatest, tree (*number)(std::int64_t), const char* name) {
  const auto read = [&](std::int64_t value) {
    static std::string bytes;
    bytes = encode<P>(structure({{1, number(value)}, {2, list(number(0).type, {number(3), number(value)})}}));
    return tl::view<P>(bytes);
  };
  SCOPED_TRACE(name);
  EXPECT_EQ(read(greatest)[1].template as<N>(), static_cast<N>(greatest));
  const tl::view<P> good = read(greatest);
  EXPECT_EQ(*std::next(good[2].template numbers<N>().begin()), static_cast<N>(greatest));
  for (const std::int64_t negative : {std::int64_t{-1}, -greatest - 1}) {
    const tl::view<P> v = read(negative);
    N retained = 9;
    EXPECT_EQ(v[1].get(retained), errc::unfit_value);
    EXPECT_EQ(retained, 9);
    const tl::error fault = v[1].template try_as<N>().error();
    EXPECT_EQ(fault.code(), errc::unfit_value);
    EXPECT_EQ(fault.path(), "$.#1");
    EXPECT_EQ(fault.offset(), v[1].offset());
    EXPECT_EQ(fault.detail(), "the number does not fit " + std::string(name));
    EXPECT_EQ(v[1].template try_value_or<N>(5).error().code(), errc::unfit_value);
    EXPECT_EQ(v[2].template try_numbers<N>().error().code(), errc::unfit_value);
    std::vector<N> into(2);
    EXPECT_EQ(v[2].try_copy_to(into).error().code(), errc::unfit_value);
  }
}
TYPED_TEST(view_of, an_unsigned_number_keeps_its_value_or_is_refused) {
  expect_unsigned<TypeParam, std::uint16_t>(
      0x7fff, [](std::int64_t n) { return i16(static_cast<std::int16_t>(n)); }, "u16");
  expect_unsigned<TypeParam, std::uint32_t>(
      0x7fffffff, [](std::int64_t n) { return i32(static_cast<std::int32_t>(n)); }, "u32");
  expect_unsigned<TypeParam, std::uint64_t>(
      0x7fffffffffffffff, [](std::int64_t n) { return i64(n); }, "u64");
}
TYPED_TEST(view_of, an_unsigned_number_may_be_wider_and_not_narrower) {
  const std::string bytes = encode<TypeParam>(structure({{1, i16(7)}, {2, i64(7)}, {3, i16(-7)}}));
  const tl::view<TypeParam> v(bytes);
  EXPECT_EQ(v[1].template as<std::uint64_t>(), 7u);
  EXPECT_EQ(v[2].template try_as<std::uint32_t>().error().code(), errc::wrong_type);
  EXPECT_EQ(v[3].template try_as<std::uint64_t>().error().code(), errc::unfit_value);
}
TYPED_TEST(view_of, an_enum_refuses_numbers_beyond_its_own_type) {
  enum class small : std::uint8_t {};
  enum class wide : std::uint32_t {};
  const std::string bytes = encode<TypeParam>(structure({{1, i32(255)}, {2, i32(256)}, {3, i32(-1)}}));
  const tl::view<TypeParam> v(bytes);
  EXPECT_EQ(v[1].template as<small>(), small{255});
  EXPECT_EQ(v[2].template try_as<small>().error().code(), errc::unfit_value);
  EXPECT_EQ(v[2].template as<wide>(), wide{256});
  EXPECT_EQ(v[3].template try_as<wide>().error().code(), errc::unfit_value);
}

TYPED_TEST(view_of, an_index_may_be_unsigned) {
  auto v = this->order();
  EXPECT_EQ(v["items"][std::size_t{2}]["sku"].template as<std::string_view>(), "c");
  EXPECT_EQ(v["items"][std::size_t{3}].code(), errc::bad_index);
  EXPECT_EQ(v["items"][~std::uint64_t{0}].code(), errc::bad_index) << "not the last one";
  EXPECT_EQ(v[1u].template as<std::int64_t>(), 77);
  EXPECT_EQ(v[~std::uint64_t{0}].code(), errc::no_such_field);
  EXPECT_EQ(v["notes"][300u].template as<std::string_view>(), "plus");
  EXPECT_EQ(v["notes"][~std::uint64_t{2}].code(), errc::value_range) << "not -3";
}

TYPED_TEST(view_of, an_error_names_the_request_and_a_suggestion) {
  auto v = this->order();
  EXPECT_EQ(this->what(v["usr"]["name"]), "no field 'usr' in Order; did you mean 'user'? at $ (byte 0)");
  EXPECT_EQ(v["usr"]["name"].template try_as<std::string_view>().error().detail(),
            "no field 'usr' in Order; did you mean 'user'?");
  EXPECT_EQ(v["user"]["nmae"].error().detail(), "no field 'nmae' in User; did you mean 'name'?");
  EXPECT_EQ(v["user"][99].error().detail(), "no field with id 99 in User");
  EXPECT_EQ(v["user"].field(-7).error().detail(), "no field with id -7 in User");
  EXPECT_EQ(v["user"][100000].error().detail(), "no field with id 100000 in User");
  EXPECT_EQ(tl::view<TypeParam>(order_bytes<TypeParam>())["user"].error().detail(),
            "field 'user' needs a schema; use its id");
  std::string name = "usr";
  const auto retained = v[name];
  name.assign(40, 'x');
  EXPECT_EQ(retained.error().detail(), "no field 'usr' in Order; did you mean 'user'?");
  for (int i = 0; i < 20; ++i) static_cast<void>(v["another"]);
  EXPECT_EQ(retained.error().detail(), "no such field in Order");
}
TYPED_TEST(view_of, an_error_of_a_wrong_step_names_step_and_type) {
  auto v = this->order();
  EXPECT_EQ(v["id"]["x"].error().detail(), "a field step does not apply to i64");
  EXPECT_EQ(v["items"].field(1).error().detail(),
            "a field step does not apply to list<Item>; write [0] or [*]");
  EXPECT_EQ(v["id"][0].error().detail(), "an index does not apply to i64");
  EXPECT_EQ(v["user"].index(0).error().detail(), "an index does not apply to User");
  EXPECT_EQ(v["user"].key(0).error().detail(), "a key does not apply to User");
  EXPECT_EQ(v["notes"].key("x").error().detail(), "a key of map<i16, string> must be an i16");
  EXPECT_EQ(v["id"].template try_as<std::string>().error().detail(),
            "expected string or binary, found an i64");
  EXPECT_EQ(v["user"].template try_as<std::int32_t>().error().detail(), "expected i32, found a User");
  EXPECT_EQ(v["items"][0].template try_as<bool>().error().detail(), "expected bool, found an Item");
  EXPECT_EQ(v["id"].try_size().error().detail(), "the value is an i64, which has no size");
  EXPECT_EQ(v["id"].try_size().error().path(), "$.id");
}

// ---- texts that are compiled on the spot ----

TYPED_TEST(view_of, for_each_takes_a_text) {
  auto v = this->order();
  std::string text;
  EXPECT_EQ(
      v.for_each("$.items[*].sku", [&](const auto& item) { text += item.template as<std::string_view>(); }),
      3u);
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(v.try_for_each("$.itms[*]", [](const auto&) {}).error().code(), errc::no_such_field);
}

// Slices of three elements, with both ends from -5 to 5 and open, as Python has them.
TYPED_TEST(view_of, slices_with_all_bounds) {
  const auto v = this->order();
  const std::vector<std::string> names = {"a", "b", "c"};
  for (int first = -5; first <= 6; ++first) {
    for (int last = -5; last <= 6; ++last) {
      const std::string text = "$.items[" + (first == 6 ? "" : std::to_string(first)) + ':' +
                               (last == 6 ? "" : std::to_string(last)) + "].sku";
      std::vector<std::string> views, expected;
      v.for_each(tl::path::compile(order_type(), text),
                 [&](const auto& item) { views.push_back(item.template as<std::string>()); });
      const auto end = [](int at, int open) {
        return std::clamp(at == 6 ? open : at < 0 ? at + 3 : at, 0, 3);
      };
      for (int i = end(first, 0); i < end(last, 3); ++i)
        expected.push_back(names[static_cast<std::size_t>(i)]);
      EXPECT_EQ(views, expected) << text;
    }
  }
  for (int index = -5; index <= 5; ++index)
    EXPECT_EQ(v["items"][index].presence() == presence::present, index >= -3 && index < 3) << index;
}

}  // namespace
