// bind: functions that register the parts of thriftlens._core.
#pragma once

#include <pybind11/pybind11.h>

namespace thriftlens::python {

/// The object of a new reference. Throws the Python error that is set if it is null.
template <class Object = pybind11::object>
[[nodiscard]] Object owned(PyObject* fresh) {
  if (fresh == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<Object>(fresh);
}

/// Schema, by bind/schema.cpp.
void bind_schema(pybind11::module_& module);
/// The classes without pybind11, and the functions of the module.
void bind_classes(pybind11::module_& module);
/// HttpPlan and HttpRouter, by bind/http.cpp.
void bind_http(pybind11::module_& module);

}  // namespace thriftlens::python
