// session_calls: Session.call and Session.reply.
#include "rpc/session_calls.hpp"

#include "call/common_options.hpp"
#include "docs/session_docs.hpp"
#include "rpc/session_event_object.hpp"
#include "rpc/session_state.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/unlocked.hpp"

#include <optional>
#include <string>
#include <utility>

namespace thriftlens::python {

bool take_sequence_id(std::optional<std::int32_t>& to, const char* name, PyObject* value) {
  if (value == Py_None) return true;
  int overflow = 0;
  const long number = PyLong_AsLongAndOverflow(value, &overflow);
  if (number == -1 && PyErr_Occurred()) return false;
  to = static_cast<std::int32_t>(number);
  return (overflow == 0 && *to == number) || raise_value_error("%s must fit 32 bits", name);
}

namespace {

/// Not trivially copyable, so recent calls are not cached: most of it differs from call to call.
struct outgoing_call {
  session_headers headers;
  std::optional<std::int32_t> sequence_id;
  std::optional<double> deadline;
  std::uint64_t oneway = 0;
  PyObject* select = nullptr;
};
bool take_deadline(std::optional<double>& to, const char*, PyObject* value) {
  if (value == Py_None) return true;
  to = PyFloat_AsDouble(value);
  return *to != -1 || !PyErr_Occurred();
}
bool take_headers(session_headers& to, const char*, PyObject* value) { return to.take(value); }

constexpr auto call_table =
    table(converted<&take_sequence_id, &outgoing_call::sequence_id>("sequence_id", "None"),
          flag_or_number<&outgoing_call::oneway>("oneway", 1, 1),
          converted<&take_headers, &outgoing_call::headers>("headers", "None"),
          converted<&take_deadline, &outgoing_call::deadline>("deadline", "None"),
          any_object<&outgoing_call::select>("select"));
constexpr auto call_signature = named_signature<"call", call_table, "name", "arguments">;
bool take_name(PyObject* value, std::string_view& name) {
  if (PyUnicode_Check(value)) return utf8_of(value, name, errc::value_type, family::encode);
  return raise_type_error("name must be a str");
}
/// Selects the fields of a reply that the IDL does not declare, such as a new exception, which are never
/// trimmed.
selection undeclared_fields(type result) {
  std::string text = "{ *";
  for (const field_info field : result.fields()) text += " -#" + std::to_string(field.id());
  return selection::compile(result, text + " }");
}
/// Takes (type of the result, selection), or None.
bool take_selection(const session_state& at, PyObject* value, std::optional<reply_trim>& trim) {
  if (is_omitted(value)) return true;
  if (!is_pair(value) || !is_type(PyTuple_GET_ITEM(value, 0)))
    return raise_type_error("select must be a tuple of a thriftlens.Type and a selection");
  const type_object& of = type_of(PyTuple_GET_ITEM(value, 0));
  const std::optional<selection> selected = of.caches->selections.find(of.of, PyTuple_GET_ITEM(value, 1));
  if (!selected) return false;
  trim_options options;
  options.limits.depth = at.depth;
  trim.emplace(of.keys, *selected | undeclared_fields(of.of), options);
  return true;
}
/// A request without its name and arguments.
call_request request_of(const session_state& at, const outgoing_call& call) {
  call_request request;
  request.type = call.oneway != 0 ? message_type::oneway : message_type::call;
  request.sequence_id = call.sequence_id;
  request.deadline = call.deadline;
  request.headers = call.headers.entries();
  request.is_compressed = at.compress && at.of.transport() == transport_id::header;
  return request;
}
PyObject* call_method(PyObject* self, PyObject** positionals, const outgoing_call& call) {
  session_state& at = state_of(self);
  bytes_like data;
  call_request request = request_of(at, call);
  std::optional<reply_trim> trim;
  if (!take_name(positionals[0], request.name) || !data.take(positionals[1]) ||
      !take_selection(at, call.select, trim))
    return nullptr;
  request.arguments = data.bytes();
  if (trim) request.reply = delivery::open_parts;
  scratch_buffer memory;
  const result<std::int32_t> id = at.of.try_append_call(request, memory.get());
  if (!id) return raise_error(id.error());
  if (trim) at.trims.add(*id, *std::move(trim));
  return new_tuple(*id, bytes_from(memory.get()));
}

struct reply_call {
  session_headers headers;
};
constexpr auto reply_table = table(converted<&take_headers, &reply_call::headers>("headers", "None"));
constexpr auto reply_signature = named_signature<"reply", reply_table, "event", "kind", "data">;
bool take_kind(PyObject* value, message_type& kind) {
  return find_value(value, {message_type::reply, message_type::exception}, kind) ||
         raise_value_error("kind must be 'reply' or 'exception', not %s", shown(value).c_str());
}
PyObject* reply_method(PyObject* self, PyObject** positionals, const reply_call& call) {
  bytes_like data;
  message_type kind = message_type::reply;
  const session_event* const to = session_event_of(positionals[0]);
  if (to == nullptr || !take_kind(positionals[1], kind) || !data.take(positionals[2])) return nullptr;
  return bytes_of(0, [&](buffer& out) {
    return session_of(self).try_append_reply(*to, kind, data.bytes(), out, call.headers.entries());
  });
}

}  // namespace

std::span<const method> session_call_methods() {
  static const method methods[] = {method_in_turn<call_signature, call_method>(session_call_doc),
                                   method_in_turn<reply_signature, reply_method>(session_reply_doc)};
  return methods;
}

}  // namespace thriftlens::python
