// transport_id: what may stand around messages on a connection.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What stands around each message.
enum class transport_id : std::uint8_t {
  buffered,         ///< nothing: where a message ends is found by skipping it
  framed,           ///< four bytes of size in front
  header,           ///< THeader: key/values, a protocol id, transforms
  ttheader,         ///< TTHeader of Kitex, the message behind it as it is
  ttheader_framed,  ///< TTHeader, and four bytes of size in front of the message
  sasl,             ///< framed, after a negotiation by SASL PLAIN as Hive has it
  http,             ///< bodies of HTTP requests or responses: whole messages without frames
  grpc,             ///< five bytes in front of a bare struct, without a message header
  automatic,        ///< for servers: what the first bytes of the connection show
};

namespace detail {

inline constexpr std::string_view transport_names[] = {
    "buffered", "framed", "header", "ttheader", "ttheader_framed", "sasl", "http", "grpc", "auto"};
inline constexpr std::size_t transport_count = sizeof transport_names / sizeof transport_names[0];

/// The transport of that name, as the command line and Python spell it.
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
