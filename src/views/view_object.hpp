// view_object: thriftlens.View, a value inside bytes that is not decoded before it is asked for. Never
// copies the bytes: it holds them, and the schema, as long as it lives.
#pragma once

#include "caches/schema_keys.hpp"
#include "convert/value.hpp"
#include "support/owned_bytes.hpp"

#include <memory>
#include <optional>
#include <variant>

namespace thriftlens::python {

/// The class. Borrowed; null with a Python error set. The first call makes it.
[[nodiscard]] PyTypeObject* view_class();
/// A view of whatever value.
[[nodiscard]] bool is_view(PyObject* given);
struct view_class_row {
  const char* name;
  PyTypeObject* made;  ///< null with a Python error set
};
/// View, and below it the classes of views of structs, maps, lists and sets.
[[nodiscard]] std::span<const view_class_row> view_classes();
/// What an AbsentError, of a view, or an UnknownNameError, of a view and a name, says: message, code, path
/// and offset. `name` may be null or None.
[[nodiscard]] PyObject* reason_of(PyObject* view, PyObject* name);
/// Says of which record a view is, and with it all views of the same bytes. False with TypeError set for
/// another object.
[[nodiscard]] bool set_place(PyObject* view, const record_place& place);
/// (number, offset, value), or None for a view that is of no record.
[[nodiscard]] PyObject* place_of(PyObject* view);
struct view_parts {
  std::shared_ptr<schema_keys> keys;
  std::variant<view<binary>, view<compact>> at;  ///< good while the Python object lives
};
/// What a thriftlens.View holds. Nothing with TypeError set for another object.
[[nodiscard]] std::optional<view_parts> parts_of_view(PyObject* given);
/// A view of the value of that type at the start of `data`. Null with a Python error set.
[[nodiscard]] PyObject* make_view(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                                  const decode_options& options);

}  // namespace thriftlens::python
