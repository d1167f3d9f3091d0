// view_bytes: encodes and decodes views as values of other messages.
#pragma once

#include "convert/value.hpp"

namespace thriftlens::python {

/// Whether the object is a thriftlens.View.
[[nodiscard]] bool is_view(PyObject* value);
/// The option `unknown` of the view.
[[nodiscard]] on_unknown unknown_in_view(PyObject* view) noexcept;
/// Whether the view has exactly that type and no option that accepts malformed values.
[[nodiscard]] bool is_strict_view_of(PyObject* view, const detail::image::type_node& type) noexcept;
/// Appends the value of the view; `out` is unchanged after an error. Errors: those of validate, without
/// checks of UTF-8, enums and rules; unknown_field for on_unknown::error.
[[nodiscard]] result<void> try_append_view(PyObject* view, protocol_id to, on_unknown unknown,
                                           const limits& bounds, buffer& out);
/// The decoded value of the view. Null with a Python error set.
[[nodiscard]] PyObject* decode_view_with(PyObject* view, on_unknown unknown, json_names names);

}  // namespace thriftlens::python
