// column_buffer: growing memory of one column, with Arrow's alignment.
#pragma once

#include <thriftlens/columns/column_memory.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/config.hpp>
#include <thriftlens/core/copy_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Bytes, or bits. If an allocation fails it throws std::bad_alloc and is unchanged.
class column_buffer {
 public:
  /// `memory`, which may be null, outlives it.
  explicit column_buffer(column_memory* memory = nullptr) noexcept : memory_(memory) {}
  column_buffer(column_buffer&& other) noexcept
      : block_(std::exchange(other.block_, {})),
        size_(std::exchange(other.size_, 0)),
        memory_(other.memory_) {}
  column_buffer& operator=(column_buffer&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~column_buffer() { give_back(memory_, block_); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const std::uint8_t* data() const noexcept { return block_.data; }

  template <class T>
  THRIFTLENS_INLINE void put(T value) {
    need(sizeof value);
    std::memcpy(block_.data + size_, &value, sizeof value);
    size_ += sizeof value;
  }
  THRIFTLENS_INLINE void append(byte_view bytes) {
    if (bytes.empty()) return;
    need(bytes.size());
    copy_bytes(block_.data + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  /// Appends `count` uninitialized bytes and returns their begin.
  [[nodiscard]] std::uint8_t* extend(std::size_t count) {
    need(count);
    size_ += count;
    return block_.data + size_ - count;
  }
  /// Allocates capacity for `size` bytes; the contents stay.
  void reserve(std::size_t size) {
    if (size > block_.size) grow(size - size_);
  }
  void put_zeros(std::size_t count) {
    if (count != 0) std::memset(extend(count), 0, count);
  }
  /// The value at an index, as an array of T.
  template <class T>
  [[nodiscard]] T at(std::size_t index) const noexcept {
    T value;
    std::memcpy(&value, block_.data + index * sizeof value, sizeof value);
    return value;
  }
  void truncate(std::size_t size) noexcept { size_ = size; }

  // Access to bits, whose count the caller tracks.
  THRIFTLENS_INLINE void put_bit(std::size_t count, bool bit) {
    if (count % 8 == 0) put(std::uint8_t{0});
    std::uint8_t& in = block_.data[count / 8];
    const auto mask = static_cast<std::uint8_t>(1u << (count % 8));
    in = static_cast<std::uint8_t>(bit ? in | mask : in & ~mask);
  }
  [[nodiscard]] bool bit(std::size_t index) const noexcept {
    return (block_.data[index / 8] >> index % 8 & 1) != 0;
  }
  /// Sets the contents to `count` one bits.
  void put_ones(std::size_t count) {
    size_ = 0;
    if (count != 0) std::memset(extend((count + 7) / 8), 0xff, (count + 7) / 8);
  }
  void truncate_bits(std::size_t count) noexcept { size_ = (count + 7) / 8; }

  /// Transfers the memory, which is never null, to the caller, who calls give_back(). Empty afterwards.
  [[nodiscard]] column_block release() {
    if (block_.data == nullptr) grow(1);
    size_ = 0;
    return std::exchange(block_, {});
  }
  /// Returns memory to its source.
  static void give_back(column_memory* memory, column_block block) noexcept {
    if (block.data == nullptr) return;
    if (memory != nullptr) {
      memory->give_back(block);
    } else {
      block.free();
    }
  }

 private:
  THRIFTLENS_INLINE void need(std::size_t count) {
    if (block_.size - size_ < count) [[unlikely]]
      grow(count);
  }
  THRIFTLENS_NOINLINE void grow(std::size_t count) {
    std::size_t capacity = size_ + count;
    if (capacity < block_.size * 2) capacity = block_.size * 2;
    capacity = (capacity + 63) / 64 * 64;
    const column_block larger = memory_ != nullptr ? memory_->take(capacity) : column_block::make(capacity);
    if (size_ != 0) std::memcpy(larger.data, block_.data, size_);
    give_back(memory_, std::exchange(block_, larger));
  }

  column_block block_;
  std::size_t size_ = 0;
  column_memory* memory_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
