#include <thriftlens/core/overlap.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(overlap, bytes_of_the_buffer_and_of_its_capacity_overlap) {
  buffer out(std::string_view("abcdef"));
  const buffer other(std::string_view("abcdef"));
  EXPECT_TRUE(detail::overlaps({out.data(), 6}, out));
  EXPECT_TRUE(detail::overlaps({out.data() + 5, 1}, out));
  EXPECT_TRUE(detail::overlaps({out.data() + 6, 1}, out)) << "appended bytes go there";
  EXPECT_FALSE(detail::overlaps(byte_view(other), out));
  EXPECT_FALSE(detail::overlaps({out.data(), 0}, out));
  EXPECT_FALSE(detail::overlaps(byte_view(other), buffer()));
  EXPECT_EQ(detail::overlap_error().code(), errc::bad_option);
}
