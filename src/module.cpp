// module: the contents page of thriftlens._core.
#include "bind.hpp"

#include <thriftlens/core/config.hpp>

PYBIND11_MODULE(core_module, module) {
  module.doc() = "The compiled part of thriftlens; use the package thriftlens instead.";
  module.attr("__version__") = THRIFTLENS_VERSION;
  thriftlens::python::bind_classes(module);  // Type, View, Decoder, Edit; inspect, convert
  thriftlens::python::bind_schema(module);   // Schema
  thriftlens::python::bind_http(module);     // HttpPlan, HttpRouter
}

namespace {

/// Whether threads take turns. A free-threaded CPython turns the lock on for modules that do not declare that
/// they do without, as this one, and has done so by now; not where PYTHON_GIL=0 or -X gil=0 forbid it. -1
/// with a Python error set.
int has_gil() {
  PyObject* asked = PySys_GetObject("_is_gil_enabled");  // borrowed; from Python 3.13
  if (asked == nullptr) return 1;
  PyObject* answer = PyObject_CallFunctionObjArgs(asked, nullptr);
  if (answer == nullptr) return -1;
  const int is_on = PyObject_IsTrue(answer);
  Py_DECREF(answer);
  return is_on;
}

}  // namespace

/// What `import` calls. Before Python 3.12 pybind11 waits for ever in a sub-interpreter, and later it
/// refuses. The caches have no locks of their own: without the GIL they would be torn.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "thriftlens cannot be loaded in a sub-interpreter");
    return nullptr;
  }
  const int locked = has_gil();
  if (locked == 1) return PyInit_core_module();
  if (locked == 0)
    PyErr_SetString(PyExc_ImportError,
                    "thriftlens needs the GIL: run Python without PYTHON_GIL=0 and -X gil=0");
  return nullptr;
}
