#include <thriftlens/asio/server_options.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(asio_server_options, the_session_is_as_they_say) {
  tl::asio::server_options how;
  how.limits.depth = 7;
  const tl::session_options made = tl::detail::session_options_of(how);
  EXPECT_EQ(made.role, tl::session_role::server);
  EXPECT_EQ(made.transport, tl::transport_id::automatic);
  EXPECT_EQ(made.protocol, tl::message_protocol::automatic);
  EXPECT_EQ(made.limits.depth, 7u);
  EXPECT_EQ(made.max_frame(), std::size_t{16} << 20);
  EXPECT_EQ(made.calls, 0u) << "a connection answers one call at a time";
}
