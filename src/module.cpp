// module: registers thriftlens._core.
#include "bind/bind.hpp"

#include "support/translate_exceptions.hpp"

#include <thriftlens/core/config.hpp>

// Safe in free-threaded builds; see locked.hpp.
PYBIND11_MODULE(core_module, module, pybind11::mod_gil_not_used()) {
  module.doc() = "The compiled part of thriftlens; use the package thriftlens instead.";
  module.attr("__version__") = THRIFTLENS_VERSION;
  pybind11::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const thriftlens::python::error_is_set&) {  // the Python error stays set
    }
  });
  thriftlens::python::bind_classes(module);  // Type, View, Decoder, Edit; inspect, convert
  thriftlens::python::bind_schema(module);   // Schema
  thriftlens::python::bind_http(module);     // HttpPlan, HttpRouter
}

/// The import entry point. Rejects sub-interpreters, in which pybind11 hangs before Python 3.12.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "thriftlens cannot be loaded in a sub-interpreter");
    return nullptr;
  }
  return PyInit_core_module();
}
