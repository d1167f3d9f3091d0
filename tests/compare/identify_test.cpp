#include <thriftlens/compare/identify.hpp>

#include <thriftlens/schema/schema.hpp>

#include "support/random_data.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;

namespace {
const char* const idl = R"(
enum Color { RED = 1, BLUE = 2 }
struct Point { 1: required i32 x  2: required i32 y }
struct Named { 1: string name  2: i32 y  3: optional list<Point> points }
struct Blob { 1: binary data  2: i32 y  3: optional list<Point> points }
struct Colored { 1: Color x  2: i32 y }
union Either { 1: i32 x  2: i32 y }
struct Wide { 1: optional i32 x  2: optional i32 y  3: optional string z  4: optional i64 w }
)";
std::vector<tl::type> types_of(const tl::schema& schema) {
  std::vector<tl::type> all;
  for (const char* character : {"Point", "Named", "Blob", "Colored", "Either", "Wide", "Color"})
    all.push_back(schema.type(character));
  return all;
}
template <class P = tl::binary>
std::vector<tl::candidate> ranked(const tree& value) {
  static const tl::schema schema = tl::schema::parse(idl);
  const std::string bytes = encode<P>(value);
  return tl::identify<P>(bytes, types_of(schema));
}
const tl::candidate& of(const std::vector<tl::candidate>& items, std::string_view name) {
  for (const tl::candidate& item : items)
    if (item.of.name() == name) return item;
  throw std::runtime_error("no such candidate");
}
}  // namespace

TEST(identify, the_matching_type_is_first) {
  EXPECT_EQ(ranked(structure({{1, i32(7)}, {2, i32(9)}}))[0].of.name(), "Point");
  EXPECT_EQ(ranked<tl::compact>(structure({{1, i32(1)}, {2, i32(9)}}))[0].of.name(), "Colored");
  EXPECT_EQ(ranked(structure({{1, text("Zoe")}, {2, i32(9)}}))[0].of.name(), "Named");
  EXPECT_EQ(ranked(structure({{1, text("\xff\xfe")}, {2, i32(9)}}))[0].of.name(), "Blob");
  EXPECT_EQ(ranked(structure({{1, i32(9)}, {4, i64(1)}}))[0].of.name(), "Wide");
  EXPECT_EQ(ranked(structure({{1, i32(9)}})).size(), 6u) << "types that are no structs are left out";
}

TEST(identify, reports_the_first_mismatch_of_a_type) {
  const auto full = ranked(structure(
      {{1, text("Zoe")}, {3, list(ttype::struct_, {structure({{1, i32(1)}, {2, i64(5)}})})}, {9, i8(1)}}));
  EXPECT_EQ(full[0].of.name(), "Named");
  EXPECT_EQ(full[0].path, "$.points[0].y");
  EXPECT_EQ(full[0].reason, "the wire type contradicts the IDL");
  EXPECT_EQ(full[0].unknown, 1u);
  EXPECT_EQ(full[0].contradictions, 1u);
  EXPECT_EQ(of(full, "Point").path, "$.x");
  EXPECT_EQ(of(full, "Wide").contradictions, 2u);
  const auto missing = ranked(structure({{1, i32(1)}}));
  EXPECT_EQ(of(missing, "Point").missing, 1u);
  EXPECT_EQ(of(missing, "Point").reason, "a required field is missing");
  EXPECT_EQ(of(ranked(structure({{1, i32(9)}, {2, i32(9)}})), "Either").reason,
            "a union without exactly one member");
  EXPECT_EQ(of(ranked(structure({{7, i32(9)}})), "Wide").path, "$.#7");
  EXPECT_EQ(of(ranked(structure({{1, i32(9)}})), "Colored").reason, "the number is not a member of the enum");
}

TEST(identify, random_values_are_identified_among_similar_types) {
  int first = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    randomness random(seed);
    const tl::schema schema = tl::schema::parse(random_idl(random));
    std::vector<tl::type> types;
    for (int i = 0; i < 8; ++i)
      if (const auto type = schema.try_type("S" + std::to_string(i))) types.push_back(*type);
    const tree value = random_struct(random, types[0], 4);
    if (value.fields.size() < 2) continue;
    const std::string bytes = encode<tl::compact>(value);
    const auto actual = tl::identify<tl::compact>(bytes, types);
    ++all;
    first += actual[0].of == types[0];
    EXPECT_EQ(actual.size(), types.size());
  }
  EXPECT_GT(all, 80);
  EXPECT_GE(first * 100, all * 95);
}

TEST(identify, bytes_that_are_not_a_struct) {
  const tl::schema schema = tl::schema::parse(idl);
  const std::vector<tl::type> types = types_of(schema);
  EXPECT_EQ(tl::try_identify<tl::binary>(tl::byte_view("\x63", 1), types).error().code(),
            tl::errc::bad_ttype);
  EXPECT_EQ(tl::try_identify<tl::binary>(tl::byte_view("\0\0", 2), types).error().code(),
            tl::errc::trailing_bytes);
}
