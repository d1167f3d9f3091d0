// from_json: JSON text to Thrift bytes. Never needs a tree or padding, never changes the caller's buffer
// when it fails.
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

/// Appends the value's bytes (for anything but a struct: as an element of a list has them). The text must
/// hold one JSON value and nothing else. It is never copied and no byte after its end is read, so padding is
/// neither needed nor of use; a text that has simdjson's 32 or 64 bytes of it is passed as it is. Linear;
/// from 256 bytes on it takes 4 bytes of memory for each byte of text meanwhile, which the thread keeps for
/// texts up to 256 KiB. A struct or container as map
/// key is read from [key, value] pairs, or from an object whose keys are the JSON of the keys. Errors:
/// json_syntax, invalid_utf8, json_type, integer_range, double_range, unknown_key, duplicate_key,
/// bad_map_key, bad_base64, bad_uuid, unknown_enum_name, missing_required, union_members, limits.
template <protocol Protocol>
[[nodiscard]] result<void> try_append_from_json(type value_type, std::string_view json, buffer& out,
                                                const from_json_options& options = {});
/// The same with the protocol named at run time. A template so that only who calls it compiles both
/// protocols.
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

/// The same, into a buffer of its own.
template <protocol Protocol>
[[nodiscard]] result<buffer> try_from_json(type value_type, std::string_view json,
                                           const from_json_options& options = {}) {
  buffer out;
  if (result<void> done = try_append_from_json<Protocol>(value_type, json, out, options); !done)
    return std::move(done).error();
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

/// For the sentence alone.
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
