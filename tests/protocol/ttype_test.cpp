#include <thriftlens/protocol/ttype.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(ttype, names_and_widths) {
  EXPECT_EQ(to_string(ttype::i32), "i32");
  EXPECT_EQ(to_string(ttype::uuid), "uuid");
  EXPECT_EQ(to_string(static_cast<ttype>(5)), "?");
  EXPECT_EQ(to_string(static_cast<ttype>(255)), "?");
  EXPECT_EQ(fixed_width(ttype::bool_), 1);
  EXPECT_EQ(fixed_width(ttype::i16), 2);
  EXPECT_EQ(fixed_width(ttype::double_), 8);
  EXPECT_EQ(fixed_width(ttype::uuid), 16);
  for (const ttype type :
       {ttype::stop, ttype::void_, ttype::string, ttype::struct_, ttype::map, ttype::set, ttype::list})
    EXPECT_EQ(fixed_width(type), 0) << to_string(type);
}

TEST(ttype, twelve_types_have_values) {
  int actual = 0;
  for (unsigned raw = 0; raw < 256; ++raw) actual += is_value_type(static_cast<std::uint8_t>(raw)) ? 1 : 0;
  EXPECT_EQ(actual, 12);
  EXPECT_FALSE(is_value_type(ttype::stop));
  EXPECT_FALSE(is_value_type(ttype::void_));
}

TEST(ttype, containers) {
  EXPECT_TRUE(is_container(ttype::map) && is_container(ttype::set) && is_container(ttype::list));
  EXPECT_FALSE(is_container(ttype::struct_) || is_container(ttype::string));
  EXPECT_TRUE(has_children(ttype::struct_) && has_children(ttype::map));
  EXPECT_FALSE(has_children(ttype::string) || has_children(ttype::stop));
}

TEST(ttype, is_printed_by_name) { EXPECT_EQ(testing::PrintToString(ttype::i32), "i32"); }
