// session_event: events that a session reports and calls that it sends.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/print.hpp>
#include <thriftlens/protocol/message_front.hpp>
#include <thriftlens/transport/header_entry.hpp>
#include <thriftlens/transport/transport_id.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class session_event_kind : std::uint8_t {
  message,  ///< a complete message; `body` is its struct
  head,     ///< header of a message in parts
  part,     ///< part of its struct: `body`
  end,      ///< end of its struct
  ready,    ///< negotiation finished
  send,     ///< `body` must be sent to the peer
};

struct session_event {
  session_event_kind kind = session_event_kind::message;
  message_protocol protocol = message_protocol::binary;
  transport_id transport = transport_id::framed;
  bool is_compressed = false;   ///< THeader: the reply is compressed too
  bool is_open = false;         ///< for head and part: the reader of the struct finds its end
  message_header message = {};  ///< for message, head, part and end
  byte_view body = {};          ///< for message, part and send
  std::span<const header_entry> headers = {};
  std::uint64_t offset = 0;  ///< connection offset of the frame or part
};

/// "message", "head", "part", "end", "ready", "send".
[[nodiscard]] constexpr std::string_view to_string(session_event_kind kind) noexcept {
  constexpr std::string_view names[] = {"message", "head", "part", "end", "ready", "send"};
  return names[static_cast<std::size_t>(kind)];
}
template <>
inline constexpr bool detail::is_printed<session_event_kind> = true;

namespace detail {
/// The function of a multiplexed call "Service:function"; replies are named "function".
[[nodiscard]] constexpr std::string_view function_name(std::string_view name) noexcept {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}
}  // namespace detail

/// How a reply is delivered.
enum class delivery : std::uint8_t {
  complete,  ///< one event
  parts,     ///< several events, as it arrives: for large replies
  /// Like parts, for readers that parse the struct: they report its end by session::try_take() if it has no
  /// frame, and the session does not parse it.
  open_parts,
};

/// Report of the reader of an open part.
struct taken_part {
  std::size_t used = 0;          ///< bytes consumed from the start of the part
  std::uint64_t least_left = 1;  ///< minimum size of the rest of the struct; 0: it ended
  /// Malformed bytes; the offset counts from the start of the struct.
  struct fault fault = {};
};

/// One call of a client. Borrowed only while the session writes it.
struct call_request {
  std::string_view name = {};
  byte_view arguments = {};  ///< arguments struct in the session's protocol
  message_type type = message_type::call;
  delivery reply = delivery::complete;
  std::optional<std::int32_t> sequence_id = {};  ///< nullopt: the next free one
  std::optional<double> deadline = {};           ///< on the caller's clock
  bool is_compressed = false;                    ///< THeader: zlib, by the session's transform
  std::span<const header_entry> headers = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
