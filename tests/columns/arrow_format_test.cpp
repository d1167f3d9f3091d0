#include <thriftlens/columns/arrow_format.hpp>

#include "support/test.hpp"

namespace {

TEST(arrow_format, names_and_widths) {
  EXPECT_EQ(tl::detail::arrow_type_name("l"), "int64");
  EXPECT_EQ(tl::detail::arrow_type_name("tsu:UTC"), "timestamp (tsu:UTC)");
  EXPECT_EQ(tl::detail::arrow_type_name("?"), "Arrow's format '?'");
  EXPECT_EQ(tl::detail::arrow_value_width("c"), 1u);
  EXPECT_EQ(tl::detail::arrow_value_width("w:16"), 16u);
  EXPECT_EQ(tl::detail::arrow_value_width("u"), 0u);
  EXPECT_EQ(tl::detail::arrow_value_width(""), 0u);
  EXPECT_TRUE(tl::detail::has_arrow_offsets("+m"));
  EXPECT_FALSE(tl::detail::has_arrow_offsets("U"));
}

}  // namespace
