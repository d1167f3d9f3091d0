// server: a service of the IDL behind a listening socket, its calls answered by a coroutine.
// In: an executor, a service, a handler. Out: answers to whoever connects.
// Never a thread or a loop of its own.
#pragma once

#include <thriftlens/asio/cause.hpp>
#include <thriftlens/asio/server_connection.hpp>
#include <thriftlens/asio/stream_transport.hpp>
#include <thriftlens/schema/schema.hpp>

#include <chrono>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The listening side, and who is connected. All of it happens on its strand.
template <class Handler>
class server_core : public std::enable_shared_from_this<server_core<Handler>> {
 public:
  using connection = server_connection<Handler>;
  using acceptor_type = asio::net::basic_socket_acceptor<asio::net::generic::stream_protocol>;

  server_core(const asio::net::any_io_executor& on, std::shared_ptr<server_share<Handler>> share)
      : on_(on),
        strand_(asio::net::make_strand(on)),
        share_(std::move(share)),
        acceptor_(strand_),
        ended_(strand_) {
    ended_.expires_at(asio::net::steady_timer::time_point::max());
  }

  [[nodiscard]] auto& strand() noexcept { return strand_; }

  [[nodiscard]] result<asio::endpoint> listen(const asio::endpoint& at) {
    if (const std::optional<error> why = refuse_transport(share_->how.transport)) return *why;
    asio::error_code code;
    acceptor_.open(at.protocol(), code);
    if (!code) acceptor_.set_option(asio::net::socket_base::reuse_address(true), code);
    if (!code) acceptor_.bind(at, code);
    if (!code) acceptor_.listen(asio::net::socket_base::max_listen_connections, code);
    asio::endpoint bound;
    if (!code) bound = acceptor_.local_endpoint(code);
    if (!code) return bound;
    asio::error_code ignored;
    acceptor_.close(ignored);
    return io_error(asio::cause::unreachable, "cannot listen: " + code.message());
  }

  asio::net::awaitable<void> run() {
    co_await asio::net::this_coro::throw_if_cancelled(false);
    const auto self = this->shared_from_this();
    while (!is_stopping_) {
      asio::error_code code;
      auto socket =
          co_await acceptor_.async_accept(asio::net::any_io_executor(asio::net::make_strand(on_)),
                                          asio::net::redirect_error(asio::net::use_awaitable, code));
      if (code == asio::net::error::operation_aborted || !acceptor_.is_open()) break;
      if (code)
        co_await pause();
      else if (open_.size() < share_->how.connections)
        begin(std::move(socket));
    }
    stop();
    asio::error_code ignored;
    while (!open_.empty() && !ignored)
      co_await ended_.async_wait(asio::net::redirect_error(asio::net::use_awaitable, ignored));
  }
  void stop() {
    is_stopping_ = true;
    asio::error_code ignored;
    acceptor_.close(ignored);
    for (const std::shared_ptr<connection>& each : open_)
      asio::net::post(each->executor(), [each] { each->stop(); });
  }

 private:
  // No descriptors are left, as a rule.
  asio::net::awaitable<void> pause() {
    asio::net::steady_timer timer(strand_, std::chrono::milliseconds(100));
    asio::error_code ignored;
    co_await timer.async_wait(asio::net::redirect_error(asio::net::use_awaitable, ignored));
  }
  void begin(typename connection::socket_type socket) {
    const auto made = std::make_shared<connection>(std::move(socket), share_);
    const auto place = open_.insert(open_.end(), made);
    asio::net::co_spawn(made->executor(), made->run(),
                        [self = this->shared_from_this(), place, made](const std::exception_ptr&) {
                          asio::net::post(self->strand_, [self, place] { self->forget(place); });
                        });
  }
  void forget(typename std::list<std::shared_ptr<connection>>::iterator place) {
    open_.erase(place);
    if (open_.empty()) ended_.cancel();
  }

  asio::net::any_io_executor on_;
  asio::net::strand<asio::net::any_io_executor> strand_;
  std::shared_ptr<server_share<Handler>> share_;
  acceptor_type acceptor_;
  asio::net::steady_timer ended_;
  std::list<std::shared_ptr<connection>> open_;
  bool is_stopping_ = false;
};

}  // namespace detail

namespace asio {

/// A server. The handler is called with a request<P>&, P being what the client speaks, and returns an
/// awaitable<void>: `[](auto& call) -> asio::awaitable<void> { call.reply(9.5); co_return; }`.
///
/// Calls of one connection are answered one after another, those of several at the same time; where several
/// threads run the context, the handler is called by all of them. A handler that throws or does not answer is
/// answered by an application exception that does not repeat the words; errors of the client's own bytes
/// (`call.arguments["id"].as<…>()`) are repeated. Unknown functions never reach the handler.
///
/// Bytes that are no call end their connection, as does a client that is too slow.
template <class Handler>
class server {
 public:
  /// `service` borrows from its schema, which has to outlive the context's run.
  server(const net::any_io_executor& on, const service_info& service, Handler handler,
         const server_options& how = {})
      : core_(std::make_shared<core>(on, std::make_shared<share>(share{service, std::move(handler), how}))) {}
  server(server&&) noexcept = default;
  server& operator=(server&&) = delete;
  ~server() {
    if (core_) stop();
  }

  /// Binds, and says where: port 0 is one that is free. Errors: bad_option, io (unreachable) where it is
  /// taken.
  [[nodiscard]] result<endpoint> try_listen(const endpoint& at) { return core_->listen(at); }
  endpoint listen(const endpoint& at) { return try_listen(at).value(); }

  /// Serves until stop() is called or this is cancelled, and all connections have ended. After try_listen().
  [[nodiscard]] net::awaitable<void> run() {
    return net::co_spawn(core_->strand(), core_->run(), net::use_awaitable);
  }
  /// No more connections; those that are idle end now, others after the call that they are at, and within
  /// `timeout`. From any thread.
  void stop() {
    net::post(core_->strand(), [core = core_] { core->stop(); });
  }

 private:
  using core = thriftlens::detail::server_core<Handler>;
  using share = thriftlens::detail::server_share<Handler>;

  std::shared_ptr<core> core_;
};

}  // namespace asio

}  // namespace thriftlens::inline THRIFTLENS_ABI
