// from_json: converts JSON text to Thrift bytes, without a tree or padding.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/schema/type.hpp>

#include <concepts>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends the bytes of the value, encoded like an element of a list unless it is a struct. The text must be
/// one JSON value. It is not copied and no byte after it is read, so padding is not needed. Linear. A map
/// with structs or containers as keys is read from [key, value] pairs, or from an object whose keys are the
/// JSON of the keys. Errors, after which the buffer is unchanged: json_syntax, invalid_utf8, json_type,
/// integer_range, double_range, unknown_key, duplicate_key, bad_map_key, bad_base64, bad_uuid,
/// unknown_enum_name, missing_required, union_members, limits.
template <protocol Protocol>
[[nodiscard]] result<void> try_append_from_json(type value_type, std::string_view json, buffer& out,
                                                const from_json_options& options = {});
/// With the protocol chosen at run time. A template so that only its callers compile both protocols.
[[nodiscard]] result<void> try_append_from_json(std::same_as<protocol_id> auto which, type value_type,
                                                std::string_view json, buffer& out,
                                                const from_json_options& options = {}) {
  return visit_protocol(
      which, [&](auto tag) { return try_append_from_json<decltype(tag)>(value_type, json, out, options); });
}

template <protocol Protocol>
void append_from_json(type value_type, std::string_view json, buffer& out,
                      const from_json_options& options = {}) {
  try_append_from_json<Protocol>(value_type, json, out, options).value();
}
void append_from_json(std::same_as<protocol_id> auto which, type value_type, std::string_view json,
                      buffer& out, const from_json_options& options = {}) {
  try_append_from_json(which, value_type, json, out, options).value();
}

/// Returns the bytes in a new buffer.
template <protocol Protocol>
[[nodiscard]] result<buffer> try_from_json(type value_type, std::string_view json,
                                           const from_json_options& options = {}) {
  buffer out;
  if (result<void> appended = try_append_from_json<Protocol>(value_type, json, out, options); !appended)
    return std::move(appended).error();
  return out;
}
[[nodiscard]] result<buffer> try_from_json(std::same_as<protocol_id> auto which, type value_type,
                                           std::string_view json, const from_json_options& options = {}) {
  return visit_protocol(which,
                        [&](auto tag) { return try_from_json<decltype(tag)>(value_type, json, options); });
}
template <protocol Protocol>
[[nodiscard]] buffer from_json(type value_type, std::string_view json,
                               const from_json_options& options = {}) {
  return try_from_json<Protocol>(value_type, json, options).value();
}
[[nodiscard]] buffer from_json(std::same_as<protocol_id> auto which, type value_type, std::string_view json,
                               const from_json_options& options = {}) {
  return try_from_json(which, value_type, json, options).value();
}

/// Deleted by a static_assert that explains the missing protocol.
template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
buffer from_json(type, const Text&, const from_json_options& = {}) {
  static_assert(!std::convertible_to<const Text&, std::string_view>,
                "thriftlens: from_json(type, text): say which bytes to write: from_json<binary>(…) or "
                "from_json<compact>(…)");
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/json/from_json.ipp>
#endif
