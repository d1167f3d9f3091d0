// view_iterator: lazy iteration over the children of a view.
#pragma once

#include "support/object.hpp"

#include <cstdint>

namespace thriftlens::python {

/// The items of a struct or map; ignored for lists and sets, which yield elements.
enum class side : std::uint8_t { keys, values, items };

/// An iterator over a view. Null with a Python error set.
[[nodiscard]] PyObject* iterate_view(PyObject* view, side which);
/// An iterator over a list or set from its end. Null with a Python error set.
[[nodiscard]] PyObject* iterate_backward(PyObject* view);

}  // namespace thriftlens::python
