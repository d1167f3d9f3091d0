// scratch: children gathered while their parent is read, then moved to the arena in one piece.
// In: nodes. Out: spans in the arena. A stack: an inner list is finished before the outer goes on.
// Never gives memory back before it dies.
#pragma once

#include <thriftlens/core/arena.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// A stack of trivially copyable nodes with marks. Amortised O(1) each.
template <class T>
class scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] std::size_t mark() const noexcept { return size_; }
  void push(const T& node) {
    if (size_ == capacity_) grow();
    nodes_[size_++] = node;
  }
  [[nodiscard]] T& operator[](std::size_t index) noexcept { return nodes_[index]; }
  [[nodiscard]] std::span<T> since(std::size_t mark) noexcept { return {nodes_.get() + mark, size_ - mark}; }
  void drop(std::size_t mark) noexcept { size_ = mark; }
  /// Moves everything pushed since the mark into the arena.
  [[nodiscard]] std::span<T> take(std::size_t mark, arena& memory) {
    std::span<T> kept = memory.copy(std::span<const T>(nodes_.get() + mark, size_ - mark));
    size_ = mark;
    return kept;
  }

 private:
  THRIFTLENS_COLD void grow() {
    const std::size_t wanted = capacity_ == 0 ? 32 : capacity_ * 2;
    std::unique_ptr<T[]> bigger(new T[wanted]);
    if (size_ != 0) std::memcpy(static_cast<void*>(bigger.get()), nodes_.get(), size_ * sizeof(T));
    nodes_ = std::move(bigger);
    capacity_ = wanted;
  }

  std::unique_ptr<T[]> nodes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thriftlens::idl
