#include <thriftlens/columns/column_data.hpp>

#include "support/test.hpp"

namespace {

TEST(column_data, validity_begins_at_the_first_null) {
  tl::detail::column_data result;
  result.add_valid();
  result.add_valid();
  EXPECT_TRUE(result.validity.empty());
  result.add_null();
  result.add_valid();
  EXPECT_EQ(result.length, 4u);
  EXPECT_EQ(result.nulls, 1u);
  EXPECT_FALSE(result.is_null(1));
  EXPECT_TRUE(result.is_null(2));
  EXPECT_FALSE(result.is_null(3));
  result.cut(2);
  EXPECT_EQ(result.length, 2u);
  EXPECT_EQ(result.nulls, 0u);
  EXPECT_TRUE(result.validity.empty());
}

}  // namespace
