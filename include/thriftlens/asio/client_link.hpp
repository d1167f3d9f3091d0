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

/// A coroutine that waits for a reply, for its bytes to be sent, for a negotiation or a lookup. The timer is
/// both its deadline and the signal that wakes it.
struct client_wait {
  asio::net::steady_timer bell;
  bool is_done = false;
  bool is_answered = false;
  std::optional<error> why = {};
  message_type kind = message_type::reply;
  buffer body = {};

  client_wait(const asio::net::any_io_executor& on, deadline until) : bell(on, until) {}
  void ring() {
    is_done = true;
    bell.cancel();
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

  client_link(const asio::net::any_io_executor& on, const session_options& how,
              asio::timeout_action on_timeout = asio::timeout_action::keep)
      : socket_(on),
        bounds_(how.limits),
        session_(how),
        max_unsent_(how.max_frame()),
        on_timeout_(on_timeout) {}

  [[nodiscard]] asio::net::any_io_executor executor() { return socket_.get_executor(); }
  [[nodiscard]] socket_type& socket() noexcept { return socket_; }
  [[nodiscard]] const error* fault() const noexcept { return dead_ ? &*dead_ : nullptr; }
  [[nodiscard]] std::size_t in_flight() const noexcept { return waiting_.size(); }
  [[nodiscard]] std::size_t overdue() const noexcept { return session_.overdue(); }

  /// Begins to listen to the peer. With a negotiation `ready` is rung at its end, else at once.
  [[nodiscard]] result<void> start(const sasl_credentials& who, client_wait& ready) {
    if (result<void> done = session_.try_start(who, pending_); !done) return done;
    if (session_.transport() == transport_id::sasl)
      ready_ = &ready;
    else
      ready.is_done = true;
    flush();
    read();
    return {};
  }

  /// Sends a call. `who` is rung when its reply is there; for a oneway call, when its bytes have left.
  /// Errors: why the connection is dead, calls_limit, those of the session, `closed` in a child process of
  /// the one that connected: both would read the same replies.
  [[nodiscard]] result<std::int32_t> send(const call_request& call, client_wait& who) {
    if (dead_) return *dead_;
    if (process_ != current_process())
      return io_error(asio::cause::closed, "the connection belongs to the parent process: connect again");
    if (pending_.size() + writing_.size() > max_unsent_)
      return error(errc::calls_limit, "the peer does not take what was sent to it before");
    result<std::int32_t> id = session_.try_append_call(call, pending_);
    if (!id) return id;
    asked_ += pending_.size() - counted_;
    counted_ = pending_.size();
    if (call.type == message_type::oneway)
      leaving_.emplace_back(asked_, &who);
    else
      waiting_.emplace(*id, &who);
    flush();
    return id;
  }
  /// Forgets who waits. The reply is passed over when it comes; what is being sent is sent.
  void give_up(std::int32_t id, const client_wait& who) {
    if (ready_ == &who) ready_ = nullptr;
    std::erase_if(leaving_, [&](const auto& each) { return each.second == &who; });
    const auto at = waiting_.find(id);
    if (at == waiting_.end() || at->second != &who) return;
    waiting_.erase(at);
    session_.cancel(id);
  }

  /// A call has run out of time.
  void time_out(const error& why) {
    if (on_timeout_ == asio::timeout_action::close) reject(why);
  }
  /// Ends the connection: whoever waits hears why, and so does each later call.
  void reject(error why) {
    if (dead_) return;
    dead_ = std::move(why);
    asio::error_code ignored;
    socket_.close(ignored);
    for (const auto& [id, who] : std::exchange(waiting_, {})) tell(*who);
    for (const auto& [end, who] : std::exchange(leaving_, {})) tell(*who);
    if (ready_ != nullptr) tell(*std::exchange(ready_, nullptr));
  }

 private:
  static constexpr std::size_t read_size = std::size_t{32} << 10;

  void tell(client_wait& who) {
    who.why = dead_;
    who.ring();
  }
  void flush() {
    if (dead_ || !writing_.empty() || pending_.empty()) return;
    writing_.swap(pending_);
    counted_ = 0;
    asio::net::async_write(
        socket_, asio::net::buffer(writing_.data(), writing_.size()),
        [self = shared_from_this()](asio::error_code code, std::size_t size) { self->wrote(code, size); });
  }
  void wrote(asio::error_code code, std::size_t size) {
    clear_retaining(writing_);
    if (dead_) return;
    if (code) return reject(io_error(asio::cause::closed, code.message()));
    sent_ += size;
    std::erase_if(leaving_, [&](const auto& each) {
      if (each.first > sent_) return false;
      each.second->ring();
      return true;
    });
    flush();
  }
  void read() {
    socket_.async_read_some(
        asio::net::buffer(in_),
        [self = shared_from_this()](asio::error_code code, std::size_t size) { self->got(code, size); });
  }
  void got(asio::error_code code, std::size_t size) {
    if (dead_) return;
    if (code) return ended(code);
    session_.feed({in_.data(), size});
    if (const result<void> done = hear(); !done) return reject(done.error());
    flush();
    read();
  }
  void ended(asio::error_code code) {
    const result<void> whole = session_.try_finish();
    reject(whole ? io_error(asio::cause::closed,
                            joined({"the peer has ended the connection (", code.message(), ")"}))
                 : whole.error());
  }
  // What has come.
  [[nodiscard]] result<void> hear() {
    session_event event;
    for (;;) {
      const result<bool> found = session_.try_next(event);
      if (!found) return found.error();
      if (!*found) return {};
      if (event.what == session_event::kind::message) deliver(event);
      if (event.what == session_event::kind::send) answer(event.body);
      if (event.what == session_event::kind::ready && ready_ != nullptr)
        std::exchange(ready_, nullptr)->ring();
    }
  }
  void answer(byte_view bytes) {
    pending_.append(bytes);
    asked_ += bytes.size();
    counted_ = pending_.size();
  }
  void deliver(const session_event& event) {
    const auto at = waiting_.find(event.message.sequence_id);
    if (at == waiting_.end()) return;
    client_wait& who = *at->second;
    waiting_.erase(at);
    who.kind = event.message.type;
    who.is_answered = true;
    who.why = take_body(event, who.body);
    who.ring();
  }

  // Apache's servers of THeader may answer a call in Compact with a reply in Binary.
  [[nodiscard]] std::optional<error> take_body(const session_event& event, buffer& to) const {
    const protocol_id spoken = protocol_of(event.protocol), wanted = protocol_of(session_.protocol());
    if (spoken != wanted) {
      const result<void> done = try_append_converted(spoken, wanted, event.body, to, bounds_);
      return done ? std::nullopt : std::optional<error>(done.error());
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
  std::vector<std::pair<std::uint64_t, client_wait*>> leaving_;  // oneway calls, and where their bytes end
  client_wait* ready_ = nullptr;
  buffer pending_;
  buffer writing_;
  std::size_t counted_ = 0;  // of pending_, in asked_
  std::uint64_t asked_ = 0;
  std::uint64_t sent_ = 0;
  std::array<std::uint8_t, read_size> in_;
};

/// Waits are forgotten where their coroutine ends, for whatever reason.
class client_waiting {
 public:
  client_waiting(client_link& link, client_wait& who) noexcept : link_(link), who_(who) {}
  client_waiting(const client_waiting&) = delete;
  client_waiting& operator=(const client_waiting&) = delete;
  ~client_waiting() {
    if (!who_.is_done) link_.give_up(id, who_);
  }
  std::int32_t id = 0;

 private:
  client_link& link_;
  client_wait& who_;
};

/// Waits until it is rung. Errors: timeout, cancelled, why the connection is dead.
inline asio::net::awaitable<result<void>> wait_for(client_wait& who, std::string_view what) {
  asio::error_code code;
  if (!who.is_done) co_await who.bell.async_wait(asio::net::redirect_error(asio::net::use_awaitable, code));
  if (who.why) co_return *who.why;
  if (who.is_done) co_return result<void>();
  co_return code ? io_error(asio::cause::cancelled, what) : io_error(asio::cause::timeout, what);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
