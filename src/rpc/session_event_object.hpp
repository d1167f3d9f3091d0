// session_event_object: what comes out of a Session, as a Python object. Never made on behalf of Python
// code.
#pragma once

#include "rpc/session_headers.hpp"
#include "support/object.hpp"

#include <thriftlens/transport/session_event.hpp>

namespace thriftlens::python {

/// The class of events.
[[nodiscard]] PyTypeObject* session_event_class();
/// `shared`: the headers of the connection that persist. `fault`: what the event's `error` is; null: None.
/// Null with a Python error set.
[[nodiscard]] PyObject* make_session_event(const session_event& of, shared_headers& shared,
                                           PyObject* fault = nullptr);
/// The event that the object was made of, as far as a reply needs it; it borrows from the object. Null with
/// TypeError set where it is none.
[[nodiscard]] const session_event* session_event_of(PyObject* given);

}  // namespace thriftlens::python
