#include <thriftlens/core/first_error.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(first_error, moved_from_object_returns_an_error) {
  detail::first_error from;
  EXPECT_FALSE(from);
  const detail::first_error to(std::move(from));
  EXPECT_FALSE(to);
  ASSERT_TRUE(from);  // NOLINT: accessed intentionally
  EXPECT_EQ((*from).code(), errc::bad_option);
  EXPECT_STREQ((*from).what(), "used after it was moved from");
  from = error(errc::truncated);
  detail::first_error other;
  other = std::move(from);
  EXPECT_EQ((*other).code(), errc::truncated);
  EXPECT_EQ((*from).code(), errc::bad_option);  // NOLINT: accessed intentionally
}
