// to_json: Thrift bytes to JSON text.
// In: a type and the bytes of one value of it. Out: JSON text, or an error with path and byte offset.
// Never needs a tree, never changes the caller's buffer when it fails.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/write.hpp>
#include <thriftlens/protocol/select.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends the value as JSON. `bytes` must hold one value of the type (for anything but a struct: as an element of a list has
/// it) and nothing else. Linear. Errors: of the wire (truncated, bad_ttype, type_mismatch …), missing_required,
/// duplicate_field, duplicate_key, union_members, unknown_field, invalid_utf8, nonfinite, trailing_bytes, depth and output limits.
template <protocol Protocol>
[[nodiscard]] result<void> try_append_json(type value_type, byte_view bytes, buffer& out, const to_json_options& options = {},
                                           const limits& bounds = {}) {
  return json_writer<Protocol>(bytes, *value_type.image(), out, options, bounds).run(value_type);
}
/// The same with the protocol named at run time.
[[nodiscard]] inline result<void> try_append_json(protocol_id which, type value_type, byte_view bytes, buffer& out,
                                                  const to_json_options& options = {}, const limits& bounds = {}) {
  return visit_protocol(which, [&](auto tag) { return try_append_json<decltype(tag)>(value_type, bytes, out, options, bounds); });
}

template <protocol Protocol>
[[nodiscard]] result<buffer> try_to_json(type value_type, byte_view bytes, const to_json_options& options = {}, const limits& bounds = {}) {
  buffer out;
  if (result<void> done = try_append_json<Protocol>(value_type, bytes, out, options, bounds); !done) return std::move(done).error();
  return out;
}
[[nodiscard]] inline result<buffer> try_to_json(protocol_id which, type value_type, byte_view bytes, const to_json_options& options = {},
                                                const limits& bounds = {}) {
  return visit_protocol(which, [&](auto tag) { return try_to_json<decltype(tag)>(value_type, bytes, options, bounds); });
}
/// As try_append_json, into a new buffer; raises the error.
template <protocol Protocol>
[[nodiscard]] buffer to_json(type value_type, byte_view bytes, const to_json_options& options = {}, const limits& bounds = {}) {
  return try_to_json<Protocol>(value_type, bytes, options, bounds).value();
}
[[nodiscard]] inline buffer to_json(protocol_id which, type value_type, byte_view bytes, const to_json_options& options = {},
                                    const limits& bounds = {}) {
  return try_to_json(which, value_type, bytes, options, bounds).value();
}

/// A view as JSON: anything that says what it views (`bytes()`, `type()`) and in which protocol.
template <class View>
  requires requires(const View& view) {
    { view.bytes() } -> std::convertible_to<byte_view>;
    { view.type() } -> std::convertible_to<type>;
    typename View::protocol_type;
  }
[[nodiscard]] result<buffer> try_to_json(const View& view, const to_json_options& options = {}, const limits& bounds = {}) {
  return try_to_json<typename View::protocol_type>(view.type(), view.bytes(), options, bounds);
}
template <class View>
  requires requires(const View& view, const to_json_options& options, const limits& bounds) { try_to_json(view, options, bounds); }
[[nodiscard]] buffer to_json(const View& view, const to_json_options& options = {}, const limits& bounds = {}) {
  return try_to_json(view, options, bounds).value();
}

}  // namespace thriftlens
