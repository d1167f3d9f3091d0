#include <thriftlens/asio/net.hpp>

#include "support/test.hpp"

TEST(asio_net, tcp_and_unix_endpoints_convert) {
  const tl::asio::net::ip::tcp::endpoint tcp(tl::asio::net::ip::address_v4::loopback(), 9090);
  const tl::asio::endpoint first = tcp;
  EXPECT_EQ(first.size(), tcp.size());
  EXPECT_EQ(first.protocol().family(), AF_INET);
  EXPECT_EQ(tl::asio::to_string(first), "127.0.0.1:9090");
  const tl::asio::endpoint second = tl::asio::net::local::stream_protocol::endpoint("/tmp/x");
  EXPECT_EQ(second.protocol().family(), AF_UNIX);
  EXPECT_EQ(tl::asio::to_string(second), "unix:/tmp/x");
  const tl::asio::net::ip::tcp::endpoint sixth(tl::asio::net::ip::address_v6::loopback(), 9);
  EXPECT_EQ(tl::asio::to_string(sixth), "[::1]:9");
}
