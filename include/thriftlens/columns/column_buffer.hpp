// column_buffer: growing memory of one column, aligned as Arrow asks.
// In: values one after another. Out: the same bytes, which can be handed over.
// Never shrinks but by truncate(); never knows what its bytes mean.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Frees what column_buffer::release() gave.
struct column_memory {
  static constexpr std::align_val_t alignment{64};
  [[nodiscard]] static std::uint8_t* take(std::size_t size) {
    return static_cast<std::uint8_t*>(::operator new(size, alignment));
  }
  static void give_back(std::uint8_t* memory) noexcept { ::operator delete(memory, alignment); }
};

/// Bytes, or bits. Where memory cannot be had it throws std::bad_alloc and is as it was.
class column_buffer {
 public:
  column_buffer() noexcept = default;
  column_buffer(column_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  column_buffer& operator=(column_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~column_buffer() { column_memory::give_back(data_); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const std::uint8_t* data() const noexcept { return data_; }

  template <class T>
  THRIFTLENS_INLINE void put(T value) {
    need(sizeof value);
    std::memcpy(data_ + size_, &value, sizeof value);
    size_ += sizeof value;
  }
  THRIFTLENS_INLINE void append(byte_view bytes) {
    if (bytes.empty()) return;
    need(bytes.size());
    std::memcpy(data_ + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  /// Makes room for `count` bytes and gives their begin; they are in from now on, and hold anything.
  [[nodiscard]] std::uint8_t* extend(std::size_t count) {
    need(count);
    size_ += count;
    return data_ + size_ - count;
  }
  /// Makes room for so many bytes in all; what is in stays.
  void reserve(std::size_t size) {
    if (size > capacity_) grow(size - size_);
  }
  void put_zeros(std::size_t count) {
    if (count != 0) std::memset(extend(count), 0, count);
  }
  /// The value at an index of values of that type.
  template <class T>
  [[nodiscard]] T at(std::size_t index) const noexcept {
    T value;
    std::memcpy(&value, data_ + index * sizeof value, sizeof value);
    return value;
  }
  void truncate(std::size_t size) noexcept { size_ = size; }

  // As bits, of which the caller knows the count.
  THRIFTLENS_INLINE void put_bit(std::size_t count, bool bit) {
    if (count % 8 == 0) put(std::uint8_t{0});
    std::uint8_t& in = data_[count / 8];
    const auto mask = static_cast<std::uint8_t>(1u << (count % 8));
    in = static_cast<std::uint8_t>(bit ? in | mask : in & ~mask);
  }
  [[nodiscard]] bool bit(std::size_t index) const noexcept {
    return (data_[index / 8] >> index % 8 & 1) != 0;
  }
  /// The first `count` bits are ones, and no others are in.
  void put_ones(std::size_t count) {
    size_ = 0;
    if (count != 0) std::memset(extend((count + 7) / 8), 0xff, (count + 7) / 8);
  }
  void truncate_bits(std::size_t count) noexcept { size_ = (count + 7) / 8; }

  /// Hands the memory over, never null; it goes back by column_memory::give_back(). Empty afterwards.
  [[nodiscard]] std::uint8_t* release() {
    if (data_ == nullptr) grow(1);
    size_ = 0;
    capacity_ = 0;
    return std::exchange(data_, nullptr);
  }

 private:
  THRIFTLENS_INLINE void need(std::size_t count) {
    if (capacity_ - size_ < count) [[unlikely]]
      grow(count);
  }
  THRIFTLENS_NOINLINE void grow(std::size_t count) {
    std::size_t wanted = size_ + count;
    if (wanted < capacity_ * 2) wanted = capacity_ * 2;
    wanted = (wanted + 63) / 64 * 64;
    std::uint8_t* const moved = column_memory::take(wanted);
    if (size_ != 0) std::memcpy(moved, data_, size_);
    column_memory::give_back(data_);
    data_ = moved;
    capacity_ = wanted;
  }

  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
