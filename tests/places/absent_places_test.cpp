// Every way to look up an absent value reports the same location.
#include <thriftlens/json.hpp>

#include <thriftlens/thriftlens.hpp>
#include "support/test.hpp"

namespace {

const tl::schema& idl() {
  static const tl::schema all = tl::schema::parse(R"(
    struct Kid { 1: i64 id, 2: list<string> names }
    struct Root { 1: list<Kid> kids, 2: optional Kid only, 3: map<i32, Kid> by_id, 4: optional Kid set_kid = {"id": 7} })");
  return all;
}

template <class P>
struct absent_places : testing::Test {
  tl::buffer bytes = tl::from_json<P>(idl().type("Root"), R"({"kids":[{"id":1},{"id":2}],"by_id":{"1":{}}})");
  tl::view<P> root{bytes, idl().type("Root")};
  tl::document document;

  absent_places() { document.load(root); }
};
TYPED_TEST_SUITE(absent_places, protocols);

TYPED_TEST(absent_places, of_indices_and_parents) {
  const tl::type type = idl().type("Root");
  // The text before the blank is the part that an error names.
  for (const std::string both :
       {"$.kids[2] .id", "$.kids[-3] .id", "$.kids[4294967296] .id", "$.kids[4294967297] .id",
        "$.kids[-4294967295] .id", "$.kids[2147483648] .id", "$.kids[-9223372036854775808] .id", "$.only .id",
        "$.kids[1].names [0]", "$.by_id{1}.names [0]"}) {
    const std::string expected = both.substr(0, both.find(' '));
    const std::string path = expected + both.substr(expected.size() + 1);
    const tl::error of_view = this->root.at(path).error();
    EXPECT_EQ(of_view.path(), expected);
    EXPECT_EQ(tl::get_many(this->root, {std::string_view(path), "$.kids[0].id"})[0].error(), of_view);
    EXPECT_EQ(this->document.root().at(path).error().path(), expected);
    const bool is_number = tl::path::compile(type, path).to().kind() == tl::type_kind::i64;
    const tl::json_text value{is_number ? "5" : "\"x\""};
    const tl::error of_edit = tl::edit(this->root).set(path, value).try_apply().error();
    EXPECT_EQ(tl::error(of_edit.code(), std::string(of_view.detail()), of_edit.offset(),
                        std::string(of_edit.path())),
              of_view);
  }
}

TYPED_TEST(absent_places, paths_with_numeric_steps) {
  const auto kids = this->root["kids"];
  EXPECT_EQ(kids[4294967297].error().path(), "$.kids[4294967297]");
  EXPECT_EQ(kids[-4294967295].error().path(), "$.kids[-4294967295]");
  EXPECT_EQ(kids[UINT64_MAX].error().path(), "$.kids[18446744073709551615]");
  EXPECT_EQ(this->document["kids"][4294967297].error().path(), "$.kids[4294967297]");
  EXPECT_EQ(this->document["kids"][UINT64_MAX].error().path(), "$.kids[18446744073709551615]");
  EXPECT_EQ(this->document["kids"].try_insert(4294967297, tl::empty_value{}).error().path(),
            "$.kids[4294967297]");
}

// The default of a field belongs to that field, not to a value inside it.
TYPED_TEST(absent_places, a_default_belongs_to_the_last_step) {
  EXPECT_EQ(this->root.at("$.set_kid").or_default()["id"].template as<std::int64_t>(), 7);
  EXPECT_EQ(this->root.at("$.set_kid.id").or_default().code(), tl::errc::absent);
  EXPECT_EQ(tl::get_many(this->root, {"$.set_kid.id"})[0].or_default().code(), tl::errc::absent);
}

TYPED_TEST(absent_places, a_path_to_several_values_suggests_for_each) {
  for (const std::string_view path : {"$.kids[*].id", "$.kids[1:].id"}) {
    const tl::error one = this->root.at(path).error();
    EXPECT_EQ(one.detail(), "the path selects several values; pass it to for_each()");
    EXPECT_EQ(one.path(), "$.kids");
    const tl::error many = tl::try_get_many(this->root, {path}).error();
    EXPECT_EQ(many.detail(), one.detail());
    EXPECT_EQ(many.path(), path);
    EXPECT_EQ(many.offset(), 6u);
  }
  EXPECT_EQ(this->root.at("$.by_id{*}").error().path(), "$.by_id");
  EXPECT_EQ(this->document.root().at("$.kids[*]").error().detail(),
            "the path selects several values; iterate over elements() or entries()");
}

TEST(absent_places, a_wrong_step_names_the_type_it_is_applied_to) {
  const std::string bytes("\x08\0\1\0\0\0\5\0", 8);
  EXPECT_STREQ(tl::view(bytes).at("$#1#2").error().what(),
               "a field step does not apply to i32 at $.#1 (byte 3)");
}

std::string refused(std::string_view path) {
  return tl::path::try_compile(idl().type("Root"), path).error().what();
}
TEST(absent_places, numbers_out_of_range_are_reported) {
  EXPECT_EQ(refused("$.by_id{4294967297}"),
            "a key of map<i32, Kid> is out of range for i32 at $.by_id (byte 7 of the path)");
  EXPECT_EQ(refused("$.by_id{99999999999999999999}"), refused("$.by_id{4294967297}"));
  EXPECT_EQ(refused("$.by_id{1.5}"), "a key of map<i32, Kid> must be an i32 at $.by_id (byte 7 of the path)");
  EXPECT_EQ(refused("$.kids[18446744073709551616]"),
            "expected an index that fits 64 bits (byte 7 of the path)");
}

}  // namespace
