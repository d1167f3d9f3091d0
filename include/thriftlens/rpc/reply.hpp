// reply: what came back of a call: the result, a declared exception or an application exception.
// In: a function of the IDL, the struct of a reply. Out: which of the three, as a view.
// Never decodes what nobody asks for.
#pragma once

#include <thriftlens/rpc/application_exception.hpp>
#include <thriftlens/rpc/message.hpp>
#include <thriftlens/schema/service.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What came back of a call. Borrows from the bytes of the reply and from the schema.
template <protocol P>
struct reply {
  enum class kind : std::uint8_t {
    result,       ///< `value`; of a void function a view of nothing
    declared,     ///< an exception of the IDL: `thrown` and `value`
    application,  ///< `refusal`
  };

  kind what = kind::result;
  view<P> value = {};      ///< paths and offsets of errors in it count in the reply's struct
  field_info thrown = {};  ///< which one: its name in `throws`, its type
  application_exception refusal = {};

  /// A result, or the end of a void function.
  [[nodiscard]] explicit operator bool() const noexcept { return what == kind::result; }
  /// The end of a void function, or of a oneway call: `value` views nothing, and is `null` as JSON.
  [[nodiscard]] bool is_void() const noexcept { return what == kind::result && !value.has_bytes(); }
};

namespace detail {

/// A function that streams is no call with one message and one reply.
[[nodiscard]] inline std::optional<error> refuse_streaming(const function_info& function) {
  if (function.streaming() == streaming_mode::none) return std::nullopt;
  return error(errc::streaming, std::string(function.name()) + " streams (" +
                                    std::string(to_string(function.streaming())) +
                                    "): it is no call with one message and one reply");
}
[[nodiscard]] inline std::optional<error> refuse_no_reply(const function_info& function) {
  if (function.oneway()) return error(errc::wrong_type, "a oneway function has no reply");
  return refuse_streaming(function);
}
/// A message that is no reply to that call.
[[nodiscard]] inline std::optional<error> refuse_reply(const message_header& header,
                                                       const function_info& function,
                                                       std::int32_t sequence_id) {
  if (header.type != message_type::reply && header.type != message_type::exception)
    return error(errc::bad_message,
                 "a message of kind " + std::string(to_string(header.type)) + " where a reply must be", 0);
  if (header.sequence_id != sequence_id) return error(errc::bad_sequence_id, {}, 0);
  if (header.name != function.name()) return error(errc::wrong_method_name, {}, 0);
  return std::nullopt;
}
/// A field of the struct of a result.
template <protocol P>
[[nodiscard]] reply<P> open_field(const field_item<P>& of) {
  reply<P> made;
  made.value = of.value;
  if (of.id == 0) return made;
  made.what = reply<P>::kind::declared;
  made.thrown = of.info;
  return made;
}
/// What is set of the struct of a result.
template <protocol P>
[[nodiscard]] result<reply<P>> open_result(function_info function, byte_view body) {
  const view<P> all(body, function.result());
  auto fields = all.try_fields();
  std::optional<reply<P>> found;
  for (const auto& each : fields) {
    if (!each.info) continue;
    if (found) return error(errc::union_members, "a reply with more than one result", 0, "$");
    found = open_field(each);
  }
  if (fields.code() != errc::ok) return fields.error();
  if (found) return *std::move(found);
  if (function.returns().kind() == type_kind::void_) return reply<P>{};
  return error(errc::missing_required, "neither a result nor an exception", 0, "$.success");
}

}  // namespace detail

/// The reply to a function in the struct of a message of kind reply or exception. Errors: missing_required
/// where a function that returns something has neither result nor exception, union_members where it has more
/// than one, faults of the bytes.
template <protocol P>
[[nodiscard]] result<reply<P>> try_open_reply(function_info function, message_type kind, byte_view body) {
  if (kind != message_type::exception) return detail::open_result<P>(function, body);
  result<application_exception> refusal = try_read_application_exception<P>(body);
  if (!refusal) return std::move(refusal).error();
  return reply<P>{reply<P>::kind::application, {}, {}, *std::move(refusal)};
}
template <protocol P>
[[nodiscard]] reply<P> open_reply(function_info function, message_type kind, byte_view body) {
  return try_open_reply<P>(function, kind, body).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
