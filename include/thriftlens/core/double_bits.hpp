// double_bits: classification of doubles by their bits. Independent of -ffast-math, which assumes that there
// is no NaN or infinity, and of processor modes that treat subnormal numbers as zero.
#pragma once

#include <thriftlens/core/config.hpp>

#include <bit>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

inline constexpr std::uint64_t double_sign_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t double_infinity_bits = std::uint64_t{0x7ff} << 52;
inline constexpr std::uint64_t double_nan_bits = std::uint64_t{0xfff} << 51;

[[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t bits_of(double value) noexcept {
  return std::bit_cast<std::uint64_t>(value);
}
[[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t magnitude_bits(double value) noexcept {
  return bits_of(value) & ~double_sign_bit;
}
[[nodiscard]] THRIFTLENS_INLINE constexpr bool is_negative(double value) noexcept {
  return (bits_of(value) & double_sign_bit) != 0;
}
[[nodiscard]] THRIFTLENS_INLINE constexpr bool is_finite(double value) noexcept {
  return magnitude_bits(value) < double_infinity_bits;
}
[[nodiscard]] THRIFTLENS_INLINE constexpr bool is_nan(double value) noexcept {
  return magnitude_bits(value) > double_infinity_bits;
}
[[nodiscard]] THRIFTLENS_INLINE constexpr double absolute(double value) noexcept {
  return std::bit_cast<double>(magnitude_bits(value));
}
/// The bits for comparing map keys and set elements: those of the double, or of 0.0 for -0.0.
[[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t equality_bits(double value) noexcept {
  return magnitude_bits(value) == 0 ? 0 : bits_of(value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
