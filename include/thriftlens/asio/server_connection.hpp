// server_connection: one client of a server: calls in, replies out, in the order in which they came.
// In: a socket, a handler. Out: bytes to the client, until one of both ends it.
// Never two calls at once; never more of the next calls than one read brings.
#pragma once

#include <thriftlens/asio/net.hpp>
#include <thriftlens/asio/request.hpp>
#include <thriftlens/asio/server_options.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/transport/session.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// What the connections of a server share.
template <class Handler>
struct server_share {
  service_info service;
  Handler handler;
  asio::server_options how;
};

/// The struct of the arguments is whole, and nothing follows it.
template <protocol P>
[[nodiscard]] bool is_one_struct(byte_view body, const limits& bounds) {
  typename P::reader in(body, bounds);
  return in.skip(ttype::struct_) && in.at_end();
}

template <class Handler>
class server_connection : public std::enable_shared_from_this<server_connection<Handler>> {
 public:
  using socket_type = asio::net::generic::stream_protocol::socket;

  server_connection(socket_type socket, std::shared_ptr<server_share<Handler>> share)
      : share_(std::move(share)),
        socket_(std::move(socket)),
        watch_(socket_.get_executor()),
        session_(session_options_of(share_->how)) {}

  [[nodiscard]] auto executor() { return socket_.get_executor(); }

  /// Until the client goes, a fault, the time is over, or stop() and the call at work is answered.
  asio::net::awaitable<void> run() {
    asio::error_code code;
    socket_.set_option(asio::net::ip::tcp::no_delay(true), code);
    watch();
    buffer greeting;
    static_cast<void>(session_.try_start(share_->how.credentials, greeting));
    while (co_await serve() && !(is_stopping_ && session_.held() == 0)) {
      is_reading_ = true;
      limit_time();
      const std::size_t size = co_await socket_.async_read_some(
          asio::net::buffer(in_), asio::net::redirect_error(asio::net::use_awaitable, code));
      is_reading_ = false;
      if (code) break;
      session_.feed({in_.data(), size});
    }
    end();
  }
  /// Ends it when the call at work is answered; at once where there is none.
  void stop() {
    is_stopping_ = true;
    if (is_reading_ && session_.held() == 0) end();
  }

 private:
  using clock = asio::net::steady_timer::clock_type;

  static constexpr std::size_t read_size = std::size_t{16} << 10;
  static constexpr std::size_t enough = std::size_t{256} << 10;  // replies are sent from this size on

  void end() {
    asio::error_code ignored;
    is_ended_ = true;
    socket_.close(ignored);
    watch_.cancel();
  }

  // A call that has begun has to end in time, however its bytes trickle in.
  void limit_time() {
    const bool has_begun = session_.held() != 0;
    if (has_begun && is_begun_) return;
    is_begun_ = has_begun;
    set_deadline(has_begun ? share_->how.timeout : share_->how.idle);
  }
  void set_deadline(std::chrono::milliseconds after) {
    deadline_ = after.count() > 0 ? clock::now() + after : clock::time_point::max();
  }
  [[nodiscard]] std::chrono::milliseconds pace() const {
    const auto& how = share_->how;
    std::chrono::milliseconds least = std::max(how.timeout, how.idle);
    if (how.timeout.count() > 0) least = std::min(least, how.timeout);
    if (how.idle.count() > 0) least = std::min(least, how.idle);
    return std::max(least / 8, std::chrono::milliseconds(1));
  }
  // Looks at the deadline now and then: setting a timer anew for each call costs more than the call.
  void watch() {
    if (share_->how.timeout.count() <= 0 && share_->how.idle.count() <= 0) return;
    watch_.expires_after(pace());
    watch_.async_wait([self = this->weak_from_this()](asio::error_code code) {
      const auto alive = self.lock();
      if (code || !alive || alive->is_ended_) return;
      if (clock::now() < alive->deadline_) return alive->watch();
      alive->end();
    });
  }

  // Answers what has come. False where nothing may follow.
  asio::net::awaitable<bool> serve() {
    session_event event;
    for (;;) {
      const result<bool> found = session_.try_next(event);
      if (!found || !*found) {
        const bool is_sent = co_await send();
        co_return found&& is_sent;
      }
      if (event.what == session_event::kind::send) out_.append(event.body);
      if (event.what == session_event::kind::message) {
        set_deadline({});
        is_begun_ = false;
        co_await visit_protocol(protocol_of(event.protocol),
                                [&](auto tag) { return this->answer<decltype(tag)>(event); });
      }
      if (out_.size() >= enough && !co_await send()) co_return false;
      if (is_ended_) co_return false;
    }
  }
  asio::net::awaitable<bool> send() {
    if (out_.empty()) co_return !is_ended_;
    asio::error_code code;
    set_deadline(share_->how.timeout);
    co_await asio::net::async_write(socket_, asio::net::buffer(out_.data(), out_.size()),
                                    asio::net::redirect_error(asio::net::use_awaitable, code));
    out_.clear();
    co_return !code && !is_ended_;
  }

  template <protocol P>
  asio::net::awaitable<void> answer(const session_event& event) {
    const result<function_info> function = find_called(share_->service, event.message);
    asio::request<P> call(function ? *function : function_info(), {}, event.headers, body_);
    if (!function) {
      refuse(call, function.error());
    } else if (!is_one_struct<P>(event.body, share_->how.limits)) {
      call.refuse("the arguments are not one whole struct", application_error::protocol_error);
    } else {
      call.arguments = view<P>(event.body, function->arguments(), share_->how.limits);
      co_await handle(call);
    }
    if (event.message.type != message_type::oneway && !(function && function->oneway())) reply(event, call);
  }
  template <protocol P>
  void reply(const session_event& event, asio::request<P>& call) {
    if (!call.is_answered()) call.refuse("the handler gave no answer", application_error::missing_result);
    if (!session_.try_append_reply(event, call.kind(), body_, out_)) end();
  }
  template <protocol P>
  static void refuse(asio::request<P>& call, const error& why) {
    call.refuse(why.what(), why.code() == errc::type_not_found ? application_error::unknown_method
                                                               : application_error::invalid_message_type);
  }
  // What a handler throws does not leave it; its words may hold what the client must not see.
  template <protocol P>
  asio::net::awaitable<void> handle(asio::request<P>& call) {
    try {
      co_await share_->handler(call);
    } catch (const error& why) {
      if (kind(why.code()) == error_kind::decode)
        call.refuse(why.what(), application_error::protocol_error);
      else
        call.refuse("the handler failed");
    } catch (...) {
      call.refuse("the handler failed");
    }
  }

  std::shared_ptr<server_share<Handler>> share_;
  socket_type socket_;
  asio::net::steady_timer watch_;
  asio::net::steady_timer::time_point deadline_ = asio::net::steady_timer::time_point::max();
  session session_;
  buffer out_;
  buffer body_;
  bool is_begun_ = false;
  bool is_reading_ = false;
  bool is_stopping_ = false;
  bool is_ended_ = false;
  std::array<std::uint8_t, read_size> in_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
