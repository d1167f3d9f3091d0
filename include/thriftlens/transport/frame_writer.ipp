// frame_writer: bodies of frame_writer.hpp.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/transport/frame_writer.hpp>
#include <thriftlens/transport/theader.hpp>
#include <thriftlens/transport/ttheader.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Room for a size that is not known yet; where it goes.
[[nodiscard]] inline std::size_t begin_size(buffer& out) {
  out.commit(out.reserve(4) + 4);
  return out.size();
}
/// Fills it in. False where it is too large.
[[nodiscard]] inline bool end_size(std::size_t after_size, buffer& out) noexcept {
  const std::size_t size = out.size() - after_size;
  if (size > 0x7fffffffu) return false;
  store_be(out.data() + after_size - 4, static_cast<std::uint32_t>(size));
  return true;
}

[[nodiscard]] inline result<void> frame_too_large() {
  return error(errc::size_limit, "a message is larger than a frame can be");
}

inline void append_bare(const session_event& what, buffer& out) {
  append_message(what.protocol, what.message, out);
  out.append(what.body);
}
[[nodiscard]] inline result<void> append_sized(const session_event& what, buffer& out) {
  const std::size_t begin = begin_size(out);
  append_bare(what, out);
  return end_size(begin, out) ? result<void>() : frame_too_large();
}

/// The message, behind a size of its own where the transport says so.
[[nodiscard]] inline result<void> append_payload(const session_event& what, payload_transform* transform,
                                                 buffer& out) {
  if (what.is_compressed) {
    buffer plain;
    append_bare(what, plain);
    if (transform != nullptr && transform->apply(payload_transform::zlib, plain, out)) return {};
    return error(errc::bad_option, "a compressed frame needs a transform that knows zlib");
  }
  if (what.transport == transport_id::ttheader_framed) return append_sized(what, out);
  append_bare(what, out);
  return {};
}
[[nodiscard]] inline result<void> append_header(const session_event& what, buffer& out) {
  frame_head head{.protocol =
                      protocol_of(what.protocol) == protocol_id::compact ? head_compact : head_binary};
  if (what.transport != transport_id::header) return try_append_ttheader(head, what.headers, out);
  if (what.is_compressed) head.transforms.push_back(payload_transform::zlib);
  return try_append_theader(head, what.headers, out);
}
/// THeader and TTHeader.
[[nodiscard]] inline result<void> append_with_header(const session_event& what, payload_transform* transform,
                                                     buffer& out) {
  const std::size_t begin = begin_size(out);
  std::uint8_t* const to = out.reserve(counted_head_size);
  store_be(to, what.transport == transport_id::header ? theader_magic : ttheader_magic);
  store_be(to + 2, std::uint16_t{0});
  store_be(to + 4, what.message.sequence_id);
  out.commit(to + counted_head_size);
  const std::size_t header = out.size();
  if (result<void> done = append_header(what, out); !done) return done;
  while ((out.size() - header) % 4 != 0) out.push_back(0);
  const std::size_t words = (out.size() - header) / 4;
  if (words > max_header_words)
    return error(errc::size_limit, "the headers are larger than a frame's can be");
  store_be(out.data() + header - 2, static_cast<std::uint16_t>(words));
  if (result<void> done = append_payload(what, transform, out); !done) return done;
  // Apache's readers take no more.
  if (out.size() - begin > 0x3fffffffu) return frame_too_large();
  return end_size(begin, out) ? result<void>() : frame_too_large();
}

/// A struct alone, as gRPC frames it: uncompressed.
[[nodiscard]] inline result<void> append_grpc(const session_event& what, buffer& out) {
  out.push_back(0);
  const std::size_t begin = begin_size(out);
  out.append(what.body);
  return end_size(begin, out) ? result<void>() : frame_too_large();
}

[[nodiscard]] inline result<void> no_headers(transport_id which) {
  return error(errc::bad_option, "transport " + std::string(to_string(which)) + " has no place for headers");
}
[[nodiscard]] inline result<void> append_as(const session_event& what, payload_transform* transform,
                                            buffer& out) {
  switch (what.transport) {
    case transport_id::header:
    case transport_id::ttheader:
    case transport_id::ttheader_framed:
      return append_with_header(what, transform, out);
    default:
      break;
  }
  if (!what.headers.empty()) return no_headers(what.transport);
  if (what.transport == transport_id::grpc) return append_grpc(what, out);
  if (what.transport == transport_id::framed || what.transport == transport_id::sasl)
    return append_sized(what, out);
  append_bare(what, out);
  return {};
}

THRIFTLENS_BODY result<void> try_append_frame(const session_event& what, payload_transform* transform,
                                              buffer& out) {
  if (what.transport == transport_id::automatic || what.protocol == message_protocol::automatic)
    return error(errc::bad_option, "automatic is for what is read");
  rollback undo(out);
  static_cast<void>(out.reserve(what.message.name.size() + what.body.size() + 32));
  result<void> done = append_as(what, transform, out);
  if (done) undo.keep();
  return done;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
