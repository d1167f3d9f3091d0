// Old names of the interface, which work for this minor version: each does what its new name does.
// docs/migration.md has the table.
#include <thriftlens/codec/bind_by_name.hpp>
#include <thriftlens/codec/binding.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/json/bound.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/view.hpp>

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace tl = thriftlens;

namespace {
struct named_point {
  std::int32_t x = 0;
  std::string label;
};
}  // namespace
template <>
struct thriftlens::binding<named_point>
    : thriftlens::fields<thriftlens::field<1, &named_point::x>, thriftlens::field<2, &named_point::label>> {};

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

const tl::schema& points() {
  static const tl::schema made =
      tl::schema::parse("struct Point { 1: i32 x; 2: string label (pii = \"name\"); }");
  return made;
}
tl::buffer point_bytes() { return tl::encode(named_point{7, "seven"}); }
tl::type point() { return points().type("Point"); }

std::string text(const tl::selection& of) {
  std::ostringstream out;
  out << of;
  return out.str();
}

TEST(old_names, compile_as_the_new_ones) {
  const std::array<std::string_view, 2> texts{"$.x", "$.label"};
  EXPECT_EQ(tl::path::parse(point(), "$.x"), tl::path::compile(point(), "$.x"));
  EXPECT_EQ(*tl::path::try_parse(point(), "$.x"), tl::path::compile(point(), "$.x"));
  EXPECT_EQ(tl::path::parse("$.#1"), tl::path::compile("$.#1"));
  EXPECT_EQ(*tl::path::try_parse("$.#1"), tl::path::compile("$.#1"));
  EXPECT_EQ(text(tl::selection::parse(point(), "{ x }")), text(tl::selection::compile(point(), "{ x }")));
  EXPECT_EQ(text(*tl::selection::try_parse(point(), "{ x }")),
            text(tl::selection::compile(point(), "{ x }")));
  EXPECT_EQ(text(tl::selection::of(point(), {"$.x"})), text(tl::selection::compile(point(), {"$.x"})));
  EXPECT_EQ(text(*tl::selection::try_of(point(), {"$.x", "$.label"})),
            text(tl::selection::compile(point(), {"$.x", "$.label"})));
  EXPECT_EQ(text(tl::selection::of(point(), point())), text(tl::selection::compile(point(), point())));
  EXPECT_EQ(tl::plan::parse(point(), {"$.x", "$.label"}).size(), 2u);
  EXPECT_EQ(tl::plan::try_parse(point(), std::span<const std::string_view>(texts))->size(), 2u);
  EXPECT_EQ(tl::plan::of(point(), {tl::path::compile(point(), "$.x")}).size(), 1u);
  EXPECT_EQ(tl::plan::try_of(point(), {tl::path::compile(point(), "$.x")})->size(), 1u);
}

TEST(old_names, write_what_the_new_ones_write) {
  const tl::buffer bytes = point_bytes();
  const tl::view<tl::binary> from(bytes, point());
  tl::buffer out;
  ASSERT_TRUE(tl::try_trim_to(out, from, "{ x }"));
  EXPECT_EQ(out, tl::trim(from, "{ x }"));
  const tl::redaction rules = tl::redaction::compile(point(), {.annotation = "pii"});
  out.clear();
  ASSERT_TRUE(tl::try_redact_to(out, from, rules));
  EXPECT_EQ(out, tl::redact(from, rules));
  tl::edit<tl::binary> change(from);
  change.set("$.x", 8);
  out.clear();
  change.apply_to(out);
  EXPECT_EQ(out, change.apply());
  out.clear();
  ASSERT_TRUE(change.try_apply_to(out, from));
  EXPECT_EQ(out, change.apply());
  out.clear();
  tl::rewrite(from).redact(rules).apply_to(out);
  EXPECT_EQ(out, tl::redact(from, rules));
  tl::document document;
  document.load(from);
  out.clear();
  document.write(out);
  EXPECT_EQ(out, bytes);
  out.clear();
  ASSERT_TRUE(document.try_write<tl::binary>(out));
  EXPECT_EQ(out, bytes);
  out.clear();
  document.root().write(out);
  EXPECT_EQ(out, bytes);
}

TEST(old_names, encode_as_the_new_ones) {
  const named_point value{7, "seven"};
  tl::buffer out;
  tl::encode(value, out);
  EXPECT_EQ(out, point_bytes());
  out.clear();
  ASSERT_TRUE(tl::try_encode<tl::binary>(value, out));
  EXPECT_EQ(out, point_bytes());
  std::array<std::uint8_t, 64> memory{};
  EXPECT_EQ(tl::encode(value, std::span<std::uint8_t>(memory)), point_bytes().size());
  tl::gather_list pieces;
  tl::encode(value, pieces);
  std::string all;
  for (const tl::byte_view each : pieces.pieces()) all += each.text();
  EXPECT_EQ(all, point_bytes().str());
  const tl::named_binding<named_point> by_name = tl::bind_by_name<named_point>(point());
  out.clear();
  by_name.encode(value, out);
  EXPECT_EQ(out, point_bytes());
}

TEST(old_names, limits_beside_the_options_of_json) {
  const tl::buffer bytes = point_bytes();
  const tl::limits small = {.output_size = 3};
  const auto refused = [](const auto& done) { return done.error().code() == tl::errc::output_limit; };
  tl::buffer out;
  EXPECT_TRUE(refused(tl::try_append_json<tl::binary>(point(), bytes, out, {}, small)));
  EXPECT_TRUE(refused(tl::try_to_json<tl::binary>(point(), bytes, {}, small)));
  EXPECT_TRUE(refused(tl::try_to_json(tl::protocol_id::binary, point(), bytes, {}, small)));
  EXPECT_TRUE(refused(tl::try_to_json(tl::view<tl::binary>(bytes, point()), {}, small)));
  const std::string json = R"({"x":7,"label":"seven"})";
  EXPECT_TRUE(refused(tl::try_append_from_json<tl::binary>(point(), json, out, {}, small)));
  EXPECT_TRUE(refused(tl::try_from_json<tl::binary>(point(), json, {}, small)));
  EXPECT_TRUE(refused(tl::try_from_json(tl::protocol_id::binary, point(), json, {}, small)));
  EXPECT_EQ(tl::to_json<tl::binary>(point(), bytes, {}, tl::limits()).str(), json);
  EXPECT_EQ(tl::from_json<tl::binary>(point(), json, {}, tl::limits()), bytes);
}

TEST(old_names, of_choices) {
  static_assert(std::is_same_v<tl::json_unknown, tl::on_unknown> &&
                std::is_same_v<tl::decode_unknown, tl::on_unknown> &&
                std::is_same_v<tl::redact_unknown, tl::on_unknown>);
  static_assert(std::is_same_v<tl::json_mismatch, tl::on_mismatch> &&
                std::is_same_v<tl::decode_mismatch, tl::on_mismatch>);
  static_assert(std::is_same_v<tl::json_duplicates, tl::on_duplicate> &&
                std::is_same_v<tl::decode_duplicates, tl::on_duplicate>);
  static_assert(std::is_same_v<tl::json_defaults, tl::on_absent> &&
                std::is_same_v<tl::json_utf8, tl::on_invalid_utf8>);
  EXPECT_EQ(tl::missing_required::omit, tl::on_missing::omit);
  EXPECT_EQ(tl::json_unknown::skip, tl::on_unknown::drop);
  EXPECT_EQ(tl::json_mismatch::skip, tl::on_mismatch::drop);
}

}  // namespace
