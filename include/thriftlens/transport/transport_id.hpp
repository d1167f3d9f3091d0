// transport_id: framings of messages on a connection.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Framing of messages.
enum class transport_id : std::uint8_t {
  buffered,         ///< unframed: skipping a message finds its end
  framed,           ///< 4-byte size prefix
  header,           ///< THeader: key/values, a protocol id, transforms
  ttheader,         ///< Kitex's TTHeader, then the unframed message
  ttheader_framed,  ///< TTHeader, then a 4-byte size and the message
  sasl,             ///< framed, after SASL PLAIN negotiation as in Hive
  http,             ///< unframed message in the body of an HTTP request or response
  grpc,             ///< 5-byte prefix and a bare struct without a message header
  automatic,        ///< servers: detected by the first bytes of the connection
};

namespace detail {

inline constexpr std::string_view transport_names[] = {
    "buffered", "framed", "header", "ttheader", "ttheader_framed", "sasl", "http", "grpc", "auto"};
inline constexpr std::size_t transport_count = sizeof transport_names / sizeof transport_names[0];

/// The transport with that name on the command line and in Python.
[[nodiscard]] constexpr std::optional<transport_id> find_transport(std::string_view name) noexcept {
  for (std::size_t i = 0; i < transport_count; ++i) {
    if (transport_names[i] == name) return static_cast<transport_id>(i);
  }
  return std::nullopt;
}

}  // namespace detail

/// "buffered", "framed", "header", "ttheader", "ttheader_framed", "sasl", "http", "grpc", "auto".
[[nodiscard]] constexpr std::string_view to_string(transport_id which) noexcept {
  return detail::transport_names[static_cast<std::size_t>(which)];
}
template <>
inline constexpr bool detail::is_printed<transport_id> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
