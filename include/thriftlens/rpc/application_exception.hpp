// application_exception: Thrift's TApplicationException, the reply to a call that a server cannot execute.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/print.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Codes of TApplicationException.
enum class application_error : std::int32_t {
  unknown,
  unknown_method,
  invalid_message_type,
  wrong_method_name,
  bad_sequence_id,
  missing_result,
  internal_error,
  protocol_error,
  invalid_transform,
  invalid_protocol,
  unsupported_client_type,
};

/// "unknown_method"; "unknown" for other numbers.
[[nodiscard]] constexpr std::string_view to_string(application_error code) noexcept {
  constexpr std::string_view names[] = {"unknown",           "unknown_method",         "invalid_message_type",
                                        "wrong_method_name", "bad_sequence_id",        "missing_result",
                                        "internal_error",    "protocol_error",         "invalid_transform",
                                        "invalid_protocol",  "unsupported_client_type"};
  const auto number = static_cast<std::size_t>(code);
  return names[number < sizeof names / sizeof names[0] ? number : 0];
}
template <>
inline constexpr bool detail::is_printed<application_error> = true;

/// Thrift's TApplicationException.
struct application_exception {
  std::string message;
  application_error code = application_error::unknown;

  friend bool operator==(const application_exception&, const application_exception&) noexcept = default;
};

namespace detail {

/// Reads or skips one field. False on an error, which the reader stores.
template <class Reader>
[[nodiscard]] bool read_exception_field(Reader& in, const field_header& field, application_exception& to) {
  std::string_view text;
  std::int32_t code = 0;
  if (field.id == 1 && field.type == ttype::string) {
    if (!in.read_bytes(text)) return false;
    to.message = text;
    return true;
  }
  if (field.id != 2 || field.type != ttype::i32) return in.skip(field.type);
  if (!in.read_i32(code)) return false;
  to.code = static_cast<application_error>(code);
  return true;
}

}  // namespace detail

/// Reads the struct of an exception message. Skips unknown fields and fields of another type, as Apache's
/// libraries do. Errors: malformed bytes, trailing_bytes.
template <protocol P>
[[nodiscard]] result<application_exception> try_read_application_exception(input_bytes body,
                                                                           const limits& bounds = {}) {
  typename P::reader in(body, bounds);
  application_exception read;
  field_header field;
  static_cast<void>(in.begin_struct());
  while (in.read_field(field) && field.type != ttype::stop) {
    if (!detail::read_exception_field(in, field, read)) break;
  }
  if (!in.failed() && !in.at_end()) static_cast<void>(in.reject(errc::trailing_bytes));
  if (in.failed()) return error(in.fault().code, {}, in.fault().offset);
  return read;
}
template <protocol P>
[[nodiscard]] application_exception read_application_exception(input_bytes body, const limits& bounds = {}) {
  return try_read_application_exception<P>(body, bounds).value();
}

/// Appends the struct without a message header.
template <protocol P>
void append_application_exception(std::string_view message, application_error code, buffer& out) {
  if (detail::overlaps(byte_view(message), out))
    return append_application_exception<P>(std::string(message), code, out);
  typename P::writer to(out);
  const struct_mark outer = to.begin_struct();
  to.write_field(ttype::string, 1);
  to.write_bytes(byte_view(message));
  to.write_field(ttype::i32, 2);
  to.write_i32(static_cast<std::int32_t>(code));
  to.write_stop();
  to.end_struct(outer);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
