// scratch: collects the children of a node during parsing, then moves them to the arena at once. A stack,
// because inner lists end before outer ones.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <cstring>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

[[nodiscard]] THRIFTLENS_NOINLINE inline void* take_bytes(const void* from, std::size_t size, arena& memory) {
  if (size == 0) return nullptr;
  void* const to = memory.allocate(size, alignof(std::max_align_t));
  std::memcpy(to, from, size);
  return to;
}

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
    const std::size_t size = nodes_.size() - mark;
    void* const copied = take_bytes(nodes_.data() + mark, size * sizeof(T), memory);
    drop(mark);
    return {static_cast<T*>(copied), size};
  }

 private:
  thriftlens::detail::pod_vector<T> nodes_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
