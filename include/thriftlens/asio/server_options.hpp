// server_options: options of a server, and the session options that follow from them.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/transport/sasl.hpp>
#include <thriftlens/transport/session_options.hpp>

#include <chrono>
#include <cstddef>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// Options of a server. By themselves transport and protocol are found out, of each connection for itself.
struct server_options {
  transport_id transport = transport_id::automatic;  ///< all but http and grpc
  message_protocol protocol = message_protocol::automatic;
  thriftlens::limits limits = {};
  std::size_t frame_size = session_options::automatic;  ///< of a call; automatic: 16 MiB
  std::size_t connections = 10'000;                     ///< more are closed as they come
  /// From the first byte of a call to its last, for a client to take its replies, and for connections to end
  /// after stop(); 0: none.
  std::chrono::milliseconds timeout = std::chrono::minutes(1);
  std::chrono::milliseconds idle = std::chrono::minutes(10);  ///< between calls; 0: none
  sasl_credentials credentials = {};       ///< whom SASL lets in: nobody, where nothing is said
  payload_transform* transform = nullptr;  ///< for frames that are compressed; for one thread
};

}  // namespace asio

namespace detail {

[[nodiscard]] constexpr session_options session_options_of(const asio::server_options& from) noexcept {
  session_options made;
  made.limits = from.limits;
  made.role = session_role::server;
  made.transport = from.transport;
  made.protocol = from.protocol;
  made.frame_size = from.frame_size;
  made.calls = 0;  // a connection answers one call at a time
  made.transform = from.transform;
  return made;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
