// scratch: collects the children of a node during parsing, then moves them to the arena at once. A stack,
// because inner lists end before outer ones.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// A stack of trivially copyable nodes with marks. Amortised O(1) per node.
template <class T>
class scratch {
 public:
  [[nodiscard]] std::size_t mark() const noexcept { return nodes_.size(); }
  void push(const T& node) { nodes_.push_back(node); }
  [[nodiscard]] std::span<const T> since(std::size_t mark) const noexcept {
    return {nodes_.data() + mark, nodes_.size() - mark};
  }
  void drop(std::size_t mark) noexcept { nodes_.resize_down(mark); }
  /// Moves everything pushed since the mark into the arena.
  [[nodiscard]] std::span<T> take(std::size_t mark, arena& memory) {
    std::span<T> copied = memory.copy(since(mark));
    drop(mark);
    return copied;
  }

 private:
  thriftlens::detail::pod_vector<T> nodes_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
