// call: the client side of RPC: writes the bytes of a call and reads the bytes of its reply.
#pragma once

#include <thriftlens/rpc/call_value.hpp>
#include <thriftlens/rpc/framed_message.hpp>
#include <thriftlens/rpc/reply.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends a call. `arguments`: a struct with a binding, a view, wire_bytes{…} of the struct of the
/// arguments, json_text{…} (with <thriftlens/json.hpp>) or no_value{}; all are checked against the IDL.
/// `framing`: buffered and http (the message alone) or framed; other transports need a session. O(bytes).
/// After an error `out` is unchanged. Errors: streaming, bad_option, those of encoding the value.
template <protocol P, class Arguments>
[[nodiscard]] result<void> try_append_call(function_info function, const Arguments& arguments,
                                           const message_frame& frame, buffer& out) {
  if (const std::optional<error> reason = detail::refuse_streaming(function)) return *reason;
  if (detail::lies_in(arguments, out)) return detail::overlap_error();
  const message_type type = function.oneway() ? message_type::oneway : message_type::call;
  const std::string name = detail::qualified_call(frame.service, function.name());
  return detail::append_message<P>({name, type, frame.sequence_id}, frame.framing, out, [&](buffer& to) {
    return detail::append_call_value<P>(to, function.arguments(), arguments);
  });
}
template <protocol P, class Arguments>
void append_call(function_info function, const Arguments& arguments, const message_frame& frame,
                 buffer& out) {
  try_append_call<P>(function, arguments, frame, out).value();
}
/// Writes a call to a new buffer. `service`: for multiplexed servers, as in message_frame.
template <protocol P, class Arguments>
[[nodiscard]] result<buffer> try_write_call(function_info function, const Arguments& arguments,
                                            std::int32_t sequence_id = 0,
                                            transport_id framing = transport_id::buffered,
                                            std::string_view service = {}) {
  buffer out;
  result<void> done = try_append_call<P>(function, arguments, {sequence_id, framing, service}, out);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol P, class Arguments>
[[nodiscard]] buffer write_call(function_info function, const Arguments& arguments,
                                std::int32_t sequence_id = 0, transport_id framing = transport_id::buffered,
                                std::string_view service = {}) {
  return try_write_call<P>(function, arguments, sequence_id, framing, service).value();
}

/// Reads the reply to a call. `service`: as for write_call(); the reply may be named "function" or
/// "Service:function". The value is parsed on access. Errors: wrong_method_name and bad_sequence_id for a
/// reply to another call, bad_message if the message is not a reply, missing_required for a non-void function
/// without result and exception, union_members for both, unknown_field for a field that the function does not
/// declare, streaming, wrong_type for oneway functions, malformed bytes.
template <protocol P>
[[nodiscard]] result<reply<P>> try_read_reply(function_info function, std::int32_t sequence_id,
                                              byte_view bytes, transport_id framing = transport_id::buffered,
                                              std::string_view service = {}) {
  if (const std::optional<error> reason = detail::refuse_no_reply(function)) return *reason;
  const result<byte_view> inside = detail::open_frame(bytes, framing);
  if (!inside) return inside.error();
  const result<message> read = try_read_message<P>(*inside);
  if (!read) return read.error();
  if (const std::optional<error> reason = detail::refuse_reply(read->header, function, sequence_id, service))
    return *reason;
  return try_open_reply<P>(function, read->header.type, read->body);
}
template <protocol P>
[[nodiscard]] reply<P> read_reply(function_info function, std::int32_t sequence_id, byte_view bytes,
                                  transport_id framing = transport_id::buffered,
                                  std::string_view service = {}) {
  return try_read_reply<P>(function, sequence_id, bytes, framing, service).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
