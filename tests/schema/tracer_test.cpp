#include <thriftlens/schema/tracer.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/schema.hpp>

namespace {

using namespace std::string_view_literals;

// Field 2, a list of two structs that have field 1.
constexpr std::string_view bytes =
    "\x0f\0\2\x0c\0\0\0\2"
    "\x08\0\1\0\0\0\5\0"
    "\x08\0\1\0\0\0\6\0"
    "\0"sv;

std::string path_to(std::size_t offset, const tl::schema_image* image, std::uint32_t type) {
  tl::detail::tracer<tl::binary> way(bytes, image, {});
  way.to_offset(tl::ttype::struct_, type, offset, nullptr);
  return way.path.text();
}

TEST(tracer, finds_the_innermost_value_with_a_byte) {
  const tl::schema idl = tl::schema::parse("struct E { 1: i32 n } struct T { 2: list<E> all }");
  const tl::type of = idl.type("T");
  EXPECT_EQ(path_to(0, of.image(), of.index()), "$.all");       // a field header
  EXPECT_EQ(path_to(3, of.image(), of.index()), "$.all");       // a list header
  EXPECT_EQ(path_to(8, of.image(), of.index()), "$.all[0].n");  // of the first element
  EXPECT_EQ(path_to(19, of.image(), of.index()), "$.all[1].n");
  EXPECT_EQ(path_to(23, of.image(), of.index()), "$.all[1]");  // the stop of the second element
}

TEST(tracer, names_fields_by_their_ids_without_a_type) {
  EXPECT_EQ(path_to(19, nullptr, tl::detail::image::none), "$.#2[1].#1");
}

TEST(tracer, stops_at_malformed_bytes) {
  tl::detail::tracer<tl::binary> way(tl::byte_view(bytes.substr(0, 21)), nullptr, {});
  way.to_offset(tl::ttype::struct_, tl::detail::image::none, 21, nullptr);
  EXPECT_EQ(way.path.text(), "$.#2[1].#1");
}

}  // namespace
