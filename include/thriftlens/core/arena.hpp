// arena: memory for many small trivially destructible objects with a common lifetime. reset() reuses the
// blocks.
#pragma once

#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bump allocator with one owner. Not thread-safe. Blocks double from `first_block` bytes up to 1 MiB.
class arena {
 public:
  explicit arena(std::size_t first_block = 4096) noexcept : next_size_(first_block) {}
  arena(arena&& other) noexcept { swap(other); }
  arena& operator=(arena&& other) noexcept { return swap(other), *this; }
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  ~arena() {
    for (const block& entry : blocks_) delete[] entry.bytes;
  }

  /// `size` bytes aligned to `alignment` (a power of two, at most alignof(max_align_t)).
  [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) {
    std::size_t padding = (~reinterpret_cast<std::uintptr_t>(at_) + 1) & (alignment - 1);
    if (static_cast<std::size_t>(end_ - at_) < size + padding || size + padding < size) {
      next_block(size);
      padding = 0;
    }
    std::byte* begin = at_ + padding;
    at_ = begin + size;
    return begin;
  }
  template <class T, class... Args>
  [[nodiscard]] T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }
  /// Copies the elements; an empty range needs no memory.
  template <class T>
  [[nodiscard]] std::span<T> copy(std::span<const T> from) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    if (from.empty()) return {};
    auto* to = static_cast<T*>(allocate(from.size_bytes(), alignof(T)));
    std::memcpy(static_cast<void*>(to), from.data(), from.size_bytes());
    return {to, from.size()};
  }
  [[nodiscard]] std::string_view copy(std::string_view text) {
    std::span<char> copied = copy(std::span<const char>(text.data(), text.size()));
    return {copied.data(), copied.size()};
  }
  /// Invalidates all allocations and retains the blocks for reuse.
  void reset() noexcept {
    current_ = 0;
    if (blocks_.empty()) return;
    at_ = blocks_[0].bytes;
    end_ = at_ + blocks_[0].size;
  }
  /// Total size of the blocks.
  [[nodiscard]] std::size_t reserved() const noexcept {
    std::size_t sum = 0;
    for (const block& entry : blocks_) sum += entry.size;
    return sum;
  }
  void swap(arena& other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(current_, other.current_);
    std::swap(next_size_, other.next_size_);
    std::swap(at_, other.at_);
    std::swap(end_, other.end_);
  }

 private:
  struct block {
    std::byte* bytes;
    std::size_t size;
  };
  static constexpr std::size_t largest_step = std::size_t{1} << 20;

  THRIFTLENS_COLD void next_block(std::size_t size) {
    while (current_ + 1 < blocks_.size()) {
      ++current_;
      if (blocks_[current_].size >= size) return use(blocks_[current_]);
    }
    std::size_t block_size = next_size_ > size ? next_size_ : size;
    if (next_size_ < largest_step) next_size_ *= 2;
    current_ = blocks_.size();
    blocks_.emplace_back();
    blocks_.back() = {new std::byte[block_size], block_size};
    use(blocks_.back());
  }
  void use(block& from) noexcept {
    at_ = from.bytes;
    end_ = at_ + from.size;
  }

  detail::pod_vector<block> blocks_;
  std::size_t current_ = 0;
  std::size_t next_size_ = 4096;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
