// columns_object: ColumnReader and RecordColumn of thriftlens._core. No rows are held between calls.
#pragma once

#include "call/method.hpp"

namespace thriftlens::python {

/// The class, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* column_reader_class();
[[nodiscard]] PyTypeObject* record_column_class();
/// Type._from_columns, which returns a RecordColumn.
[[nodiscard]] method from_columns_method();

}  // namespace thriftlens::python
