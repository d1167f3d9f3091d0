#include <thriftlens/protocol/cursor.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(wire_cursor, knows_its_position) {
  const std::string bytes = "abc";
  detail::wire_cursor at{byte_view(bytes)};
  byte_view taken;
  EXPECT_EQ(at.offset(), 0u);
  EXPECT_EQ(at.remaining(), 3u);
  ASSERT_TRUE(at.read_raw(2, taken));
  EXPECT_EQ(at.offset(), 2u);
  EXPECT_EQ(at.at(), at.begin() + 2);
  ASSERT_TRUE(at.read_raw(1, taken));
  EXPECT_TRUE(at.at_end());
  EXPECT_TRUE(at.read_raw(0, taken));
}

TEST(wire_cursor, keeps_the_first_error) {
  const std::string bytes = "abc";
  detail::wire_cursor at{byte_view(bytes)};
  EXPECT_FALSE(at.failed());
  EXPECT_FALSE(at.reject(errc::bad_ttype, at.begin() + 2));
  EXPECT_FALSE(at.reject(errc::truncated));
  EXPECT_TRUE(at.failed());
  EXPECT_EQ(at.fault(), (fault{.code = errc::bad_ttype, .offset = 2}));
  EXPECT_EQ(at.remaining(), 0u);
}

TEST(wire_cursor, failing_without_a_code_is_internal) {
  detail::wire_cursor at{byte_view()};
  EXPECT_FALSE(at.reject(errc::ok));
  EXPECT_TRUE(at.failed());
  EXPECT_EQ(at.fault().code, errc::internal);
}

TEST(wire_cursor, bounds_nesting) {
  detail::wire_cursor at(byte_view(), {.depth = 2});
  EXPECT_TRUE(at.enter());
  EXPECT_TRUE(at.enter());
  at.leave();
  EXPECT_TRUE(at.enter());
  EXPECT_EQ(at.depth_left(), 0u);
  EXPECT_FALSE(at.enter());
  EXPECT_EQ(at.fault().code, errc::depth_limit);
  EXPECT_EQ(detail::wire_cursor(byte_view(), {.depth = 1u << 30}).depth_left(), limits::max_depth);
}

TEST(wire_cursor, no_bytes_at_all) {
  detail::wire_cursor at{byte_view()};
  EXPECT_TRUE(at.at_end());
  byte_view taken;
  EXPECT_FALSE(at.read_raw(1, taken));
  EXPECT_EQ(at.fault().code, errc::truncated);
}
