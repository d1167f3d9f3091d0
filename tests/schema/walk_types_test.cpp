#include <thriftlens/schema/walk_types.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/schema.hpp>

namespace {

struct contradictions : tl::detail::walk<contradictions, tl::binary, tl::detail::schema_types> {
  using walk::walk;
  std::vector<std::size_t> found;
  bool mismatch(const tl::detail::walk_mismatch& what, std::uint32_t& type) {
    found.push_back(static_cast<std::size_t>(what.begin - in_.begin()));
    type = tl::detail::image::none;
    return true;
  }
};

const tl::schema& two_types() {
  static const tl::schema all =
      tl::schema::parse("struct S { 1: i32 a, 2: list<i32> b, 3: map<i8, S> c } enum E { A }");
  return all;
}

}  // namespace

TEST(walk_types, visit_fields_and_containers) {
  const tl::type of = two_types().type("S");
  const tl::detail::schema_types types(of.image());
  const tl::detail::image::struct_node* known = types.structure(of.index());
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(types.structure(tl::detail::image::none), nullptr);
  const std::uint32_t c = types.field_type(types.find(known, 3));
  EXPECT_EQ(types.wire(types.first(c)), tl::ttype::i8);
  EXPECT_EQ(types.second(c), of.index());
  EXPECT_EQ(types.structure(types.first(c)), nullptr);
  EXPECT_EQ(types.find(known, 9), tl::detail::image::none);
  EXPECT_EQ(types.find(nullptr, 1), tl::detail::image::none);
  EXPECT_EQ(types.first(tl::detail::image::none), tl::detail::image::none);
}

TEST(walk_types, fields_are_found_in_any_order) {
  const tl::type of = two_types().type("S");
  const tl::detail::schema_types types(of.image());
  for (const std::vector<std::int16_t>& ids :
       {std::vector<std::int16_t>{1, 2, 3}, {1, 3}, {3, 1, 2}, {2, 9, 3, 3, 1}, {-1, 1, 4, 2}}) {
    auto expected = types.fields(of.index());
    for (const std::int16_t id : ids)
      EXPECT_EQ(types.find(expected, id), types.find(types.structure(of.index()), id)) << id;
  }
  auto none = types.fields(tl::detail::image::none);
  EXPECT_EQ(types.find(none, 1), tl::detail::image::none);
  EXPECT_EQ(types.field_wire(types.find(types.structure(of.index()), 2)), tl::ttype::list);
}

TEST(walk_types, mismatches_are_found_at_headers) {
  tl::buffer bytes;
  tl::binary::writer out(bytes);
  out.write_field(tl::ttype::i64, 1);  // byte 0
  out.write_i64(1);
  out.write_field(tl::ttype::list, 2);
  out.write_list({tl::ttype::bool_, 1});  // byte 14
  out.write_bool(true);
  out.write_field(tl::ttype::map, 3);
  out.write_map({tl::ttype::i8, tl::ttype::string, 0});  // empty: of any type
  out.write_stop();
  tl::binary::reader in(bytes);
  const tl::type of = two_types().type("S");
  contradictions walk(in, of.image());
  EXPECT_TRUE(walk.value(tl::ttype::struct_, of.index()));
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(walk.found, (std::vector<std::size_t>{0, 14}));
}
