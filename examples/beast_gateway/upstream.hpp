// upstream: calls one Thrift server over connections that are reused. Never retries a call.
#pragma once

#include "endpoints.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gateway {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

/// What is waited for with a coroutine, and whose error is looked at instead of thrown.
[[nodiscard]] inline auto awaiting(error_code& code) {
  return asio::redirect_error(asio::use_awaitable, code);
}

/// Address and limits of the server.
struct upstream_options {
  std::string name;                ///< for people
  tcp::resolver::results_type at;  ///< looked up once
  tl::transport_id transport = tl::transport_id::framed;
  std::chrono::milliseconds timeout = std::chrono::seconds(5);  ///< of a call, connecting included
  std::size_t reply_size = std::size_t{64} << 20;
  std::size_t idle = 64;  ///< connections that wait for the next call
};

/// The struct of the reply, or the problem (502 or 504) if there is none.
struct call_result {
  std::optional<problem> reason = {};
  tl::message_type kind = tl::message_type::reply;
  tl::buffer body = {};
};

class upstream {
 public:
  explicit upstream(upstream_options how) : how_(std::move(how)) {}

  /// One call. Of a oneway function the result is there when its bytes are sent.
  asio::awaitable<call_result> call(tl::function_info function, const tl::buffer& arguments) {
    std::unique_ptr<link> over = take_idle();
    const bool is_new = over == nullptr;
    if (is_new) over = std::make_unique<link>(co_await asio::this_coro::executor, session_options());
    over->stream.expires_after(how_.timeout);
    error_code code;
    if (is_new) co_await connect(over->stream, code);
    if (code) co_return lost(code);
    call_result reply = co_await exchange(*over, function, arguments);
    const bool is_reusable =
        !reply.reason && over->session.held() == 0;  // else the connection has unexpected bytes
    if (is_reusable) keep(std::move(over));
    co_return reply;
  }

 private:
  /// A connection and its session.
  struct link {
    link(const asio::any_io_executor& on, const tl::session_options& how) : stream(on), session(how) {}
    beast::tcp_stream stream;
    tl::session session;
    std::array<std::uint8_t, 16384> in;
  };

  [[nodiscard]] tl::session_options session_options() const {
    tl::session_options made;
    made.transport = how_.transport;
    made.protocol =
        std::is_same_v<wire, tl::compact> ? tl::message_protocol::compact : tl::message_protocol::binary;
    made.frame_size = how_.reply_size;
    return made;
  }
  [[nodiscard]] call_result lost(const error_code& code) const {
    const std::string where = how_.name + ": ";
    if (code == beast::error::timeout) return {problem_of(504, "timeout", where + "no reply in time")};
    const bool is_refused = code == asio::error::connection_refused;
    return {problem_of(502, is_refused ? "connection_refused" : "connection_failed", where + code.message())};
  }
  [[nodiscard]] static call_result wrong(const tl::error& reason) { return {problem_of(502, reason)}; }

  asio::awaitable<void> connect(beast::tcp_stream& stream, error_code& code) const {
    co_await stream.async_connect(how_.at, awaiting(code));
    if (!code) stream.socket().set_option(tcp::no_delay(true), code);
    if (!code) stream.socket().non_blocking(true, code);  // is_quiet() does not wait
  }
  asio::awaitable<call_result> exchange(link& over, tl::function_info function, const tl::buffer& arguments) {
    const auto type = function.oneway() ? tl::message_type::oneway : tl::message_type::call;
    tl::buffer out;
    const auto id =
        over.session.try_append_call({.name = function.name(), .arguments = arguments, .type = type}, out);
    if (!id) co_return wrong(id.error());
    error_code code;
    co_await asio::async_write(over.stream, asio::buffer(out.data(), out.size()), awaiting(code));
    if (code) co_return lost(code);
    if (function.oneway()) co_return call_result{};
    co_return co_await reply_over(over);
  }
  asio::awaitable<call_result> reply_over(link& over) const {
    tl::session_event event;
    error_code code;
    for (;;) {
      const tl::result<bool> found = over.session.try_next(event);
      if (!found) co_return wrong(found.error());
      if (*found) co_return call_result{{}, event.message.type, tl::buffer(event.body)};
      const std::size_t count = co_await over.stream.async_read_some(asio::buffer(over.in), awaiting(code));
      if (code) co_return lost(code);
      over.session.feed({over.in.data(), count});
    }
  }

  void keep(std::unique_ptr<link> over) {
    over->stream.expires_never();
    if (idle_.size() < how_.idle) idle_.push_back(std::move(over));
  }
  // The one that was used last; those that the server has closed are dropped.
  [[nodiscard]] std::unique_ptr<link> take_idle() {
    while (!idle_.empty()) {
      std::unique_ptr<link> last = std::move(idle_.back());
      idle_.pop_back();
      if (is_quiet(last->stream.socket())) return last;
    }
    return nullptr;
  }
  // Open, and without unexpected bytes from the server.
  [[nodiscard]] static bool is_quiet(tcp::socket& socket) {
    char byte = 0;
    error_code code;
    socket.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, code);
    return code == asio::error::would_block;
  }

  upstream_options how_;
  std::vector<std::unique_ptr<link>> idle_;
};

}  // namespace gateway
