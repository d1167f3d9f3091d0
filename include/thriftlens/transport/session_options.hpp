// session_options: transport, protocol and limits of a session.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/message_front.hpp>
#include <thriftlens/transport/payload_transform.hpp>
#include <thriftlens/transport/transport_id.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Clients send calls; servers answer them.
enum class session_role : std::uint8_t { client, server };

/// "client" or "server".
[[nodiscard]] constexpr std::string_view to_string(session_role role) noexcept {
  return role == session_role::client ? "client" : "server";
}
template <>
inline constexpr bool detail::is_printed<session_role> = true;

/// Options of a session. `transport` and `protocol` may be automatic for servers only.
struct session_options {
  static constexpr std::size_t automatic = 0;

  thriftlens::limits limits = {};  ///< only `depth` applies, to unframed messages
  session_role role = session_role::client;
  transport_id transport = transport_id::framed;
  message_protocol protocol = message_protocol::binary;
  /// Maximum size of a message with its frame, and of a decompressed message; automatic: 16 MiB for servers,
  /// 256 MiB for clients.
  std::size_t frame_size = automatic;
  std::size_t header_size = std::size_t{64} << 10;  ///< maximum size of names, headers, SASL frames
  std::size_t calls = 1024;                         ///< maximum in flight; 0: unlimited
  payload_transform* transform = nullptr;           ///< for compressed frames; null: they are errors
  [[nodiscard]] constexpr std::size_t max_frame() const noexcept {
    if (frame_size != automatic) return frame_size;
    return std::size_t{role == session_role::server ? 16u : 256u} << 20;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
