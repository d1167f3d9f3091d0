// imported: objects of Python modules, looked up once per process.
#pragma once

#include "support/locked.hpp"

namespace thriftlens::python {

/// Borrowed; null with a Python error set.
[[nodiscard]] inline PyObject* imported(shared_object& cached, const char* module_name, const char* name) {
  return create_once(cached, [=]() -> PyObject* {
    const object module(PyImport_ImportModule(module_name));
    return module ? PyObject_GetAttrString(module.get(), name) : nullptr;
  });
}

/// uuid.UUID.
[[nodiscard]] inline PyObject* uuid_class() {
  static shared_object cached;
  return imported(cached, "uuid", "UUID");
}
/// enum.Enum.
[[nodiscard]] inline PyObject* enum_class() {
  static shared_object cached;
  return imported(cached, "enum", "Enum");
}

}  // namespace thriftlens::python
