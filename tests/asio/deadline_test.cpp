#include <thriftlens/asio/deadline.hpp>

#include "support/test.hpp"

using thriftlens::detail::deadline, thriftlens::detail::deadline_after;

TEST(asio_deadline, no_time_limit_never_ends) {
  EXPECT_EQ(deadline_after(std::chrono::milliseconds(0)), deadline::max());
  EXPECT_LT(deadline_after(std::chrono::hours(1)), deadline::max());
  EXPECT_LT(deadline_after(std::chrono::hours(1)), deadline_after(std::chrono::hours(2)));
}
