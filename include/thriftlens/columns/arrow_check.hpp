// arrow_check: whether an exported Arrow array matches a schema. Reads every offset, index, validity bit and
// string, so that a consumer can trust them.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/core/result.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Checks formats, lengths, buffer sizes, null counts, offsets, union members, dictionary indices and UTF-8
/// of the array and its children. Linear in their size. Errors: wrong_type, with the path of the column; also
/// for an array of another library, whose buffer sizes are unknown.
[[nodiscard]] result<void> try_check_array(const ArrowSchema& schema, const ArrowArray& array);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/arrow_check.ipp>
#endif
