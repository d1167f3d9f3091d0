// imported: objects of Python modules, looked up once per process.
#pragma once

#include "support/attribute.hpp"

namespace thriftlens::python {

/// An attribute of a module. Borrowed; null with a Python error set.
template <attribute_name Module, attribute_name Name>
[[nodiscard]] PyObject* imported() {
  static shared_object cached;
  return create_once(cached, []() -> PyObject* {
    const object module(PyImport_ImportModule(Module.text));
    return module ? PyObject_GetAttrString(module.get(), Name.text) : nullptr;
  });
}

}  // namespace thriftlens::python
