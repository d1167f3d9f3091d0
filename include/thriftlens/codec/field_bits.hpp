// field_bits: which fields of a struct have been seen.
// In: field indices below Count. Out: a bit each.
// Never allocates.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

template <std::size_t Count>
class field_bits {
 public:
  THRIFTLENS_INLINE constexpr void set(std::size_t index) noexcept { words_[index / 64] |= bit(index); }
  /// All of [begin, end).
  THRIFTLENS_INLINE constexpr void set(std::size_t begin, std::size_t end) noexcept {
    for (std::size_t i = begin; i < end; ++i) set(i);
  }
  [[nodiscard]] THRIFTLENS_INLINE constexpr bool test(std::size_t index) const noexcept {
    return (words_[index / 64] & bit(index)) != 0;
  }
  /// Every bit of `wanted` is set here too.
  [[nodiscard]] THRIFTLENS_INLINE constexpr bool covers(const field_bits& wanted) const noexcept {
    for (std::size_t i = 0; i < word_count; ++i)
      if ((words_[i] & wanted.words_[i]) != wanted.words_[i]) return false;
    return true;
  }
  [[nodiscard]] static constexpr field_bits all() noexcept {
    field_bits full;
    full.set(0, Count);
    return full;
  }

 private:
  static constexpr std::size_t word_count = Count / 64 + 1;
  [[nodiscard]] static constexpr std::uint64_t bit(std::size_t index) noexcept {
    return std::uint64_t{1} << (index % 64);
  }
  std::uint64_t words_[word_count] = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
