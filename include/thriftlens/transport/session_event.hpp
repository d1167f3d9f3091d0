// session_event: what a session has found, and what it is asked to send.
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

/// What comes out of a session.
struct session_event {
  enum class kind : std::uint8_t {
    message,  ///< whole: `body` is its struct
    head,     ///< of a message that comes in parts
    part,     ///< of its struct: `body`
    end,      ///< of its struct
    ready,    ///< the negotiation is over
    send,     ///< `body` has to be sent to the peer
  };

  kind what = kind::message;
  message_protocol protocol = message_protocol::binary;
  transport_id transport = transport_id::framed;
  bool is_compressed = false;   ///< THeader: so is the reply
  bool is_open = false;         ///< of heads and parts: who reads the struct finds its end
  message_header message = {};  ///< of messages, heads, parts and ends
  byte_view body = {};          ///< of messages, parts and what is to be sent
  std::span<const header_entry> headers = {};
  std::uint64_t offset = 0;  ///< of the first byte of the frame, or of the part, on the connection
};

/// "message", "head", "part", "end", "ready", "send".
[[nodiscard]] constexpr std::string_view to_string(session_event::kind what) noexcept {
  constexpr std::string_view names[] = {"message", "head", "part", "end", "ready", "send"};
  return names[static_cast<std::size_t>(what)];
}
template <>
inline constexpr bool detail::is_printed<session_event::kind> = true;

namespace detail {
/// The function of a multiplexed call, which is named "Service:function"; replies carry it alone.
[[nodiscard]] constexpr std::string_view function_name(std::string_view name) noexcept {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}
}  // namespace detail

/// How a reply is handed out.
enum class delivery : std::uint8_t {
  whole,  ///< one event
  parts,  ///< as it arrives: for replies that are larger than what is wanted of them
  /// The same, for those who walk the struct anyway: where no frame says where it ends, they tell by
  /// session::try_take(), and the session does not walk it too.
  open_parts,
};

/// What the reader of an open part says about it.
struct taken_part {
  std::size_t used = 0;          ///< bytes, from the part's first on, that it needs no more
  std::uint64_t least_left = 1;  ///< bytes of the struct behind these, as far as is known; 0: it has ended
  /// Why its end cannot be found; counted from the struct's first byte.
  struct fault fault = {};
};

/// One call of a client. Nothing in it is needed after the session has written it.
struct call_request {
  std::string_view name = {};
  byte_view arguments = {};  ///< the struct of the arguments, in the session's protocol
  message_type type = message_type::call;
  delivery reply = delivery::whole;
  std::optional<std::int32_t> sequence_id = {};  ///< none: the next one
  std::optional<double> deadline = {};           ///< on the caller's clock
  bool is_compressed = false;                    ///< THeader: by zlib; the session's transform does it
  std::span<const header_entry> headers = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
