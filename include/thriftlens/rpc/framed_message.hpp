// framed_message: reads and writes a message in a frame. Transports with state or headers need a session.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rpc/message.hpp>
#include <thriftlens/transport/transport_id.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Sequence id, framing and service of a message.
struct message_frame {
  std::int32_t sequence_id = 0;
  transport_id framing = transport_id::buffered;  ///< buffered, http (no frame either) or framed
  std::string_view service = {};  ///< multiplexed servers: the message is named "Service:function"
};

namespace detail {

/// "Service:function", or "function" without a service.
[[nodiscard]] inline std::string qualified_call(std::string_view service, std::string_view function) {
  if (service.empty()) return std::string(function);
  return std::string(service) + ':' + std::string(function);
}
/// Whether a reply of that name belongs to a call. Apache's servers reply to multiplexed calls as "function".
[[nodiscard]] inline bool is_reply_name(std::string_view name, std::string_view service,
                                        std::string_view function) {
  return name == function || (!service.empty() && name == qualified_call(service, function));
}

/// Size of the frame header. Errors: bad_option if the transport needs a session.
[[nodiscard]] inline result<std::size_t> frame_width(transport_id framing) {
  if (framing == transport_id::framed) return std::size_t{4};
  if (framing == transport_id::buffered || framing == transport_id::http) return std::size_t{0};
  return error(errc::bad_option, joined({"the transport ", to_string(framing), " needs a session"}));
}

/// Appends a message; `body(buffer&)` appends its struct and returns result<void>.
template <protocol P, class Body>
[[nodiscard]] result<void> append_message(const message_header& header, transport_id framing, buffer& out,
                                          Body body) {
  const result<std::size_t> width = frame_width(framing);
  if (!width) return width.error();
  rollback guard(out);
  out.commit(out.prepare(*width) + *width);
  typename P::writer to(out);
  write_message(to, header);
  if (result<void> done = body(out); !done) return done;
  const std::size_t size = out.size() - guard.before() - *width;
  if (size > 0x7fffffffu) return error(errc::size_limit, "the message exceeds 2 GiB");
  if (*width != 0) store_be(out.data() + guard.before(), static_cast<std::uint32_t>(size));
  guard.keep();
  return {};
}

/// The message in a frame. Errors: bad_option; truncated or trailing_bytes if the frame size is wrong.
[[nodiscard]] inline result<byte_view> open_frame(byte_view bytes, transport_id framing) {
  const result<std::size_t> width = frame_width(framing);
  if (!width) return width.error();
  if (*width == 0) return bytes;
  if (bytes.size() < *width) return error(errc::truncated, {}, 0);
  const std::size_t size = load_be<std::uint32_t>(bytes.data()), rest = bytes.size() - *width;
  if (size > rest) return error(errc::truncated, {}, 0);
  if (size < rest) return error(errc::trailing_bytes, {}, *width + size);
  return byte_view(bytes.data() + *width, size);
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
