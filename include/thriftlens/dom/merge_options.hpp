// merge_options: options of node::merge.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Treatment of values that both sides of a merge have.
struct merge_options {
  enum class lists_as : unsigned char { replace, append } lists = lists_as::replace;  ///< and sets
  enum class maps_as : unsigned char { merge, replace } maps = maps_as::merge;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
