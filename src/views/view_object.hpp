// view_object: thriftlens.View, a lazily decoded value in bytes. It keeps the bytes and the schema alive.
#pragma once

#include "caches/schema_keys.hpp"
#include "convert/value.hpp"
#include "support/owned_bytes.hpp"

#include <memory>
#include <optional>
#include <variant>

namespace thriftlens::python {

/// The class, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* view_class();
/// Whether the object is a View of any kind.
[[nodiscard]] bool is_view(PyObject* value);
struct view_class_row {
  const char* name;
  PyTypeObject* cls;  ///< null with a Python error set
};
/// View and its subclasses.
[[nodiscard]] std::span<const view_class_row> view_classes();
/// The message, code, path and offset of an AbsentError (of a view) or UnknownNameError (of a view and a
/// name). `name` may be null or None.
[[nodiscard]] PyObject* reason_of(PyObject* view, PyObject* name);
/// The base of thriftlens.Scan: reads the rows of cut_records without Python code in between.
[[nodiscard]] PyTypeObject* record_loop_class();
/// Sets the record position of all views of the same bytes. False with TypeError set for another object.
[[nodiscard]] bool set_location(PyObject* view, const record_location& location);
/// (number, offset, value), or None for a view without a record.
[[nodiscard]] PyObject* location_of(PyObject* view);
struct view_parts {
  std::shared_ptr<schema_keys> keys;
  std::variant<view<binary>, view<compact>> at;  ///< valid while the Python object lives
};
/// The contents of a thriftlens.View. Nothing with TypeError set for another object.
[[nodiscard]] std::optional<view_parts> parts_of_view(PyObject* value);
/// A view of the value at the start of `data`. Null with a Python error set.
[[nodiscard]] PyObject* make_view(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                                  const decode_options& options);

}  // namespace thriftlens::python
