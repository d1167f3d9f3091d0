// declared_fields: the fields that the class of an object declares.
#pragma once

#include "support/attribute.hpp"

namespace thriftlens::python {

/// Null, without a Python error, if there is no such attribute.
template <attribute_name Name>
[[nodiscard]] object optional_attribute(PyObject* of) {
  object attribute(attribute_of<Name>(of));
  if (!attribute) PyErr_Clear();
  return attribute;
}
/// The names of the fields of a class of attrs.
[[nodiscard]] inline object attrs_names(PyObject* of) {
  const object attributes = optional_attribute<"__attrs_attrs__">(of);
  if (!attributes || !PyTuple_Check(attributes.get())) return {};
  object names(PyList_New(0));
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(attributes.get()); ++i) {
    const object name = optional_attribute<"name">(PyTuple_GET_ITEM(attributes.get(), i));
    if (!name || PyList_Append(names.get(), name.get()) != 0) return {};
  }
  return names;
}
[[nodiscard]] inline object attributes_of_class(PyObject* of) {
  if (object names = optional_attribute<"__dataclass_fields__">(of)) return names;
  if (object names = optional_attribute<"__struct_fields__">(of)) return names;
  if (object names = optional_attribute<"__pydantic_fields__">(of)) return names;
  if (has_attribute<"__pydantic_validator__">(of)) return optional_attribute<"model_fields">(of);
  return attrs_names(of);
}
/// The names of the fields that a class declares, as a tuple: named tuples, dataclasses, msgspec, pydantic
/// and attrs. Null for other objects.
inline PyObject* declared_fields(PyObject* from) {
  PyObject* const of = reinterpret_cast<PyObject*>(Py_TYPE(from));
  const object names = PyTuple_Check(from) ? optional_attribute<"_fields">(of) : attributes_of_class(of);
  object tuple(names ? PySequence_Tuple(names.get()) : nullptr);
  PyErr_Clear();
  return tuple.release();
}
/// The names of the extra fields of a pydantic model, as a tuple; null if its class allows none.
inline PyObject* extra_fields(PyObject* from) {
  if (!has_attribute<"__pydantic_validator__">(reinterpret_cast<PyObject*>(Py_TYPE(from)))) return nullptr;
  const object extra = optional_attribute<"__pydantic_extra__">(from);
  object names(extra && PyDict_Check(extra.get()) ? PySequence_Tuple(extra.get()) : nullptr);
  PyErr_Clear();
  return names.release();
}
/// Whether an object is of a Python class or has a dict, and is not a text, number or container.
inline bool has_attributes(PyObject* from) {
  PyTypeObject* of = Py_TYPE(from);
  if (((of->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0 && of->tp_dictoffset == 0) || PyType_Check(from))
    return false;
  return !PyLong_Check(from) && !PyFloat_Check(from) && !PyUnicode_Check(from) && !PyBytes_Check(from) &&
         !PyList_Check(from) && !PyAnySet_Check(from);
}

}  // namespace thriftlens::python
