// session_calls: Session.call and Session.reply.
#include "rpc/session_calls.hpp"

#include "call/spelling.hpp"
#include "docs/session_docs.hpp"
#include "rpc/session_event_object.hpp"
#include "rpc/session_state.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_from.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/scratch_buffer.hpp"

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
  if (overflow == 0 && *to == number) return true;
  PyErr_Format(PyExc_ValueError, "%s must fit 32 bits", name);
  return false;
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

const signature_of<outgoing_call>& call_signature() {
  static constexpr positional list[] = {{"name"}, {"arguments"}};
  static constexpr auto options =
      table(converted<&take_sequence_id, &outgoing_call::sequence_id>("sequence_id", "None"),
            flag_or_number<&outgoing_call::oneway>("oneway", 1, 1),
            converted<&take_headers, &outgoing_call::headers>("headers", "None"),
            converted<&take_deadline, &outgoing_call::deadline>("deadline", "None"),
            any_object<&outgoing_call::select>("select"));
  static const signature_of<outgoing_call> signature("call", {list, true}, options);
  return signature;
}
bool take_name(PyObject* value, std::string_view& name) {
  if (PyUnicode_Check(value)) return utf8_of(value, name, errc::value_type, family::encode);
  PyErr_SetString(PyExc_TypeError, "name must be a str");
  return false;
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
  if (value == nullptr || value == Py_None) return true;
  const bool is_pair =
      PyTuple_Check(value) && PyTuple_GET_SIZE(value) == 2 && is_type(PyTuple_GET_ITEM(value, 0));
  if (!is_pair) {
    PyErr_SetString(PyExc_TypeError, "select must be a tuple of a thriftlens.Type and a selection");
    return false;
  }
  const type_object& of = type_of(PyTuple_GET_ITEM(value, 0));
  const std::optional<selection> selected = of.caches->selections.find(of.of, PyTuple_GET_ITEM(value, 1));
  if (!selected) return false;
  const selection extended = *selected | undeclared_fields(of.of);
  trim_options options;
  options.limits.depth = at.depth;
  trim.emplace(of.keys, extended, options);
  return true;
}
PyObject* call_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  outgoing_call call;
  bytes_like data;
  call_request request;
  if (!call_signature().read(args, positionals, call) || !take_name(positionals[0], request.name) ||
      !data.take(positionals[1]))
    return nullptr;
  request.arguments = data.bytes();
  request.type = call.oneway != 0 ? message_type::oneway : message_type::call;
  request.sequence_id = call.sequence_id;
  request.deadline = call.deadline;
  request.headers = call.headers.entries();
  session_state& at = state_of(self);
  request.is_compressed = at.compress && at.of.transport() == transport_id::header;
  std::optional<reply_trim> trim;
  if (!take_selection(at, call.select, trim)) return nullptr;
  if (trim) request.reply = delivery::open_parts;
  scratch_buffer memory;
  const result<std::int32_t> id = at.of.try_append_call(request, memory.get());
  if (!id) return raise_error(id.error());
  if (trim) at.trims.add(*id, *std::move(trim));
  object bytes(bytes_from(memory.get()));
  object number(PyLong_FromLong(*id));
  return bytes && number ? PyTuple_Pack(2, number.get(), bytes.get()) : nullptr;
}

struct reply_call {
  session_headers headers;
};
const signature_of<reply_call>& reply_signature() {
  static constexpr positional list[] = {{"event"}, {"kind"}, {"data"}};
  static constexpr auto options = table(converted<&take_headers, &reply_call::headers>("headers", "None"));
  static const signature_of<reply_call> signature("reply", {list, true}, options);
  return signature;
}
bool take_kind(PyObject* value, message_type& kind) {
  for (const message_type candidate : {message_type::reply, message_type::exception}) {
    kind = candidate;
    if (PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, to_string(candidate).data()) == 0)
      return true;
  }
  PyErr_Format(PyExc_ValueError, "kind must be 'reply' or 'exception', not %R", value);
  return false;
}
PyObject* reply_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  reply_call call;
  bytes_like data;
  message_type kind = message_type::reply;
  if (!reply_signature().read(args, positionals, call)) return nullptr;
  const session_event* const to = session_event_of(positionals[0]);
  if (to == nullptr || !take_kind(positionals[1], kind) || !data.take(positionals[2])) return nullptr;
  scratch_buffer memory;
  const result<void> status =
      session_of(self).try_append_reply(*to, kind, data.bytes(), memory.get(), call.headers.entries());
  return status ? bytes_from(memory.get()) : raise_error(status.error());
}

}  // namespace

std::span<const method> session_call_methods() {
  static const method methods[] = {
      {call_signature(), fast_method<in_turn<call_method>::call>(), session_call_doc},
      {reply_signature(), fast_method<in_turn<reply_method>::call>(), session_reply_doc}};
  return methods;
}

}  // namespace thriftlens::python
