// session_event_object: the class.
#include "rpc/session_event_object.hpp"

#include "call/spelling.hpp"
#include "convert/text.hpp"
#include "support/locked.hpp"
#include "support/translate_exceptions.hpp"

#include <structmember.h>

#include <array>
#include <memory>
#include <string>

namespace thriftlens::python {

namespace {

struct event_object {
  PyObject_HEAD PyObject* what;
  PyObject* name;
  PyObject* kind;
  PyObject* sequence_id;
  PyObject* data;
  PyObject* headers;
  PyObject* protocol;
  PyObject* transport;
  PyObject* offset;
  PyObject* error;
  std::string raw_name;
  session_event of;
};
event_object& event_of(PyObject* self) noexcept { return *reinterpret_cast<event_object*>(self); }

/// The words of an enum as objects, for the life of the process.
template <class Enum, std::size_t Count>
PyObject* word_of(Enum which) {
  static std::array<shared_object, Count> made{};
  PyObject* const word =
      interned(made[static_cast<std::size_t>(which)], std::string(to_string(which)).c_str());
  return word == nullptr ? nullptr : new_reference(word);
}

/// Of the same name as a rule.
PyObject* name_of(std::string_view name) {
  if constexpr (has_no_gil) return escaped_text(name);
  static std::string last;
  static PyObject* made = nullptr;
  if (made == nullptr || last != name) {
    PyObject* next = escaped_text(name);
    if (next == nullptr) return nullptr;
    Py_XDECREF(std::exchange(made, next));
    last = name;
  }
  return new_reference(made);
}

bool fill(event_object& to, const session_event& of, shared_headers& shared, PyObject* fault) {
  to.error = new_reference(fault == nullptr ? Py_None : fault);
  to.what = word_of<session_event::kind, 6>(of.what);
  to.name = name_of(of.message.name);
  to.kind = word_of<message_type, 5>(of.message.type);
  to.sequence_id = PyLong_FromLong(of.message.sequence_id);
  to.data = PyBytes_FromStringAndSize(of.body.text().data(), static_cast<Py_ssize_t>(of.body.size()));
  to.headers = dict_of(of.headers, shared);
  to.protocol = word_of<message_protocol, 4>(of.protocol);
  to.transport = word_of<transport_id, 9>(of.transport);
  to.offset = PyLong_FromUnsignedLongLong(of.offset);
  return to.what && to.name && to.kind && to.sequence_id && to.data && to.headers && to.protocol &&
         to.transport && to.offset;
}

void destroy_event(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  event_object& held = event_of(self);
  for (PyObject* each : {held.what, held.name, held.kind, held.sequence_id, held.data, held.headers,
                         held.protocol, held.transport, held.offset, held.error})
    Py_XDECREF(each);
  std::destroy_at(&held.raw_name);
  of->tp_free(self);
  Py_DECREF(of);
}
PyObject* represent_event(PyObject* self) {
  const event_object& held = event_of(self);
  return PyUnicode_FromFormat("<thriftlens._core.SessionEvent %U %U %R %R, %zd bytes>", held.what, held.kind,
                              held.name, held.sequence_id, PyBytes_GET_SIZE(held.data));
}

}  // namespace

PyTypeObject* session_event_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  static PyMemberDef members[] = {
      {"what", T_OBJECT, offsetof(event_object, what), READONLY, nullptr},
      {"name", T_OBJECT, offsetof(event_object, name), READONLY, nullptr},
      {"kind", T_OBJECT, offsetof(event_object, kind), READONLY, nullptr},
      {"sequence_id", T_OBJECT, offsetof(event_object, sequence_id), READONLY, nullptr},
      {"data", T_OBJECT, offsetof(event_object, data), READONLY, nullptr},
      {"headers", T_OBJECT, offsetof(event_object, headers), 0, nullptr},  // HTTP: set by the client
      {"protocol", T_OBJECT, offsetof(event_object, protocol), READONLY, nullptr},
      {"transport", T_OBJECT, offsetof(event_object, transport), READONLY, nullptr},
      {"offset", T_OBJECT, offsetof(event_object, offset), READONLY, nullptr},
      {"error", T_OBJECT, offsetof(event_object, error), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_members, members},
                                {Py_tp_repr, type_slot<represent_event>()},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy_event)},
                                {0, nullptr}};
  static PyType_Spec spec = {"thriftlens._core.SessionEvent", sizeof(event_object), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

PyObject* make_session_event(const session_event& of, shared_headers& shared, PyObject* fault) {
  PyTypeObject* const made_of = session_event_class();
  object made(made_of == nullptr ? nullptr : made_of->tp_alloc(made_of, 0));
  if (!made) return nullptr;
  event_object& held = event_of(made.get());
  std::construct_at(&held.raw_name, of.message.name);
  std::construct_at(&held.of, of);
  held.of.message.name = held.raw_name;
  held.of.body = {};
  held.of.headers = {};
  return fill(held, of, shared, fault) ? made.release() : nullptr;
}

const session_event* session_event_of(PyObject* given) {
  if (Py_IS_TYPE(given, session_event_class())) return &event_of(given).of;
  PyErr_Format(PyExc_TypeError, "expected an event of a Session, not %.200s", Py_TYPE(given)->tp_name);
  return nullptr;
}

}  // namespace thriftlens::python
