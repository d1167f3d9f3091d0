// server_connection: a connection of a server. Calls are answered one at a time, in order, on its strand.
#pragma once

#include <thriftlens/asio/byte_budget.hpp>
#include <thriftlens/asio/deadline.hpp>
#include <thriftlens/asio/net.hpp>
#include <thriftlens/asio/request.hpp>
#include <thriftlens/asio/server_options.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/transport/retained_memory.hpp>
#include <thriftlens/transport/session.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Services, handler, options and budget, shared by the connections of a server.
template <class Handler>
struct server_share {
  std::vector<service_info> services;
  Handler handler;
  asio::server_options options;
  byte_budget budget{options.max_in_flight()};
};

/// Whether `body` is one struct, and nothing follows it.
template <protocol P>
[[nodiscard]] bool is_one_struct(byte_view body, const limits& bounds) {
  typename P::reader in(body, bounds);
  return in.skip(ttype::struct_) && in.at_end();
}

template <class Handler>
class server_connection : public std::enable_shared_from_this<server_connection<Handler>> {
 public:
  using socket_type = asio::net::generic::stream_protocol::socket;
  using clock = asio::net::steady_timer::clock_type;

  server_connection(socket_type socket, std::shared_ptr<server_share<Handler>> share)
      : share_(std::move(share)),
        socket_(std::move(socket)),
        watch_(socket_.get_executor()),
        bytes_released_(socket_.get_executor(), (deadline::max)()),
        account_(share_->budget, [this] { resume(); }),
        session_(session_options_of(share_->options)) {}

  [[nodiscard]] auto executor() { return socket_.get_executor(); }
  /// The slot through which end() cancels a handler; bind it to the coroutine of run().
  [[nodiscard]] asio::net::cancellation_slot cancellation_slot() { return cancellation_.slot(); }

  /// Serves until the client disconnects, an error, a deadline, or stop(). Does not throw.
  asio::net::awaitable<void> run() {
    co_await asio::net::this_coro::throw_if_cancelled(false);
    try {
      co_await serve_reads();
    } catch (...) {  // memory is exhausted
    }
    end();
  }
  /// Answers calls whose first byte has arrived, within `timeout`; ignores later ones.
  void stop() {
    if (is_stopping_) return;
    is_stopping_ = true;
    stop_offset_ = session_.fed();
    stop_deadline_ = deadline_after(share_->options.timeout);
    deadline_ = (std::min)(deadline_, stop_deadline_);
    if (is_reading_ && session_.held() == 0) end();
  }
  /// Closes the socket immediately and cancels a running handler.
  void close() { end(); }

 private:
  static constexpr std::size_t read_size = std::size_t{16} << 10;
  // Replies are sent at this size, or when the first has waited this long.
  static constexpr std::size_t send_size = std::size_t{256} << 10;
  static constexpr auto send_interval = std::chrono::milliseconds(1);

  void end() {
    if (is_ended_) return;
    is_ended_ = is_lost_ = true;
    asio::error_code ignored;
    socket_.close(ignored);
    watch_.cancel();
    bytes_released_.cancel();
    if (is_handling_) cancellation_.emit(asio::net::cancellation_type::terminal);
  }

  // A started call must arrive by its deadline, even if its bytes arrive one by one.
  void limit_time() {
    const bool has_begun = session_.held() != 0;
    if (has_begun && is_begun_) return;
    is_begun_ = has_begun;
    set_deadline(has_begun ? share_->options.timeout : share_->options.idle);
  }
  void set_deadline(std::chrono::milliseconds after) {
    deadline_ = (std::min)(deadline_after(after), stop_deadline_);
  }
  [[nodiscard]] std::chrono::milliseconds pace() const {
    const auto& options = share_->options;
    std::chrono::milliseconds least = (std::max)(options.timeout, options.idle);
    if (options.timeout.count() > 0) least = (std::min)(least, options.timeout);
    if (options.idle.count() > 0) least = (std::min)(least, options.idle);
    return (std::max)(least / 8, std::chrono::milliseconds(1));
  }
  // Compares the deadline with the clock periodically: a timer for every call costs more than the call.
  void watch_deadline() {
    if (share_->options.timeout.count() <= 0 && share_->options.idle.count() <= 0) return;
    watch_.expires_after(pace());
    watch_.async_wait([self = this->weak_from_this()](asio::error_code code) {
      const auto alive = self.lock();
      if (code || !alive || alive->is_ended_) return;
      if (clock::now() < alive->deadline_) return alive->watch_deadline();
      alive->end();
    });
  }
  // Detects a reset by the peer also while a handler waits.
  void watch_reset() {
    socket_.async_wait(socket_type::wait_error, [self = this->weak_from_this()](asio::error_code code) {
      const auto alive = self.lock();
      if (code || !alive || alive->is_lost_) return;
      alive->watch_reset();  // other events: urgent data, end of a Unix socket's peer
      if (alive->is_reset()) alive->lose();
    });
  }
  // Replies can no longer be sent: drops calls that need one. Received oneway calls are executed.
  void lose() {
    is_lost_ = true;
    bytes_released_.cancel();
    if (is_handling_ && has_reply_) cancellation_.emit(asio::net::cancellation_type::terminal);
  }
  // Whether the socket has a pending error. Windows takes the option as a char*.
  [[nodiscard]] bool is_reset() {
    int pending = 0;
    socklen_t size = sizeof(pending);
    auto* const option = reinterpret_cast<char*>(&pending);
    return ::getsockopt(socket_.native_handle(), SOL_SOCKET, SO_ERROR, option, &size) != 0 || pending != 0;
  }

  asio::net::awaitable<void> serve_reads() {
    asio::error_code code;
    socket_.set_option(asio::net::ip::tcp::no_delay(true), code);
    watch_deadline();
    watch_reset();
    buffer greeting;
    static_cast<void>(session_.try_start(share_->options.credentials, greeting));
    while (co_await serve() && !is_drained() && account_.set(session_.held(), true)) {
      is_reading_ = true;
      limit_time();
      while (!is_lost_ && account_.must_wait())
        co_await bytes_released_.async_wait(asio::net::redirect_error(asio::net::use_awaitable, code));
      const std::size_t size = co_await socket_.async_read_some(
          asio::net::buffer(in_), asio::net::redirect_error(asio::net::use_awaitable, code));
      is_reading_ = false;
      if (code) break;
      session_.feed({in_.data(), size});
    }
  }
  // Called by the budget, on any thread.
  void resume() noexcept {
    try {
      asio::net::post(executor(), [self = this->weak_from_this()] {
        if (const auto alive = self.lock()) alive->bytes_released_.cancel();
      });
    } catch (...) {  // out of memory: the connection waits until its deadline
    }
  }
  // Whether all calls that arrived before stop() are answered.
  [[nodiscard]] bool is_drained() const {
    return is_stopping_ && session_.fed() - session_.held() >= stop_offset_;
  }

  // Answers the received calls. False if the connection must be closed.
  asio::net::awaitable<bool> serve() {
    session_event event;
    auto send_time = clock::now() + send_interval;
    for (bool is_first = true;; is_first = false) {
      const result<bool> next = session_.try_next(event);
      if (!next || !*next || (is_stopping_ && event.offset >= stop_offset_)) {
        const bool is_sent = co_await send();
        clear_retaining(body_);
        co_return next && !*next && is_sent;
      }
      if (!is_first && !is_lost_ && is_reset()) lose();
      if (event.kind == session_event_kind::send) out_.append(event.body);
      if (event.kind == session_event_kind::message) {
        set_deadline({});
        is_begun_ = false;
        co_await visit_protocol(protocol_of(event.protocol),
                                [&](auto tag) { return this->answer<decltype(tag)>(event); });
      }
      const bool is_due = out_.size() >= send_size || clock::now() >= send_time;
      if (is_due && !co_await send()) co_return false;
      if (is_due) send_time = clock::now() + send_interval;
      if (is_ended_) co_return false;
    }
  }
  asio::net::awaitable<bool> send() {
    if (is_lost_) clear_retaining(out_);
    if (out_.empty()) co_return !is_ended_;
    asio::error_code code;
    set_deadline(share_->options.timeout);
    co_await asio::net::async_write(socket_, asio::net::buffer(out_.data(), out_.size()),
                                    asio::net::redirect_error(asio::net::use_awaitable, code));
    clear_retaining(out_);
    if (code) lose();
    co_return !is_ended_;
  }

  template <protocol P>
  asio::net::awaitable<void> answer(const session_event& event) {
    const result<called_function> called = find_called(share_->services, event.message);
    const function_info function = called ? called->function : function_info();
    // Clients disagree on the kind of oneway calls; the IDL decides.
    has_reply_ = called ? !function.oneway() : event.message.type != message_type::oneway;
    if (has_reply_ && is_lost_) co_return;
    account_.set(held(event), false);
    asio::request<P> call(function, {}, event.headers, body_);
    if (called) call.service = called->service;
    if (!called) {
      refuse(call, called.error());
    } else if (!is_one_struct<P>(event.body, share_->options.limits)) {
      call.refuse("the arguments are not exactly one struct", application_error::protocol_error);
    } else {
      call.arguments = view<P>(event.body, function.arguments(), share_->options.limits);
      co_await handle(call);
    }
    if (has_reply_ && !is_lost_) reply(event, call);
  }
  template <protocol P>
  void reply(const session_event& event, asio::request<P>& call) {
    if (!call.is_answered()) call.refuse("the handler did not answer", application_error::missing_result);
    if (!account_.set(held(event) + body_.size(), true)) {
      call.refuse("the reply exceeds the server's memory limit (in_flight)");
      account_.set(held(event) + body_.size(), true);
    }
    if (!session_.try_append_reply(event, call.kind(), body_, out_)) end();
    clear_retaining(body_);
  }
  [[nodiscard]] std::size_t held(const session_event& event) const noexcept {
    return session_.held() + event.body.size() + out_.size();
  }
  template <protocol P>
  static void refuse(asio::request<P>& call, const error& reason) {
    call.refuse(reason.what(), reason.code() == errc::unknown_name ? application_error::unknown_method
                                                                   : application_error::invalid_message_type);
  }
  template <protocol P>
  static void refuse_failed(asio::request<P>& call, const error& reason) {
    const std::string text = kind(reason.code()) == error_kind::decode
                                 ? reason.what()
                                 : missing_argument_text(call.arguments, reason);
    if (text.empty()) return call.refuse("the handler failed");
    call.refuse(text, application_error::protocol_error);
  }
  // Texts of other exceptions may contain data that the client must not see.
  template <protocol P>
  asio::net::awaitable<void> handle(asio::request<P>& call) {
    if (is_lost_) co_await asio::net::this_coro::reset_cancellation_state();  // of a handler before
    is_handling_ = true;
    co_await asio::net::this_coro::throw_if_cancelled(true);
    try {
      co_await share_->handler(call);
    } catch (const error& reason) {
      refuse_failed(call, reason);
    } catch (...) {
      call.refuse("the handler failed");
    }
    is_handling_ = false;
    co_await asio::net::this_coro::throw_if_cancelled(false);
  }

  std::shared_ptr<server_share<Handler>> share_;
  socket_type socket_;
  asio::net::steady_timer watch_;
  asio::net::steady_timer bytes_released_;  // cancelled when others have released bytes
  byte_budget::account account_;
  asio::net::cancellation_signal cancellation_;
  deadline deadline_ = (deadline::max)();
  deadline stop_deadline_ = (deadline::max)();
  std::uint64_t stop_offset_ = 0;  // bytes that had arrived before stop()
  session session_;
  buffer out_;
  buffer body_;
  bool is_begun_ = false;
  bool is_reading_ = false;
  bool is_handling_ = false;
  bool has_reply_ = false;  // of the current call
  bool is_lost_ = false;
  bool is_stopping_ = false;
  bool is_ended_ = false;
  std::array<std::uint8_t, read_size> in_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
