#include <thriftlens/columns/column_data.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

namespace {

TEST(column_data, validity_begins_at_the_first_null) {
  tl::detail::column_data made;
  made.add_valid();
  made.add_valid();
  EXPECT_TRUE(made.validity.empty());
  made.add_null();
  made.add_valid();
  EXPECT_EQ(made.length, 4u);
  EXPECT_EQ(made.nulls, 1u);
  EXPECT_FALSE(made.is_null(1));
  EXPECT_TRUE(made.is_null(2));
  EXPECT_FALSE(made.is_null(3));
  made.cut(2);
  EXPECT_EQ(made.length, 2u);
  EXPECT_EQ(made.nulls, 0u);
  EXPECT_TRUE(made.validity.empty());
}

}  // namespace
