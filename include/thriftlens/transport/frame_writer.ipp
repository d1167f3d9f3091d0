// frame_writer: bodies of frame_writer.hpp.
// In: its declarations. Out: what thriftlens::compiled holds, or every unit that is header-only.
// Never declares what a user calls.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/transport/frame_writer.hpp>

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

[[nodiscard]] inline bool has_headers(transport_id which) noexcept {
  return which == transport_id::header || which == transport_id::ttheader ||
         which == transport_id::ttheader_framed;
}
[[nodiscard]] inline result<void> no_headers(transport_id which) {
  return error(errc::bad_option, "transport " + std::string(to_string(which)) + " has no place for headers");
}

[[nodiscard]] inline result<void> append_as(const session_event& what, payload_transform* transform,
                                            buffer& out) {
  static_cast<void>(transform);
  if (!what.headers.empty() && !has_headers(what.transport)) return no_headers(what.transport);
  if (what.transport == transport_id::framed || what.transport == transport_id::sasl)
    return append_sized(what, out);
  append_bare(what, out);
  return {};
}

THRIFTLENS_BODY result<void> try_append_frame(const session_event& what, payload_transform* transform,
                                              buffer& out) {
  rollback undo(out);
  static_cast<void>(out.reserve(what.message.name.size() + what.body.size() + 32));
  result<void> done = append_as(what, transform, out);
  if (done) undo.keep();
  return done;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
