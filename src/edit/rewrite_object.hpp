// rewrite_object: thriftlens.Rewrite, a selection, a redaction and edits of one value in one pass. Never
// decodes what stays.
#pragma once

#include "edit/edit_object.hpp"

namespace thriftlens::python {

/// The class. Borrowed; null with a Python error set. The first call makes it.
[[nodiscard]] PyTypeObject* rewrite_class();
/// A rewrite of the value of that type that `data`, any bytes-like object, holds. Null with a Python error
/// set.
[[nodiscard]] PyObject* make_rewrite(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                                     const edit_call& call);
/// A rewrite of the value of a thriftlens.View. Null with a Python error set.
[[nodiscard]] PyObject* make_rewrite(PyObject* view, std::size_t output_size);

}  // namespace thriftlens::python
