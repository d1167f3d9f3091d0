// frame_writer: bodies of frame_writer.hpp.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/transport/frame_writer.hpp>
#include <thriftlens/transport/theader.hpp>
#include <thriftlens/transport/ttheader.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reserves a 4-byte size to be set by end_size(); returns the offset after it.
[[nodiscard]] inline std::size_t begin_size(buffer& out) {
  out.commit(out.prepare(4) + 4);
  return out.size();
}
/// Sets the reserved size. False if it is too large.
[[nodiscard]] inline bool end_size(std::size_t after_size, buffer& out) noexcept {
  const std::size_t size = out.size() - after_size;
  if (size > 0x7fffffffu) return false;
  store_be(out.data() + after_size - 4, static_cast<std::uint32_t>(size));
  return true;
}

[[nodiscard]] inline result<void> frame_too_large() {
  return error(errc::size_limit, "the message exceeds the maximum size of a frame");
}

inline void append_bare(const session_event& event, buffer& out) {
  append_message(event.protocol, event.message, out);
  out.append(event.body);
}
[[nodiscard]] inline result<void> append_sized(const session_event& event, buffer& out) {
  const std::size_t begin = begin_size(out);
  append_bare(event, out);
  return end_size(begin, out) ? result<void>() : frame_too_large();
}

/// The message, with a size prefix if the transport requires one.
[[nodiscard]] inline result<void> append_payload(const session_event& event, payload_transform* transform,
                                                 buffer& out) {
  if (event.is_compressed) {
    buffer plain;
    append_bare(event, plain);
    if (transform != nullptr && transform->apply(payload_transform::zlib, plain, out)) return {};
    return error(errc::bad_option, "a compressed frame needs a transform for zlib");
  }
  if (event.transport == transport_id::ttheader_framed) return append_sized(event, out);
  append_bare(event, out);
  return {};
}
[[nodiscard]] inline result<void> append_header(const session_event& event, buffer& out) {
  frame_head head{.protocol =
                      protocol_of(event.protocol) == protocol_id::compact ? head_compact : head_binary};
  if (event.transport != transport_id::header) return try_append_ttheader(head, event.headers, out);
  if (event.is_compressed) head.transforms.push_back(payload_transform::zlib);
  return try_append_theader(head, event.headers, out);
}
/// THeader and TTHeader.
[[nodiscard]] inline result<void> append_with_header(const session_event& event, payload_transform* transform,
                                                     buffer& out) {
  const std::size_t begin = begin_size(out);
  std::uint8_t* const to = out.prepare(counted_head_size);
  store_be(to, event.transport == transport_id::header ? theader_magic : ttheader_magic);
  store_be(to + 2, std::uint16_t{0});
  store_be(to + 4, event.message.sequence_id);
  out.commit(to + counted_head_size);
  const std::size_t header = out.size();
  if (result<void> written = append_header(event, out); !written) return written;
  while ((out.size() - header) % 4 != 0) out.push_back(0);
  const std::size_t word_count = (out.size() - header) / 4;
  if (word_count > max_header_words)
    return error(errc::size_limit, "the headers exceed the maximum size of a frame header");
  store_be(out.data() + header - 2, static_cast<std::uint16_t>(word_count));
  if (result<void> written = append_payload(event, transform, out); !written) return written;
  // Limit of Apache's readers.
  if (out.size() - begin > 0x3fffffffu) return frame_too_large();
  return end_size(begin, out) ? result<void>() : frame_too_large();
}

/// A bare struct in an uncompressed gRPC frame.
[[nodiscard]] inline result<void> append_grpc(const session_event& event, buffer& out) {
  out.push_back(0);
  const std::size_t begin = begin_size(out);
  out.append(event.body);
  return end_size(begin, out) ? result<void>() : frame_too_large();
}

[[nodiscard]] inline result<void> no_headers(transport_id which) {
  return error(errc::bad_option, joined({"transport ", to_string(which), " does not support headers"}));
}
[[nodiscard]] inline result<void> append_as(const session_event& event, payload_transform* transform,
                                            buffer& out) {
  switch (event.transport) {
    case transport_id::header:
    case transport_id::ttheader:
    case transport_id::ttheader_framed:
      return append_with_header(event, transform, out);
    default:
      break;
  }
  if (!event.headers.empty()) return no_headers(event.transport);
  if (event.transport == transport_id::grpc) return append_grpc(event, out);
  if (event.transport == transport_id::framed || event.transport == transport_id::sasl)
    return append_sized(event, out);
  append_bare(event, out);
  return {};
}

THRIFTLENS_BODY result<void> try_append_frame(const session_event& event, payload_transform* transform,
                                              buffer& out) {
  if (event.transport == transport_id::automatic || event.protocol == message_protocol::automatic)
    return error(errc::bad_option, "transport and protocol of a written message must not be automatic");
  rollback undo(out);
  static_cast<void>(out.prepare(event.message.name.size() + event.body.size() + 32));
  result<void> written = append_as(event, transform, out);
  if (written) undo.keep();
  return written;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
