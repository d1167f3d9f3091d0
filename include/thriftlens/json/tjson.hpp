// tjson: Apache's JSON protocol, the third of its own: {"1":{"i32":7},"2":{"lst":["str",1,"a"]}}.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/schema/type.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

struct tjson_options {
  thriftlens::limits limits = {};
  /// Type of the value. The text has strings and binaries both as `str`, binaries in base64; the type
  /// separates them apart. Without it valid UTF-8 is written as text and other bytes as base64, and every
  /// `str` is read as text. If wire and type disagree, the wire counts.
  type of = {};
};

/// The protocol as an argument of convert(). Views and codecs do not accept it.
///
///     tl::buffer binary = tl::convert<tl::tjson, tl::binary>(text, {.of = order});
///     tl::buffer text = tl::convert<tl::compact, tl::tjson>(bytes);
struct tjson {
  /// A message: `[1,"name",1,7,{…}]`.
  struct message {
    std::string name;
    message_type type = message_type::call;
    std::int32_t sequence_id = 0;
    std::string_view body;   ///< the struct's text, borrowed from the message's; convert() checks it
    std::size_t offset = 0;  ///< of the body
  };

  /// Reads the header of a message that is the complete text; touches only the header and the end. Errors:
  /// json_syntax, bad_message (another version or type), json_type, integer_range, trailing_bytes.
  [[nodiscard]] static result<message> try_read_message(std::string_view text);
  [[nodiscard]] static message read_message(std::string_view text) { return try_read_message(text).value(); }
  /// Appends a message around the text of its struct. Errors: invalid_utf8 (the name).
  [[nodiscard]] static result<void> try_append_message(const message_header& header, std::string_view body,
                                                       buffer& out);
  static void append_message(const message_header& header, std::string_view body, buffer& out) {
    try_append_message(header, body, out).value();
  }
};

/// Converts a text of one struct, or one value of options.of, to Binary or Compact. Linear. Errors, with the
/// offset in the text and the output unchanged: json_syntax (also for a wrong container size), json_type,
/// bad_ttype, bad_field_id, negative_size, integer_range, double_range, bad_base64, bad_uuid, invalid_utf8,
/// trailing_bytes, size, depth and output limits.
template <std::same_as<tjson> From, protocol To>
[[nodiscard]] result<void> try_append_converted(std::string_view text, buffer& out,
                                                const tjson_options& options = {});
/// Converts one struct, or one value of options.of, to text. Linear. Errors, with the output unchanged: those
/// of the wire, invalid_utf8 for strings by the type, trailing_bytes, depth and output limits. Maps with
/// structs or containers as keys are written like Apache's, which is not JSON.
template <protocol From, std::same_as<tjson> To>
[[nodiscard]] result<void> try_append_converted(input_bytes bytes, buffer& out,
                                                const tjson_options& options = {});

template <std::same_as<tjson> From, protocol To>
void append_converted(std::string_view text, buffer& out, const tjson_options& options = {}) {
  try_append_converted<From, To>(text, out, options).value();
}
template <protocol From, std::same_as<tjson> To>
void append_converted(input_bytes bytes, buffer& out, const tjson_options& options = {}) {
  try_append_converted<From, To>(bytes, out, options).value();
}

/// Returns the result in a new buffer.
template <std::same_as<tjson> From, protocol To>
[[nodiscard]] result<buffer> try_convert(std::string_view text, const tjson_options& options = {}) {
  buffer out;
  result<void> appended = try_append_converted<From, To>(text, out, options);
  if (!appended) return std::move(appended).error();
  return out;
}
template <protocol From, std::same_as<tjson> To>
[[nodiscard]] result<buffer> try_convert(input_bytes bytes, const tjson_options& options = {}) {
  buffer out;
  result<void> appended = try_append_converted<From, To>(bytes, out, options);
  if (!appended) return std::move(appended).error();
  return out;
}
template <std::same_as<tjson> From, protocol To>
[[nodiscard]] buffer convert(std::string_view text, const tjson_options& options = {}) {
  return try_convert<From, To>(text, options).value();
}
template <protocol From, std::same_as<tjson> To>
[[nodiscard]] buffer convert(input_bytes bytes, const tjson_options& options = {}) {
  return try_convert<From, To>(bytes, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/json/tjson.ipp>
#endif
