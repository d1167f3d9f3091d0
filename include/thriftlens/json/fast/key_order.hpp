// key_order: detects keys of a map in ascending order, which cannot repeat.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/json/entry_marks.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Follows the keys of one map, all texts or all numbers.
class key_order {
 public:
  /// `end`: end of the readable bytes. Two orders are tried: by bytes, and by size first.
  THRIFTLENS_INLINE void follow(byte_view text, const std::uint8_t* end) noexcept {
    const std::uint64_t leading = leading_of(text, end);
    if (any_) {
      bool ascends = leading_ < leading;
      if (leading_ == leading) [[unlikely]]
        ascends = ascend(text_.data(), text_.size(), text.data(), text.size());
      by_text_ &= ascends;
      by_size_ &= text_.size() < text.size() || (text_.size() == text.size() && ascends);
    }
    leading_ = leading;
    text_ = text;
    any_ = true;
  }
  THRIFTLENS_INLINE void follow(std::int64_t number) noexcept {
    by_text_ &= !any_ || number > number_;
    by_size_ = by_text_;
    number_ = number;
    any_ = true;
  }
  /// False if the keys ascend in one of the orders.
  [[nodiscard]] bool may_repeat() const noexcept { return !by_text_ && !by_size_; }

 private:
  [[nodiscard]] static THRIFTLENS_INLINE std::uint64_t leading_of(byte_view text,
                                                                  const std::uint8_t* end) noexcept {
    if (end - text.data() < 8) [[unlikely]]
      return detail::leading_bytes(text.data(), text.size());
    const std::uint64_t leading = load_be<std::uint64_t>(text.data());
    return text.size() >= 8 ? leading : leading & ~(~std::uint64_t{0} >> (8 * text.size()));
  }

  std::uint64_t leading_ = 0;
  std::int64_t number_ = 0;
  byte_view text_;
  bool by_text_ = true, by_size_ = true, any_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
