// append_framed: bodies of append_framed.hpp.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/records/append_framed.hpp>
#include <thriftlens/records/framing_table.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY result<void> try_append_framed(input_bytes record, framing with, buffer& out) {
  if (detail::overlaps(record, out)) return detail::overlap_error();
  if (record.size() > 0x7fffffffu) return error(errc::size_limit);
  const detail::framing_row& row = detail::row_of(with);
  if (row.append_line != nullptr) return row.append_line(record, out), result<void>();
  std::uint8_t* const to = out.prepare(row.max_header + record.size());
  if (row.put_header != nullptr) out.commit(row.put_header(to, static_cast<std::uint32_t>(record.size())));
  out.append(record);
  return {};
}
THRIFTLENS_BODY result<void> try_append_null_record(framing with, buffer& out) {
  const detail::framing_row& row = detail::row_of(with);
  if (row.put_null == nullptr)
    return error(errc::bad_option, "framing " + std::string(to_string(with)) + " has no null record");
  out.commit(row.put_null(out.prepare(row.max_header)));
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
