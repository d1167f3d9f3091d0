// struct_ids: detects duplicate field ids in structs that are read simultaneously.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <set>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The field ids seen in any number of structs, which are identified by numbers. O(log n).
class struct_ids {
 public:
  /// False if the struct had the id already.
  [[nodiscard]] bool add(std::size_t in, std::int16_t id) {
    return pairs_.insert(std::uint64_t{in} << 16 | static_cast<std::uint16_t>(id)).second;
  }

 private:
  std::set<std::uint64_t> pairs_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
