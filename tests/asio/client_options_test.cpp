#include <thriftlens/asio/client_options.hpp>

#include "support/test.hpp"

TEST(asio_client_options, session_options_follow) {
  tl::asio::client_options how;
  how.transport = tl::transport_id::header;
  how.limits.depth = 7;
  how.bounds.frame_size = 1000;
  how.bounds.calls = 3;
  const tl::session_options made = tl::detail::session_options_of(how, tl::message_protocol::compact);
  EXPECT_EQ(made.role, tl::session_role::client);
  EXPECT_EQ(made.transport, tl::transport_id::header);
  EXPECT_EQ(made.protocol, tl::message_protocol::compact);
  EXPECT_EQ(made.limits.depth, 7u);
  EXPECT_EQ(made.max_frame(), 1000u);
  EXPECT_EQ(made.calls, 3u);
}
