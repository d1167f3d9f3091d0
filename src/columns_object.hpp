// columns_object: thriftlens._core.ColumnReader, columns of a type as a Python object.
// In: a type, a selection, options; records as a list of bytes or as an Arrow array. Out: Arrow's capsules.
// Never holds rows between two calls: each call gives what it read.
#pragma once

#include "method.hpp"

namespace thriftlens::python {

/// The class. Borrowed; null with a Python error set. The first call makes it.
[[nodiscard]] PyTypeObject* column_reader_class();

}  // namespace thriftlens::python
