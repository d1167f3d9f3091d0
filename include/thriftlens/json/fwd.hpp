// fwd: declarations of module json.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

struct to_json_options;
struct from_json_options;

}  // namespace thriftlens::inline THRIFTLENS_ABI
