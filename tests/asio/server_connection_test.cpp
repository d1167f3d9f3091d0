#include <thriftlens/asio/server_connection.hpp>

#include "shop.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using thriftlens_test::beside;
using thriftlens_test::ping_call;
using thriftlens_test::pong;
using thriftlens_test::shop_handler;
using thriftlens_test::task;

namespace {

/// What a server says to those bytes before it closes; the client closes its side first where `ends`.
std::string said_to(const std::string& bytes, bool ends = true, const tl::asio::server_options& how = {}) {
  std::string said;
  beside(shop_handler(), how, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
    asio::generic::stream_protocol::socket socket(co_await asio::this_coro::executor);
    asio::error_code ignored;
    co_await socket.async_connect(at, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(bytes), asio::use_awaitable);
    if (ends) socket.shutdown(asio::socket_base::shutdown_send, ignored);
    co_await asio::async_read(socket, asio::dynamic_buffer(said),
                              asio::redirect_error(asio::use_awaitable, ignored));
  });
  return said;
}

}  // namespace

TEST(asio_server_connection, calls_are_answered_in_their_order) {
  EXPECT_EQ(said_to(ping_call(1) + ping_call(5) + ping_call(2)), pong(1) + pong(5) + pong(2));
}

TEST(asio_server_connection, a_call_that_is_cut_at_any_byte_is_never_answered) {
  const std::string whole = ping_call(2);
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_EQ(said_to(ping_call(1) + whole.substr(0, cut)), pong(1)) << cut;
}

TEST(asio_server_connection, garbage_and_giants_end_it) {
  EXPECT_EQ(said_to("GET / HTTP/1.1\r\n\r\n", false), "");
  EXPECT_EQ(said_to(std::string("\x7f\xff\xff\xff\x80\x01\x00\x01", 8), false), "");
  EXPECT_EQ(said_to(ping_call(1) + std::string("\xff\xff\xff\xff", 4), false), pong(1));
  EXPECT_EQ(said_to(pong(1), false), "") << "a reply is no call";
}

TEST(asio_server_connection, who_is_slow_is_closed) {
  tl::asio::server_options how;
  how.timeout = std::chrono::milliseconds(10);
  EXPECT_EQ(said_to(ping_call(1) + ping_call(2).substr(0, 10), false, how), pong(1));
  how = {};
  how.idle = std::chrono::milliseconds(10);
  EXPECT_EQ(said_to(ping_call(1), false, how), pong(1));
  EXPECT_EQ(said_to("", false, how), "");
}

TEST(asio_server_connection, wrong_arguments_and_functions_are_refused_and_it_goes_on) {
  const auto call = [](std::string_view name, std::string_view body) {
    return thriftlens_test::message_bytes<tl::binary>(tl::message_type::call, name, 3, body);
  };
  const std::string no_function = said_to(call("pint", {"\0", 1}) + ping_call(1));
  EXPECT_THAT(no_function, testing::HasSubstr("ping"));
  EXPECT_THAT(no_function, testing::EndsWith(pong(1)));
  const std::string no_struct = said_to(call("ping", "\x0b") + ping_call(1));
  EXPECT_THAT(no_struct, testing::HasSubstr("not one whole struct"));
  EXPECT_THAT(no_struct, testing::EndsWith(pong(1)));
  const std::string no_argument = said_to(call("find", {"\0", 1}) + ping_call(1));
  EXPECT_THAT(no_argument, testing::HasSubstr("the handler failed"));
  const std::string wrong = said_to(call("find", std::string_view("\x02\x00\x01\x01\x00", 5)) + ping_call(1));
  EXPECT_THAT(wrong, testing::HasSubstr("i64"));
  EXPECT_THAT(wrong, testing::EndsWith(pong(1)));
}

TEST(asio_server_connection, words_of_a_handler_stay_inside) {
  const std::string said = said_to(thriftlens_test::message_bytes<tl::binary>(tl::message_type::call, "fail",
                                                                              3, std::string_view("\0", 1)));
  EXPECT_THAT(said, testing::HasSubstr("the handler failed"));
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("secret")));
}
