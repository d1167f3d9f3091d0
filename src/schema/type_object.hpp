// type_object: thriftlens._core.Type, a type of a schema as a Python object.
#pragma once

#include "caches/type_caches.hpp"

#include <memory>

namespace thriftlens::python {

struct type_object {
  PyObject_HEAD std::shared_ptr<schema_keys> keys;
  type of;
  type_caches* caches;
};

/// The class. Borrowed; null with a Python error set. The first call makes it.
[[nodiscard]] PyTypeObject* type_class();
[[nodiscard]] inline bool is_type(PyObject* given) { return PyObject_TypeCheck(given, type_class()) != 0; }
/// What an instance of the class holds.
[[nodiscard]] inline type_object& type_of(PyObject* self) noexcept {
  return *reinterpret_cast<type_object*>(self);
}
/// An instance of `of` (the class or a subclass). Null with a Python error set.
[[nodiscard]] PyObject* make_type(PyTypeObject* of, std::shared_ptr<schema_keys> keys, std::uint32_t index);

}  // namespace thriftlens::python
