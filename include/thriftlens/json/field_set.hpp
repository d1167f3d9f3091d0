// field_set: a bit set of the fields of a struct. Allocates nothing for structs of up to 64 fields; larger
// ones use a pool that their reader owns.
#pragma once

#include <thriftlens/core/bit_set.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Sets nest: they must be destroyed in reverse order.
class field_set : public bit_set<field_set> {
 public:
  using pool = std::vector<std::uint64_t>;

  field_set(std::size_t fields, pool& storage) : pool_(storage), base_(storage.size()), large_(fields > 64) {
    if (large_) pool_.resize(base_ + (fields + 63) / 64);
  }
  ~field_set() {
    if (large_) pool_.resize(base_);
  }
  field_set(const field_set&) = delete;
  field_set& operator=(const field_set&) = delete;

  /// Adds [first, last), none of which may be in the set.
  THRIFTLENS_INLINE void add_new(std::size_t first, std::size_t last) noexcept {
    if (first == last) return;
    if (!large_) [[likely]] {
      small_ |= (~std::uint64_t{0} >> (64 - (last - first))) << first;
      return;
    }
    set(first, last);
  }
  /// Number of fields in the set. Linear in the fields of the struct.
  [[nodiscard]] std::size_t count() const noexcept {
    auto total = static_cast<std::size_t>(std::popcount(small_));
    for (std::size_t i = base_; large_ && i < pool_.size(); ++i)
      total += static_cast<std::size_t>(std::popcount(pool_[i]));
    return total;
  }

 private:
  friend bit_set<field_set>;
  [[nodiscard]] THRIFTLENS_INLINE std::uint64_t* words() noexcept {
    return large_ ? pool_.data() + base_ : &small_;
  }
  [[nodiscard]] THRIFTLENS_INLINE const std::uint64_t* words() const noexcept {
    return large_ ? pool_.data() + base_ : &small_;
  }
  pool& pool_;
  std::size_t base_;
  std::uint64_t small_ = 0;
  bool large_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
