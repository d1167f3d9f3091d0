// byteswap: many big-endian numbers to native ones and back.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/bytes.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

namespace detail {

template <size_t Width>
using swap_unit =
    std::conditional_t<Width == 2, std::uint16_t, std::conditional_t<Width == 4, uint32_t, uint64_t>>;

template <size_t Width>
void swap_scalar(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  using unit = swap_unit<Width>;
  for (size_t at = 0; at < size; at += Width) store_le(to + at, load_be<unit>(from + at));
}

#if THRIFTLENS_X86
// Shuffle positions that reverse the elements within both halves of 32 bytes.
template <size_t Width>
struct swap_order {
  alignas(32) uint8_t bytes[32] = {};
  constexpr swap_order() {
    for (size_t i = 0; i < 32; ++i)
      bytes[i] = static_cast<uint8_t>(i % 16 / Width * Width + (Width - 1 - i % Width));
  }
};
template <size_t Width>
inline constexpr swap_order<Width> swap_order_of;

template <size_t Width>
THRIFTLENS_TARGET_SSSE3 void swap_ssse3(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  const bytes_16 order = get_16(swap_order_of<Width>.bytes);
  size_t at = 0;
  for (; at + 16 <= size; at += 16) put_16(to + at, shuffle_16(get_16(from + at), order));
  swap_scalar<Width>(to + at, from + at, size - at);
}

template <size_t Width>
THRIFTLENS_TARGET_AVX2 void swap_avx2(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  const bytes_32 order = get_32(swap_order_of<Width>.bytes);
  size_t at = 0;
  for (; at + 64 <= size; at += 64) {
    const bytes_32 first = get_32(from + at), second = get_32(from + at + 32);
    put_32(to + at, shuffle_32(first, order));
    put_32(to + at + 32, shuffle_32(second, order));
  }
  swap_ssse3<Width>(to + at, from + at, size - at);
}
#endif

#if THRIFTLENS_NEON
template <size_t Width, size_t... At>
[[nodiscard]] THRIFTLENS_INLINE bytes_16 swap_16(bytes_16 bytes, std::index_sequence<At...>) noexcept {
  return __builtin_shufflevector(bytes, bytes, (At / Width * Width + (Width - 1 - At % Width))...);
}
template <size_t Width>
void swap_neon(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  size_t at = 0;
  for (; at + 16 <= size; at += 16)
    put_16(to + at, swap_16<Width>(get_16(from + at), std::make_index_sequence<16>()));
  swap_scalar<Width>(to + at, from + at, size - at);
}
#endif

template <size_t Width>
inline constexpr kernel_body<decltype(&swap_scalar<Width>)> swap_bodies[] = {
    {instructions::any, swap_scalar<Width>},
#if THRIFTLENS_X86
    {instructions::ssse3, swap_ssse3<Width>},
    {instructions::avx2, swap_avx2<Width>},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, swap_neon<Width>},
#endif
};

template <size_t Width>
void swap(uint8_t* to, const uint8_t* from, size_t size) noexcept {
#if THRIFTLENS_X86
  if (size >= 64 && best_level() >= level::avx2) return swap_avx2<Width>(to, from, size);
  if (size >= 16 && best_level() >= level::ssse3) return swap_ssse3<Width>(to, from, size);
#endif
#if THRIFTLENS_NEON
  if (size >= 16) return swap_neon<Width>(to, from, size);
#endif
  swap_scalar<Width>(to, from, size);
}
template <size_t Width>
void big_endian_copy(void* to, const void* from, size_t size) noexcept {
  if constexpr (Width == 1 || std::endian::native == std::endian::big) {
    if (size != 0) std::memcpy(to, from, size);
  } else {
    swap<Width>(static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), size);
  }
}

template <class T>
concept swappable =
    std::is_trivially_copyable_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

}  // namespace detail

/// Reads `count` big-endian numbers at `from` (any alignment) into `to`. The runs do not overlap.
template <detail::swappable T>
void load_be_array(T* to, const uint8_t* from, size_t count) noexcept {
  detail::big_endian_copy<sizeof(T)>(to, from, count * sizeof(T));
}

/// Writes `count` numbers as big-endian ones at `to` (any alignment). The runs do not overlap.
template <detail::swappable T>
void store_be_array(uint8_t* to, const T* from, size_t count) noexcept {
  detail::big_endian_copy<sizeof(T)>(to, from, count * sizeof(T));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
