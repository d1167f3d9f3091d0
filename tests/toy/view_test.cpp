// The vectors in a user-defined protocol: every field of every struct is found as in Binary.
#include "toy/vectors.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/view/view.hpp>

namespace tl = thriftlens;
using namespace thriftlens_test;

TEST(toy_view, fields_are_found_by_id_and_by_path) {
  int found = 0;
  for_each_toy_vector([&](const toy_vector& vector) {
    const tl::view<tl::binary> known(vector.binary, vector.type);
    const tl::view<toy> other(vector.bytes, vector.type);
    EXPECT_TRUE(tl::equal(known, other));
    for (const tl::field_info field : vector.type.fields()) {
      const tl::view<tl::binary> expected = known.field(field.id());
      ASSERT_EQ(other.field(field.id()).code(), expected.code()) << field.name();
      const tl::path way = tl::path::compile(vector.type, "$." + std::string(field.name()));
      ASSERT_EQ(other.at(way).code(), expected.code()) << field.name();
      if (!expected) continue;
      EXPECT_TRUE(tl::equal(expected, other.field(field.id()))) << field.name();
      EXPECT_TRUE(tl::equal(expected, other.at(way))) << field.name();
      ++found;
    }
  });
  EXPECT_GT(found, 300);
}

TEST(toy_view, a_type_mismatch_has_an_offset) {
  for_each_toy_vector([&](const toy_vector& vector) {
    const tl::view<toy> other(vector.bytes, vector.type);
    for (const tl::field_info field : vector.type.fields()) {
      if (field.type().wire() == tl::ttype::struct_ || !other.field(field.id())) continue;
      EXPECT_EQ(other.field(field.id()).field(std::int16_t{1}).code(), tl::errc::wrong_type) << field.name();
    }
  });
}
