// view_access: fields, elements and entries of views, for the methods of their classes. Functions return null
// or -1 with a Python error set.
#pragma once

#include "call/method.hpp"
#include "views/view_parts.hpp"

namespace thriftlens::python {

/// Passes `result` on; if it is null, adds the view's record to the exception.
PyObject* about_record(PyObject* self, PyObject* result);
/// view[key]; `key` may be a slice.
PyObject* subscript(PyObject* self, PyObject* key);
/// Methods take precedence over fields; view["get"] reads a field with the name of a method.
PyObject* attribute(PyObject* self, PyObject* name);
Py_ssize_t length(PyObject* self);
int contains(PyObject* self, PyObject* value);
[[nodiscard]] bool is_ordered_view(PyObject* self);

/// Like Mapping.get: `fallback` for a missing key.
PyObject* get_key(PyObject* self, PyObject* key, PyObject* fallback);
PyObject* get_path(PyObject* self, PyObject* text, PyObject* fallback);
/// The name of a field, or else a path.
PyObject* get_field(PyObject* self, PyObject* name, PyObject* fallback);

[[nodiscard]] const signature_of<no_options>& index_signature();
PyObject* index_method(PyObject* self, PyObject** positionals);
PyObject* count_method(PyObject* self, PyObject* value);

}  // namespace thriftlens::python
