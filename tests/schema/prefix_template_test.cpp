#include <thriftlens/schema/prefix_template.hpp>

#include "support/test.hpp"

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/schema.hpp>

using tl::ttype;

namespace {

const char* const idl = R"(
struct Flat { 1: bool a, 2: string b, 5: i64 c, 6: list<i32> d, 7: map<i16, double> e, 9: binary f, -3: uuid g }
struct Inner { 1: i32 a, 2: Flat flat, 3: i32 c }
struct Texts { 1: i32 a, 2: list<string> b, 3: i32 c }
struct None { 1: list<Flat> a }
struct Empty {}
union One { 1: i32 a, 2: i64 b }
)";

tl::detail::image::prefix_position place(tl::type type, std::int16_t id) {
  return type.image()->prefix_positions[type.find_field(id).index()];
}

/// A complete Flat, and the positions of its field headers.
std::string flat(std::string_view text,
                 std::vector<std::pair<std::int16_t, std::size_t>>* headers = nullptr) {
  tl::buffer bytes;
  tl::binary::writer out(bytes);
  auto field = [&](ttype type, std::int16_t id) {
    if (headers != nullptr) headers->emplace_back(id, bytes.size());
    out.write_field(type, id);
  };
  field(ttype::uuid, -3), out.write_uuid({});
  field(ttype::bool_, 1), out.write_bool(true);
  field(ttype::string, 2), out.write_bytes(text);
  field(ttype::i64, 5), out.write_i64(-1);
  field(ttype::list, 6), out.write_list({ttype::i32, 2}), out.write_i32(1), out.write_i32(2);
  field(ttype::map, 7), out.write_map({ttype::i16, ttype::double_, 1}), out.write_i16(1), out.write_double(2);
  field(ttype::string, 9), out.write_bytes(text);
  out.write_stop();
  return bytes.str();
}

}  // namespace

TEST(prefix_template, covers_a_flat_struct_completely) {
  const tl::schema schema = tl::schema::parse(idl);
  const tl::type type = schema.type("Flat");
  ASSERT_TRUE(type.structure().prefix.complete);
  EXPECT_EQ(type.structure().prefix.levels, 2u);
  const tl::detail::shape_ref shape = type.image()->shape_inside(type.index());
  for (const char* text : {"", "x", "a longer text than before"}) {
    std::vector<std::pair<std::int16_t, std::size_t>> headers;
    std::string bytes = flat(text, &headers);
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    EXPECT_EQ(shape.match(begin, begin + bytes.size()), begin + bytes.size());
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_EQ(shape.match(begin, begin + size), nullptr) << size;
    const std::uint8_t* at = begin;
    std::size_t segment = 0;
    for (auto [id, header] : headers) {
      for (; segment < place(type, id).segment; ++segment)
        at = shape.segments[segment].after(at, begin + bytes.size());
      EXPECT_EQ(at + place(type, id).at, begin + header) << id;
    }
    for (auto [id, header] : headers) {
      for (std::size_t i = 0; i < 3; ++i) {
        bytes[header + i] = static_cast<char>(bytes[header + i] ^ 0x40);
        EXPECT_EQ(shape.match(begin, begin + bytes.size()), nullptr) << id << ' ' << i;
        bytes[header + i] = static_cast<char>(bytes[header + i] ^ 0x40);
      }
    }
  }
}

TEST(prefix_template, ends_where_a_value_has_no_known_layout) {
  const tl::schema schema = tl::schema::parse(idl);
  for (const char* name : {"Inner", "Texts"}) {
    const tl::type type = schema.type(name);
    EXPECT_FALSE(type.structure().prefix.complete) << name;
    EXPECT_EQ(type.structure().prefix.segments.size, 1u) << name;
    EXPECT_TRUE(place(type, 1)) << name;
    EXPECT_FALSE(place(type, 2)) << name;
    EXPECT_FALSE(place(type, 3)) << name;
    EXPECT_FALSE(type.image()->shape_inside(type.index())) << name;
  }
  EXPECT_EQ(schema.type("None").structure().prefix.segments.size, 0u);
  EXPECT_TRUE(schema.type("None").image()->shape_inside(schema.type("None").find_field("a").type().index()))
      << "of the list's elements";
  EXPECT_TRUE(schema.type("Empty").structure().prefix.complete);
}

TEST(prefix_template, unions_have_none) {
  const tl::schema schema = tl::schema::parse(idl);
  EXPECT_EQ(schema.type("One").structure().prefix.segments.size, 0u);
  EXPECT_FALSE(schema.type("One").structure().prefix.complete);
}

TEST(prefix_template, covers_a_wide_struct_up_to_its_capacity) {
  for (const char* each : {"i64", "string", "map<i8, bool>"}) {
    std::string text = "struct Wide {";
    for (int id = 1; id <= 400; ++id)
      text += std::to_string(id) + ": " + each + " f" + std::to_string(id) + " ";
    const tl::schema schema = tl::schema::parse(text + "}");
    const tl::type type = schema.type("Wide");
    EXPECT_FALSE(type.structure().prefix.complete);
    std::size_t placed = 0;
    for (tl::field_info field : type.fields()) {
      const tl::detail::image::prefix_position at = place(type, field.id());
      if (!at) continue;
      EXPECT_EQ(static_cast<std::size_t>(field.id()), ++placed);
      EXPECT_LT(at.segment, type.structure().prefix.segments.size);
    }
    EXPECT_GE(placed, 6u) << each;
  }
}
