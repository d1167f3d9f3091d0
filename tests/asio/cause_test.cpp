#include <thriftlens/asio/cause.hpp>

#include "support/test.hpp"

using tl::asio::cause;

TEST(asio_cause, every_cause_is_recovered_from_the_error) {
  for (const cause each : {cause::timeout, cause::closed, cause::cancelled, cause::unreachable}) {
    const tl::error why = tl::detail::io_error(each, "words");
    EXPECT_EQ(why.code(), tl::errc::io);
    EXPECT_EQ(tl::asio::cause_of(why), each);
    EXPECT_EQ(why.detail(), std::string(tl::asio::to_string(each)) + ": words");
  }
}

TEST(asio_cause, other_errors_have_no_cause) {
  EXPECT_EQ(tl::asio::cause_of(tl::error(tl::errc::truncated, "timeout: x")), cause::other);
  EXPECT_EQ(tl::asio::cause_of(tl::error(tl::errc::io, "timeout")), cause::other);
  EXPECT_EQ(tl::asio::cause_of(tl::error(tl::errc::io, "timeouts: x")), cause::other);
  EXPECT_EQ(tl::asio::cause_of(tl::error(tl::errc::io)), cause::other);
}
