// answer: the side of a server: a call by its bytes, and the message that answers it. Never calls
// anything, never a socket.
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

/// A call of a function of a service. Borrows from its bytes and from the schema.
template <protocol P>
struct incoming_call {
  function_info function;
  view<P> arguments;
  message_header header;
  service_info service;  ///< the one that the call names, else the first one that has the function
};

namespace detail {

struct called_function {
  service_info service;
  function_info function;
};

/// The name of a service without the file that declares it, as calls of multiplexed servers have it.
[[nodiscard]] inline std::string short_name(const service_info& service) {
  std::string name = service.name();
  return name.substr(name.rfind('.') + 1);
}
/// The services that a call may mean: the one that its name begins with, else all. Error: unknown_name.
[[nodiscard]] inline result<std::span<const service_info>> find_services(
    std::span<const service_info> services, std::string_view prefix) {
  if (prefix.empty()) return services;
  std::string names;
  for (const service_info& service : services) {
    const std::string name = short_name(service);
    if (name == prefix) return std::span<const service_info>(&service, 1);
    names += (names.empty() ? "" : ", ") + name;
  }
  return error(errc::unknown_name, joined({"no service '", prefix, "'; the services are ", names}));
}
/// The function that a message calls, as "function" or "Service:function".
[[nodiscard]] inline result<called_function> find_called(std::span<const service_info> services,
                                                         const message_header& header) {
  if (header.type != message_type::call && header.type != message_type::oneway)
    return error(errc::bad_message,
                 joined({"a message of kind ", to_string(header.type), " where a call must be"}), 0);
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
    if (const std::optional<error> why = refuse_streaming(*function)) return *why;
    return called_function{service, *function};
  }
  return missing ? *missing : error(errc::unknown_name, "the server has no services");
}

}  // namespace detail

/// Takes a call apart. A call of a multiplexed server is named "Service:function"; without a service in front
/// the first service that has the function is meant. Errors: unknown_name for a service or function that
/// there is not (answer application_error::unknown_method), bad_message for a message that is no call,
/// bad_option for the framing, streaming, faults of the bytes. The contents of the arguments are looked at
/// when they are asked for.
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
/// The same for a server of one service.
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

/// "missing argument 'a'" if a handler failed with the error of reading a value that the arguments lack; else
/// empty.
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD std::string missing_argument_text(const view<P>& arguments, const error& why) {
  if (why.code() != errc::absent && why.code() != errc::bad_index) return {};
  const result<path> way = path::try_compile(arguments.type(), why.path());
  if (!way || arguments.at(*way).error() != why) return {};
  if (way->steps().size() == 1) return joined({"missing argument ", in_quotes(why.path().substr(2))});
  return joined({"missing value in the arguments at ", why.path()});
}

/// Appends the struct of a result in which one field is set.
template <protocol P, class T>
[[nodiscard]] result<void> append_result(buffer& out, field_info field, const T& value) {
  std::int16_t last = 0;
  const ttype wire = field.type().wire();
  if (P::traits.has_inline_bool && wire == ttype::bool_) {
    buffer bytes;
    if (result<void> done = append_call_value<P>(bytes, field.type(), value); !done) return done;
    append_raw_field<P>(out, {wire, field.id()}, bytes, last);
  } else {
    out.commit(put_header<P>(out.prepare(P::field_room), {wire, field.id()}, false, last));
    if (result<void> done = append_call_value<P>(out, field.type(), value); !done) return done;
  }
  out.commit(P::put_stop(out.prepare(1)));
  return {};
}
/// A field that an exception has in the result of the function.
[[nodiscard]] inline result<field_info> find_thrown(const function_info& function, std::string_view name) {
  const result<field_info> found = function.result().try_field(name);
  if (found && found->id() == 0) return error(errc::no_such_field, "success is not an exception");
  return found;
}

}  // namespace detail

/// Appends the struct of a reply: the value that the function returns (as arguments of write_call are given),
/// or no_value{} where that is none. After an error `out` is as before. Errors: value_type for a value of a
/// void function and for none of another, those of the value.
template <protocol P, class T>
[[nodiscard]] result<void> try_append_result(function_info function, const T& value, buffer& out) {
  const bool is_void = function.returns().kind() == type_kind::void_;
  if (is_void != std::same_as<T, no_value>)
    return error(errc::value_type, is_void ? "a void function returns nothing: no_value{}"
                                           : "the function returns a value, not no_value{}");
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
/// The same with an exception that the function declares, by its name in `throws`. Errors: no_such_field with
/// the nearest name, those of the value.
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

/// The message that answers a call with a result: see try_append_result(). `service`: for clients that expect
/// the name "Service:function"; Apache's expect "function". Errors: also bad_option for the framing,
/// streaming, wrong_type (oneway).
template <protocol P, class T>
[[nodiscard]] result<buffer> try_write_reply(function_info function, const T& value,
                                             std::int32_t sequence_id = 0,
                                             transport_id framing = transport_id::buffered,
                                             std::string_view service = {}) {
  if (const std::optional<error> why = detail::refuse_no_reply(function)) return *why;
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
/// With an exception that the function declares: see try_append_thrown().
template <protocol P, class T>
[[nodiscard]] result<buffer> try_write_thrown(function_info function, std::string_view name, const T& value,
                                              const message_frame& frame = {}) {
  if (const std::optional<error> why = detail::refuse_no_reply(function)) return *why;
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
/// With an application exception; `name` is that of the call, of which a service in front is dropped as in
/// every reply. Errors: bad_option for the framing.
template <protocol P>
[[nodiscard]] result<buffer> try_write_exception(std::string_view name, const application_exception& why,
                                                 const message_frame& frame = {}) {
  buffer out;
  const auto body = [&](buffer& to) -> result<void> {
    append_application_exception<P>(why.message, why.code, to);
    return {};
  };
  result<void> done = detail::append_message<P>(
      {detail::function_name(name), message_type::exception, frame.sequence_id}, frame.framing, out, body);
  if (!done) return std::move(done).error();
  return out;
}
template <protocol P>
[[nodiscard]] buffer write_exception(std::string_view name, const application_exception& why,
                                     const message_frame& frame = {}) {
  return try_write_exception<P>(name, why, frame).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
