// view_bytes: views as values to encode: the bytes that they stand for, or what they decode to. Never
// drops a field: what the IDL does not know is kept, or an error.
#pragma once

#include "convert/value.hpp"

namespace thriftlens::python {

/// Whether the object is a thriftlens.View.
[[nodiscard]] bool is_view(PyObject* given);
/// What the view was made with.
[[nodiscard]] on_unknown unknown_in_view(PyObject* view) noexcept;
/// Whether it is of that very type, and takes nothing for sound that is not.
[[nodiscard]] bool is_strict_view_of(PyObject* view,
                                     const thriftlens::detail::image::type_node& type) noexcept;
/// The bytes of its value at the end of `out`, which is as before after an error. Errors: what validate finds
/// wrong with them, but for text, enums and rules; unknown_field unless these are kept.
[[nodiscard]] result<void> try_append_view(PyObject* view, protocol_id to, on_unknown unknown,
                                           const limits& bounds, buffer& out);
/// What it decodes to. Null with a Python error set.
[[nodiscard]] PyObject* decode_view_with(PyObject* view, on_unknown unknown, json_names names);

}  // namespace thriftlens::python
