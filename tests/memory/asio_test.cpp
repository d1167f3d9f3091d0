// Memory of connections of thriftlens::asio: retained by idle ones, and failing allocations.
#include "memory/allocator.hpp"
#include "support/test.hpp"

#include "asio/shop.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <new>

namespace memory = thriftlens_test::memory;
using thriftlens_test::asio_function, thriftlens_test::asio_shop, thriftlens_test::beside,
    thriftlens_test::loopback, thriftlens_test::ping_call, thriftlens_test::shop_handler,
    thriftlens_test::task;

namespace {

/// Whether the server answers ping on a new connection. Takes no memory of its own.
class pinger {
 public:
  pinger(asio::io_context& context, const tl::asio::endpoint& at) : context_(context), at_(at) {}

  [[nodiscard]] bool is_answered() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto* address = static_cast<const sockaddr*>(static_cast<const void*>(at_.data()));
    const bool is_connected = ::connect(socket, address, static_cast<socklen_t>(at_.size())) == 0 &&
                              ::send(socket, call_.data(), call_.size(), MSG_NOSIGNAL) > 0;
    const bool has_reply = is_connected && reads_reply(socket);
    ::close(socket);
    return has_reply;
  }

 private:
  bool reads_reply(int socket) {
    for (;;) {
      char byte = 0;
      const auto size = ::recv(socket, &byte, 1, MSG_DONTWAIT);
      if (size > 0) return true;
      if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return false;
      if (context_.run_one() == 0) return false;
    }
  }

  asio::io_context& context_;
  tl::asio::endpoint at_;
  std::string call_ = ping_call();
};

}  // namespace

TEST(asio_memory, idle_connections_do_not_keep_their_largest_call_and_reply) {
  for (const tl::transport_id transport : {tl::transport_id::framed, tl::transport_id::buffered}) {
    beside(shop_handler(), {}, [transport]<class Server>(tl::asio::endpoint at, Server&) -> task {
      tl::asio::client_options options;
      options.transport = transport;
      auto to = co_await tl::asio::client<>::connect_to(at, options);
      co_await to.call(asio_function("ping"), tl::no_value{});
      const std::size_t previous_size = memory::held();
      {
        tl::buffer arguments(std::string_view("\x0b\0\1\0\x80\0\0", 7));
        const std::string megabytes(std::size_t{8} << 20, 'x');
        arguments.append(tl::byte_view(megabytes));
        arguments.push_back(0);
        const tl::wire_bytes text{arguments};
        const auto reply = co_await to.call(asio_function("echo"), text);
        EXPECT_GT(reply.bytes.size(), std::size_t{8} << 20);
      }
      co_await to.call(asio_function("ping"), tl::no_value{});
      EXPECT_LT(memory::held(), previous_size + (std::size_t{1} << 20)) << to_string(transport);
    });
  }
}

// Smaller allocations are Asio's own, which sometimes terminates the process when they fail.
TEST(asio_memory, a_server_survives_a_failed_allocation_for_a_connection) {
  asio::io_context context;
  tl::asio::server server(context.get_executor(), asio_shop(), shop_handler());
  const tl::asio::endpoint at = server.listen(loopback());
  bool has_ended = false;
  asio::co_spawn(context, server.run(), [&](const std::exception_ptr&) { has_ended = true; });
  pinger ping(context, at);
  ASSERT_TRUE(ping.is_answered());
  for (int round = 0; round < 3; ++round) {
    memory::fail_from_size(std::size_t{16} << 10);
    const bool is_answered = ping.is_answered();
    const bool has_failed = memory::has_failed();
    memory::fail_from_size(0);
    EXPECT_FALSE(is_answered);
    EXPECT_TRUE(has_failed);
    ASSERT_FALSE(has_ended);
    ASSERT_TRUE(ping.is_answered()) << round;
  }
  server.stop();
  context.run();
  EXPECT_TRUE(has_ended);
}
