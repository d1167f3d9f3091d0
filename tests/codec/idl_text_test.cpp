#include <thriftlens/codec/idl_text.hpp>

#include <thriftlens/schema/schema.hpp>

#include "codec/sample.hpp"
#include "support/test.hpp"

namespace {
struct parcel {
  std::vector<std::byte> raw;
  std::vector<std::string> words;
};
}  // namespace
template <>
struct tl::binding<parcel> : tl::fields<tl::field<3, &parcel::raw, tl::named("raw-bytes"), tl::required>,
                                        tl::field<1, &parcel::words, tl::as_set>> {};

TEST(codec_idl_text, shows_ids_types_and_requiredness) {
  const tl::idl_of_type result = tl::idl_of<sample::tree>();
  EXPECT_EQ(result.name, "tree");
  EXPECT_EQ(result.text,
            "struct leaf {\n  1: i16 a\n  2: string b\n}\n"
            "union variant {\n  1: i32 member_1\n  2: leaf member_2\n}\n"
            "struct tree {\n  1: bool flag\n  2: i64 number\n  3: double real\n  4: string text\n  5: i32 "
            "grade\n  6: uuid id\n"
            "  7: optional leaf maybe\n  8: list<leaf> leaves\n  9: map<string, leaf> named\n  10: map<i32, "
            "list<i64>> numbers\n"
            "  11: variant either\n  12: optional tree next\n}\n");
}

TEST(codec_idl_text, names_that_are_not_identifiers_become_aliases) {
  EXPECT_EQ(
      tl::idl_of<parcel>().text,
      "struct parcel {\n  1: set<string> words\n  3: required binary field_1 (api.key = \"raw-bytes\")\n}\n");
}

TEST(codec_idl_text, is_parsed_by_the_idl_module) {
  const tl::idl_of_type result = tl::idl_of<sample::tree>();
  const tl::schema schema = tl::schema::parse(result.text);
  EXPECT_EQ(schema.type(result.name).find_field("numbers").type().name(), "map<i32, list<i64>>");
  EXPECT_EQ(tl::idl_of<std::vector<int>>().name, "list<i32>");
}
