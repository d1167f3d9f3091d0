// bind: the registrars of thriftlens._core. Never included by the library.
#pragma once

#include <pybind11/pybind11.h>

namespace thriftlens::python {

/// Schema, by bind/schema.cpp.
void bind_schema(pybind11::module_& module);
/// Type, View and Edit; what the rooms bring, by bind/<module>.cpp; their signatures.
void bind_classes(pybind11::module_& module);
/// HttpPlan and HttpRouter, by bind/http.cpp.
void bind_http(pybind11::module_& module);

}  // namespace thriftlens::python
