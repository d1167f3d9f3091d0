// bind: functions that register the parts of thriftlens._core.
#pragma once

#include <pybind11/pybind11.h>

namespace thriftlens::python {

/// Schema, by bind/schema.cpp.
void bind_schema(pybind11::module_& module);
/// The classes without pybind11, and the functions of the module.
void bind_classes(pybind11::module_& module);
/// HttpPlan and HttpRouter, by bind/http.cpp.
void bind_http(pybind11::module_& module);

}  // namespace thriftlens::python
