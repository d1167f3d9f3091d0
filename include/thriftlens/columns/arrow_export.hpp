// arrow_export: a plan and its columns as Arrow's C structs.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/columns/column_set.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A struct whose children are the columns. The receiver releases `out`.
void export_schema(const column_plan& plan, ArrowSchema& out);

/// Moves the first `rows` values of all columns into `out`.
void export_array(const column_plan& plan, column_set& columns, std::size_t rows, ArrowArray& out);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/arrow_export.ipp>
#endif
