#include <thriftlens/asio/server_connection.hpp>

#include <thriftlens/asio/client.hpp>

#include "shop.hpp"
#include "support/test.hpp"

using client = tl::asio::client<>;
using socket_type = asio::generic::stream_protocol::socket;
using thriftlens_test::asio_function;
using thriftlens_test::beside;
using thriftlens_test::ping_call;
using thriftlens_test::pong;
using thriftlens_test::shop_handler;
using thriftlens_test::task;
using thriftlens_test::turn;

namespace {

/// Bytes of a server until it closes; the client closes its side first if `ends`.
std::string answer(const std::string& bytes, bool ends = true, const tl::asio::server_options& options = {}) {
  std::string received;
  beside(shop_handler(), options, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
    asio::generic::stream_protocol::socket socket(co_await asio::this_coro::executor);
    asio::error_code ignored;
    co_await socket.async_connect(at, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(bytes), asio::use_awaitable);
    if (ends) socket.shutdown(asio::socket_base::shutdown_send, ignored);
    co_await asio::async_read(socket, asio::dynamic_buffer(received),
                              asio::redirect_error(asio::use_awaitable, ignored));
  });
  return received;
}

std::string message(tl::message_type kind, std::string_view name, std::int32_t id, std::string_view body) {
  return thriftlens_test::message_bytes<tl::binary>(kind, name, id, body);
}
asio::awaitable<socket_type> connect_for_reset(tl::asio::endpoint at) {
  socket_type socket(co_await asio::this_coro::executor);
  co_await socket.async_connect(at, asio::use_awaitable);
  socket.set_option(asio::socket_base::linger(true, 0));
  co_return std::move(socket);
}

}  // namespace

TEST(asio_server_connection, calls_are_answered_in_their_order) {
  EXPECT_EQ(answer(ping_call(1) + ping_call(5) + ping_call(2)), pong(1) + pong(5) + pong(2));
}

TEST(asio_server_connection, a_call_truncated_at_any_byte_is_not_answered) {
  const std::string whole = ping_call(2);
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_EQ(answer(ping_call(1) + whole.substr(0, cut)), pong(1)) << cut;
}

TEST(asio_server_connection, malformed_and_oversized_calls_close_the_connection) {
  EXPECT_EQ(answer("GET / HTTP/1.1\r\n\r\n", false), "");
  EXPECT_EQ(answer(std::string("\x7f\xff\xff\xff\x80\x01\x00\x01", 8), false), "");
  EXPECT_EQ(answer(ping_call(1) + std::string("\xff\xff\xff\xff", 4), false), pong(1));
  EXPECT_EQ(answer(pong(1), false), "") << "a reply is no call";
}

TEST(asio_server_connection, slow_clients_are_disconnected) {
  tl::asio::server_options options;
  options.timeout = std::chrono::milliseconds(10);
  EXPECT_EQ(answer(ping_call(1) + ping_call(2).substr(0, 10), false, options), pong(1));
  options = {};
  options.idle = std::chrono::milliseconds(10);
  EXPECT_EQ(answer(ping_call(1), false, options), pong(1));
  EXPECT_EQ(answer("", false, options), "");
}

TEST(asio_server_connection, invalid_arguments_and_functions_are_refused_and_later_calls_served) {
  const auto call = [](std::string_view name, std::string_view body) {
    return thriftlens_test::message_bytes<tl::binary>(tl::message_type::call, name, 3, body);
  };
  const std::string no_function = answer(call("pint", {"\0", 1}) + ping_call(1));
  EXPECT_THAT(no_function, testing::HasSubstr("ping"));
  EXPECT_THAT(no_function, testing::EndsWith(pong(1)));
  const std::string no_struct = answer(call("ping", "\x0b") + ping_call(1));
  EXPECT_THAT(no_struct, testing::HasSubstr("not exactly one struct"));
  EXPECT_THAT(no_struct, testing::EndsWith(pong(1)));
  const std::string no_argument = answer(call("find", {"\0", 1}) + ping_call(1));
  EXPECT_THAT(no_argument, testing::HasSubstr("missing argument 'id'"));
  const std::string wrong = answer(call("find", std::string_view("\x02\x00\x01\x01\x00", 5)) + ping_call(1));
  EXPECT_THAT(wrong, testing::HasSubstr("i64"));
  EXPECT_THAT(wrong, testing::EndsWith(pong(1)));
}

TEST(asio_server_connection, exception_texts_of_handlers_are_not_sent) {
  const std::string received = answer(thriftlens_test::message_bytes<tl::binary>(
      tl::message_type::call, "fail", 3, std::string_view("\0", 1)));
  EXPECT_THAT(received, testing::HasSubstr("the handler failed"));
  EXPECT_THAT(received, testing::Not(testing::HasSubstr("secret")));
}

TEST(asio_server_connection, queued_calls_of_a_reset_connection_are_dropped) {
  std::optional<socket_type> peer;
  int handled = 0;
  const auto handler = [&](auto& call) -> task {
    ++handled;
    peer->close();
    call.reply("pong");
    co_return;
  };
  beside(handler, {}, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
    peer = co_await connect_for_reset(at);
    std::string calls;
    for (std::int32_t id = 0; id < 100; ++id) calls += ping_call(id);
    co_await asio::async_write(*peer, asio::buffer(calls), asio::use_awaitable);
    while (handled == 0) co_await turn();
  });
  EXPECT_EQ(handled, 1);
}

TEST(asio_server_connection, a_waiting_handler_of_a_reset_connection_is_cancelled) {
  std::optional<asio::steady_timer> gate;
  int handled = 0;
  const auto handler = [&](auto& call) -> task {
    if (++handled == 1) {
      gate.emplace(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      co_await gate->async_wait(asio::use_awaitable);
    }
    call.reply("pong");
  };
  tl::asio::server_options options;
  options.bounds.connections = 1;
  beside(handler, options, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
    {
      socket_type peer = co_await connect_for_reset(at);
      const std::string calls = ping_call(1) + ping_call(2);
      co_await asio::async_write(peer, asio::buffer(calls), asio::use_awaitable);
      while (!gate) co_await turn();
      peer.close();
    }
    std::string received;
    for (int attempt = 0; attempt < 100 && received.empty();
         ++attempt) {  // until the connection slot is free
      client to = co_await client::connect_to(at);
      const auto reply = co_await to.try_call(asio_function("ping"), tl::no_value{});
      if (reply) received = thriftlens_test::text(*reply);
    }
    EXPECT_EQ(received, R"("pong")");
    gate.reset();
  });
  EXPECT_EQ(handled, 2);
}

TEST(asio_server_connection, oneway_calls_of_a_reset_connection_are_executed) {
  for (const std::string_view first : {"log", "ping"}) {
    std::optional<asio::steady_timer> gate;
    std::vector<std::string_view> handled;
    bool is_open = false, is_cancelled = false;
    const auto handler = [&](auto& call) -> task {
      handled.push_back(call.function.name());
      if (handled.size() > 1) co_return;
      asio::error_code code;
      gate.emplace(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      co_await asio::this_coro::throw_if_cancelled(false);
      co_await gate->async_wait(asio::redirect_error(asio::use_awaitable, code));
      gate.reset();  // before its context ends
      is_cancelled = !is_open;
    };
    beside(handler, {}, [&]<class Server>(tl::asio::endpoint at, Server& server) -> task {
      socket_type peer = co_await connect_for_reset(at);
      std::string calls;
      for (const std::string_view name : {first, std::string_view("ping"), std::string_view("log")})
        calls += message(tl::message_type::call, name, 1, {"\0", 1});
      co_await asio::async_write(peer, asio::buffer(calls), asio::use_awaitable);
      while (!gate) co_await turn();
      peer.close();
      server.stop();
      if (first == "ping") co_return;  // it is cancelled
      for (int count = 0; count < 100; ++count) co_await turn();
      is_open = true;
      gate->cancel();
    });
    EXPECT_THAT(handled, testing::ElementsAre(first, "log"));
    EXPECT_EQ(is_cancelled, first == "ping");
  }
}

TEST(asio_server_connection, partial_calls_do_not_delay_shutdown) {
  beside(shop_handler(), {}, [&]<class Server>(tl::asio::endpoint at, Server& server) -> task {
    socket_type peer(co_await asio::this_coro::executor);
    asio::error_code code;
    co_await peer.async_connect(at, asio::use_awaitable);
    const std::string call = ping_call(1), half = call.substr(0, 10), rest = call.substr(10) + half;
    std::string reply(pong(1).size(), '\0');
    co_await asio::async_write(peer, asio::buffer(call + half), asio::use_awaitable);
    int replies = 0;
    while (replies < 100) {
      co_await asio::async_read(peer, asio::buffer(reply), asio::redirect_error(asio::use_awaitable, code));
      if (code) break;
      if (++replies == 1) server.stop();
      co_await asio::async_write(peer, asio::buffer(rest), asio::redirect_error(asio::use_awaitable, code));
    }
    EXPECT_GE(replies, 1);
    EXPECT_LE(replies, 3) << "the call that had begun when stop() was called is the last one";
  });
}

TEST(asio_server_connection, oneway_functions_sent_as_calls_are_neither_answered_nor_counted) {
  const shop_handler handler;
  std::string received;
  beside(handler, {}, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
    socket_type peer(co_await asio::this_coro::executor);
    co_await peer.async_connect(at, asio::use_awaitable);
    std::string calls;
    for (std::int32_t id = 0; id < 3'000; ++id)
      calls += message(tl::message_type::call, "log", id, {"\0", 1});
    calls += ping_call(3'000);
    co_await asio::async_write(peer, asio::buffer(calls), asio::use_awaitable);
    received.resize(pong(3'000).size());
    asio::error_code ignored;
    co_await asio::async_read(peer, asio::buffer(received),
                              asio::redirect_error(asio::use_awaitable, ignored));
  });
  EXPECT_EQ(received, pong(3'000));
  EXPECT_EQ(*handler.lines, 3'000);
}

TEST(asio_server_connection, a_function_with_a_result_that_is_sent_as_oneway_is_answered) {
  EXPECT_EQ(answer(message(tl::message_type::oneway, "ping", 4, {"\0", 1}) + ping_call(5)),
            pong(4) + pong(5));
  EXPECT_EQ(answer(message(tl::message_type::oneway, "pint", 4, {"\0", 1}) + ping_call(5)), pong(5));
}
