#include <thriftlens/policy/rewrite.hpp>

#include "policy/rewrite_scripts.hpp"
#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_of : testing::Test {
  using V = tl::view<P>;
  static V order() { return V(order_bytes<P>(), order_type()); }
  static tl::redaction rules(std::vector<std::pair<std::string, std::string>> paths,
                             tl::on_missing missing = tl::on_missing::omit) {
    tl::redact_options options{.paths = std::move(paths), .missing_required = missing};
    for (const auto& path : options.paths) {
      if (path.second == "hash") options.key = tl::redact_hash::key_bytes{1};
    }
    return tl::redaction::compile(order_type(), options);
  }
  /// trim, redact and edit one after the other; `edits` adds edits to an edit or a rewrite.
  template <class Edits>
  static void equals_parts(std::string_view retained, const tl::redaction& by, Edits edits) {
    const tl::buffer trimmed = tl::trim(order(), retained);
    const tl::buffer redacted = tl::redact(V(trimmed, order_type()), by);
    tl::edit<P> last(V(redacted, order_type()));
    edits(last);
    tl::rewrite<P> fused(order());
    edits(fused);
    fused.redact(by).trim(retained);  // the order of the calls does not count
    const auto expected = last.try_apply(), actual = fused.try_apply();
    ASSERT_EQ(actual.has_value(), expected.has_value());
    if (expected)
      EXPECT_EQ(actual->text(), expected->text());
    else
      EXPECT_EQ(actual.error().code(), expected.error().code());
  }
};
TYPED_TEST_SUITE(rewrite_of, protocols);

TYPED_TEST(rewrite_of, elements_that_differ_in_long_parts_are_not_merged) {
  const tl::schema schema = tl::schema::parse(
      "struct E { 1: i32 hidden (pii = \"blank\"), 2: string text } struct T { 1: set<E> all, 2: map<E, i32> "
      "by }");
  tl::buffer bytes;
  typename TypeParam::writer out(bytes);
  const std::string first(100, 'x'), second(100, 'y');
  const auto element = [&](std::int32_t hidden, std::string_view text) {
    const auto outer = out.begin_struct();
    out.write_field(tl::ttype::i32, 1);
    out.write_i32(hidden);
    out.write_field(tl::ttype::string, 2);
    out.write_bytes(text);
    out.write_stop();
    out.end_struct(outer);
  };
  out.write_field(tl::ttype::set, 1);
  out.write_set({tl::ttype::struct_, 3});
  element(1, first);
  element(2, second);
  element(3, first);  // becomes equal to the first
  out.write_field(tl::ttype::map, 2);
  out.write_map({tl::ttype::struct_, tl::ttype::i32, 2});
  element(1, first);
  out.write_i32(1);
  element(2, second);
  out.write_i32(2);
  out.write_stop();
  tl::rewrite<TypeParam> task(tl::view<TypeParam>(bytes, schema.type("T")));
  task.redact(tl::redaction::compile(schema.type("T"), {.annotation = "pii"}));
  const tl::buffer joined = task.apply_gather(64).join();
  EXPECT_EQ(joined.str(), task.apply().str());
  const tl::view<TypeParam> result(joined, schema.type("T"));
  EXPECT_EQ(result.at("$.all").size(), 2u);
  EXPECT_EQ(result.at("$.all[1].text").template as<std::string_view>(), second);
  EXPECT_EQ(result.at("$.by").size(), 2u);
}

TYPED_TEST(rewrite_of, equals_its_steps_in_sequence) {
  const auto none = [](auto&) {};
  const auto by =
      this->rules({{"$.user.name", "hash"}, {"$.debug", "drop"}, {"$.items[*].sku", "keep_last(1)"}});
  this->equals_parts("{ * }", by, none);
  this->equals_parts("{ id user items { sku } debug }", by, none);
  this->equals_parts("{ -items }", by, [](auto& to) { to.set("$.id", 7).set("$.user.name", "given"); });
  this->equals_parts("{ id user items }", by, [](auto& to) { to.set("$.items[0].sku", "given"); });
  this->equals_parts("{ id }", by, [](auto& to) { to.set("$.debug", "back again"); });
  this->equals_parts("{ id }", by, [](auto& to) { to.set("$.user.name", "nowhere"); });
  this->equals_parts("{ id }", by, [](auto& to) { to.create("$.user.name", "made"); });
  this->equals_parts("{ * }", by, [](auto& to) { to.erase("$.user").insert("$.debug", "new"); });
}

TYPED_TEST(rewrite_of, edits_see_the_redacted_value) {
  std::string seen;
  const auto name = [&](const tl::view<TypeParam>& old) {
    seen = old.template as<std::string>();
    return seen + "!";
  };
  const auto by = this->rules({{"$.user.name", "constant(hidden)"}});
  const tl::buffer out = tl::rewrite(this->order()).redact(by).replace("$.user.name", name).apply();
  EXPECT_EQ(seen, "hidden");
  EXPECT_EQ(tl::view<TypeParam>(out, order_type()).at("$.user.name").template as<std::string>(), "hidden!");
}

TYPED_TEST(rewrite_of, edits_apply_inside_replaced_values) {
  const auto by = this->rules({{"$.by_sku", "hash"}, {"$.user", "blank"}});
  this->equals_parts("{ * }", by, [](auto& to) { to.set("$.by_sku{\"k1\"}.sku", "x"); });
  this->equals_parts("{ * }", by, [](auto& to) { to.create("$.by_sku{\"fresh\"}.sku", "x"); });
  this->equals_parts("{ * }", by, [](auto& to) { to.set("$.user.name", "x"); });
  this->equals_parts("{ * }", this->rules({{"$.items[*]", "drop"}}),
                     [](auto& to) { to.set("$.items[0].sku", "x"); });
}

TYPED_TEST(rewrite_of, report_counts_all_three) {
  tl::rewrite_report report;
  const auto by = this->rules({{"$.user.name", "blank"}, {"$.debug", "drop"}});
  static_cast<void>(tl::rewrite(this->order()).trim("{ -items }").redact(by).apply(&report));
  EXPECT_EQ(report.trimmed, 1u);
  EXPECT_EQ(report.replaced, 1u);
  EXPECT_GE(report.dropped, 1u);
}

TYPED_TEST(rewrite_of, errors_leave_the_output_unchanged) {
  const auto by = this->rules({{"$.debug", "blank"}});
  const auto code = [&](const tl::rewrite<TypeParam>& of) {
    tl::buffer out(tl::byte_view("front", 5));
    const auto status = of.try_append_to(out);
    EXPECT_EQ(out.text(), "front");
    return status ? errc::ok : status.error().code();
  };
  EXPECT_EQ(code(tl::rewrite(this->order()).trim("{ id }").trim("{ user }")), errc::edit_conflict);
  EXPECT_EQ(code(tl::rewrite(this->order()).redact(by).redact(by)), errc::edit_conflict);
  EXPECT_EQ(code(tl::rewrite(this->order()).trim("{ nothing_such }")), errc::no_such_field);
  EXPECT_EQ(code(tl::rewrite(this->order()).redact(by).set("$.nothing_such", 1)), errc::no_such_field);
  const tl::type item = order_type().find_field("items").type().element();
  EXPECT_EQ(code(tl::rewrite(this->order()).trim(tl::selection::compile(item, "{ sku }"))), errc::wrong_type);
  const auto strange = tl::redaction::compile(item, {.paths = {{"$.sku", "blank"}}});
  EXPECT_EQ(code(tl::rewrite(this->order()).redact(strange)), errc::wrong_type);
  const std::string cut = order_bytes<TypeParam>().substr(0, 20);
  EXPECT_NE(code(tl::rewrite(tl::view<TypeParam>(cut, order_type())).redact(by)), errc::ok);
}

TYPED_TEST(rewrite_of, names_the_required_field_that_the_selection_drops) {
  const auto by = this->rules({{"$.debug", "blank"}, {"$.user.name", "blank"}}, tl::on_missing::error);
  const auto path = [&](std::string_view retained) {
    const auto status = tl::rewrite(this->order()).trim(retained).redact(by).try_apply();
    EXPECT_EQ(errc_of(status), errc::missing_required);
    return std::string(status.error().path());
  };
  EXPECT_EQ(path("{ id user { name } items }"), "$.user.id");
  EXPECT_EQ(path("{ * -id }"), "$.id");
  EXPECT_EQ(path("{ id user groups { name } }"), "$.groups[0][0].id");
}

TYPED_TEST(rewrite_of, changes_other_values_of_the_type_and_writes_in_place) {
  tl::rewrite<TypeParam> retained(this->order());
  retained.set("$.id", 5).redact(this->rules({{"$.debug", "blank"}}));
  const std::string other = encode<TypeParam>(structure({{1, i64(1)}}));
  tl::buffer out;
  retained.append_to(tl::view<TypeParam>(other, order_type()), out);
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{1, i64(5)}})));
  std::string bytes = other;
  tl::rewrite(tl::view<TypeParam>(bytes, order_type()))
      .set("$.id", 9)
      .apply_in_place({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  EXPECT_EQ(bytes, encode<TypeParam>(structure({{1, i64(9)}})));
}

TYPED_TEST(rewrite_of, random_programs_on_hostile_bytes_equal_their_steps) {
  rewrite_promises<TypeParam> promises;
  std::mt19937 random(7);
  for (std::size_t i = 0; i < thriftlens_test::cases(6000u); ++i) {
    std::string input(1 + random() % 400, '\0');
    for (char& character : input) character = static_cast<char>(random());
    promises.check(choices(input));
    ASSERT_EQ(promises.broken, "") << i;
  }
  EXPECT_GT(promises.applied, thriftlens_test::cases(1000u));
  EXPECT_GT(promises.refused, thriftlens_test::cases(1000u));
}

}  // namespace
