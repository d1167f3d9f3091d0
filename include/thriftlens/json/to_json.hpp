// to_json: converts Thrift bytes to JSON text, without a tree.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/located_error.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/schema/type.hpp>

#include <concepts>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends the value as JSON. `bytes` must hold exactly one value of the type, encoded like an element of a
/// list unless it is a struct. Linear. Errors, after which the buffer is unchanged: of the wire (truncated,
/// bad_ttype, type_mismatch …), missing_required (by option), duplicate_field, duplicate_key, union_members,
/// unknown_field, invalid_utf8, nonfinite, trailing_bytes, depth and output limits; those of a selection
/// passed as text.
template <protocol Protocol>
[[nodiscard]] result<void> try_append_json(type value_type, input_bytes bytes, buffer& out,
                                           const to_json_options& options = {});
/// With the protocol chosen at run time. A template so that only its callers compile both protocols.
[[nodiscard]] result<void> try_append_json(std::same_as<protocol_id> auto which, type value_type,
                                           input_bytes bytes, buffer& out,
                                           const to_json_options& options = {}) {
  return visit_protocol(
      which, [&](auto tag) { return try_append_json<decltype(tag)>(value_type, bytes, out, options); });
}

template <protocol Protocol>
void append_json(type value_type, input_bytes bytes, buffer& out, const to_json_options& options = {}) {
  try_append_json<Protocol>(value_type, bytes, out, options).value();
}
void append_json(std::same_as<protocol_id> auto which, type value_type, input_bytes bytes, buffer& out,
                 const to_json_options& options = {}) {
  try_append_json(which, value_type, bytes, out, options).value();
}

/// Returns the text in a new buffer.
template <protocol Protocol>
[[nodiscard]] result<buffer> try_to_json(type value_type, input_bytes bytes,
                                         const to_json_options& options = {}) {
  buffer out;
  if (result<void> appended = try_append_json<Protocol>(value_type, bytes, out, options); !appended)
    return std::move(appended).error();
  return out;
}
[[nodiscard]] result<buffer> try_to_json(std::same_as<protocol_id> auto which, type value_type,
                                         input_bytes bytes, const to_json_options& options = {}) {
  return visit_protocol(which,
                        [&](auto tag) { return try_to_json<decltype(tag)>(value_type, bytes, options); });
}
template <protocol Protocol>
[[nodiscard]] buffer to_json(type value_type, input_bytes bytes, const to_json_options& options = {}) {
  return try_to_json<Protocol>(value_type, bytes, options).value();
}
[[nodiscard]] buffer to_json(std::same_as<protocol_id> auto which, type value_type, input_bytes bytes,
                             const to_json_options& options = {}) {
  return try_to_json(which, value_type, bytes, options).value();
}

/// A view of module view: bytes with type and protocol.
template <class View>
concept json_viewable = requires(const View& view) {
  { view.try_bytes() } -> std::same_as<result<byte_view>>;
  { view.is_root() } -> std::same_as<bool>;
  { view.has_bytes() } -> std::same_as<bool>;
  { view.whole() } -> std::same_as<byte_view>;
  { view.type() } -> std::same_as<type>;
  typename View::protocol_type;
};

/// Appends a view as JSON; the view must have a type. Paths and offsets of errors count from the start of the
/// message. Bytes after the value of a root are trailing_bytes. An empty view, such as the value of the reply
/// of a void function, is `null`.
template <json_viewable View>
[[nodiscard]] result<void> try_append_json(const View& view, buffer& out,
                                           const to_json_options& options = {}) {
  const type viewed = view.type();
  if (!viewed && !view.has_bytes()) {
    out.append(byte_view(std::string_view("null")));
    return {};
  }
  if (!viewed) return error(errc::wrong_type, "a view without a type has no JSON");
  using protocol = typename View::protocol_type;
  if (view && view.is_root()) return try_append_json<protocol>(viewed, view.whole(), out, options);
  const result<byte_view> bytes = view.try_bytes();
  if (!bytes) return bytes.error();
  result<void> appended = try_append_json<protocol>(viewed, *bytes, out, options);
  if (!appended) return detail::located_error(view, appended.error());
  return appended;
}
template <json_viewable View>
void append_json(const View& view, buffer& out, const to_json_options& options = {}) {
  try_append_json(view, out, options).value();
}
/// Returns the text in a new buffer.
template <json_viewable View>
[[nodiscard]] result<buffer> try_to_json(const View& view, const to_json_options& options = {}) {
  buffer out;
  if (result<void> appended = try_append_json(view, out, options); !appended)
    return std::move(appended).error();
  return out;
}
template <json_viewable View>
[[nodiscard]] buffer to_json(const View& view, const to_json_options& options = {}) {
  return try_to_json(view, options).value();
}

/// Deleted by a static_assert that explains the missing protocol.
template <class Bytes>
  requires std::convertible_to<const Bytes&, byte_view>
buffer to_json(type, const Bytes&, const to_json_options& = {}) {
  static_assert(!std::convertible_to<const Bytes&, byte_view>,
                "thriftlens: to_json(type, bytes): bytes do not say their protocol: write to_json<binary>(…) "
                "or to_json<compact>(…)");
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/json/to_json.ipp>
#endif
