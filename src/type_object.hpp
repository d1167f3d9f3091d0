// type_object: thriftlens._core.Type, a type of a schema as a Python object.
// In: a schema and the index of a type. Out: decode, encode, to_json, from_json.
// Never goes through pybind11: its dispatch costs more than decoding a small struct.
#pragma once

#include "prepared.hpp"
#include "schema_keys.hpp"

#include <memory>

namespace thriftlens::python {

/// The class. Borrowed; null with a Python error set. The first call makes it.
[[nodiscard]] PyTypeObject* type_class();
/// An instance of `of` (the class or a subclass). Null with a Python error set.
[[nodiscard]] PyObject* make_type(PyTypeObject* of, std::shared_ptr<schema_keys> keys, std::uint32_t index);
/// What an instance stands for.
struct type_parts {
  std::shared_ptr<schema_keys> keys;
  type of;
};
[[nodiscard]] type_parts parts_of(PyObject* self) noexcept;
/// The calls of prepared methods that were made of an instance.
[[nodiscard]] prepared_cache& cache_of(PyObject* self) noexcept;

}  // namespace thriftlens::python
