// bit_set: bit operations on borrowed words, the base of sets of seen fields and ids.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Base of sets. `Self::words()` is a pointer to the first word, stable during a call.
template <class Self>
class bit_set {
 public:
  [[nodiscard]] THRIFTLENS_INLINE constexpr bool has(std::size_t bit) const noexcept {
    return (static_cast<const Self&>(*this).words()[bit / 64] & mask(bit)) != 0;
  }
  THRIFTLENS_INLINE constexpr void set(std::size_t bit) noexcept { word(bit) |= mask(bit); }
  /// All of [begin, end).
  THRIFTLENS_INLINE constexpr void set(std::size_t begin, std::size_t end) noexcept {
    for (; begin < end; ++begin) set(begin);
  }
  /// False if it was in the set already.
  [[nodiscard]] THRIFTLENS_INLINE constexpr bool add(std::size_t bit) noexcept {
    std::uint64_t& in = word(bit);
    if ((in & mask(bit)) != 0) [[unlikely]]
      return false;
    in |= mask(bit);
    return true;
  }
  THRIFTLENS_INLINE constexpr void remove(std::size_t bit) noexcept { word(bit) &= ~mask(bit); }

 protected:
  [[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t& word(std::size_t bit) noexcept {
    return static_cast<Self&>(*this).words()[bit / 64];
  }

 private:
  [[nodiscard]] static constexpr std::uint64_t mask(std::size_t bit) noexcept {
    return std::uint64_t{1} << (bit % 64);
  }
};

/// A set in borrowed words, for sizes known only at run time.
class bit_span : public bit_set<bit_span> {
 public:
  constexpr bit_span() noexcept = default;
  explicit constexpr bit_span(std::uint64_t* words) noexcept : words_(words) {}

 private:
  friend bit_set<bit_span>;
  [[nodiscard]] constexpr std::uint64_t* words() const noexcept { return words_; }

  std::uint64_t* words_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
