#include <thriftlens/asio/server_options.hpp>

#include "support/test.hpp"

TEST(asio_server_options, session_options_follow) {
  tl::asio::server_options options;
  options.limits.depth = 7;
  const tl::session_options made = tl::detail::session_options_of(options);
  EXPECT_EQ(made.role, tl::session_role::server);
  EXPECT_EQ(made.transport, tl::transport_id::automatic);
  EXPECT_EQ(made.protocol, tl::message_protocol::automatic);
  EXPECT_EQ(made.limits.depth, 7u);
  EXPECT_EQ(made.max_frame(), std::size_t{16} << 20);
  EXPECT_EQ(made.calls, 0u) << "a connection answers one call at a time";
}

TEST(asio_server_options, bytes_in_flight_are_at_least_a_frame) {
  tl::asio::server_options options;
  EXPECT_EQ(options.max_in_flight(), std::size_t{256} << 20);
  options.bounds.frame_size = std::size_t{128} << 20;
  EXPECT_EQ(options.max_in_flight(), std::size_t{512} << 20);
  options.bounds.frame_size = std::size_t(-1);
  EXPECT_EQ(options.max_in_flight(), std::size_t(-1));
  options.bounds.frame_size = 1001;
  options.bounds.in_flight = 1000;
  const auto refused = tl::detail::refuse_options(options);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code(), tl::errc::bad_option);
  EXPECT_EQ(refused->detail(), "in_flight must be at least frame_size (1001), not 1000");
  options.bounds.in_flight = 1001;
  EXPECT_FALSE(tl::detail::refuse_options(options));
}
