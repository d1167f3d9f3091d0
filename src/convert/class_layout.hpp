// class_layout: the layout of a struct's fields in a class, by its annotations and attributes.
#pragma once

#include "convert/encode_state.hpp"
#include "support/imported.hpp"

namespace thriftlens::python {

/// Whether all instances of a class have the layout. `declared`: the names of its fields, or null.
[[nodiscard]] inline bool has_common_layout(PyObject* from, PyObject* declared) {
  if (!layout_maker::can_have_layout(Py_TYPE(from))) return false;
  return PyTuple_Check(from) ? declared != nullptr : PyMapping_Check(from) == 0;
}
/// Sets names and conversions of a layout if the annotations of the class say so. False with a Python error
/// set.
[[nodiscard]] inline bool find_annotations(const encode_state& state, const image::struct_node& node,
                                           PyTypeObject* of, object_layout& layout) {
  if (state.table == nullptr) return true;
  PyObject* const find = imported<"thriftlens._schema.model_encoding", "attributes_of">();
  const object index(PyLong_FromUnsignedLong(node.type));
  if (find == nullptr || !index) return false;
  PyObject* const by_alias = state.options.by_alias() ? Py_True : Py_False;
  const object rows(PyObject_CallFunctionObjArgs(find, state.table, index.get(), of, by_alias, nullptr));
  if (!rows) return false;
  if (rows.get() == Py_None) return true;
  const auto or_null = [](PyObject* value) { return object::share(value == Py_None ? nullptr : value); };
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rows.get()); ++i) {
    PyObject* const row = PyTuple_GET_ITEM(rows.get(), i);
    layout.names.push_back(or_null(PyTuple_GET_ITEM(row, 0)));
    layout.conversions.push_back(or_null(PyTuple_GET_ITEM(row, 1)));
  }
  return true;
}
/// Sets the sources of the fields. `items`: the names of the items of a named tuple, or null. `is_common`:
/// see has_common_layout; otherwise they are attributes.
inline void find_sources(PyObject* const* names, const image::struct_node& node, PyObject* from,
                         PyObject* items, bool is_common, object_layout& layout) {
  using source = object_layout::source;
  const layout_maker maker(Py_TYPE(from));
  for (std::uint32_t i = 0; i < node.fields.size; ++i) {
    PyObject* const name = layout.names.empty() ? names[i] : layout.names[i].get();
    const Py_ssize_t item = items != nullptr && name != nullptr ? PySequence_Index(items, name) : -1;
    if (items != nullptr && item == -1) PyErr_Clear();
    object_layout::field field{source::attribute, 0};
    if (name == nullptr)
      field.from = source::nowhere;
    else if (is_common)
      field = maker.field(name, item);
    layout.fields.push_back(field);
    layout.has_instance |= field.is_instance();
  }
}

}  // namespace thriftlens::python
