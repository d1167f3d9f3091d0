// scratch: collects the children of a node during parsing, then moves them to the arena at once. A stack,
// because inner lists end before outer ones.
#pragma once

#include <thriftlens/core/arena.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// A stack of trivially copyable nodes with marks. Amortised O(1) per node.
template <class T>
class scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] std::size_t mark() const noexcept { return size_; }
  void push(const T& node) {
    if (size_ == capacity_) grow();
    std::memcpy(static_cast<void*>(nodes() + size_++), &node, sizeof(T));
  }
  [[nodiscard]] std::span<const T> since(std::size_t mark) const noexcept {
    return {nodes() + mark, size_ - mark};
  }
  void drop(std::size_t mark) noexcept { size_ = mark; }
  /// Moves everything pushed since the mark into the arena.
  [[nodiscard]] std::span<T> take(std::size_t mark, arena& memory) {
    std::span<T> copied = memory.copy(since(mark));
    size_ = mark;
    return copied;
  }

 private:
  // Bytes, because an array of T would be initialised for nothing.
  [[nodiscard]] T* nodes() const noexcept { return reinterpret_cast<T*>(bytes_.get()); }

  THRIFTLENS_COLD void grow() {
    const std::size_t capacity = capacity_ == 0 ? 32 : capacity_ * 2;
    std::unique_ptr<std::byte[]> bigger(new std::byte[capacity * sizeof(T)]);
    if (size_ != 0) std::memcpy(bigger.get(), bytes_.get(), size_ * sizeof(T));
    bytes_ = std::move(bigger);
    capacity_ = capacity;
  }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
