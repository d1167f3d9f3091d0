// client: calls functions of a service over a connection, with coroutines. Uses the caller's executor; calls
// are never retried.
#pragma once

#include <thriftlens/asio/client_link.hpp>
#include <thriftlens/asio/stream_transport.hpp>
#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/rpc/call_value.hpp>
#include <thriftlens/rpc/reply.hpp>
#include <thriftlens/schema/schema.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// The reply to a call with its bytes, which the views in it borrow. Movable only.
template <protocol P>
struct answer : thriftlens::reply<P> {
  buffer bytes;

  answer() = default;
  answer(thriftlens::reply<P>&& from, buffer&& of)
      : thriftlens::reply<P>(std::move(from)), bytes(std::move(of)) {}
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;
  answer(answer&&) noexcept = default;
  answer& operator=(answer&&) noexcept = default;
};

}  // namespace asio

namespace detail {

/// "host:9090", "[::1]:9090" or "unix:/path".
struct split_address {
  std::string host, port, path;
};
[[nodiscard]] inline result<split_address> split_local(std::string_view path) {
  constexpr std::size_t max_path = 107;
  if (!path.empty() && path.size() <= max_path) return split_address{{}, {}, std::string(path)};
  return error(errc::bad_option, "the path of a Unix socket must have 1 to 107 bytes");
}
[[nodiscard]] inline result<split_address> split(std::string_view address) {
  constexpr std::string_view local = "unix:";
  if (address.starts_with(local)) return split_local(address.substr(local.size()));
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == address.size())
    return error(errc::bad_option, joined({"expected HOST:PORT or unix:PATH, found \"", address, "\""}));
  std::string_view host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return split_address{std::string(host), std::string(address.substr(colon + 1)), {}};
}

/// The error of a failed connection attempt.
[[nodiscard]] inline error refused_error(const client_link& link, asio::error_code code,
                                         const std::string& address) {
  if (link.fault() != nullptr) return *link.fault();
  if (code == asio::net::error::operation_aborted)
    return io_error(asio::cause::cancelled, joined({"connecting to ", address}));
  return io_error(asio::cause::unreachable, joined({address, ": ", code.message()}));
}
/// Connects to the first reachable endpoint.
inline asio::net::awaitable<asio::error_code> connect_to(std::shared_ptr<client_link> link,
                                                         std::vector<asio::endpoint> to) {
  asio::error_code code = asio::net::error::host_not_found;
  for (const asio::endpoint& endpoint : to) {
    asio::error_code ignored;
    if (link->fault() != nullptr) break;
    link->socket().close(ignored);
    co_await link->socket().async_connect(endpoint,
                                          asio::net::redirect_error(asio::net::use_awaitable, code));
    if (!code) link->socket().set_option(asio::net::ip::tcp::no_delay(true), ignored);
    if (!code || code == asio::net::error::operation_aborted) break;
  }
  co_return code;
}
/// A name lookup. Asio cannot interrupt one, so it may outlive the coroutine that waits for it.
struct name_lookup {
  name_lookup(const asio::net::any_io_executor& on, deadline until) : resolver(on), wait(on, until) {}

  asio::net::ip::tcp::resolver resolver;
  client_wait wait;
  asio::error_code code;
  std::vector<asio::endpoint> endpoints;
};
/// Starts a lookup; wakes its `wait` when it is complete.
[[nodiscard]] inline std::shared_ptr<name_lookup> start_lookup(const asio::net::any_io_executor& on,
                                                               const split_address& of, deadline until) {
  auto lookup = std::make_shared<name_lookup>(on, until);
  lookup->resolver.async_resolve(
      of.host, of.port,
      [lookup](asio::error_code code, const asio::net::ip::tcp::resolver::results_type& results) {
        lookup->code = code;
        for (const auto& entry : results) lookup->endpoints.emplace_back(entry.endpoint());
        lookup->wait.wake();
      });
  return lookup;
}
/// The endpoints of an address. Errors: bad_option, timeout, cancelled, unreachable.
inline asio::net::awaitable<result<std::vector<asio::endpoint>>> resolve(std::string address,
                                                                         deadline until) {
  const result<split_address> parts = split(address);
  if (!parts) co_return parts.error();
  if (!parts->path.empty())
    co_return std::vector<asio::endpoint>{asio::net::local::stream_protocol::endpoint(parts->path)};
  const auto on = co_await asio::net::this_coro::executor;
  const std::shared_ptr<name_lookup> lookup = start_lookup(on, *parts, until);
  const std::string step = joined({"looking up ", address});
  const result<void> status = co_await wait_for(lookup->wait, step);
  if (!status) {
    lookup->resolver.cancel();
    co_return status.error();
  }
  if (lookup->code)
    co_return io_error(asio::cause::unreachable, joined({address, ": ", lookup->code.message()}));
  co_return std::move(lookup->endpoints);
}
/// Connects by a deadline. Errors: timeout, cancelled, unreachable.
inline asio::net::awaitable<result<void>> connect_in_time(std::shared_ptr<client_link> link,
                                                          std::vector<asio::endpoint> to,
                                                          const std::string& address, deadline until) {
  asio::net::steady_timer timer(link->executor(), until);
  timer.async_wait([link, address](asio::error_code code) {
    if (!code)
      link->reject(io_error(asio::cause::timeout, joined({"no connection to ", address, " in time"})));
  });
  const asio::error_code code = co_await connect_to(link, std::move(to));
  timer.cancel();
  if (code || link->fault() != nullptr) co_return refused_error(*link, code, address);
  co_return result<void>();
}
/// Opens a connection and completes its negotiation.
inline asio::net::awaitable<result<std::shared_ptr<client_link>>> open_link(std::vector<asio::endpoint> to,
                                                                            std::string address,
                                                                            asio::client_options options,
                                                                            message_protocol protocol,
                                                                            deadline until) {
  if (const std::optional<error> reason = refuse_transport(options.transport)) co_return *reason;
  co_await asio::net::this_coro::throw_if_cancelled(false);
  const auto on = co_await asio::net::this_coro::executor;
  auto link = std::make_shared<client_link>(on, session_options_of(options, protocol), options.on_timeout);
  client_wait ready(on, until);
  client_waiting guard(*link, ready);
  result<void> status = co_await connect_in_time(link, std::move(to), address, until);
  if (status) status = link->start(options.credentials, ready);
  const std::string step = joined({"the negotiation with ", address});
  if (status) status = co_await wait_for(ready, step);
  if (status) co_return link;
  link->reject(status.error());
  co_return std::move(status).error();
}
/// Reads a reply. Errors have the progress `answered`.
template <protocol P>
[[nodiscard]] result<asio::answer<P>> open_answer(function_info function, client_wait&& wait) {
  result<reply<P>> read = try_open_reply<P>(function, wait.kind, wait.body);
  if (!read) return read.error().with(call_progress::answered);
  return asio::answer<P>(*std::move(read), std::move(wait.body));
}
/// Performs a call over a link.
template <protocol P>
asio::net::awaitable<result<asio::answer<P>>> call_over(std::shared_ptr<client_link> link,
                                                        function_info function, result<buffer> arguments,
                                                        std::string name, asio::call_options options) {
  if (!arguments) co_return arguments.error().with(call_progress::not_sent);
  if (!link) co_return moved_from_error().with(call_progress::not_sent);
  client_wait wait(link->executor(), deadline_after(*options.timeout));
  client_waiting guard(*link, wait);
  const message_type type = function.oneway() ? message_type::oneway : message_type::call;
  const result<std::int32_t> id =
      link->send({.name = name, .arguments = *arguments, .type = type, .headers = options.headers}, wait);
  if (!id) co_return id.error().with(call_progress::not_sent);
  guard.id = *id;
  if (const result<void> status = co_await wait_for(wait, name); !status) {
    if (asio::cause_of(status.error()) == asio::cause::timeout) link->time_out(status.error());
    co_return status.error().with(wait.is_answered ? call_progress::answered : call_progress::sent);
  }
  if (type == message_type::oneway) co_return asio::answer<P>();
  co_return open_answer<P>(function, std::move(wait));
}

}  // namespace detail

namespace asio {

/// A connection to a server. Movable. Destroying it fails the calls in flight.
///
/// Several calls may be in flight; replies are matched by sequence id. Use a client only on the executor of
/// the coroutine that connected it. That executor must not run two handlers at once: use a strand, or a
/// context with one thread. The context must outlive the client.
///
/// An error of the connection, or malformed bytes from the peer, closes the connection: calls in flight and
/// all later calls return the same error. A call that times out or is cancelled does not affect other calls,
/// unless `on_timeout` is close; its late reply is ignored. Apache's servers reply in order, so later calls
/// wait for it; overdue() counts such calls. The error's progress() tells whether the call was sent.
template <protocol P = binary>
class client {
 public:
  client(client&&) noexcept = default;
  client& operator=(client&& other) noexcept {
    std::swap(link_, other.link_);
    std::swap(timeout_, other.timeout_);
    std::swap(service_, other.service_);
    return *this;
  }
  ~client() { close(); }

  /// Connects to "host:9090", "[::1]:9090" or "unix:/path" within `timeout`, including the name lookup.
  /// Errors: bad_option, io (see cause_of), a failed negotiation.
  [[nodiscard]] static net::awaitable<result<client>> try_connect(std::string address,
                                                                  client_options options = {}) {
    co_await net::this_coro::throw_if_cancelled(false);
    const auto until = thriftlens::detail::deadline_after(options.timeout);
    auto to = co_await thriftlens::detail::resolve(address, until);
    if (!to) co_return std::move(to).error();
    result<link_type> link = co_await open(*std::move(to), std::move(address), options, until);
    co_return client::make(std::move(link), options);
  }
  [[nodiscard]] static net::awaitable<client> connect(std::string address, client_options options = {}) {
    result<client> connected = co_await try_connect(std::move(address), options);
    co_return std::move(connected).value();
  }
  /// Connects to an endpoint.
  [[nodiscard]] static net::awaitable<result<client>> try_connect_to(endpoint to,
                                                                     client_options options = {}) {
    std::vector<endpoint> endpoints(1, to);
    const auto until = thriftlens::detail::deadline_after(options.timeout);
    result<link_type> link = co_await open(std::move(endpoints), to_string(to), options, until);
    co_return client::make(std::move(link), options);
  }
  [[nodiscard]] static net::awaitable<client> connect_to(endpoint to, client_options options = {}) {
    result<client> connected = co_await try_connect_to(to, options);
    co_return std::move(connected).value();
  }

  /// Calls a function and waits for its reply; for a oneway function, until the call is sent, with an empty
  /// answer. `arguments`: as for tl::write_call: a bound struct, a view, wire_bytes{…}, json_text{…} or
  /// no_value{}; they are encoded before this returns, and sent when it is awaited. Errors: streaming, those
  /// of encoding the arguments, calls_limit, io (see cause_of), those of the reply; fault() if the connection
  /// is closed. g++ 12 destroys a braced temporary inside `co_await` twice: name the arguments instead of
  /// `co_await client.try_call(f, args{"a"})`.
  template <class Arguments>
  [[nodiscard]] net::awaitable<result<answer<P>>> try_call(function_info function, const Arguments& arguments,
                                                           call_options options = {}) {
    const std::string_view service = options.service.empty() ? std::string_view(service_) : options.service;
    if (!options.timeout) options.timeout = timeout_;
    return thriftlens::detail::call_over<P>(link_, function, write(function, arguments),
                                            thriftlens::detail::qualified_call(service, function.name()),
                                            options);
  }
  template <class Arguments>
  [[nodiscard]] net::awaitable<answer<P>> call(function_info function, const Arguments& arguments,
                                               const call_options& options = {}) {
    return value_of(try_call(function, arguments, options));
  }

  /// Closes the connection immediately.
  void close() {
    if (link_) link_->reject(thriftlens::detail::io_error(cause::closed, "the client was closed"));
  }
  /// The error that closed the connection; null while it is open.
  [[nodiscard]] const error* fault() const noexcept {
    return link_ ? link_->fault() : &thriftlens::detail::moved_from_error();
  }
  [[nodiscard]] std::size_t in_flight() const noexcept { return link_ ? link_->in_flight() : 0; }
  /// Number of calls that timed out or were cancelled, and whose replies have not arrived.
  [[nodiscard]] std::size_t overdue() const noexcept { return link_ ? link_->overdue() : 0; }

 private:
  using link_type = std::shared_ptr<thriftlens::detail::client_link>;

  client(link_type link, const client_options& options)
      : link_(std::move(link)), timeout_(options.timeout), service_(options.service) {}

  static net::awaitable<result<link_type>> open(std::vector<endpoint> to, std::string address,
                                                const client_options& options,
                                                thriftlens::detail::deadline until) {
    return thriftlens::detail::open_link(std::move(to), std::move(address), options,
                                         thriftlens::detail::message_protocol_of(P::id, true), until);
  }
  static result<client> make(result<link_type> link, const client_options& options) {
    if (!link) return std::move(link).error();
    return client(*std::move(link), options);
  }
  template <class Arguments>
  static result<buffer> write(function_info function, const Arguments& arguments) {
    if (const std::optional<error> reason = thriftlens::detail::refuse_streaming(function)) return *reason;
    buffer out;
    result<void> status = thriftlens::detail::append_call_value<P>(out, function.arguments(), arguments);
    if (!status) return std::move(status).error();
    return out;
  }
  static net::awaitable<answer<P>> value_of(net::awaitable<result<answer<P>>> from) {
    result<answer<P>> outcome = co_await std::move(from);
    co_return std::move(outcome).value();
  }

  link_type link_;
  std::chrono::milliseconds timeout_;
  std::string service_;
};

}  // namespace asio

}  // namespace thriftlens::inline THRIFTLENS_ABI
