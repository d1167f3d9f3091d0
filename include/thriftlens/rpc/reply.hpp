// reply: the reply to a call: result, declared exception or application exception.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/rpc/application_exception.hpp>
#include <thriftlens/rpc/framed_message.hpp>
#include <thriftlens/rpc/message.hpp>
#include <thriftlens/schema/service.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class reply_kind : std::uint8_t {
  result,       ///< the result, or nothing for a void function
  declared,     ///< an exception that the function declares
  application,  ///< an application exception
};

/// The reply to a call. Borrows from the bytes of the reply and from the schema.
template <protocol P>
struct reply {
  reply_kind kind = reply_kind::result;
  view<P> value = {};      ///< result or declared exception; error offsets count from the reply's struct
  field_info thrown = {};  ///< the declared exception: name in `throws`, type
  application_exception refusal = {};

  /// Whether the call returned without an exception.
  [[nodiscard]] explicit operator bool() const noexcept { return kind == reply_kind::result; }
  /// Whether a void or oneway function returned: `value` is empty, `null` as JSON.
  [[nodiscard]] bool is_void() const noexcept { return kind == reply_kind::result && !value.has_bytes(); }
};

namespace detail {

/// The error for a streaming function: only calls with one message and one reply are supported.
[[nodiscard]] inline std::optional<error> refuse_streaming(const function_info& function) {
  if (function.streaming() == streaming_mode::none) return std::nullopt;
  return error(errc::streaming, joined({"unsupported streaming function ", function.name(), " (",
                                        to_string(function.streaming()), ")"}));
}
[[nodiscard]] inline std::optional<error> refuse_no_reply(const function_info& function) {
  if (function.oneway()) return error(errc::wrong_type, "a oneway function has no reply");
  return refuse_streaming(function);
}
/// The error for a message that is not the reply to that call.
[[nodiscard]] inline std::optional<error> refuse_reply(const message_header& header,
                                                       const function_info& function,
                                                       std::int32_t sequence_id, std::string_view service) {
  if (header.type != message_type::reply && header.type != message_type::exception)
    return error(errc::bad_message,
                 joined({"expected a reply, found a message of kind ", to_string(header.type)}), 0);
  if (header.sequence_id != sequence_id)
    return error(errc::bad_sequence_id,
                 joined({"expected a reply with sequence id ", sequence_id, ", found ", header.sequence_id}),
                 0);
  if (!is_reply_name(header.name, service, function.name()))
    return error(errc::wrong_method_name,
                 joined({"expected a reply to ", function.name(), ", found one to ", in_quotes(header.name)}),
                 0);
  return std::nullopt;
}
/// The error for a field that the function does not declare, usually an exception of a newer IDL.
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD error undeclared_field(std::string_view function, const field_item<P>& field) {
  return error(
      errc::unknown_field,
      joined({"the reply to ", function, " has field ", field.id, " (", to_string(field.value.wire()),
              "), which is not in the IDL; a newer IDL may declare an exception there"}),
      field.value.offset(), field.value.path());
}
/// The field that is set in a result struct; nullopt if there is none. Errors: unknown_field, union_members
/// for more than one field, malformed bytes.
template <protocol P>
[[nodiscard]] result<std::optional<field_item<P>>> find_result_field(std::string_view function, type of,
                                                                     byte_view body,
                                                                     const limits& bounds = {}) {
  const view<P> all(body, of, bounds);
  auto fields = all.try_fields();
  std::optional<field_item<P>> found;
  std::optional<error> undeclared;
  for (const auto& field : fields) {
    if (!field.info) {
      if (!undeclared) undeclared = undeclared_field<P>(function, field);
      continue;
    }
    if (found) return error(errc::union_members, "the reply has more than one result", 0, "$");
    found = field;
  }
  if (fields.code() != errc::ok) return fields.error();
  const bool is_thrown = found && found->id != 0;
  if (undeclared && !is_thrown) return *undeclared;
  return found;
}
/// Reads a result struct.
template <protocol P>
[[nodiscard]] result<reply<P>> open_result(function_info function, byte_view body) {
  const auto field = find_result_field<P>(function.name(), function.result(), body);
  if (!field) return field.error();
  reply<P> opened;
  if (*field) {
    opened.value = (*field)->value;
    if ((*field)->id == 0) return opened;
    opened.kind = reply_kind::declared;
    opened.thrown = (*field)->info;
    return opened;
  }
  if (function.returns().kind() == type_kind::void_) return opened;
  return error(errc::missing_required, "neither a result nor an exception", 0, "$.success");
}

}  // namespace detail

/// Reads the reply to a function from the struct of a message of kind reply or exception. Errors:
/// missing_required for a non-void function without result and exception, union_members for more than one,
/// unknown_field for a field that the function does not declare, malformed bytes.
template <protocol P>
[[nodiscard]] result<reply<P>> try_open_reply(function_info function, message_type kind, byte_view body) {
  if (kind != message_type::exception) return detail::open_result<P>(function, body);
  result<application_exception> refusal = try_read_application_exception<P>(body);
  if (!refusal) return std::move(refusal).error();
  return reply<P>{reply_kind::application, {}, {}, *std::move(refusal)};
}
template <protocol P>
[[nodiscard]] reply<P> open_reply(function_info function, message_type kind, byte_view body) {
  return try_open_reply<P>(function, kind, body).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
