// buffer: a growable byte buffer that writers append to without per-byte checks. Doubles its capacity;
// clear() retains memory. Does not initialize memory.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/print.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Owned output bytes. Reads as std::string_view and byte_view; reuse one to avoid allocations.
/// Pointers from data() and prepare() are valid until the next call that may grow it. If an allocation fails,
/// these calls throw std::bad_alloc and leave the bytes unchanged (core/rollback.hpp).
class buffer {
 public:
  using value_type = std::uint8_t;

  buffer() noexcept = default;
  explicit buffer(byte_view bytes) { append(bytes); }
  buffer(const buffer& other) { append(byte_view(other.data_, other.size_)); }
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer other) noexcept { return swap(other), *this; }
  ~buffer() { std::free(data_); }

  [[nodiscard]] std::uint8_t* data() noexcept THRIFTLENS_LIFETIMEBOUND { return data_; }
  [[nodiscard]] const std::uint8_t* data() const noexcept THRIFTLENS_LIFETIMEBOUND { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::uint8_t* begin() noexcept THRIFTLENS_LIFETIMEBOUND { return data_; }
  [[nodiscard]] std::uint8_t* end() noexcept THRIFTLENS_LIFETIMEBOUND { return data_ + size_; }
  [[nodiscard]] const std::uint8_t* begin() const noexcept THRIFTLENS_LIFETIMEBOUND { return data_; }
  [[nodiscard]] const std::uint8_t* end() const noexcept THRIFTLENS_LIFETIMEBOUND { return data_ + size_; }

  /// The bytes as characters, borrowed. Deleted for temporaries; use str().
  [[nodiscard]] std::string_view text() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return {reinterpret_cast<const char*>(data_), size_};
  }
  void text() const&& = delete;
  [[nodiscard]] operator std::string_view() const& noexcept THRIFTLENS_LIFETIMEBOUND {  // NOLINT: implicit
    return text();
  }
  operator std::string_view() const&& = delete;
  /// A copy.
  [[nodiscard]] std::string str() const { return std::string(text()); }

  /// Ensures a capacity of at least `capacity` bytes in all, as std::vector; the size does not change.
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) grow(size_, capacity - size_, unbounded);
  }
  /// Ensures capacity for `count` more bytes and returns their position; the size does not change until
  /// commit(). Amortised O(1).
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* prepare(std::size_t count) {
    if (capacity_ - size_ < count) grow(size_, count, unbounded);
    return data_ + size_;
  }
  /// Like prepare(), after `end`, a pointer into reserved memory: bytes before it are preserved although they
  /// are not committed yet. Returns the new `end`. A writer that commits only once, at its end, needs no
  /// rollback if memory runs out or the caller's code throws. `useful`: maximum size that can be used; bounds
  /// the growth.
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* prepare_after(const std::uint8_t* end, std::size_t count,
                                                              std::size_t useful = unbounded) {
    THRIFTLENS_ASSERT(end >= data_ && end <= data_ + capacity_);
    const auto used = static_cast<std::size_t>(end - data_);
    if (capacity_ - used < count) grow(used, count, useful);
    return data_ + used;
  }
  /// Sets the size so that the bytes end at `end`, a pointer into reserved memory.
  THRIFTLENS_INLINE void commit(const std::uint8_t* end) noexcept {
    THRIFTLENS_ASSERT(end >= data_ && end <= data_ + capacity_);
    size_ = static_cast<std::size_t>(end - data_);
  }
  /// Copies bytes, which must not be its own.
  void append(byte_view bytes) {
    THRIFTLENS_ASSERT(bytes.empty() || std::compare_three_way()(bytes.end() - 1, data_) < 0 ||
                      std::compare_three_way()(bytes.data(), data_ + capacity_) >= 0);
    if (bytes.empty()) return;
    std::uint8_t* to = prepare(bytes.size());
    std::memcpy(to, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void push_back(std::uint8_t byte) {
    *prepare(1) = byte;
    ++size_;
  }
  /// Removes all bytes from `size` on; retains the memory.
  void truncate(std::size_t size) noexcept {
    THRIFTLENS_ASSERT(size <= size_);
    size_ = size;
  }
  void clear() noexcept { size_ = 0; }
  friend bool operator==(const buffer& lhs, const buffer& rhs) noexcept {
    return byte_view(lhs) == byte_view(rhs);
  }
  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  static constexpr std::size_t unbounded = static_cast<std::size_t>(-1);

  // Preserves the first `used` bytes. Doubles the capacity, but not beyond `useful`.
  THRIFTLENS_COLD void grow(std::size_t used, std::size_t count, std::size_t useful) {
    if (count > unbounded / 4 - used) out_of_memory();
    const std::size_t needed = used + count;
    std::size_t next = capacity_ * 2 < useful ? capacity_ * 2 : useful;
    if (next < needed) next = needed;
    if (next < 256) next = 256;
    void* moved = std::realloc(data_, next);
    if (moved == nullptr) out_of_memory();
    data_ = static_cast<std::uint8_t*>(moved);
    capacity_ = next;
  }
  [[noreturn]] static void out_of_memory() {
#if THRIFTLENS_EXCEPTIONS
    throw std::bad_alloc();
#else
    std::abort();
#endif
  }

  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};
/// As its text.
template <>
inline constexpr bool detail::is_printed<buffer> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
