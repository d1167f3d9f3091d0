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

/// The class, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* type_class();
[[nodiscard]] inline bool is_type(PyObject* value) { return PyObject_TypeCheck(value, type_class()) != 0; }
/// The contents of an instance of the class.
[[nodiscard]] inline type_object& type_of(PyObject* self) noexcept {
  return *reinterpret_cast<type_object*>(self);
}
/// An instance of `of` (the class or a subclass). Null with a Python error set.
[[nodiscard]] PyObject* make_type(PyTypeObject* of, std::shared_ptr<schema_keys> keys, std::uint32_t index);

}  // namespace thriftlens::python
