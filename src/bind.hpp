// bind: the registrars of thriftlens._core, one a room.
// In: the module. Out: the room's names in it.
// Never included by the library.
#pragma once

#include <pybind11/pybind11.h>

namespace thriftlens::python {

void bind_core(pybind11::module_& module);
void bind_schema(pybind11::module_& module);
void bind_lens(pybind11::module_& module);

}  // namespace thriftlens::python
