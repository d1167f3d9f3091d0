// cut_call: the options of cut_records and record_blobs.
#pragma once

#include "call/signature.hpp"
#include "call/spelling.hpp"

#include <thriftlens/records/records.hpp>

#include <cstdint>

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
    number<&cut_call::options, &records_options::lead>("lead", 0, 64),
    number<&cut_call::start>("start", 0, max_offset),
    number<&cut_call::count>("count", 1, std::uint64_t{1} << 20), number<&cut_call::last>("last", 0, 1));

}  // namespace thriftlens::python
