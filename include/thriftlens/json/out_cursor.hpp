// out_cursor: appends many small pieces to a buffer by a raw pointer. put() does not check bounds: call
// need() first, once for several pieces.
#pragma once

#include <thriftlens/core/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Appends to a buffer that must not be used otherwise until finish() or abandon(). The size of the buffer
/// does not change before finish(), so an exception needs no clean-up.
class out_cursor {
 public:
  /// `max_size`: maximum number of appended bytes.
  out_cursor(buffer& to, std::size_t max_size) noexcept
      : to_(&to), start_(to.size()), max_size_(max_size), at_(to.end()), end_(to.data() + to.capacity()) {}
  out_cursor(const out_cursor&) = delete;
  out_cursor& operator=(const out_cursor&) = delete;

  /// Reserves `count` bytes after at(). False if more than max_size has been written.
  [[nodiscard]] THRIFTLENS_INLINE bool need(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) >= count) [[likely]]
      return true;
    return grow(count);
  }
  [[nodiscard]] std::uint8_t* at() const noexcept { return at_; }
  /// Bytes that can be written without need().
  [[nodiscard]] std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  /// Ends the written bytes at `end`.
  THRIFTLENS_INLINE void move_to(std::uint8_t* end) noexcept {
    THRIFTLENS_ASSERT(end <= end_);
    at_ = end;
  }
  THRIFTLENS_INLINE void put(char c) noexcept { *at_++ = static_cast<std::uint8_t>(c); }
  /// Copies a text in blocks of 32 bytes: 31 bytes after it must be readable, and 31 more be reserved.
  THRIFTLENS_INLINE void put_padded(const char* text, std::size_t size) noexcept {
    std::memcpy(at_, text, 32);
    for (std::size_t copied = 32; copied < size; copied += 32) std::memcpy(at_ + copied, text + copied, 32);
    at_ += size;
  }
  /// Copies eight bytes and advances by `size`.
  THRIFTLENS_INLINE void put_eight(const char* text, std::size_t size) noexcept {
    std::memcpy(at_, text, 8);
    at_ += size;
  }
  THRIFTLENS_INLINE void put(std::string_view text) noexcept {
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }

  /// Offset of at() in the buffer; valid when the buffer grows.
  [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(at_ - to_->data()); }
  [[nodiscard]] std::uint8_t* at(std::size_t offset) const noexcept { return to_->data() + offset; }
  /// Discards the bytes from `offset` on.
  void back_to(std::size_t offset) noexcept { at_ = at(offset); }

  /// Commits the written bytes to the buffer. False and nothing committed if they are more than max_size.
  [[nodiscard]] bool finish() noexcept {
    if (offset() - start_ > max_size_) return abandon(), false;
    to_->commit(at_);
    return true;
  }
  /// Restores the buffer.
  void abandon() noexcept { to_->truncate(start_); }

 private:
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

  THRIFTLENS_COLD bool grow(std::size_t count) {
    const std::size_t size = offset();
    if (size - start_ > max_size_) return false;
    // At most the allowed bytes and `count` more: callers may put less than they reserve.
    const std::size_t allowed = max_size_ - (size - start_);
    at_ = to_->prepare_after(at_, count,
                             allowed < unlimited - size - count ? size + allowed + count : unlimited);
    end_ = to_->data() + to_->capacity();
    return true;
  }

  buffer* to_;
  std::size_t start_;
  std::size_t max_size_;
  std::uint8_t* at_;
  std::uint8_t* end_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
