// module: the contents page of thriftlens._core; each room registers itself in bind_<room>.cpp.
#include "bind.hpp"

PYBIND11_MODULE(core_module, module) {
  module.doc() = "The compiled part of thriftlens; use the package thriftlens instead.";
  thriftlens::python::bind_core(module);
  thriftlens::python::bind_schema(module);  // Schema, and Type with decode, encode, to_json, from_json, get, get_many, view
  thriftlens::python::bind_lens(module);    // View, Edit
}

/// What `import` calls. Before Python 3.12 pybind11 waits for ever in a sub-interpreter, and later it refuses.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return PyInit_core_module();
  PyErr_SetString(PyExc_ImportError, "thriftlens cannot be loaded in a sub-interpreter");
  return nullptr;
}
