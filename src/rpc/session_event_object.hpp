// session_event_object: an event of a Session as a Python object. Python code cannot create one.
#pragma once

#include "rpc/session_headers.hpp"
#include "support/object.hpp"

#include <thriftlens/transport/session_event.hpp>

namespace thriftlens::python {

[[nodiscard]] PyTypeObject* session_event_class();
/// `shared`: the persistent headers of the connection. `fault`: the event's `error`; null means None.
/// Null with a Python error set.
[[nodiscard]] PyObject* make_session_event(const session_event& of, shared_headers& shared,
                                           PyObject* fault = nullptr);
/// The event of the object without body and headers; it borrows from the object. Null with TypeError set for
/// another object.
[[nodiscard]] const session_event* session_event_of(PyObject* value);

}  // namespace thriftlens::python
