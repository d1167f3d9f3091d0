// rewrite_object: thriftlens.Rewrite, which trims, redacts and edits one value in one pass.
#pragma once

#include "edit/edit_object.hpp"

namespace thriftlens::python {

/// The class, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* rewrite_class();
/// A rewrite of a value of that type in `data`, a bytes-like object. Null with a Python error set.
[[nodiscard]] PyObject* make_rewrite(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                                     const edit_call& call);
/// A rewrite of the value of a thriftlens.View. Null with a Python error set.
[[nodiscard]] PyObject* make_rewrite(PyObject* view, std::size_t output_size);

}  // namespace thriftlens::python
