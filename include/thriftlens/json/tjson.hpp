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
  /// The value's type. The text calls strings and binaries `str` both, and has binaries in base64: the type
  /// says which are. Without one, bytes that are UTF-8 become text and others base64, and all text of a
  /// `str` becomes its bytes. Where the wire contradicts the type, the wire counts.
  type of = {};
};

/// The protocol's name for convert(): its text is neither read in place nor written by pieces, so it is none
/// of the protocols that views and codecs take; convert it.
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

  /// Reads the header of a message that is all of the text. Errors: json_syntax, bad_message (another
  /// version, no such type), json_type, integer_range, trailing_bytes. Bytes touched: the header's and the
  /// last ones.
  [[nodiscard]] static result<message> try_read_message(std::string_view text);
  [[nodiscard]] static message read_message(std::string_view text) { return try_read_message(text).value(); }
  /// Appends a message around the text of its struct. Errors: invalid_utf8 (the name).
  [[nodiscard]] static result<void> try_append_message(const message_header& header, std::string_view body,
                                                       buffer& out);
  static void append_message(const message_header& header, std::string_view body, buffer& out) {
    try_append_message(header, body, out).value();
  }
};

/// Appends the text of one struct, or value of options.of, and nothing else, as Binary or Compact. Linear;
/// text of 256 bytes and more takes 4 bytes of memory a byte while it is read. Errors, with the place in the
/// text: json_syntax (a container's size that is not that of its elements too), json_type, bad_ttype,
/// bad_field_id, negative_size, integer_range, double_range, bad_base64, bad_uuid, invalid_utf8,
/// trailing_bytes, size, depth and output limits; output as before.
template <std::same_as<tjson> From, protocol To>
[[nodiscard]] result<void> try_append_converted(std::string_view text, buffer& out,
                                                const tjson_options& options = {});
/// Appends one struct, or value of options.of, and nothing else, as text. Linear. Errors: those of the wire,
/// invalid_utf8 where the type says string, trailing_bytes, depth and output limits; output as before.
/// Structs and containers as map keys become what Apache writes and reads, which is not JSON.
template <protocol From, std::same_as<tjson> To>
[[nodiscard]] result<void> try_append_converted(byte_view bytes, buffer& out,
                                                const tjson_options& options = {});

template <std::same_as<tjson> From, protocol To>
void append_converted(std::string_view text, buffer& out, const tjson_options& options = {}) {
  try_append_converted<From, To>(text, out, options).value();
}
template <protocol From, std::same_as<tjson> To>
void append_converted(byte_view bytes, buffer& out, const tjson_options& options = {}) {
  try_append_converted<From, To>(bytes, out, options).value();
}

/// The same, into a buffer of its own.
template <std::same_as<tjson> From, protocol To>
[[nodiscard]] result<buffer> try_convert(std::string_view text, const tjson_options& options = {}) {
  buffer out;
  result<void> done = try_append_converted<From, To>(text, out, options);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol From, std::same_as<tjson> To>
[[nodiscard]] result<buffer> try_convert(byte_view bytes, const tjson_options& options = {}) {
  buffer out;
  result<void> done = try_append_converted<From, To>(bytes, out, options);
  if (!done) return std::move(done).error();
  return out;
}
template <std::same_as<tjson> From, protocol To>
[[nodiscard]] buffer convert(std::string_view text, const tjson_options& options = {}) {
  return try_convert<From, To>(text, options).value();
}
template <protocol From, std::same_as<tjson> To>
[[nodiscard]] buffer convert(byte_view bytes, const tjson_options& options = {}) {
  return try_convert<From, To>(bytes, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/json/tjson.ipp>
#endif
