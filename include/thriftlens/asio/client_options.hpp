// client_options: options of a client and of its calls.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/transport/header_entry.hpp>
#include <thriftlens/transport/sasl.hpp>
#include <thriftlens/transport/session_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace asio {

/// What a timed-out call does to its connection.
enum class timeout_action : std::uint8_t {
  keep,  ///< nothing: a late reply is ignored. Servers that reply in order delay later calls
  close  ///< closes it: later calls return the same error
};

/// Further limits of a connection.
struct client_limits {
  std::size_t frame_size = session_options::automatic;  ///< of a reply, and of unsent bytes
  std::size_t calls = 1024;                             ///< maximum number in flight
};
/// Options of a client. The protocol is a template argument of the client.
struct client_options {
  transport_id transport = transport_id::framed;  ///< all but http, grpc and automatic
  thriftlens::limits limits = {};
  client_limits bounds = {};
  std::chrono::milliseconds timeout =
      std::chrono::minutes(1);  ///< of connecting and of every call; 0: no limit
  timeout_action on_timeout = timeout_action::keep;
  payload_transform* transform = nullptr;  ///< for compressed frames
  sasl_credentials credentials = {};       ///< for SASL; borrowed until connected
  /// For multiplexed servers: functions are called as "Service:function". Borrowed until connected.
  std::string_view service = {};
};

/// Options of one call.
struct call_options {
  /// As in client_options; empty: that of the client. Borrowed until try_call() returns.
  std::string_view service = {};
  std::optional<std::chrono::milliseconds> timeout = {};  ///< none: that of the client; 0: no limit
  /// For THeader and TTHeader. Borrowed until the call has ended.
  std::span<const header_entry> headers = {};
};

}  // namespace asio

namespace detail {

[[nodiscard]] constexpr session_options session_options_of(const asio::client_options& from,
                                                           message_protocol protocol) noexcept {
  session_options options;
  options.limits = from.limits;
  options.transport = from.transport;
  options.protocol = protocol;
  options.frame_size = from.bounds.frame_size;
  options.calls = from.bounds.calls;
  options.transform = from.transform;
  return options;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
