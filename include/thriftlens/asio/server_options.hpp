// server_options: what a server speaks, and what its clients may cost.
// In: the caller's wishes. Out: one aggregate, and the session's options that follow from it.
// Never a socket's own options.
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
  /// From the first byte of a call to its last, and for a client to take its replies; 0: none.
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
  made.transform = from.transform;
  return made;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
