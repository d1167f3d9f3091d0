// append_framed: writes records in the framings that records reads.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/records/framing.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends a record in a framing, as `records` reads it: `none` and `message` add no bytes. Errors, after
/// which `out` is as before: size_limit from 2^31 bytes on, bad_option if the record lies in `out`.
[[nodiscard]] result<void> try_append_framed(input_bytes record, framing with, buffer& out);
inline void append_framed(input_bytes record, framing with, buffer& out) {
  try_append_framed(record, with, out).value();
}

/// Appends a null record. Error: bad_option, unless the framing is kafka, which has them.
[[nodiscard]] result<void> try_append_null_record(framing with, buffer& out);
inline void append_null_record(framing with, buffer& out) { try_append_null_record(with, out).value(); }

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/append_framed.ipp>
#endif
