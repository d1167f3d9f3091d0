// fwd: forward declarations of path.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

class borrowed_selection;
class map_key;
class path;
class selection;
struct path_step;

}  // namespace thriftlens::inline THRIFTLENS_ABI
