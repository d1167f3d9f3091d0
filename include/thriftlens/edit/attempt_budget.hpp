// attempt_budget: bounds the cost of fast attempts on incomplete values, so that a stream stays linear.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <cstddef>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Limits the bytes that failed fast attempts read in vain, relative to the bytes that were consumed.
class attempt_budget {
 public:
  /// Bytes from the current position that an attempt may read; 0: none.
  [[nodiscard]] std::size_t window(std::size_t passed, std::size_t available) const noexcept {
    constexpr std::size_t least = 64, first = std::size_t{16} << 10;
    const std::size_t allowed = first + passed / 2;
    if (available < least || lost_ >= allowed) return 0;
    return (std::min)(available, first + passed);
  }
  void lose(std::size_t bytes) noexcept { lost_ += bytes; }
  void win_back(std::size_t bytes) noexcept { lost_ -= bytes; }

 private:
  std::size_t lost_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
