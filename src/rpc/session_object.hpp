// session_object: the class Session.
// In: nothing. Out: the class, whose state is a thriftlens::session.
// Never does I/O.
#pragma once

#include <Python.h>

namespace thriftlens::python {

/// Null with a Python error set.
[[nodiscard]] PyTypeObject* session_class();

}  // namespace thriftlens::python
