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

/// What a call that runs out of time does to its connection.
enum class timeout_action : std::uint8_t {
  keep,  ///< nothing: its late reply is ignored. Servers that answer in order carry it out before later calls
  close  ///< closes it: later calls return the same error
};

/// Bounds of a connection, besides limits.
struct client_limits {
  std::size_t frame_size = session_options::automatic;  ///< of a reply, and of bytes that wait to be sent
  std::size_t calls = 1024;                             ///< in flight
};
/// Options of a client. Its protocol is the client's type.
struct client_options {
  transport_id transport = transport_id::framed;  ///< all but http, grpc and automatic
  thriftlens::limits limits = {};
  client_limits bounds = {};
  std::chrono::milliseconds timeout = std::chrono::minutes(1);  ///< of connecting, of each call; 0: none
  timeout_action on_timeout = timeout_action::keep;
  payload_transform* transform = nullptr;  ///< for frames that are compressed
  sasl_credentials credentials = {};       ///< of SASL; needed until it is connected
  /// Of a multiplexed server: functions are called as "Service:function". Needed until it is connected.
  std::string_view service = {};
};

/// Options of one call.
struct call_options {
  /// As in client_options; empty: that of the client. Needed until try_call() returns.
  std::string_view service = {};
  std::optional<std::chrono::milliseconds> timeout = {};  ///< none: that of the client; 0: no limit
  /// Of THeader and TTHeader. Needed until the call has ended.
  std::span<const header_entry> headers = {};
};

}  // namespace asio

namespace detail {

[[nodiscard]] constexpr session_options session_options_of(const asio::client_options& from,
                                                           message_protocol protocol) noexcept {
  session_options made;
  made.limits = from.limits;
  made.transport = from.transport;
  made.protocol = protocol;
  made.frame_size = from.bounds.frame_size;
  made.calls = from.bounds.calls;
  made.transform = from.transform;
  return made;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
