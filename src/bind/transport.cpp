// transport: the class Session.
#include "call/method.hpp"
#include "call/spelling.hpp"
#include "convert/value.hpp"
#include "docs/session_docs.hpp"
#include "rpc/session_calls.hpp"
#include "rpc/session_event_object.hpp"
#include "rpc/session_object.hpp"
#include "rpc/session_state.hpp"
#include "support/bytes_from.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/scratch_buffer.hpp"

#include <thriftlens/transport/first_bytes.hpp>
#include <thriftlens/transport/session.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

template <>
inline constexpr auto spellings<session_role> =
    spell<session_role>({{session_role::client, "client"}, {session_role::server, "server"}});
template <>
inline constexpr auto spellings<transport_id> =
    spell<transport_id>({{transport_id::buffered, "buffered"},
                         {transport_id::framed, "framed"},
                         {transport_id::header, "header"},
                         {transport_id::ttheader, "ttheader"},
                         {transport_id::ttheader_framed, "ttheader_framed"},
                         {transport_id::sasl, "sasl"},
                         {transport_id::http, "http"},
                         {transport_id::grpc, "grpc"},
                         {transport_id::automatic, "auto"}});
template <>
inline constexpr auto spellings<message_protocol> =
    spell<message_protocol>({{message_protocol::binary, "binary"},
                             {message_protocol::compact, "compact"},
                             {message_protocol::binary_old, "binary_old"},
                             {message_protocol::automatic, "auto"}});

namespace {

constexpr char session_foreign_protocol_doc[] =
    "foreign_protocol(data, /)\n--\n\nThe name of a protocol other than Thrift's that begins with these "
    "bytes, "
    "or None.";
constexpr char session_skip_reply_doc[] =
    "skip_reply($self, event, /)\n--\n\nCounts a call as answered that gets no reply: its function is "
    "oneway.";

bool take_role(session_role& to, PyObject* value) {
  for (const session_role role : {session_role::client, session_role::server}) {
    to = role;
    if (PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, to_string(role).data()) == 0)
      return true;
  }
  PyErr_Format(PyExc_ValueError, "role must be 'client' or 'server', not %R", value);
  return false;
}

const signature_of<session_call>& session_signature() {
  static constexpr positional list[] = {{"role"}};
  static constexpr std::uint64_t far = std::uint64_t{1} << 40;
  static constexpr auto options =
      table(choice<&session_call::options, &session_options::transport>("transport"),
            choice<&session_call::options, &session_options::protocol>("protocol"),
            number<&session_call::options, &session_options::frame_size>("frame_size", 0, far),
            number<&session_call::options, &session_options::header_size>("header_size", 1, 0x40000000),
            number<&session_call::options, &session_options::calls>("calls", 0, 0x7fffffff),
            depth_option<&session_call::options, &session_options::limits>(),
            number<&session_call::compress>("compress", 0, 1), any_object<&session_call::user>("user"),
            any_object<&session_call::password>("password"));
  static const signature_of<session_call> signature("Session", {list, false}, options);
  return signature;
}

bool take_text(PyObject* value, std::string_view& text) {
  if (value == nullptr || value == Py_None) return true;
  if (PyUnicode_Check(value)) return utf8_of(value, text, errc::value_type, family::encode);
  PyErr_Format(PyExc_TypeError, "user and password must be str, not %.200s", Py_TYPE(value)->tp_name);
  return false;
}

PyObject* new_session(PyTypeObject* of, PyObject* by_position, PyObject* by_name) {
  std::vector<PyObject*> values;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(by_position); ++i)
    values.push_back(PyTuple_GET_ITEM(by_position, i));
  const Py_ssize_t named = by_name == nullptr ? 0 : PyDict_GET_SIZE(by_name);
  object names(PyTuple_New(named));
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t at = 0, i = 0; i < named && PyDict_Next(by_name, &at, &key, &value) != 0; ++i) {
    PyTuple_SET_ITEM(names.get(), i, new_reference(key));
    values.push_back(value);
  }
  positional_values positionals;
  session_call call;
  const arguments args{values.data(), PyTuple_GET_SIZE(by_position), named == 0 ? nullptr : names.get()};
  if (!session_signature().read(args, positionals, call) || !take_role(call.options.role, positionals[0]))
    return nullptr;
  std::string_view user, password;
  if (!take_text(call.user, user) || !take_text(call.password, password)) return nullptr;
  PyObject* const self = of->tp_alloc(of, 0);
  if (self == nullptr) return nullptr;
  std::construct_at(&state_of(self), call);
  session_state& state = state_of(self);
  state.user = user;
  state.password = password;
  buffer no_output;  // a server sends nothing before the client
  if (call.options.role == session_role::server)
    static_cast<void>(state.of.try_start(state.credentials(), no_output));
  return self;
}
void destroy_session(PyObject* self) {
  std::destroy_at(&state_of(self));
  free_instance(self);
}

PyObject* start_method(PyObject* self, PyObject*) {
  session_state& at = state_of(self);
  scratch_buffer memory;
  const result<void> status = at.of.try_start(at.credentials(), memory.get());
  return status ? bytes_from(memory.get()) : raise_error(status.error());
}

PyObject* feed_method(PyObject* self, PyObject* value) {
  session& of = session_of(self);
  bytes_like data;
  if (!data.take(value)) return nullptr;
  if (of.fault() != nullptr) return raise_error(*of.fault());
  of.feed(data.bytes());
  state_of(self).lent = object();
  return new_reference(Py_None);
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
  return new_reference(Py_None);
}

/// The complete trimmed reply, or its `error`.
PyObject* end_trim(session_state& at, session_event& event, reply_trim& trim) {
  trim.finish();
  event.what = session_event::kind::message;
  object fault;
  if (trim.error_of().code() == errc::ok) {
    event.body = trim.output();
  } else {
    fault = object(exception_of(trim.error_of(), family::decode));
    if (!fault) return nullptr;
  }
  object reply(make_session_event(event, at.headers, fault.get()));
  at.trims.remove(event.message.sequence_id);
  return reply.release();
}

/// Passes an event of a trimmed reply to its trim; false if the caller must handle it. The session reports
/// faults with its next event.
bool follow(session_state& at, reply_trim& trim, const session_event& event) {
  using kind = session_event::kind;
  if (event.what == kind::head) {
    trim.begin(event);
  } else if (event.what == kind::part && event.is_open) {
    static_cast<void>(at.of.try_take(trim.take(event.body)));
  } else if (event.what == kind::part) {
    trim.feed(event.body);
  } else if (event.what == kind::end && trim.is_abandoned()) {
    at.trims.remove(event.message.sequence_id);
  } else {
    return false;
  }
  return true;
}

PyObject* next_method(PyObject* self, PyObject*) {
  using kind = session_event::kind;
  session_state& at = state_of(self);
  for (;;) {
    session_event event;
    const result<bool> status = at.of.try_next(event);
    if (!status || !*status) at.lent = object();
    if (!status) return raise_error(status.error());
    if (!*status) return new_reference(Py_None);
    if (at.trims.empty()) return make_session_event(event, at.headers);
    reply_trim* const trim = at.trims.find(event.message.sequence_id);
    if (trim != nullptr && follow(at, *trim, event)) continue;
    if (trim != nullptr && event.what == kind::end) return end_trim(at, event, *trim);
    // A complete message is an exception.
    if (event.what == kind::message) at.trims.remove(event.message.sequence_id);
    return make_session_event(event, at.headers);
  }
}

PyObject* finish_method(PyObject* self, PyObject*) {
  const result<void> status = session_of(self).try_finish();
  return status ? new_reference(Py_None) : raise_error(status.error());
}

/// The name of another protocol that begins with these bytes, or None.
PyObject* foreign_protocol(PyObject*, PyObject* value) {
  bytes_like data;
  if (!data.take(value)) return nullptr;
  const std::string_view name = detail::look_for_foreign(data.bytes(), 0).name;
  if (name.empty()) return new_reference(Py_None);
  return PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
}

PyObject* skip_reply_method(PyObject* self, PyObject* event) {
  const session_event* const to = session_event_of(event);
  if (to == nullptr) return nullptr;
  session_of(self).skip_reply(*to);
  return new_reference(Py_None);
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
  object list(PyList_New(0));
  for (const std::int32_t sequence_id : ids) {
    if (!append_new(list, PyLong_FromLong(sequence_id))) return nullptr;
  }
  return list.release();
}

PyObject* get_in_flight(PyObject* self, void*) { return PyLong_FromSize_t(session_of(self).in_flight()); }
PyObject* get_held(PyObject* self, void*) { return PyLong_FromSize_t(session_of(self).held()); }
PyObject* get_fed(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(session_of(self).fed()); }
PyObject* get_transport(PyObject* self, void*) {
  return PyUnicode_InternFromString(
      spellings<transport_id>[static_cast<std::size_t>(session_of(self).transport())]);
}
PyObject* get_protocol(PyObject* self, void*) {
  return PyUnicode_InternFromString(
      spellings<message_protocol>[static_cast<std::size_t>(session_of(self).protocol())]);
}
PyObject* get_role(PyObject* self, void*) {
  return PyUnicode_InternFromString(
      spellings<session_role>[static_cast<std::size_t>(session_of(self).role())]);
}

PyMethodDef* session_methods() {
  return method_table(
      "$self", session_call_methods(),
      {{"start", translate_exceptions<in_turn<start_method>::call>::call, METH_NOARGS, session_start_doc},
       {"feed", translate_exceptions<in_turn<feed_method>::call>::call, METH_O, session_feed_doc},
       {"lend", translate_exceptions<in_turn<lend_method>::call>::call, METH_O, session_lend_doc},
       {"next", translate_exceptions<in_turn<next_method>::call>::call, METH_NOARGS, session_next_doc},
       {"finish", translate_exceptions<in_turn<finish_method>::call>::call, METH_NOARGS, session_finish_doc},
       {"foreign_protocol", translate_exceptions<foreign_protocol>::call, METH_O | METH_STATIC,
        session_foreign_protocol_doc},
       {"skip_reply", translate_exceptions<in_turn<skip_reply_method>::call>::call, METH_O,
        session_skip_reply_doc},
       {"cancel", translate_exceptions<in_turn<cancel_method>::call>::call, METH_O, session_cancel_doc},
       {"expired", translate_exceptions<in_turn<expired_method>::call>::call, METH_O, session_expired_doc}});
}

}  // namespace

PyTypeObject* session_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  static_cast<void>(session_signature());  // initialized while no other thread can use it
  static PyGetSetDef properties[] = {{"in_flight", in_turn<get_in_flight>::call, nullptr, nullptr, nullptr},
                                     {"held", in_turn<get_held>::call, nullptr, nullptr, nullptr},
                                     {"fed", in_turn<get_fed>::call, nullptr, nullptr, nullptr},
                                     {"transport", in_turn<get_transport>::call, nullptr, nullptr, nullptr},
                                     {"protocol", in_turn<get_protocol>::call, nullptr, nullptr, nullptr},
                                     {"role", in_turn<get_role>::call, nullptr, nullptr, nullptr},
                                     {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_methods, session_methods()},
                                {Py_tp_getset, properties},
                                {Py_tp_new, type_slot<new_session>()},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy_session)},
                                {Py_tp_doc, const_cast<char*>(session_class_doc)},
                                {0, nullptr}};
  static PyType_Spec spec = {"thriftlens._core.Session", sizeof(session_object), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  cls = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return cls;
}

}  // namespace thriftlens::python
