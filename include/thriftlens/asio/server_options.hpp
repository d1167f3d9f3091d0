// server_options: options of a server, and the session options that follow from them.
#pragma once

#include <thriftlens/asio/stream_transport.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/transport/sasl.hpp>
#include <thriftlens/transport/session_options.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// Further limits of a server.
struct server_limits {
  std::size_t frame_size = session_options::automatic;  ///< of a call; automatic: 16 MiB
  std::size_t connections = 10'000;                     ///< maximum number; further ones are closed
  /// Bytes that all connections hold together: arriving calls, calls in progress, unsent replies; automatic:
  /// 256 MiB, at least four frames. Above it a connection gets an equal share: it is not read, or it is
  /// closed if only clients can release bytes; a reply that does not fit is replaced by an internal_error.
  std::size_t in_flight = session_options::automatic;
};
/// Options of a server. By default transport and protocol are detected for each connection.
struct server_options {
  transport_id transport = transport_id::automatic;  ///< all but http and grpc
  message_protocol protocol = message_protocol::automatic;
  thriftlens::limits limits = {};
  server_limits bounds = {};
  /// For receiving a call, for sending its reply, and for connections to end after stop(); 0: no limit.
  std::chrono::milliseconds timeout = std::chrono::minutes(1);
  std::chrono::milliseconds idle = std::chrono::minutes(10);  ///< between calls; 0: no limit
  sasl_credentials credentials = {};                          ///< accepted SASL users; default: nobody
  payload_transform* transform = nullptr;                     ///< for compressed frames; used by one thread

  [[nodiscard]] constexpr std::size_t max_in_flight() const noexcept;
};

}  // namespace asio

namespace detail {

[[nodiscard]] constexpr session_options session_options_of(const asio::server_options& from) noexcept {
  session_options options;
  options.limits = from.limits;
  options.role = session_role::server;
  options.transport = from.transport;
  options.protocol = from.protocol;
  options.frame_size = from.bounds.frame_size;
  options.calls = 0;  // a connection answers one call at a time
  options.transform = from.transform;
  return options;
}
[[nodiscard]] inline std::optional<error> refuse_options(const asio::server_options& options) {
  const std::size_t frame = session_options_of(options).max_frame();
  if (options.max_in_flight() >= frame) return refuse_transport(options.transport);
  return error(errc::bad_option, joined({"in_flight must be at least frame_size (", frame, "), not ",
                                         options.bounds.in_flight}));
}

}  // namespace detail

constexpr std::size_t asio::server_options::max_in_flight() const noexcept {
  if (bounds.in_flight != session_options::automatic) return bounds.in_flight;
  const std::size_t frame = detail::session_options_of(*this).max_frame(), no_limit = std::size_t(-1);
  return (std::max)(std::size_t{256} << 20, frame > no_limit / 4 ? no_limit : 4 * frame);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
