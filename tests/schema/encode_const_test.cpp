#include <thriftlens/schema/encode_const.hpp>

#include "support/hex.hpp"
#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/schema.hpp>

namespace {
const tl::schema& with_defaults() {
  static const tl::schema schema = tl::schema::parse(R"(
    struct Point { 1: i32 x, 2: optional bool on, 3: i16 y }
    struct Holder {
      1: Point point = { "y": 3, "on": true, "x": -1 }
      2: list<bool> flags = [true, false]
      3: map<string, double> weights = { "a": 1.5 }
      4: set<i8> small = [1, -1]
      5: uuid id = "00112233-4455-6677-8899-aaBBccDDeeFF"
      6: bool yes = true
      7: list<Point> none = []
      8: map<i32, i32> empty = {}
      9: binary raw = "\x01z"
      10: double whole = 2
      11: set<i8> twice = [1, 2, 1, 0x1]
      12: set<set<string>> nested = [["a", "b", 'a'], ["a", "b"]]
    }
  )");
  return schema;
}
std::string binary(std::string_view field) {
  return thriftlens_test::hex(with_defaults().type("Holder").find_field(field).default_binary().text());
}
std::string compact(std::string_view field) {
  return thriftlens_test::hex(with_defaults().type("Holder").find_field(field).default_compact().text());
}
}  // namespace

// The expected bytes follow Apache's protocol specifications.
TEST(const_encoder, writes_binary) {
  EXPECT_EQ(binary("point"),
            "060003"
            "0003"
            "020002"
            "01"
            "080001"
            "ffffffff"
            "00");
  EXPECT_EQ(binary("flags"),
            "02"
            "00000002"
            "01"
            "00");
  EXPECT_EQ(binary("weights"),
            "0b04"
            "00000001"
            "00000001"
            "61"
            "3ff8000000000000");
  EXPECT_EQ(binary("small"),
            "03"
            "00000002"
            "01"
            "ff");
  EXPECT_EQ(binary("id"), "00112233445566778899aabbccddeeff");
  EXPECT_EQ(binary("yes"), "01");
  EXPECT_EQ(binary("none"), "0c00000000");
  EXPECT_EQ(binary("empty"), "080800000000");
  EXPECT_EQ(binary("raw"), "00000002017a");
  EXPECT_EQ(binary("twice"),
            "03"
            "00000002"
            "01"
            "02");
  EXPECT_EQ(compact("twice"),
            "23"
            "01"
            "02");
  EXPECT_EQ(binary("nested"),
            "0e"
            "00000001"
            "0b"
            "00000002"
            "00000001"
            "61"
            "00000001"
            "62");
  EXPECT_EQ(binary("whole"), "4000000000000000");
}

TEST(const_encoder, writes_compact) {
  EXPECT_EQ(compact("point"),
            "34"
            "06"
            "0104"
            "0502"
            "01"
            "00");
  EXPECT_EQ(compact("flags"),
            "21"
            "01"
            "02");
  EXPECT_EQ(compact("weights"),
            "01"
            "87"
            "01"
            "61"
            "000000000000f83f");
  EXPECT_EQ(compact("small"),
            "23"
            "01"
            "ff");
  EXPECT_EQ(compact("id"), "00112233445566778899aabbccddeeff");
  EXPECT_EQ(compact("yes"), "01");
  EXPECT_EQ(compact("none"), "0c");
  EXPECT_EQ(compact("empty"), "00");
}

// A key without a value, which the parser never creates, is ignored: bytes after the items are not read.
TEST(const_encoder, an_odd_item_at_the_end_of_a_map_or_struct_is_ignored) {
  const tl::schema schema =
      tl::schema::parse("struct P { 1: i32 x, 2: i32 y } struct S { 1: map<i32, i32> m, 2: P p }");
  const auto number = [](std::int64_t value) {
    tl::idl::const_value made;
    made.integer = value;
    return made;
  };
  for (const char* field : {"m", "p"}) {
    std::vector<tl::idl::const_value> items{number(0), number(7), number(1),
                                            number(9), number(1), number(11)};
    const tl::type of = schema.type("S").find_field(field).type();
    for (std::size_t count = 0; count <= 5; ++count) {
      tl::idl::const_value whole;
      whole.items = std::span(items.data(), count);
      tl::buffer found, expected;
      tl::binary::writer plain(expected);
      tl::detail::pod_vector<tl::detail::const_spelling> spellings;
      tl::detail::const_encoder(*of.image(), found, tl::protocol_id::binary,
                                tl::detail::repeated_elements::dropped, spellings)
          .value(of.index(), whole);
      const std::size_t pairs = count / 2;
      if (*field == 'm') plain.write_map({tl::ttype::i32, tl::ttype::i32, static_cast<std::uint32_t>(pairs)});
      for (std::size_t i = 0; i < pairs; ++i) {
        if (*field == 'm')
          plain.write_i32(static_cast<std::int32_t>(items[2 * i].integer));
        else
          plain.write_field(tl::ttype::i32, static_cast<std::int16_t>(items[2 * i].integer + 1));
        plain.write_i32(static_cast<std::int32_t>(items[2 * i + 1].integer));
      }
      if (*field == 'p') plain.write_stop();
      EXPECT_EQ(found.text(), expected.text()) << field << ' ' << count;
    }
  }
}

// What a default leaves out are required fields with their defaults or as zeros, in their order.
TEST(const_encoder, completes_structs_in_defaults) {
  const tl::schema schema = tl::schema::parse(R"(
    struct In { 1: required i8 a, 2: required i8 b = 7, 3: optional i8 c = 3, 4: optional i8 d }
    struct Own { 1: required Own own = {}, 2: required i8 e = 5 }
    union Uni { 1: i8 u = 1, 2: i8 v }
    struct Out { 1: In in = { "b": 9 }, 2: list<In> all = [{ "a": 1, "c": 2 }], 3: Own own = {} 4: Uni uni = { "v": 2 } }
  )");
  const auto value = [&](std::string_view field) {
    return thriftlens_test::hex(schema.type("Out").find_field(field).default_binary().text());
  };
  EXPECT_EQ(value("in"),
            "03000209"
            "03000100"
            "00");
  EXPECT_EQ(value("all"),
            "0c00000001"
            "03000101"
            "03000302"
            "03000207"
            "00");
  EXPECT_EQ(value("own"),
            "0c0001"
            "00"
            "03000205"
            "00");
  EXPECT_EQ(value("uni"),
            "03000202"
            "00");
  EXPECT_EQ(thriftlens_test::hex(schema.type("Out").find_field("in").default_compact().text()),
            "230903020000");
}

// Each type doubles the previous one: completion is bounded.
TEST(const_encoder, completion_is_bounded) {
  std::string idl = "struct A0 { 1: required string s = \"text\" }\n";
  for (int i = 1; i < 60; ++i) {
    const std::string below = "A" + std::to_string(i - 1);
    idl += "struct A" + std::to_string(i) + " { 1: required " + below + " l = {}, 2: required " + below +
           " r = {} }\n";
  }
  const tl::schema schema = tl::schema::parse(idl);
  EXPECT_LT(schema.type("A59").find_field("l").default_binary().size(), std::size_t{1} << 24);
  EXPECT_GT(schema.type("A2").find_field("l").default_binary().size(), 1u);
}
