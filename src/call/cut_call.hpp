// cut_call: the options of cut_records and record_blobs.
#pragma once

#include "call/common_options.hpp"
#include "call/signature.hpp"

#include <thriftlens/records/records.hpp>

#include <cstdint>
#include <functional>

namespace thriftlens::python {

struct cut_call {
  records_options options = {};
  std::uint64_t start = 0;  ///< in the data
  std::uint64_t count = 1;  ///< maximum number of records
  std::uint64_t last = 1;   ///< whether the data ends the input
};

inline constexpr positional cut_data[] = {{"data"}};
inline constexpr std::uint64_t max_offset = std::uint64_t{1} << 62;
inline constexpr auto cut_options = table(
    choice<&cut_call::options, &records_options::framing>("framing"),
    protocol_option<&cut_call::options, &records_options::protocol>(),
    depth_option<&cut_call::options, &records_options::limits>(),
    number<&cut_call::options, &records_options::record_size>("record_size", 1, max_offset),
    number<&cut_call::options, &records_options::offset>("offset", 0, max_offset),
    number<&cut_call::options, &records_options::number>("number", 0, max_offset),
    number<&cut_call::options, &records_options::prefix_size>("prefix_size", 0, 64),
    number<&cut_call::start>("start", 0, max_offset),
    number<&cut_call::count>("count", 1, std::uint64_t{1} << 20), number<&cut_call::last>("last", 0, 1));

/// The end of a call.
struct cut_status {
  error reason;
  bool can_continue = true;
  std::size_t bytes_needed = 0;
  std::size_t next = 0;  ///< in the data
};
[[nodiscard]] inline bool is_inside(byte_view part, byte_view window) noexcept {
  return std::less_equal<>()(window.begin(), part.begin()) && std::less_equal<>()(part.end(), window.end());
}
/// Calls `add(record, window, rest)` for the records of the window, the data from `start` on, until it
/// returns false. `rest`: what follows the record.
template <class Add>
[[nodiscard]] cut_status cut(byte_view data, const cut_call& call, Add&& add) {
  cut_status end;
  const byte_view window = data.part(call.start, data.size() - call.start);
  records in(call.options);
  in.borrow(window, call.last != 0);
  for (bool is_full = false; !is_full;) {
    record item;
    const result<bool> status = in.try_next(item);
    if (!status) end.reason = status.error();
    if (!status || !*status) break;
    is_full = !add(item, window, in.rest());
  }
  end.can_continue = in.can_continue();
  end.bytes_needed = in.required();
  end.next = data.size() - in.rest().size();
  return end;
}

}  // namespace thriftlens::python
