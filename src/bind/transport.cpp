// transport: the class Session.
#include "call/common_options.hpp"
#include "call/constructor_arguments.hpp"
#include "call/method.hpp"
#include "convert/value.hpp"
#include "docs/session_docs.hpp"
#include "rpc/session_calls.hpp"
#include "rpc/session_event_object.hpp"
#include "rpc/session_object.hpp"
#include "rpc/session_state.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/heap_class.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/transport/first_bytes.hpp>
#include <thriftlens/transport/session.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

namespace {

constexpr char session_foreign_protocol_doc[] =
    "foreign_protocol(data, /)\n--\n\nThe name of a protocol other than Thrift's that begins with these "
    "bytes, or None.";
constexpr char session_skip_reply_doc[] =
    "skip_reply($self, event, /)\n--\n\nCounts a call as answered that gets no reply: its function is "
    "oneway.";

bool take_role(session_role& to, PyObject* value) {
  return find_value(value, {session_role::client, session_role::server}, to) ||
         raise_value_error("role must be 'client' or 'server', not %s", shown(value).c_str());
}

constexpr auto session_table = table(
    choice<&session_call::options, &session_options::transport>("transport"),
    choice<&session_call::options, &session_options::protocol>("protocol"),
    number<&session_call::options, &session_options::frame_size>("frame_size", 0, std::uint64_t{1} << 40),
    number<&session_call::options, &session_options::header_size>("header_size", 1, 0x40000000),
    number<&session_call::options, &session_options::calls>("calls", 0, 0x7fffffff),
    depth_option<&session_call::options, &session_options::limits>(),
    number<&session_call::compress>("compress", 0, 1), any_object<&session_call::user>("user"),
    any_object<&session_call::password>("password"));
constexpr auto session_signature = signature_from<"Session", required_positionals<"role">, session_table>;

bool take_text(PyObject* value, std::string_view& text) {
  if (is_omitted(value)) return true;
  if (PyUnicode_Check(value)) return utf8_of(value, text, errc::value_type, family::encode);
  return raise_wrong_type("user and password must be str", value);
}

PyObject* make_session(PyTypeObject* of, const session_call& call) {
  std::string_view user, password;
  if (!take_text(call.user, user) || !take_text(call.password, password)) return nullptr;
  PyObject* const self = new_instance(of);
  if (self == nullptr) return nullptr;
  session_state& state = *std::construct_at(&state_of(self), call);
  state.user = user;
  state.password = password;
  buffer no_output;  // a server sends nothing before the client
  if (call.options.role == session_role::server)
    static_cast<void>(state.of.try_start(state.credentials(), no_output));
  return self;
}
PyObject* new_session(PyTypeObject* of, PyObject* by_position, PyObject* by_name) {
  const constructor_arguments args(by_position, by_name);
  positional_values positionals;
  session_call call;
  if (!session_signature().read(args.get(), positionals, call)) return nullptr;
  return take_role(call.options.role, positionals[0]) ? make_session(of, call) : nullptr;
}
void destroy_session(PyObject* self) {
  std::destroy_at(&state_of(self));
  free_instance(self);
}

PyObject* start_method(PyObject* self, PyObject*) {
  session_state& at = state_of(self);
  return bytes_of(0, [&](buffer& out) { return at.of.try_start(at.credentials(), out); });
}

PyObject* feed_method(PyObject* self, PyObject* value) {
  session& of = session_of(self);
  bytes_like data;
  if (!data.take(value)) return nullptr;
  if (of.fault() != nullptr) return raise_error(*of.fault());
  of.feed(data.bytes());
  state_of(self).lent = object();
  return new_none();
}
PyObject* lend_method(PyObject* self, PyObject* value) {
  session_state& at = state_of(self);
  bytes_like data;
  if (!data.take(value)) return nullptr;
  object holder(PyBytes_CheckExact(value) ? new_reference(value) : PyMemoryView_FromObject(value));
  if (!holder) return nullptr;
  if (at.of.fault() != nullptr) return raise_error(*at.of.fault());
  at.of.lend(data.bytes());
  at.lent = std::move(holder);
  return new_none();
}

/// The complete trimmed reply, or its `error`.
PyObject* end_trim(session_state& at, session_event& event, reply_trim& trim) {
  trim.finish();
  event.kind = session_event_kind::message;
  const object fault(exception_or_none(trim.error_of(), family::decode));
  if (!fault) return nullptr;
  if (fault.get() == Py_None) event.body = trim.output();
  object reply(make_session_event(event, at.headers, fault.get()));
  at.trims.remove(event.message.sequence_id);
  return reply.release();
}

/// Passes an event of a trimmed reply to its trim; false if the caller must handle it. The session reports
/// faults with its next event.
bool follow(session_state& at, reply_trim& trim, const session_event& event) {
  using event_kind = session_event_kind;
  if (event.kind == event_kind::head) {
    trim.begin(event);
  } else if (event.kind == event_kind::part && event.is_open) {
    static_cast<void>(at.of.try_take(trim.take(event.body)));
  } else if (event.kind == event_kind::part) {
    trim.feed(event.body);
  } else if (event.kind == event_kind::end && trim.is_abandoned()) {
    at.trims.remove(event.message.sequence_id);
  } else {
    return false;
  }
  return true;
}

PyObject* next_method(PyObject* self, PyObject*) {
  using event_kind = session_event_kind;
  session_state& at = state_of(self);
  session_event event;
  result<bool> status = at.of.try_next(event);
  reply_trim* trim = nullptr;
  while (status && *status) {
    trim = at.trims.empty() ? nullptr : at.trims.find(event.message.sequence_id);
    if (trim == nullptr || !follow(at, *trim, event)) break;
    event = {};
    status = at.of.try_next(event);
  }
  if (!status || !*status) at.lent = object();
  if (!status) return raise_error(status.error());
  if (!*status) return new_none();
  if (trim != nullptr && event.kind == event_kind::end) return end_trim(at, event, *trim);
  // A complete message is an exception.
  if (event.kind == event_kind::message) at.trims.remove(event.message.sequence_id);
  return make_session_event(event, at.headers);
}

PyObject* finish_method(PyObject* self, PyObject*) {
  const result<void> status = session_of(self).try_finish();
  return status ? new_none() : raise_error(status.error());
}

/// The name of another protocol that begins with these bytes, or None.
PyObject* foreign_protocol(PyObject*, PyObject* value) {
  bytes_like data;
  if (!data.take(value)) return nullptr;
  const std::string_view name = detail::look_for_foreign(data.bytes(), 0).name;
  return name.empty() ? new_none() : to_python(name);
}

PyObject* skip_reply_method(PyObject* self, PyObject* event) {
  const session_event* const to = session_event_of(event);
  if (to == nullptr) return nullptr;
  session_of(self).skip_reply(*to);
  return new_none();
}

PyObject* cancel_method(PyObject* self, PyObject* sequence_id) {
  std::optional<std::int32_t> id;
  if (!take_sequence_id(id, "sequence_id", sequence_id)) return nullptr;
  if (!id || !session_of(self).cancel(*id)) Py_RETURN_FALSE;
  session_trims& trims = state_of(self).trims;
  reply_trim* const trim = trims.find(*id);
  if (trim != nullptr && trim->is_open())
    trim->abandon();
  else
    trims.remove(*id);
  Py_RETURN_TRUE;
}
PyObject* expired_method(PyObject* self, PyObject* argument) {
  const double time = PyFloat_AsDouble(argument);
  if (time == -1 && PyErr_Occurred()) return nullptr;
  std::vector<std::int32_t> ids;
  session_of(self).expired(time, ids);
  return new_list(ids, [](std::int32_t id) { return to_python(id); });
}

/// A number, or an enum value by its spelling.
template <class T>
PyObject* property_value(T value) {
  if constexpr (std::is_enum_v<T>)
    return PyUnicode_InternFromString(spellings<T>[static_cast<std::size_t>(value)]);
  else
    return to_python(value);
}
template <auto Get>
PyObject* get_property(PyObject* self, void*) {
  const object_scope turn(self);
  return property_value((session_of(self).*Get)());
}
PyGetSetDef session_properties[] = {
    {"in_flight", get_property<&session::in_flight>, nullptr, nullptr, nullptr},
    {"held", get_property<&session::held>, nullptr, nullptr, nullptr},
    {"fed", get_property<&session::fed>, nullptr, nullptr, nullptr},
    {"transport", get_property<&session::transport>, nullptr, nullptr, nullptr},
    {"protocol", get_property<&session::protocol>, nullptr, nullptr, nullptr},
    {"role", get_property<&session::role>, nullptr, nullptr, nullptr},
    {}};

PyMethodDef* session_methods() {
  return method_table(
      "$self", session_call_methods(),
      {plain_method<in_turn<start_method>::call>("start", METH_NOARGS, session_start_doc),
       plain_method<in_turn<feed_method>::call>("feed", METH_O, session_feed_doc),
       plain_method<in_turn<lend_method>::call>("lend", METH_O, session_lend_doc),
       plain_method<in_turn<next_method>::call>("next", METH_NOARGS, session_next_doc),
       plain_method<in_turn<finish_method>::call>("finish", METH_NOARGS, session_finish_doc),
       plain_method<foreign_protocol>("foreign_protocol", METH_O | METH_STATIC, session_foreign_protocol_doc),
       plain_method<in_turn<skip_reply_method>::call>("skip_reply", METH_O, session_skip_reply_doc),
       plain_method<in_turn<cancel_method>::call>("cancel", METH_O, session_cancel_doc),
       plain_method<in_turn<expired_method>::call>("expired", METH_O, session_expired_doc)});
}

}  // namespace

PyTypeObject* session_class() {
  static shared_object cached;
  return class_once(cached, [] {
    static_cast<void>(session_signature());  // initialized while no other thread can use it
    return new_class({"thriftlens._core.Session", sizeof(session_object)},
                     {{Py_tp_methods, session_methods()},
                      {Py_tp_getset, session_properties},
                      type_slot<new_session>(Py_tp_new),
                      raw_slot(Py_tp_dealloc, destroy_session),
                      doc_slot(session_class_doc)});
  });
}

}  // namespace thriftlens::python
