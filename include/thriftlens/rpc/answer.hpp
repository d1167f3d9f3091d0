// answer: the server side of RPC: reads the bytes of a call and writes the bytes of its reply.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/rpc/call_value.hpp>
#include <thriftlens/rpc/framed_message.hpp>
#include <thriftlens/rpc/reply.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/transport/session_event.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A received call. Borrows its bytes and the schema.
template <protocol P>
struct incoming_call {
  function_info function;
  view<P> arguments;
  message_header header;
  service_info service;  ///< the service named by the call, else the first that has the function
};

namespace detail {

struct called_function {
  service_info service;
  function_info function;
};

/// The service name without its file, as used in multiplexed calls.
[[nodiscard]] inline std::string short_name(const service_info& service) {
  std::string name = service.name();
  return name.substr(name.rfind('.') + 1);
}
/// The service named `prefix`, or all services if it is empty. Errors: unknown_name.
[[nodiscard]] inline result<std::span<const service_info>> find_services(
    std::span<const service_info> services, std::string_view prefix) {
  if (prefix.empty()) return services;
  std::string names;
  for (const service_info& service : services) {
    const std::string name = short_name(service);
    if (name == prefix) return std::span<const service_info>(&service, 1);
    names += (names.empty() ? "" : ", ") + name;
  }
  return error(errc::unknown_name, joined({"no service '", prefix, "'; expected one of ", names}));
}
/// Looks up the function that a message calls by "function" or "Service:function".
[[nodiscard]] inline result<called_function> find_called(std::span<const service_info> services,
                                                         const message_header& header) {
  if (header.type != message_type::call && header.type != message_type::oneway)
    return error(errc::bad_message,
                 joined({"expected a call, found a message of kind ", to_string(header.type)}), 0);
  const std::size_t colon = header.name.rfind(':');
  const bool is_multiplexed = colon != std::string_view::npos;
  const auto candidates =
      find_services(services, is_multiplexed ? header.name.substr(0, colon) : std::string_view());
  if (!candidates) return candidates.error();
  const std::string_view name = is_multiplexed ? header.name.substr(colon + 1) : header.name;
  std::optional<error> missing;
  for (const service_info& service : *candidates) {
    const result<function_info> function = service.try_function(name);
    if (!function) {
      if (!missing) missing = function.error();
      continue;
    }
    if (const std::optional<error> reason = refuse_streaming(*function)) return *reason;
    return called_function{service, *function};
  }
  return missing ? *missing : error(errc::unknown_name, "the server has no services");
}

}  // namespace detail

/// Reads a call. Multiplexed calls are named "Service:function"; a name without a service means the first
/// service that has the function. The arguments are parsed on access. Errors: unknown_name for an unknown
/// service or function (reply with application_error::unknown_method), bad_message if the message is not a
/// call, bad_option for the framing, streaming, malformed bytes.
template <protocol P>
[[nodiscard]] result<incoming_call<P>> try_read_call(std::span<const service_info> services, byte_view bytes,
                                                     transport_id framing = transport_id::buffered,
                                                     const limits& bounds = {}) {
  const result<byte_view> inside = detail::open_frame(bytes, framing);
  if (!inside) return inside.error();
  const result<message> read = try_read_message<P>(*inside, bounds);
  if (!read) return read.error();
  const result<detail::called_function> called = detail::find_called(services, read->header);
  if (!called) return called.error();
  return incoming_call<P>{called->function, view<P>(read->body, called->function.arguments(), bounds),
                          read->header, called->service};
}
template <protocol P>
[[nodiscard]] incoming_call<P> read_call(std::span<const service_info> services, byte_view bytes,
                                         transport_id framing = transport_id::buffered,
                                         const limits& bounds = {}) {
  return try_read_call<P>(services, bytes, framing, bounds).value();
}
/// Overload for a server with one service.
template <protocol P>
[[nodiscard]] result<incoming_call<P>> try_read_call(service_info service, byte_view bytes,
                                                     transport_id framing = transport_id::buffered,
                                                     const limits& bounds = {}) {
  return try_read_call<P>(std::span<const service_info>(&service, 1), bytes, framing, bounds);
}
template <protocol P>
[[nodiscard]] incoming_call<P> read_call(service_info service, byte_view bytes,
                                         transport_id framing = transport_id::buffered,
                                         const limits& bounds = {}) {
  return try_read_call<P>(service, bytes, framing, bounds).value();
}

namespace detail {

/// "missing argument 'a'" if `reason` is the error of reading a value that is absent in the arguments; else
/// empty.
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD std::string missing_argument_text(const view<P>& arguments,
                                                                const error& reason) {
  if (reason.code() != errc::absent && reason.code() != errc::bad_index) return {};
  const result<path> way = path::try_compile(arguments.type(), reason.path());
  if (!way || arguments.at(*way).error() != reason) return {};
  if (way->steps().size() == 1) return joined({"missing argument ", in_quotes(reason.path().substr(2))});
  return joined({"missing value in the arguments at ", reason.path()});
}

/// Appends a result struct with one field.
template <protocol P, class T>
[[nodiscard]] result<void> append_result(buffer& out, field_info field, const T& value) {
  std::int16_t last = 0;
  const ttype wire = field.type().wire();
  if (P::traits.has_inline_bool && wire == ttype::bool_) {
    buffer bytes;
    if (result<void> done = append_call_value<P>(bytes, field.type(), value); !done) return done;
    append_raw_field<P>(out, {wire, field.id()}, bytes, last);
  } else {
    out.commit(put_header<P>(out.prepare(P::max_field_header), {wire, field.id()}, false, last));
    if (result<void> done = append_call_value<P>(out, field.type(), value); !done) return done;
  }
  out.commit(P::put_stop(out.prepare(1)));
  return {};
}
/// The field of a declared exception in the result struct.
[[nodiscard]] inline result<field_info> find_thrown(const function_info& function, std::string_view name) {
  const result<field_info> found = function.result().try_field(name);
  if (found && found->id() == 0) return error(errc::no_such_field, "success is not an exception");
  return found;
}

}  // namespace detail

/// Appends the result struct of a reply. `value` is the return value, in any form that write_call() accepts,
/// or no_value{} for a void function. After an error `out` is unchanged. Errors: value_type if a void
/// function has a value or another function has none, those of encoding the value.
template <protocol P, class T>
[[nodiscard]] result<void> try_append_result(function_info function, const T& value, buffer& out) {
  const bool is_void = function.returns().kind() == type_kind::void_;
  if (is_void != std::same_as<T, no_value>)
    return error(errc::value_type, is_void ? "expected no_value{}: the function is void"
                                           : "expected a value, found no_value{}");
  if (detail::lies_in(value, out)) return detail::overlap_error();
  detail::rollback guard(out);
  result<void> done;
  if constexpr (std::same_as<T, no_value>)
    out.commit(P::put_stop(out.prepare(1)));
  else
    done = detail::append_result<P>(out, function.result().find_field(std::int16_t{0}), value);
  if (done) guard.keep();
  return done;
}
template <protocol P, class T>
void append_result(function_info function, const T& value, buffer& out) {
  try_append_result<P>(function, value, out).value();
}
/// Appends the result struct with a declared exception; `name` is its name in `throws`. Errors: no_such_field
/// with the nearest name, those of encoding the value.
template <protocol P, class T>
[[nodiscard]] result<void> try_append_thrown(function_info function, std::string_view name, const T& value,
                                             buffer& out) {
  const result<field_info> field = detail::find_thrown(function, name);
  if (!field) return field.error();
  if (detail::lies_in(value, out)) return detail::overlap_error();
  detail::rollback guard(out);
  result<void> done = detail::append_result<P>(out, *field, value);
  if (done) guard.keep();
  return done;
}
template <protocol P, class T>
void append_thrown(function_info function, std::string_view name, const T& value, buffer& out) {
  try_append_thrown<P>(function, name, value, out).value();
}

/// Writes a reply message with a result, see try_append_result(). `service`: set it for clients that expect
/// the name "Service:function"; Apache's clients expect "function". Additional errors: bad_option for the
/// framing, streaming, wrong_type for oneway functions.
template <protocol P, class T>
[[nodiscard]] result<buffer> try_write_reply(function_info function, const T& value,
                                             std::int32_t sequence_id = 0,
                                             transport_id framing = transport_id::buffered,
                                             std::string_view service = {}) {
  if (const std::optional<error> reason = detail::refuse_no_reply(function)) return *reason;
  buffer out;
  const std::string name = detail::qualified_call(service, function.name());
  const auto body = [&](buffer& to) { return try_append_result<P>(function, value, to); };
  result<void> done = detail::append_message<P>({name, message_type::reply, sequence_id}, framing, out, body);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol P, class T>
[[nodiscard]] buffer write_reply(function_info function, const T& value, std::int32_t sequence_id = 0,
                                 transport_id framing = transport_id::buffered,
                                 std::string_view service = {}) {
  return try_write_reply<P>(function, value, sequence_id, framing, service).value();
}
/// Writes a reply message with a declared exception, see try_append_thrown().
template <protocol P, class T>
[[nodiscard]] result<buffer> try_write_thrown(function_info function, std::string_view name, const T& value,
                                              const message_frame& frame = {}) {
  if (const std::optional<error> reason = detail::refuse_no_reply(function)) return *reason;
  buffer out;
  const auto body = [&](buffer& to) { return try_append_thrown<P>(function, name, value, to); };
  const std::string named = detail::qualified_call(frame.service, function.name());
  result<void> done =
      detail::append_message<P>({named, message_type::reply, frame.sequence_id}, frame.framing, out, body);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol P, class T>
[[nodiscard]] buffer write_thrown(function_info function, std::string_view name, const T& value,
                                  const message_frame& frame = {}) {
  return try_write_thrown<P>(function, name, value, frame).value();
}
/// Writes an application exception. `name` is the name of the call; a service prefix is removed, as in all
/// replies. Errors: bad_option for the framing.
template <protocol P>
[[nodiscard]] result<buffer> try_write_exception(std::string_view name, const application_exception& reason,
                                                 const message_frame& frame = {}) {
  buffer out;
  const auto body = [&](buffer& to) -> result<void> {
    append_application_exception<P>(reason.message, reason.code, to);
    return {};
  };
  result<void> done = detail::append_message<P>(
      {detail::function_name(name), message_type::exception, frame.sequence_id}, frame.framing, out, body);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol P>
[[nodiscard]] buffer write_exception(std::string_view name, const application_exception& reason,
                                     const message_frame& frame = {}) {
  return try_write_exception<P>(name, reason, frame).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
