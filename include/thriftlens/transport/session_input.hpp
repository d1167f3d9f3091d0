// session_input: bytes of a connection that have arrived and are not consumed.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/transport/retained_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A buffer of input and the position in it. Borrowed bytes are used in place while the buffer is empty.
class session_input {
 public:
  void feed(byte_view bytes) {
    copy_lent();
    drop_consumed();
    in_.append(bytes);
  }
  /// Like feed(), but borrows the bytes until copy_lent() if none are buffered.
  void lend(byte_view bytes) {
    copy_lent();
    drop_consumed();
    if (in_.empty())
      lent_ = bytes;
    else
      in_.append(bytes);
  }
  /// Copies borrowed bytes that are not consumed.
  void copy_lent() {
    if (lent_.empty()) return;
    in_.append(lent_.part(at_, lent_.size() - at_));
    lent_ = {};
    base_ += at_;
    at_ = 0;
  }
  /// Replaces a buffer that is much larger than its content. No bytes are borrowed.
  void release_memory() {
    const std::size_t size = in_.size() - at_;
    if (in_.capacity() <= retained_capacity || size >= in_.capacity() / 4) return;
    in_ = buffer(byte_view(in_).part(at_, size));
    base_ += at_;
    at_ = 0;
  }
  void consume(std::size_t count) noexcept { at_ += count; }

  /// Valid until the next call that is not const, except consume().
  [[nodiscard]] byte_view remaining() const noexcept {
    const byte_view bytes = arrived();
    return bytes.part(at_, bytes.size() - at_);
  }
  /// Connection offset of the position.
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + at_; }
  /// Number of bytes that have arrived.
  [[nodiscard]] std::uint64_t fed() const noexcept { return base_ + arrived().size(); }

 private:
  [[nodiscard]] byte_view arrived() const noexcept { return lent_.empty() ? byte_view(in_) : lent_; }
  // Moves the rest only if at least as much was consumed: amortized linear cost.
  void drop_consumed() noexcept {
    const std::size_t size = in_.size() - at_;
    if (size != 0 && at_ <= in_.size() / 2) return;
    if (size != 0) std::memmove(in_.data(), in_.data() + at_, size);
    in_.truncate(size);
    base_ += at_;
    at_ = 0;
  }

  buffer in_;
  byte_view lent_;  // used instead of `in_`, which is then empty
  std::size_t at_ = 0;
  std::uint64_t base_ = 0;  // connection offset of the first byte
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
