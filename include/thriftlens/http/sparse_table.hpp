// sparse_table: records for some nodes of an image, found by the node's index. Never as large as the image
// in anything but one number a node: a plan of one function reaches few types.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Copies share the records, which nobody changes after the plan is compiled. References stay good.
template <class T>
class sparse_table {
 public:
  /// For that many nodes, none of which has a record yet.
  void reset(std::size_t nodes) {
    at_.assign(nodes, 0);
    made_.assign(1, std::make_shared<T>());
  }
  [[nodiscard]] T& make(std::size_t node) {
    if (at_[node] == 0) {
      at_[node] = static_cast<std::uint32_t>(made_.size());
      made_.push_back(std::make_shared<T>());
    }
    return *made_[at_[node]];
  }
  [[nodiscard]] THRIFTLENS_INLINE const T& operator[](std::size_t node) const noexcept {
    return *made_[at_[node]];
  }
  /// How many records there are.
  [[nodiscard]] std::size_t size() const noexcept { return made_.empty() ? 0 : made_.size() - 1; }

 private:
  std::vector<std::uint32_t> at_;
  std::vector<std::shared_ptr<T>> made_;  // the first is the empty one
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
