// imported: names of Python modules that the module calls.
// In: a module and a name. Out: what stands there, imported when first needed.
// Never looked up twice.
#pragma once

#include "object.hpp"

namespace thriftlens::python {

/// `cached`: null at first, then the object for the life of the process. Borrowed; null with a Python error
/// set.
[[nodiscard]] inline PyObject* imported(PyObject*& cached, const char* module_name, const char* name) {
  if (cached == nullptr) {
    const object module(PyImport_ImportModule(module_name));
    if (module) cached = PyObject_GetAttrString(module.get(), name);
  }
  return cached;
}

/// uuid.UUID.
[[nodiscard]] inline PyObject* uuid_class() {
  static PyObject* cached = nullptr;
  return imported(cached, "uuid", "UUID");
}
/// enum.Enum.
[[nodiscard]] inline PyObject* enum_class() {
  static PyObject* cached = nullptr;
  return imported(cached, "enum", "Enum");
}

}  // namespace thriftlens::python
