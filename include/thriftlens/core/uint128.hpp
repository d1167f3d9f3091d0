// uint128: the product of two 64-bit numbers; not a general-purpose integer type.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// For 32-bit targets, whose compilers have no 128-bit type.
struct two_words {
  std::uint64_t high;
  std::uint64_t low;

  friend constexpr bool operator==(const two_words&, const two_words&) noexcept = default;
  friend constexpr two_words operator+(two_words number, std::uint64_t more) noexcept {
    number.low += more;
    number.high += number.low < more;
    return number;
  }
};
[[nodiscard]] constexpr std::uint64_t upper_half(two_words number) noexcept { return number.high; }
[[nodiscard]] constexpr std::uint64_t lower_half(two_words number) noexcept { return number.low; }

/// The product from four products of 32-bit halves: Knuth, The Art of Computer Programming, 4.3.1, algorithm
/// M.
[[nodiscard]] constexpr two_words product_in_parts(std::uint64_t lhs, std::uint64_t rhs) noexcept {
  constexpr std::uint64_t mask = 0xffffffff;
  const std::uint64_t low = (lhs & mask) * (rhs & mask);
  const std::uint64_t cross = (lhs >> 32) * (rhs & mask) + (low >> 32);
  const std::uint64_t middle = (lhs & mask) * (rhs >> 32) + (cross & mask);
  return {(lhs >> 32) * (rhs >> 32) + (cross >> 32) + (middle >> 32), middle << 32 | (low & mask)};
}

#ifdef __SIZEOF_INT128__
__extension__ using uint128 = unsigned __int128;
[[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t upper_half(uint128 number) noexcept {
  return static_cast<std::uint64_t>(number >> 64);
}
[[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t lower_half(uint128 number) noexcept {
  return static_cast<std::uint64_t>(number);
}
[[nodiscard]] THRIFTLENS_INLINE constexpr uint128 product_of(std::uint64_t lhs, std::uint64_t rhs) noexcept {
  return static_cast<uint128>(lhs) * rhs;
}
#else
using uint128 = two_words;
[[nodiscard]] constexpr uint128 product_of(std::uint64_t lhs, std::uint64_t rhs) noexcept {
  return product_in_parts(lhs, rhs);
}
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
