// view_iterator: the children of a view, one at a time, however many there are. Never makes a child before
// it is asked for.
#pragma once

#include "support/object.hpp"

#include <cstdint>

namespace thriftlens::python {

/// What iterating gives: of structs and maps one of these, of lists and sets the elements.
enum class side : std::uint8_t { keys, values, items };

/// An iterator over a view. Null with a Python error set.
[[nodiscard]] PyObject* iterate_view(PyObject* view, side which);
/// Over a list or set from its end. Null with a Python error set.
[[nodiscard]] PyObject* iterate_backward(PyObject* view);

}  // namespace thriftlens::python
