// message_front: reads a possibly incomplete message header at the start of bytes.
#pragma once

#include <thriftlens/protocol/message.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Protocol of messages.
enum class message_protocol : std::uint8_t {
  binary,      ///< Binary with a version
  compact,     ///< Compact
  binary_old,  ///< Binary without a version, for old servers
  automatic,   ///< servers: detected by the first byte of every message
};

namespace detail {

inline constexpr std::string_view message_protocol_names[] = {"binary", "compact", "binary_old", "auto"};
inline constexpr std::size_t message_protocol_count = 4;

}  // namespace detail

/// "binary", "compact", "binary_old", "auto".
[[nodiscard]] constexpr std::string_view to_string(message_protocol which) noexcept {
  return detail::message_protocol_names[static_cast<std::size_t>(which)];
}
template <>
inline constexpr bool detail::is_printed<message_protocol> = true;

namespace detail {

/// The protocol of the message's struct. Precondition: not `automatic`.
[[nodiscard]] constexpr protocol_id protocol_of(message_protocol which) noexcept {
  return which == message_protocol::compact ? protocol_id::compact : protocol_id::binary;
}
/// The message protocol for a struct in `which`.
[[nodiscard]] constexpr message_protocol message_protocol_of(protocol_id which, bool strict) noexcept {
  if (which == protocol_id::compact) return message_protocol::compact;
  return strict ? message_protocol::binary : message_protocol::binary_old;
}

struct message_front {
  std::size_t size = 0;  ///< of the header; 0 if it is missing or incomplete
  struct fault fault;    ///< truncated: may become valid with more bytes
  protocol_id protocol = default_protocol;
  message_header message;
};

/// The protocol of a message by its first byte. Either Binary option accepts both forms of Binary.
[[nodiscard]] constexpr protocol_id protocol_by(message_protocol spoken, std::uint8_t first) noexcept {
  constexpr std::uint8_t compact_mark = 0x82;
  if (spoken != message_protocol::automatic) return protocol_of(spoken);
  return first == compact_mark ? protocol_id::compact : protocol_id::binary;
}

/// Reads the header at the start of `bytes`; its name has at most `max_name` bytes. O(1) if it is incomplete.
[[nodiscard]] inline message_front read_message_front(byte_view bytes, message_protocol spoken,
                                                      std::size_t max_name) noexcept {
  message_front front;
  front.fault.code = errc::truncated;
  if (bytes.empty()) return front;
  front.protocol = protocol_by(spoken, bytes[0]);
  limits bounds;
  bounds.string_size =
      max_name < bounds.string_size ? static_cast<std::uint32_t>(max_name) : bounds.string_size;
  visit_protocol(front.protocol, [&](auto tag) {
    typename decltype(tag)::reader in(bytes, bounds);
    const bool is_read = read_message(in, front.message);
    front.size = is_read ? in.offset() : 0;
    front.fault = in.fault();
  });
  // The form without a version and an impossible name size: not a message.
  if (front.fault.code == errc::size_limit && bytes[0] < 0x80) front.fault = {errc::bad_message, 0, 0};
  return front;
}

/// Writes a message header. Precondition: not `automatic`.
inline void append_message(message_protocol which, message_header message, buffer& out) {
  message.strict = which != message_protocol::binary_old;
  visit_protocol(protocol_of(which), [&](auto tag) {
    typename decltype(tag)::writer to(out);
    write_message(to, message);
  });
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
