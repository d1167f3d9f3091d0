// cursor: a bounded position in borrowed wire bytes, with a sticky fault and a nesting limit. Base of the
// readers.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Position of a value or of the next field header, for seek() of a reader over the same bytes. Includes the
/// nesting depth and, for Compact, the last field id and a bool stored in its field header.
struct wire_position {
  const std::uint8_t* at = nullptr;
  std::uint32_t depth_left = 0;
  std::int16_t last_id = 0;
  std::int8_t inline_bool = -1;  ///< 0 or 1 where the value was in the field header, else -1
};

/// Base of the readers. After the first fault every read fails, at_end() is true and fault() stays.
class wire_cursor {
 public:
  explicit wire_cursor(byte_view bytes THRIFTLENS_LIFETIMEBOUND, const limits& bounds = {}) noexcept
      : begin_(bytes.begin()),
        at_(bytes.begin()),
        end_(bytes.end()),
        depth_left_(bounds.depth < limits::max_depth ? bounds.depth : limits::max_depth),
        string_size_(bounds.string_size),
        container_size_(bounds.container_size) {}

  /// The next byte to be read; equal to end() when all is read.
  [[nodiscard]] const std::uint8_t* at() const noexcept { return at_; }
  [[nodiscard]] const std::uint8_t* begin() const noexcept { return begin_; }
  [[nodiscard]] const std::uint8_t* end() const noexcept { return end_; }
  [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool at_end() const noexcept { return at_ == end_; }

  /// The first error with its byte offset; `ok` without one.
  [[nodiscard]] const struct fault& fault() const noexcept { return fault_; }
  [[nodiscard]] bool failed() const noexcept { return fault_.code != errc::ok; }
  /// Records a fault at the current position (or at `where`) unless there is one, and ends reading. Always
  /// false.
  THRIFTLENS_COLD bool reject(errc code) noexcept { return reject(code, at_); }
  THRIFTLENS_COLD bool reject(errc code, const std::uint8_t* where) noexcept {
    if (fault_.code == errc::ok) {
      fault_.code = detail::failure_code(code);
      fault_.offset = static_cast<std::size_t>(where - begin_);
    }
    at_ = end_;
    return false;
  }

  /// One level deeper, for a container whose elements are read one by one (structs: begin_struct() does it).
  /// False at the limit.
  [[nodiscard]] THRIFTLENS_INLINE bool enter() noexcept {
    if (depth_left_ == 0) [[unlikely]]
      return reject(errc::depth_limit);
    --depth_left_;
    return true;
  }
  THRIFTLENS_INLINE void leave() noexcept { ++depth_left_; }
  [[nodiscard]] std::uint32_t depth_left() const noexcept { return depth_left_; }

  /// The next `count` bytes as they are, for bulk work on elements of known width.
  [[nodiscard]] THRIFTLENS_INLINE bool read_raw(std::size_t count, byte_view& bytes) noexcept {
    if (remaining() < count) [[unlikely]]
      return reject(errc::truncated);
    bytes = byte_view(at_, count);
    at_ += count;
    return true;
  }

 protected:
  [[nodiscard]] bool in_range(const std::uint8_t* at) const noexcept { return at >= begin_ && at <= end_; }

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint32_t depth_left_;
  std::uint32_t string_size_;
  std::uint32_t container_size_;
  std::int16_t last_id_ = 0;      // Compact: id of the last field read in the current struct
  std::int8_t inline_bool_ = -1;  // Compact: value of the bool field whose header was read last
  struct fault fault_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
