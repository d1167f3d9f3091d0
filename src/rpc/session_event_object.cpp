// session_event_object: the class.
#include "rpc/session_event_object.hpp"

#include "call/common_options.hpp"
#include "convert/text.hpp"
#include "support/argument.hpp"
#include "support/heap_class.hpp"

#include <structmember.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace thriftlens::python {

namespace {

struct event_object {
  PyObject_HEAD PyObject* type;
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

/// The name of an enum value as a cached str.
template <class Enum, std::size_t Count>
PyObject* name_object(Enum which) {
  static std::array<shared_object, Count> names{};
  PyObject* const name =
      interned(names[static_cast<std::size_t>(which)], std::string(to_string(which)).c_str());
  return name == nullptr ? nullptr : new_reference(name);
}

/// Caches the last name: consecutive messages usually have the same one.
PyObject* name_of(std::string_view name) {
  if constexpr (has_no_gil) return escaped_text(name);
  static std::string last;
  static PyObject* cached = nullptr;
  if (cached == nullptr || last != name) {
    PyObject* next = escaped_text(name);
    if (next == nullptr) return nullptr;
    Py_XDECREF(std::exchange(cached, next));
    last = name;
  }
  return new_reference(cached);
}

[[nodiscard]] std::array<PyObject*, 10> members_of(const event_object& event) noexcept {
  return {event.type,    event.name,     event.kind,      event.sequence_id, event.data,
          event.headers, event.protocol, event.transport, event.offset,      event.error};
}
bool fill(event_object& to, const session_event& of, shared_headers& shared, PyObject* fault) {
  to.error = new_reference(fault == nullptr ? Py_None : fault);
  to.type = name_object<session_event_kind, 6>(of.kind);
  to.name = name_of(of.message.name);
  to.kind = name_object<message_type, 5>(of.message.type);
  to.sequence_id = PyLong_FromLong(of.message.sequence_id);
  to.data = to_python(of.body);
  to.headers = dict_of(of.headers, shared);
  to.protocol = name_object<message_protocol, 4>(of.protocol);
  to.transport = name_object<transport_id, 9>(of.transport);
  to.offset = PyLong_FromUnsignedLongLong(of.offset);
  const auto members = members_of(to);
  return std::find(members.begin(), members.end(), nullptr) == members.end();
}

void destroy_event(PyObject* self) {
  event_object& event = event_of(self);
  for (PyObject* member : members_of(event)) Py_XDECREF(member);
  std::destroy_at(&event.raw_name);
  free_instance(self);
}
PyObject* represent_event(PyObject* self) {
  const event_object& event = event_of(self);
  return PyUnicode_FromFormat("<thriftlens._core.SessionEvent %U %U %R %R, %zd bytes>", event.type,
                              event.kind, event.name, event.sequence_id, PyBytes_GET_SIZE(event.data));
}

PyMemberDef event_members[] = {
    {"type", T_OBJECT, offsetof(event_object, type), READONLY, nullptr},
    {"name", T_OBJECT, offsetof(event_object, name), READONLY, nullptr},
    {"kind", T_OBJECT, offsetof(event_object, kind), READONLY, nullptr},
    {"sequence_id", T_OBJECT, offsetof(event_object, sequence_id), READONLY, nullptr},
    {"data", T_OBJECT, offsetof(event_object, data), READONLY, nullptr},
    {"headers", T_OBJECT, offsetof(event_object, headers), 0, nullptr},  // HTTP: set by the client
    {"protocol", T_OBJECT, offsetof(event_object, protocol), READONLY, nullptr},
    {"transport", T_OBJECT, offsetof(event_object, transport), READONLY, nullptr},
    {"offset", T_OBJECT, offsetof(event_object, offset), READONLY, nullptr},
    {"error", T_OBJECT, offsetof(event_object, error), READONLY, nullptr},
    {}};

}  // namespace

PyTypeObject* session_event_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.SessionEvent", sizeof(event_object)},
                     {{Py_tp_members, event_members},
                      type_slot<represent_event>(Py_tp_repr),
                      raw_slot(Py_tp_dealloc, destroy_event)});
  });
}

PyObject* make_session_event(const session_event& of, shared_headers& shared, PyObject* fault) {
  object self(new_instance(session_event_class()));
  if (!self) return nullptr;
  event_object& event = event_of(self.get());
  std::construct_at(&event.raw_name, of.message.name);
  std::construct_at(&event.of, of);
  event.of.message.name = event.raw_name;
  event.of.body = {};
  event.of.headers = {};
  return fill(event, of, shared, fault) ? self.release() : nullptr;
}

const session_event* session_event_of(PyObject* value) {
  if (Py_IS_TYPE(value, session_event_class())) return &event_of(value).of;
  return raise_wrong_type("expected an event of a Session", value);
}

}  // namespace thriftlens::python
