#include <thriftlens/schema/field_step.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

TEST(field_step, is_the_name_of_a_known_field) {
  const tl::schema all = tl::schema::parse("struct S { 1: i32 a }");
  const tl::type of = all.type("S");
  const auto step = [&](std::uint32_t structure, std::int16_t id) {
    tl::detail::path_builder path;
    EXPECT_FALSE(tl::detail::add_field_step(path, of.image(), structure, id));
    return path.text();
  };
  EXPECT_EQ(step(of.index(), 1), "$.a");
  EXPECT_EQ(step(of.index(), -2), "$.#-2");
  EXPECT_EQ(step(tl::detail::image::none, 1), "$.#1");
  EXPECT_EQ(step(of.find_field("a").type().index(), 1), "$.#1");
}
