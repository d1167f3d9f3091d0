// sparse_table: records for some nodes of an image, by node index. Takes one number per node of the image
// besides the records: a plan of one function reaches few types.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Copies share the records, which are not changed after the plan is compiled. References stay valid.
template <class T>
class sparse_table {
 public:
  /// Starts with `nodes` nodes without records.
  void reset(std::size_t nodes) {
    index_.assign(nodes, 0);
    records_.assign(1, std::make_shared<T>());
  }
  [[nodiscard]] T& make(std::size_t node) {
    if (index_[node] == 0) {
      index_[node] = static_cast<std::uint32_t>(records_.size());
      records_.push_back(std::make_shared<T>());
    }
    return *records_[index_[node]];
  }
  [[nodiscard]] THRIFTLENS_INLINE const T& operator[](std::size_t node) const noexcept {
    return *records_[index_[node]];
  }
  [[nodiscard]] std::size_t size() const noexcept { return records_.empty() ? 0 : records_.size() - 1; }

 private:
  std::vector<std::uint32_t> index_;
  std::vector<std::shared_ptr<T>> records_;  // the first is the empty one
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
