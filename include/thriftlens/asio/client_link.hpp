// client_link: the connection of a client: its socket, session and waiting calls, on the executor of the
// socket.
#pragma once

#include <thriftlens/asio/cause.hpp>
#include <thriftlens/asio/client_options.hpp>
#include <thriftlens/asio/deadline.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/transport/retained_memory.hpp>
#include <thriftlens/transport/session.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A coroutine that waits for a reply, for bytes to be sent, for a negotiation or a lookup. Cancelling the
/// timer, which also holds the deadline, wakes it.
struct client_wait {
  asio::net::steady_timer timer;
  bool is_done = false;
  bool is_answered = false;
  std::optional<error> reason = {};
  message_type kind = message_type::reply;
  buffer body = {};

  client_wait(const asio::net::any_io_executor& on, deadline until) : timer(on, until) {}
  void wake() {
    is_done = true;
    timer.cancel();
  }
};

/// The id of this process; 0 where processes do not fork. (Asio's sockets include <unistd.h>.)
[[nodiscard]] inline long current_process() noexcept {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<long>(::getpid());
#else
  return 0;
#endif
}

class client_link : public std::enable_shared_from_this<client_link> {
 public:
  using socket_type = asio::net::generic::stream_protocol::socket;

  client_link(const asio::net::any_io_executor& on, const session_options& options,
              asio::timeout_action on_timeout = asio::timeout_action::keep)
      : socket_(on),
        bounds_(options.limits),
        session_(options),
        max_unsent_(options.max_frame()),
        on_timeout_(on_timeout) {}

  [[nodiscard]] asio::net::any_io_executor executor() { return socket_.get_executor(); }
  [[nodiscard]] socket_type& socket() noexcept { return socket_; }
  [[nodiscard]] const error* fault() const noexcept { return dead_ ? &*dead_ : nullptr; }
  [[nodiscard]] std::size_t in_flight() const noexcept { return waiting_.size(); }
  [[nodiscard]] std::size_t overdue() const noexcept { return session_.overdue(); }

  /// Starts reading. Wakes `ready` after the negotiation, or immediately without one.
  [[nodiscard]] result<void> start(const sasl_credentials& credentials, client_wait& ready) {
    if (result<void> status = session_.try_start(credentials, pending_); !status) return status;
    if (session_.transport() == transport_id::sasl)
      ready_ = &ready;
    else
      ready.is_done = true;
    flush();
    read();
    return {};
  }

  /// Sends a call. Wakes `wait` when the reply has arrived or, for a oneway call, when the call is sent.
  /// Errors: fault(), calls_limit, those of the session; `closed` in a forked child of the process that
  /// connected, since both would read the same replies.
  [[nodiscard]] result<std::int32_t> send(const call_request& call, client_wait& wait) {
    if (dead_) return *dead_;
    if (process_ != current_process())
      return io_error(asio::cause::closed, "the connection belongs to the parent process; connect again");
    if (pending_.size() + writing_.size() > max_unsent_)
      return error(errc::calls_limit, "too many unsent bytes: the peer does not read");
    result<std::int32_t> id = session_.try_append_call(call, pending_);
    if (!id) return id;
    queued_ += pending_.size() - pending_counted_;
    pending_counted_ = pending_.size();
    if (call.type == message_type::oneway)
      leaving_.emplace_back(queued_, &wait);
    else
      waiting_.emplace(*id, &wait);
    flush();
    return id;
  }
  /// Stops waiting for a call. Its reply will be ignored; a call that is being sent is still sent.
  void give_up(std::int32_t id, const client_wait& wait) {
    if (ready_ == &wait) ready_ = nullptr;
    std::erase_if(leaving_, [&](const auto& entry) { return entry.second == &wait; });
    const auto at = waiting_.find(id);
    if (at == waiting_.end() || at->second != &wait) return;
    waiting_.erase(at);
    session_.cancel(id);
  }

  /// Called when a call times out.
  void time_out(const error& reason) {
    if (on_timeout_ == asio::timeout_action::close) reject(reason);
  }
  /// Closes the connection: waiting and later calls return `reason`.
  void reject(error reason) {
    if (dead_) return;
    dead_ = std::move(reason);
    asio::error_code ignored;
    socket_.close(ignored);
    for (const auto& [id, wait] : std::exchange(waiting_, {})) notify(*wait);
    for (const auto& [end, wait] : std::exchange(leaving_, {})) notify(*wait);
    if (ready_ != nullptr) notify(*std::exchange(ready_, nullptr));
  }

 private:
  static constexpr std::size_t read_size = std::size_t{32} << 10;

  void notify(client_wait& wait) {
    wait.reason = dead_;
    wait.wake();
  }
  void flush() {
    if (dead_ || !writing_.empty() || pending_.empty()) return;
    writing_.swap(pending_);
    pending_counted_ = 0;
    asio::net::async_write(socket_, asio::net::buffer(writing_.data(), writing_.size()),
                           [self = shared_from_this()](asio::error_code code, std::size_t size) {
                             self->on_written(code, size);
                           });
  }
  void on_written(asio::error_code code, std::size_t size) {
    clear_retaining(writing_);
    if (dead_) return;
    if (code) return reject(io_error(asio::cause::closed, code.message()));
    sent_ += size;
    std::erase_if(leaving_, [&](const auto& entry) {
      if (entry.first > sent_) return false;
      entry.second->wake();
      return true;
    });
    flush();
  }
  void read() {
    socket_.async_read_some(
        asio::net::buffer(in_),
        [self = shared_from_this()](asio::error_code code, std::size_t size) { self->on_read(code, size); });
  }
  void on_read(asio::error_code code, std::size_t size) {
    if (dead_) return;
    if (code) return on_end(code);
    session_.feed({in_.data(), size});
    if (const result<void> status = process_events(); !status) return reject(status.error());
    flush();
    read();
  }
  void on_end(asio::error_code code) {
    const result<void> status = session_.try_finish();
    reject(status ? io_error(asio::cause::closed,
                             joined({"the peer closed the connection (", code.message(), ")"}))
                  : status.error());
  }
  // Handles all events of the bytes received so far.
  [[nodiscard]] result<void> process_events() {
    session_event event;
    for (;;) {
      const result<bool> has_event = session_.try_next(event);
      if (!has_event) return has_event.error();
      if (!*has_event) return {};
      if (event.kind == session_event_kind::message) deliver(event);
      if (event.kind == session_event_kind::send) answer(event.body);
      if (event.kind == session_event_kind::ready && ready_ != nullptr)
        std::exchange(ready_, nullptr)->wake();
    }
  }
  void answer(byte_view bytes) {
    pending_.append(bytes);
    queued_ += bytes.size();
    pending_counted_ = pending_.size();
  }
  void deliver(const session_event& event) {
    const auto at = waiting_.find(event.message.sequence_id);
    if (at == waiting_.end()) return;
    client_wait& wait = *at->second;
    waiting_.erase(at);
    wait.kind = event.message.type;
    wait.is_answered = true;
    wait.reason = take_body(event, wait.body);
    wait.wake();
  }

  // Apache's THeader servers may reply to a Compact call in Binary.
  [[nodiscard]] std::optional<error> take_body(const session_event& event, buffer& to) const {
    const protocol_id actual = protocol_of(event.protocol), expected = protocol_of(session_.protocol());
    if (actual != expected) {
      const result<void> status = try_append_converted(actual, expected, event.body, to, bounds_);
      return status ? std::nullopt : std::optional<error>(status.error());
    }
    to.append(event.body);
    return std::nullopt;
  }

  socket_type socket_;
  limits bounds_;
  session session_;
  std::size_t max_unsent_;
  asio::timeout_action on_timeout_;
  std::optional<error> dead_;
  long process_ = current_process();
  std::unordered_map<std::int32_t, client_wait*> waiting_;
  std::vector<std::pair<std::uint64_t, client_wait*>> leaving_;  // oneway calls by end offset
  client_wait* ready_ = nullptr;
  buffer pending_;
  buffer writing_;
  std::size_t pending_counted_ = 0;  // of pending_, in queued_
  std::uint64_t queued_ = 0;
  std::uint64_t sent_ = 0;
  std::array<std::uint8_t, read_size> in_;
};

/// Stops waiting when the coroutine ends, also by an exception or cancellation.
class client_waiting {
 public:
  client_waiting(client_link& link, client_wait& wait) noexcept : link_(link), wait_(wait) {}
  client_waiting(const client_waiting&) = delete;
  client_waiting& operator=(const client_waiting&) = delete;
  ~client_waiting() {
    if (!wait_.is_done) link_.give_up(id, wait_);
  }
  std::int32_t id = 0;

 private:
  client_link& link_;
  client_wait& wait_;
};

/// Waits until it is woken. Errors: timeout, cancelled, the error that closed the connection.
inline asio::net::awaitable<result<void>> wait_for(client_wait& wait, std::string_view description) {
  asio::error_code code;
  if (!wait.is_done)
    co_await wait.timer.async_wait(asio::net::redirect_error(asio::net::use_awaitable, code));
  if (wait.reason) co_return *wait.reason;
  if (wait.is_done) co_return result<void>();
  co_return code ? io_error(asio::cause::cancelled, description)
                 : io_error(asio::cause::timeout, description);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
