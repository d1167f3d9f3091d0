#include <thriftlens/transport/session_options.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(session_options, frames_of_servers_are_smaller_by_default) {
  EXPECT_EQ(session_options{}.max_frame(), std::size_t{256} << 20);
  EXPECT_EQ(session_options{.role = session_role::server}.max_frame(), std::size_t{16} << 20);
  EXPECT_EQ(session_options{.frame_size = 5}.max_frame(), 5u);
}

TEST(session_options, roles_have_names) {
  EXPECT_EQ(to_string(session_role::client), "client");
  EXPECT_EQ(to_string(session_role::server), "server");
}
