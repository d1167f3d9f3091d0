// columns_object: ColumnReader and RecordColumn of thriftlens._core: columns of records, records of
// columns. Never holds rows between two calls: each call gives what it read.
#pragma once

#include "call/method.hpp"

namespace thriftlens::python {

/// The class. Borrowed; null with a Python error set. The first call makes it.
[[nodiscard]] PyTypeObject* column_reader_class();
[[nodiscard]] PyTypeObject* record_column_class();
/// Type._from_columns, which makes a RecordColumn.
[[nodiscard]] method from_columns_method();

}  // namespace thriftlens::python
