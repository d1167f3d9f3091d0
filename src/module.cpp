// module: the contents page of thriftlens._core.
#include "bind/bind.hpp"

#include <thriftlens/core/config.hpp>

// Threads may share what it makes without a GIL: locked.hpp has what they take turns with.
PYBIND11_MODULE(core_module, module, pybind11::mod_gil_not_used()) {
  module.doc() = "The compiled part of thriftlens; use the package thriftlens instead.";
  module.attr("__version__") = THRIFTLENS_VERSION;
  thriftlens::python::bind_classes(module);  // Type, View, Decoder, Edit; inspect, convert
  thriftlens::python::bind_schema(module);   // Schema
  thriftlens::python::bind_http(module);     // HttpPlan, HttpRouter
}

/// What `import` calls. Before Python 3.12 pybind11 waits for ever in a sub-interpreter, and later it
/// refuses.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "thriftlens cannot be loaded in a sub-interpreter");
    return nullptr;
  }
  return PyInit_core_module();
}
