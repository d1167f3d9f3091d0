// first_bytes: what a client speaks, by the first bytes that it sends.
// In: the first six bytes of a connection. Out: the transport and the protocol, or what it is instead.
// Never guesses where bytes are missing.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/message_front.hpp>
#include <thriftlens/transport/frame_head.hpp>
#include <thriftlens/transport/transport_id.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Bytes that say everything.
inline constexpr std::size_t first_bytes_size = 6;

struct first_look {
  transport_id transport = transport_id::automatic;  ///< automatic: unknown
  message_protocol protocol = message_protocol::automatic;
  std::string_view words = {};  ///< what is wrong where it is unknown
};

/// What the second word of a connection with frames says.
[[nodiscard]] inline first_look look_into_frame(byte_view bytes) noexcept {
  switch (magic_of(bytes)) {
    case 0x8001:
      return {transport_id::framed, message_protocol::binary};
    case theader_magic:
      return {transport_id::header, message_protocol::automatic};
    case ttheader_magic:
      return {transport_id::ttheader, message_protocol::automatic};
    default:
      break;
  }
  if (bytes[4] == 0x82) return {transport_id::framed, message_protocol::compact};
  // Binary without a version: the size of a name, behind that of a frame or in front of its text.
  if (bytes[4] == 0 && bytes[5] == 0) return {transport_id::framed, message_protocol::binary_old};
  const bool is_text = bytes[4] >= 0x20 && bytes[4] < 0x7f;
  if (is_text && bytes[0] == 0) return {transport_id::buffered, message_protocol::binary_old};
  return {.words = "no transport of Thrift begins with these bytes"};
}

/// Looks at `first_bytes_size` bytes.
[[nodiscard]] inline first_look look_at_first_bytes(byte_view bytes) noexcept {
  if (bytes[0] == 0x80) return {transport_id::buffered, message_protocol::binary};
  if (bytes[0] == 0x82) return {transport_id::buffered, message_protocol::compact};
  if (bytes[0] == 0x16 && bytes[1] == 0x03) return {.words = "this is a TLS handshake"};
  const std::string_view text = bytes.text();
  for (const std::string_view verb :
       {"GET ", "POST ", "PUT ", "HEAD ", "PRI * ", "DELETE", "OPTION", "PATCH "}) {
    if (text.starts_with(verb)) return {.words = "this is an HTTP request"};
  }
  // Status "start" and the size of a mechanism's name, which is in capitals.
  const bool is_short = load_be<std::uint32_t>(bytes.data() + 1) - 1u < 32u;
  if (bytes[0] == 1 && is_short && bytes[5] >= 'A' && bytes[5] <= 'Z')
    return {transport_id::sasl, message_protocol::automatic};
  return look_into_frame(bytes);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
