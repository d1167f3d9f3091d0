// out_cursor: the end of a buffer as a raw pointer with known room, for writers that make many small
// pieces. Never checks a single put: need() is asked first, once for several pieces.
#pragma once

#include <thriftlens/core/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Appends to a buffer that nobody else touches until finish() or abandon(). Until then the buffer counts
/// none of the bytes: a writer that is left by an exception has nothing to take back.
class out_cursor {
 public:
  /// `max_size`: bytes that may be appended in all.
  out_cursor(buffer& to, std::size_t max_size) noexcept
      : to_(&to), start_(to.size()), max_size_(max_size), at_(to.end()), end_(to.data() + to.capacity()) {}
  out_cursor(const out_cursor&) = delete;
  out_cursor& operator=(const out_cursor&) = delete;

  /// Room for `count` bytes behind at(). False when more than allowed has been written.
  [[nodiscard]] THRIFTLENS_INLINE bool need(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) >= count) [[likely]]
      return true;
    return grow(count);
  }
  [[nodiscard]] std::uint8_t* at() const noexcept { return at_; }
  /// The room that is left, to be used up to its end.
  [[nodiscard]] std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  /// Everything before `end` is written.
  THRIFTLENS_INLINE void move_to(std::uint8_t* end) noexcept {
    THRIFTLENS_ASSERT(end <= end_);
    at_ = end;
  }
  THRIFTLENS_INLINE void put(char one) noexcept { *at_++ = static_cast<std::uint8_t>(one); }
  /// Copies a text in blocks of 32 bytes: up to 31 bytes behind it must be readable and 31 bytes of room be
  /// free.
  THRIFTLENS_INLINE void put_padded(const char* text, std::size_t size) noexcept {
    std::memcpy(at_, text, 32);
    for (std::size_t done = 32; done < size; done += 32) std::memcpy(at_ + done, text + done, 32);
    at_ += size;
  }
  /// Copies eight bytes of which `size` count.
  THRIFTLENS_INLINE void put_eight(const char* text, std::size_t size) noexcept {
    std::memcpy(at_, text, 8);
    at_ += size;
  }
  THRIFTLENS_INLINE void put(std::string_view text) noexcept {
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }

  /// Offset of at() in the buffer; stays true when the buffer grows.
  [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(at_ - to_->data()); }
  [[nodiscard]] std::uint8_t* at(std::size_t offset) const noexcept { return to_->data() + offset; }
  /// Forgets what was written from `offset` on.
  void back_to(std::size_t offset) noexcept { at_ = at(offset); }

  /// Hands the written bytes to the buffer. False, and nothing is handed over, when they are more than
  /// allowed.
  [[nodiscard]] bool finish() noexcept {
    if (offset() - start_ > max_size_) return abandon(), false;
    to_->commit(at_);
    return true;
  }
  /// The buffer is as it was.
  void abandon() noexcept { to_->truncate(start_); }

 private:
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

  THRIFTLENS_COLD bool grow(std::size_t count) {
    const std::size_t held = offset();
    if (held - start_ > max_size_) return false;
    // No more room than may be used, and `count` besides: those who ask may put less.
    const std::size_t room_left = max_size_ - (held - start_);
    at_ = to_->reserve_after(at_, count,
                             room_left < unlimited - held - count ? held + room_left + count : unlimited);
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
