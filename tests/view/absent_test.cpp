#include <thriftlens/view/view.hpp>

#include "support/random_data.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/inspect.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/plan.hpp>

// Malformed bytes must not be reported as an absent value.

using tl::errc;
using namespace thriftlens_test;

namespace {

const tl::schema& idl() {
  static const tl::schema result = tl::schema::parse(R"(
    struct User { 1: required string name, 2: optional string mail }
    struct Order { 1: optional i64 id, 2: optional User user, 3: list<i32> numbers, 4: map<string, i32> notes, 5: string tag = "none" }
    struct Strict { 1: required i64 id, 2: optional i64 other, 3: required User user }
    union Either { 1: i32 number, 2: string text }
    typedef map<string, i32> Notes
    struct Holder { 1: Notes notes }
  )");
  return result;
}
tl::type order() { return idl().type("Order"); }
tl::type strict() { return idl().type("Strict"); }

tree sample() { return structure({{3, list(ttype::i32, {i32(1), i32(70000)})}, {6, text("unknown")}}); }

std::string framed(const std::string& inside) {
  std::string size(4, '\0');
  tl::detail::store_be(reinterpret_cast<std::uint8_t*>(size.data()),
                       static_cast<std::uint32_t>(inside.size()));
  return size + inside;
}
template <class P>
std::string message() {
  tl::buffer bytes;
  typename P::writer out(bytes);
  tl::write_message(out,
                    {.name = "getOrder", .type = tl::message_type::reply, .sequence_id = 1, .strict = true});
  return bytes.str() + encode<P>(sample());
}

/// Bytes that are not an Order in P, and the format that they look like.
struct taken_for {
  std::string bytes, looks;
};
template <class P>
std::vector<taken_for> strangers() {
  using other = std::conditional_t<P::id == tl::protocol_id::binary, tl::compact, tl::binary>;
  const std::string here = P::id == tl::protocol_id::binary ? "Binary" : "Compact",
                    there = P::id == tl::protocol_id::binary ? "Compact" : "Binary";
  return {{framed(encode<P>(sample())), "a 32-bit frame length before " + here},
          {framed(message<P>()), "a 32-bit frame length before a " + here + " message"},
          {encode<other>(sample()), there},
          {message<P>(), "a " + here + " message"},
          {message<other>(), "a " + there + " message"},
          {R"({"id": 1, "user": {"name": "Ann"}})", "JSON text"},
          {std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\1\2\3\4", 14), "gzip"}};
}

template <class P>
using question = std::function<tl::error(const tl::view<P>&)>;

/// Every way in which a view answers that something is not there.
template <class P>
std::vector<std::pair<const char*, question<P>>> questions() {
  using V = tl::view<P>;
  static const tl::path single = tl::path::compile(order(), "$.id"),
                        nested = tl::path::compile(order(), "$.user.mail"),
                        many = tl::path::compile(order(), "$.numbers[*]");
  static const tl::plan together =
      tl::plan::compile(order(), {"$.id", "$.user.mail", "$.notes{\"x\"}", "$.tag"});
  const auto of_result = [](const auto& status) { return status ? tl::error() : status.error(); };
  const auto in_plan = [](const V& v, std::size_t which) {
    std::vector<V> actual;
    EXPECT_EQ(tl::get_many(v, together, actual), 0u);
    return actual[which].error();
  };
  return {
      {"[name]", [](const V& v) { return v["id"].error(); }},
      {"[id]", [](const V& v) { return v[1].error(); }},
      {"field(name)", [](const V& v) { return v.field("user").error(); }},
      {"field(id)", [](const V& v) { return v.field(std::int16_t{2}).error(); }},
      {"field(info)", [](const V& v) { return v.field(order().find_field("notes")).error(); }},
      {"[name][name]", [](const V& v) { return v["user"]["mail"].error(); }},
      {"at(path)", [](const V& v) { return v.at(single).error(); }},
      {"at(nested)", [](const V& v) { return v.at(nested).error(); }},
      {"at(text)", [](const V& v) { return v.at("$.tag").error(); }},
      {"try_at", [=](const V& v) { return v.try_at("$.user.name")->error(); }},
      {"presence",
       [](const V& v) { return v["id"].presence() == tl::presence::absent ? tl::error() : v["id"].error(); }},
      {"or_default", [](const V& v) { return v["tag"].or_default().error(); }},
      {"try_value_or", [=](const V& v) { return of_result(v["id"].template try_value_or<std::int64_t>(7)); }},
      {"try_for_each", [=](const V& v) { return of_result(v.try_for_each(many, [](const V&) {})); }},
      {"get_many", [=](const V& v) { return in_plan(v, 0); }},
      {"get_many, nested", [=](const V& v) { return in_plan(v, 1); }},
      {"get_many, key", [=](const V& v) { return in_plan(v, 2); }},
      {"size", [=](const V& v) { return of_result(v.try_size()); }},
      {"member", [](const V& v) { return v.member().error(); }},
      {"fields",
       [](const V& v) {
         auto full = v.try_fields();
         for (const auto& item : full) static_cast<void>(item);
         return full.error();
       }},
      {"validate", [=](const V& v) { return of_result(tl::try_validate(v)); }},
      {"trim",
       [=](const V& v) { return of_result(tl::try_trim(v, tl::selection::compile(order(), "{ id }"))); }},
  };
}

template <class P>
struct absent_of : testing::Test {};
TYPED_TEST_SUITE(absent_of, protocols);

}  // namespace

TYPED_TEST(absent_of, foreign_bytes_are_an_error_not_absent) {
  for (const taken_for& stranger : strangers<TypeParam>()) {
    const tl::view<TypeParam> root(stranger.bytes, order());
    for (const auto& [name, ask] : questions<TypeParam>()) {
      const tl::error fault = ask(root);
      EXPECT_EQ(tl::detail::kind(fault.code()), tl::error_kind::decode)
          << name << " of " << stranger.looks << ": " << fault.what();
      if (fault.code() == errc::union_members) continue;  // two were found before the error
      EXPECT_NE(std::string_view(fault.what()).find("; the data looks like " + stranger.looks),
                std::string_view::npos)
          << name << ": " << fault.what();
    }
  }
}

TYPED_TEST(absent_of, operations_without_a_schema_add_the_format_hint) {
  for (const taken_for& stranger : strangers<TypeParam>()) {
    const std::string looks = "; the data looks like " + stranger.looks;
    const tl::view<TypeParam> root(stranger.bytes, order());
    EXPECT_NE(tl::inspect<TypeParam>(stranger.bytes).find("\n! "), std::string::npos);
    EXPECT_NE(tl::inspect<TypeParam>(stranger.bytes).find(looks), std::string::npos)
        << tl::inspect<TypeParam>(stranger.bytes);
    const std::string converted = tl::try_convert<TypeParam, tl::binary>(stranger.bytes).error().what();
    EXPECT_NE(converted.find(looks), std::string::npos) << converted;
    const std::string compared = tl::try_equal(root, root).error().what();
    EXPECT_NE(compared.find(looks), std::string::npos) << compared;
  }
}

TYPED_TEST(absent_of, edits_of_foreign_bytes_add_the_format_hint) {
  for (const taken_for& stranger : strangers<TypeParam>()) {
    const std::string looks = "; the data looks like " + stranger.looks;
    for (const std::string_view path : {"$.tag", "$.user.mail"}) {
      const tl::view<TypeParam> root(stranger.bytes, order());
      const tl::result<tl::buffer> set = tl::edit(root).set(path, "x").try_apply();
      ASSERT_FALSE(set) << path;
      EXPECT_NE(std::string_view(set.error().what()).find(looks), std::string_view::npos)
          << path << ": " << set.error().what();
      const tl::result<tl::buffer> erased = tl::edit(root).erase(path).try_apply();
      ASSERT_FALSE(erased) << path;
      EXPECT_NE(std::string_view(erased.error().what()).find(looks), std::string_view::npos)
          << path << ": " << erased.error().what();
    }
  }
  const std::string sound = encode<TypeParam>(sample());
  EXPECT_EQ(tl::edit(tl::view<TypeParam>(sound, order())).set("$.user.mail", "x").try_apply().error().code(),
            errc::absent);
}

TYPED_TEST(absent_of, valid_bytes_without_the_field_are_absent) {
  const std::string bytes = encode<TypeParam>(structure({{300, text("unknown")}}));
  const tl::view<TypeParam> root(bytes, order());
  EXPECT_EQ(root["id"].code(), errc::absent);
  EXPECT_EQ(root.at("$.user.mail").code(), errc::absent);
  EXPECT_EQ(root["tag"].or_default().template as<std::string_view>(), "none");
  const tl::plan together = tl::plan::compile(order(), {"$.id", "$.notes{\"x\"}"});
  std::vector<tl::view<TypeParam>> actual;
  EXPECT_EQ(tl::get_many(root, together, actual), 0u);
  for (const auto& item : actual) EXPECT_EQ(item.presence(), tl::presence::absent);
  EXPECT_EQ(root.try_size().value(), 1u);
  const std::string empty = encode<TypeParam>(structure({}));
  EXPECT_EQ(tl::view<TypeParam>(empty, idl().type("Either")).member().code(), errc::absent);
}

TYPED_TEST(absent_of, trailing_bytes_have_an_offset) {
  const std::string complete = encode<TypeParam>(structure({{3, list(ttype::i32, {i32(1)})}})),
                    bytes = complete + "more";
  const tl::view<TypeParam> root(bytes, order());
  for (const auto& [name, ask] : questions<TypeParam>()) {
    if (name == std::string_view("try_for_each")) continue;  // it is there
    const tl::error fault = ask(root);
    EXPECT_EQ(fault.code(), errc::trailing_bytes) << name;
    EXPECT_EQ(fault.offset(), complete.size()) << name;
    EXPECT_EQ(fault.path(), "$") << name;
  }
  EXPECT_EQ(root["numbers"][0].template as<std::int32_t>(), 1) << "what is found is not looked behind";
  EXPECT_EQ(root["numbers"][5].code(), errc::bad_index);
  // Without a schema too.
  const tl::view<TypeParam> bare{tl::byte_view(bytes)};
  EXPECT_EQ(bare[1].code(), errc::trailing_bytes);
  EXPECT_EQ(bare[3][0].template as<std::int32_t>(), 1);
}

TYPED_TEST(absent_of, only_the_root_knows_where_its_bytes_end) {
  const tree user = structure({{2, text("a@b.c")}});
  const std::string bytes =
      encode<TypeParam>(structure({{2, user}, {4, map(ttype::string, ttype::i32, {{text("x"), i32(1)}})}}));
  const tl::view<TypeParam> root(bytes, order());
  EXPECT_EQ(root["user"]["name"].code(), errc::absent) << "required, but not of the root";
  EXPECT_EQ(root.at("$.user.name").code(), errc::absent);
  EXPECT_EQ(root["notes"]["y"].code(), errc::absent);
  EXPECT_EQ(root.at("$.notes{\"y\"}").code(), errc::absent);
  EXPECT_EQ(root["user"].try_size().value(), 1u);
}

TYPED_TEST(absent_of, a_field_that_the_root_requires_is_missing) {
  const std::string bytes = encode<TypeParam>(structure({{2, i64(1)}}));
  const tl::view<TypeParam> root(bytes, strict());
  const auto expect_missing = [&](const tl::error& fault, std::string_view path) {
    EXPECT_EQ(fault.code(), errc::missing_required) << path;
    EXPECT_EQ(fault.path(), path);
    EXPECT_EQ(fault.offset(), bytes.size() - 1) << "the stop";
  };
  expect_missing(root["id"].error(), "$.id");
  expect_missing(root[3].error(), "$.user");
  expect_missing(root.field(strict().find_field("user")).error(), "$.user");
  expect_missing(root.at("$.id").error(), "$.id");
  expect_missing(root.at("$.user.mail").error(), "$.user");
  const tl::plan together = tl::plan::compile(strict(), {"$.other", "$.id", "$.user.name", "$.user.mail"});
  std::vector<tl::view<TypeParam>> actual;
  EXPECT_EQ(tl::get_many(root, together, actual), 1u);
  EXPECT_EQ(actual[0].template as<std::int64_t>(), 1);
  expect_missing(actual[1].error(), "$.id");
  expect_missing(actual[2].error(), "$.user");
  expect_missing(actual[3].error(), "$.user");
  EXPECT_FALSE(root["id"].template try_value_or<std::int64_t>(5));
  EXPECT_EQ(root["id"].presence(), tl::presence::error);
  const std::string nothing = encode<TypeParam>(structure({}));
  EXPECT_EQ((tl::view<TypeParam>(nothing, strict())["id"].error().path()), "$.id");
}

TYPED_TEST(absent_of, roots_that_are_maps) {
  const tl::type notes = idl().type("Holder").find_field("notes").type();
  const std::string bytes = encode<TypeParam>(map(ttype::string, ttype::i32, {{text("x"), i32(1)}})),
                    longer = bytes + '\0';
  const tl::plan together = tl::plan::compile(notes, {"${\"y\"}", "${\"x\"}"});
  const auto answers = [&](const std::string& of) {
    const tl::view<TypeParam> root(of, notes);
    std::vector<tl::view<TypeParam>> actual;
    EXPECT_EQ(tl::get_many(root, together, actual), 1u);
    EXPECT_EQ(actual[1].template as<std::int32_t>(), 1);
    return std::vector<errc>{root["y"].code(), root.at("${\"y\"}").code(), actual[0].code()};
  };
  EXPECT_EQ(answers(bytes), (std::vector<errc>(3, errc::absent)));
  EXPECT_EQ(answers(longer), (std::vector<errc>(3, errc::trailing_bytes)));
}

// Fast and general lookups agree on random values, with and without trailing bytes.
TYPED_TEST(absent_of, steps_paths_and_plans_agree_on_random_values) {
  std::size_t absent = 0, trailing = 0, missing = 0;
  for (std::size_t seed = 0; seed < 600; ++seed) {
    randomness random(seed);
    std::string text = random_idl(random);
    for (std::size_t at = 0; (at = text.find("optional ", at)) != std::string::npos; ++at) {
      if (random.one_in(3)) text.replace(at, 9, "required ");
    }
    const tl::schema schema = tl::schema::parse(text);
    const tl::type type = schema.type("S0");
    std::string bytes = encode<TypeParam>(random_struct(random, type, 3));
    if (random.one_in(3)) bytes += "\1";
    const tl::view<TypeParam> root(bytes, type);
    std::vector<tl::path> paths;
    for (auto field : type.fields())
      paths.push_back(tl::path::compile(type, "$." + std::string(field.name())));
    std::vector<tl::view<TypeParam>> actual;
    tl::get_many(root, tl::plan::compile(type, paths), actual);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const errc by_step = root.field(type.fields()[i]).code(), by_path = root.at(paths[i]).code();
      ASSERT_EQ(by_step, by_path) << seed;
      ASSERT_EQ(by_step, actual[i].code()) << seed;
      ASSERT_STREQ(root.at(paths[i]).error().what(), root.field(type.fields()[i]).error().what()) << seed;
      absent += by_step == errc::absent;
      trailing += by_step == errc::trailing_bytes;
      missing += by_step == errc::missing_required;
    }
  }
  EXPECT_GT(absent, 100u);
  EXPECT_GT(trailing, 100u);
  EXPECT_GT(missing, 100u);
}
