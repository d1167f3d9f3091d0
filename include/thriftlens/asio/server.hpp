// server: serves services of an IDL with a handler coroutine, on the caller's executor.
#pragma once

#include <thriftlens/asio/cause.hpp>
#include <thriftlens/asio/server_connection.hpp>
#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/schema/schema.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The connections of a server that are open. Thread-safe; removing one takes no memory.
template <class Connection>
class connection_list {
  using list = std::list<std::shared_ptr<Connection>>;

 public:
  /// Adds a connection until the last copy of the result is destroyed.
  [[nodiscard]] static std::shared_ptr<void> add(const std::shared_ptr<connection_list>& to,
                                                 std::shared_ptr<Connection> connection) {
    const auto at = to->insert(std::move(connection));
    return {nullptr, [to, at](void*) { to->remove(at); }};
  }
  [[nodiscard]] std::size_t size() {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }
  template <class Visit>
  void for_each(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const std::shared_ptr<Connection>& connection : open_) visit(connection);
  }
  /// Calls `done` each time the list becomes empty, on any thread.
  void when_empty(std::function<void()> done) {
    const std::lock_guard lock(mutex_);
    done_ = std::move(done);
    if (open_.empty()) done_();
  }

 private:
  auto insert(std::shared_ptr<Connection> connection) {
    const std::lock_guard lock(mutex_);
    return open_.insert(open_.end(), std::move(connection));
  }
  void remove(typename list::iterator at) noexcept {
    list removed;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    removed.splice(removed.begin(), open_, at);
    if (!open_.empty() || !done_) return;
    try {
      done_();
    } catch (...) {  // out of memory: the waiting side has a deadline
    }
  }

  std::mutex mutex_;
  list open_;
  std::function<void()> done_;
};

/// The listening side of a server. Everything runs on its strand.
template <class Handler>
class server_core : public std::enable_shared_from_this<server_core<Handler>> {
 public:
  using connection = server_connection<Handler>;
  using connections = connection_list<connection>;
  using acceptor_type = asio::net::basic_socket_acceptor<asio::net::generic::stream_protocol>;

  server_core(const asio::net::any_io_executor& on, std::shared_ptr<server_share<Handler>> share)
      : on_(on),
        strand_(asio::net::make_strand(on)),
        share_(std::move(share)),
        acceptor_(strand_),
        timer_(strand_) {}

  [[nodiscard]] auto& strand() noexcept { return strand_; }

  [[nodiscard]] result<asio::endpoint> listen(const asio::endpoint& at) {
    if (const std::optional<error> reason = refuse_options(share_->options)) return *reason;
    if (acceptor_.is_open()) return error(errc::bad_option, "the server is already listening");
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
    return io_error(asio::cause::unreachable,
                    joined({"cannot listen on ", asio::to_string(at), ": ", code.message()}));
  }

  asio::net::awaitable<void> run() {
    co_await asio::net::this_coro::throw_if_cancelled(false);
    const auto self = this->shared_from_this();
    const closing closed{*this};
    bool is_open = true;
    while (is_open) {
      asio::error_code code;
      bool has_failed = false;
      try {
        auto socket =
            co_await acceptor_.async_accept(asio::net::any_io_executor(asio::net::make_strand(on_)),
                                            asio::net::redirect_error(asio::net::use_awaitable, code));
        is_open = code != asio::net::error::operation_aborted && acceptor_.is_open();
        has_failed = static_cast<bool>(code);
        if (!code && open_->size() < share_->options.bounds.connections) begin(std::move(socket));
      } catch (const std::bad_alloc&) {
        has_failed = true;
      }
      if (is_open && has_failed) co_await wait_to_retry();
    }
    stop();
    co_await wait_for_connections();
  }
  void stop() {
    if (is_stopping_) return;
    is_stopping_ = true;
    asio::error_code ignored;
    acceptor_.close(ignored);
    timer_.cancel();
    open_->for_each([](const std::shared_ptr<connection>& open) {
      asio::net::post(open->executor(), [open] { open->stop(); });
    });
  }

 private:
  // Stops accepting if run() ends by an exception.
  struct closing {
    server_core& core;
    ~closing() {
      asio::error_code ignored;
      core.acceptor_.close(ignored);
    }
  };

  // File descriptors or memory are exhausted: wait for connections to end.
  asio::net::awaitable<void> wait_to_retry() {
    asio::error_code ignored;
    timer_.expires_after(std::chrono::milliseconds(100));
    co_await timer_.async_wait(asio::net::redirect_error(asio::net::use_awaitable, ignored));
  }
  void begin(typename connection::socket_type socket) {
    auto accepted = std::make_shared<connection>(std::move(socket), share_);
    asio::net::co_spawn(accepted->executor(), serve(connections::add(open_, accepted), accepted),
                        asio::net::bind_cancellation_slot(accepted->cancellation_slot(),
                                                          [accepted](const std::exception_ptr&) {}));
  }
  static asio::net::awaitable<void> serve(std::shared_ptr<void> /*entry*/,
                                          std::shared_ptr<connection> accepted) {
    co_await accepted->run();
  }
  // Connections end within `timeout`, unless a handler ignores cancellation.
  asio::net::awaitable<void> wait_for_connections() {
    timer_.expires_at(deadline_after(2 * share_->options.timeout));
    open_->when_empty([core = this->weak_from_this()] {
      if (const auto self = core.lock()) asio::net::post(self->strand_, [self] { self->timer_.cancel(); });
    });
    asio::error_code ignored;
    co_await timer_.async_wait(asio::net::redirect_error(asio::net::use_awaitable, ignored));
    open_->for_each([](const std::shared_ptr<connection>& open) {
      asio::net::post(open->executor(), [open] { open->close(); });
    });
  }

  asio::net::any_io_executor on_;
  asio::net::strand<asio::net::any_io_executor> strand_;
  std::shared_ptr<server_share<Handler>> share_;
  acceptor_type acceptor_;
  asio::net::steady_timer timer_;  // for retrying accept, and for the end of run()
  std::shared_ptr<connections> open_ = std::make_shared<connections>();
  bool is_stopping_ = false;
};

}  // namespace detail

namespace asio {

/// A server. The handler is called with a request<P>&, where P is the client's protocol, and returns an
/// awaitable<void>: `[](auto& call) -> asio::awaitable<void> { call.reply(9.5); co_return; }`.
///
/// Calls of one connection are answered in order, those of several connections concurrently; if several
/// threads run the context, the handler is called on all of them. If a handler throws or does not answer, the
/// client gets an application exception without the text of the exception, except for errors in the client's
/// own bytes (`call.arguments["id"].as<…>()`). Calls of unknown functions do not reach the handler.
///
/// Malformed bytes close their connection, and so do timeouts. If a client resets its
/// connection, calls that need a reply are dropped and their handler is cancelled: what it awaits ends with
/// operation_aborted. Oneway calls that have arrived are executed.
template <class Handler>
class server {
 public:
  /// `service` borrows its schema, which must outlive run().
  server(const net::any_io_executor& on, const service_info& service, Handler handler,
         const server_options& options = {})
      : server(on, std::vector<service_info>(1, service), std::move(handler), options) {}
  /// A multiplexed server: calls are named "Service:function"; `call.service` is the called service. Without
  /// a service in the name the first one that has the function is called.
  server(const net::any_io_executor& on, std::vector<service_info> services, Handler handler,
         const server_options& options = {})
      : core_(std::make_shared<core>(
            on, std::shared_ptr<share>(new share{std::move(services), std::move(handler), options}))) {}
  server(server&&) noexcept = default;
  server& operator=(server&&) = delete;
  ~server() { stop(); }

  /// Binds to an address, or to a free port for port 0, and returns it. Errors: bad_option, also if the
  /// server already listens; io (unreachable) if the address is taken.
  [[nodiscard]] result<endpoint> try_listen(const endpoint& at) {
    if (!core_) return thriftlens::detail::moved_from_error();
    return core_->listen(at);
  }
  endpoint listen(const endpoint& at) { return try_listen(at).value(); }

  /// Serves until stop() is called or the coroutine is cancelled, and all connections have ended; waits at
  /// most twice `timeout` for handlers that ignore cancellation. Call try_listen() first. Throws
  /// std::bad_alloc if memory is exhausted; the server no longer listens then.
  [[nodiscard]] net::awaitable<void> run() {
    if (!core_) throw error(thriftlens::detail::moved_from_error());
    return net::co_spawn(core_->strand(), core_->run(), net::use_awaitable);
  }
  /// Stops accepting connections. Closes idle ones immediately, others when the calls that had started to
  /// arrive are answered, or after `timeout`, which cancels running handlers. Thread-safe.
  void stop() {
    if (core_) net::post(core_->strand(), [core = core_] { core->stop(); });
  }

 private:
  using core = thriftlens::detail::server_core<Handler>;
  using share = thriftlens::detail::server_share<Handler>;

  std::shared_ptr<core> core_;
};

}  // namespace asio

}  // namespace thriftlens::inline THRIFTLENS_ABI
