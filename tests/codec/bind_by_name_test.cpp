#include <thriftlens/codec/bind_by_name.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

#include <gmock/gmock.h>

#include <variant>

namespace {

constexpr const char* idl = R"(
  enum Kind { A = 1, B = 2 }
  struct Item { 7: string sku, 3: double price, 9: list<Item> parts, 11: map<string, Item> named }
  union Choice { 4: i32 number, 2: string text, 1: bool flag }
  struct Order {
    20: list<Item> items, 1: required string name, 5: optional bool finished, 6: Choice choice, 8: set<i64> ids, 30: Kind kind,
    40: i64 ignored
  }
)";

enum class kind : std::int8_t { a = 1, b = 2 };
struct named_item {
  double price = 0;
  std::string sku;
  std::vector<named_item> parts;
  std::map<std::string, named_item> named;
};
struct named_order {
  std::string name;
  std::vector<named_item> items;
  std::optional<bool> finished;
  std::variant<std::monostate, std::int32_t, std::string, bool> choice;
  std::vector<std::int64_t> ids;
  enum kind kind = kind::a;
};
struct wrong {
  std::int32_t name = 0;
  std::vector<std::string> item;
  double finished = 0;
};
struct renamed {
  std::string title;
  tl::unknown_fields rest;
};

template <class Protocol>
void expect_round_trip() {
  const tl::schema schema = tl::schema::parse(idl);
  const auto binding = tl::bind_by_name<named_order>(schema.type("Order"));
  const named_order sent{"n",    {{1.5, "s", {{2.5, "k", {}, {{"x", {3, "z", {}, {}}}}}}, {}}},
                         true,   std::string("hi"),
                         {3, 1}, kind::b};
  tl::buffer bytes;
  binding.template append_encoded<Protocol>(sent, bytes);
  const named_order back = binding.template decode<Protocol>(bytes);
  ASSERT_EQ(back.items.size(), 1u);
  EXPECT_EQ(back.items[0].parts.at(0).named.at("x").sku, "z");
  EXPECT_EQ(back.finished, true);
  EXPECT_EQ(std::get<2>(back.choice), "hi");
  EXPECT_EQ(back.ids, sent.ids);
  EXPECT_EQ(back.kind, kind::b);
  named_order into;
  for (int i = 0; i < 2; ++i) binding.template decode_into<Protocol>(bytes, into);
  EXPECT_EQ(into.items[0].price, 1.5);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(binding.template try_decode<Protocol>(tl::byte_view(bytes).part(0, size)));
  }
}

}  // namespace

template <>
struct tl::binding<renamed>
    : tl::fields<tl::field<1, &renamed::title, tl::named("name")>, tl::keep_unknown<&renamed::rest>> {};

TEST(codec_bind_by_name, ids_come_from_the_idl) {
  const tl::schema schema = tl::schema::parse("struct P { 9: string label, 4: i32 x }");
  struct {
    std::int32_t x;
    std::string label;
  } sent{7, "l"};
  const auto binding = tl::bind_by_name<decltype(sent)>(schema.type("P"));
  tl::buffer bytes;
  binding.append_encoded(sent, bytes);
  EXPECT_EQ(bytes.text(), std::string("\x08\x00\x04\x00\x00\x00\x07\x0b\x00\x09\x00\x00\x00\x01l\x00", 16));
}

TEST(codec_bind_by_name, nested_types_round_trip_in_both_protocols) {
  expect_round_trip<tl::binary>();
  expect_round_trip<tl::compact>();
}

TEST(codec_bind_by_name, errors_have_paths) {
  const tl::schema schema = tl::schema::parse(idl);
  const auto binding = tl::bind_by_name<named_order>(schema.type("Order"));
  const auto missing = binding.try_decode(std::string_view("\x00", 1));
  ASSERT_EQ(errc_of(missing), tl::errc::missing_required);
  EXPECT_EQ(missing.error().path(), "$.name");
  const auto partial =
      binding.try_decode(std::string_view("\x00", 1), {.missing_required = tl::on_missing::omit});
  ASSERT_TRUE(partial) << partial.error().what();
  EXPECT_EQ(partial->name, named_order().name);
}

TEST(codec_bind_by_name, all_mismatches_are_listed) {
  const tl::schema schema = tl::schema::parse(idl);
  EXPECT_THAT(tl::binding_faults<wrong>(schema.type("Order")),
              testing::ElementsAre("$.name: a C++ i32 for the IDL type string",
                                   "$: no field 'item' in Order; did you mean 'items'?",
                                   "$.finished: a C++ double for the IDL type bool"));
  const auto failed = tl::try_bind_by_name<wrong>(schema.type("Order"));
  ASSERT_EQ(errc_of(failed), tl::errc::value_type);
  EXPECT_THAT(failed.error().what(), testing::HasSubstr("\n  $.finished: "));
  EXPECT_THAT(tl::binding_faults<named_item>(schema.type("Order")),
              testing::Contains("$: no member for the required field 'name'"));
}

TEST(codec_bind_by_name, explicit_names_are_used_and_unbound_fields_kept) {
  const tl::schema schema = tl::schema::parse(idl);
  const auto full = tl::bind_by_name<named_order>(schema.type("Order"));
  const auto part = tl::bind_by_name<renamed>(schema.type("Order"));
  tl::buffer bytes;
  full.append_encoded({.name = "old", .items = {}, .finished = true, .choice = {}, .ids = {5}}, bytes);
  renamed seen = part.decode(bytes);
  EXPECT_EQ(seen.title, "old");
  seen.title = "new";
  bytes.clear();
  part.append_encoded(seen, bytes);
  const named_order back = full.decode(bytes);
  EXPECT_EQ(back.name, "new");
  EXPECT_EQ(back.ids, std::vector<std::int64_t>{5});
}

TEST(codec_bind_by_name, a_binding_outlives_its_schema_and_a_new_one_follows_the_new_idl) {
  struct point {
    std::int32_t x = 0;
  };
  auto bind = [](const char* text) {
    const tl::schema schema = tl::schema::parse(text);
    return tl::bind_by_name<point>(schema.type("P"));
  };
  const auto previous = bind("struct P { 1: i32 x }");
  const auto next = bind("struct P { 2: i32 x }");
  tl::buffer bytes;
  previous.append_encoded({3}, bytes);
  EXPECT_EQ(previous.decode(bytes).x, 3);
  EXPECT_EQ(next.decode(bytes).x, 0);
}
