// session_object: the class Session. Never does I/O.
#pragma once

#include <Python.h>

namespace thriftlens::python {

/// Null with a Python error set.
[[nodiscard]] PyTypeObject* session_class();

}  // namespace thriftlens::python
