// field_set: which fields of the struct at hand have been seen, one bit each.
// In: field positions. Out: whether a position is new; how many were.
// Never allocates for structs of up to 64 fields; larger ones borrow words from a pool that their reader
// owns.
#pragma once

#include <thriftlens/core/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Sets nest: a set made later must die earlier.
class field_set {
 public:
  using pool = std::vector<std::uint64_t>;

  field_set(std::size_t fields, pool& words) : words_(words), base_(words.size()), large_(fields > 64) {
    if (large_) words_.resize(base_ + (fields + 63) / 64);
  }
  ~field_set() {
    if (large_) words_.resize(base_);
  }
  field_set(const field_set&) = delete;
  field_set& operator=(const field_set&) = delete;

  /// False where it was in already.
  [[nodiscard]] THRIFTLENS_INLINE bool add(std::size_t field) noexcept {
    std::uint64_t& word = large_ ? words_[base_ + field / 64] : small_;
    const std::uint64_t bit = std::uint64_t{1} << (field % 64);
    if ((word & bit) != 0) [[unlikely]]
      return false;
    word |= bit;
    return true;
  }
  /// Adds `first` and what follows before `last`, none of which is in.
  THRIFTLENS_INLINE void add_new(std::size_t first, std::size_t last) noexcept {
    if (first == last) return;
    if (!large_) [[likely]] {
      small_ |= (~std::uint64_t{0} >> (64 - (last - first))) << first;
      return;
    }
    for (; first < last; ++first) static_cast<void>(add(first));
  }
  void remove(std::size_t field) noexcept {
    std::uint64_t& word = large_ ? words_[base_ + field / 64] : small_;
    word &= ~(std::uint64_t{1} << (field % 64));
  }
  [[nodiscard]] bool has(std::size_t field) const noexcept {
    const std::uint64_t word = large_ ? words_[base_ + field / 64] : small_;
    return ((word >> (field % 64)) & 1) != 0;
  }
  /// How many are in. Linear in the fields of a struct.
  [[nodiscard]] std::size_t count() const noexcept {
    auto all = static_cast<std::size_t>(std::popcount(small_));
    for (std::size_t i = base_; large_ && i < words_.size(); ++i)
      all += static_cast<std::size_t>(std::popcount(words_[i]));
    return all;
  }

 private:
  pool& words_;
  std::size_t base_;
  std::uint64_t small_ = 0;
  bool large_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
