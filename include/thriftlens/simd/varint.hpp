// varint: decodes runs of varints, such as elements of Compact lists. Accepts the same as core/varint.hpp,
// which also returns position and reason after a nullptr.
#pragma once

#include <thriftlens/core/varint.hpp>
#include <thriftlens/simd/bytes.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

namespace detail {

// The unsigned type that encodes T; i16 as 32 bits whose value must fit 16.
template <class T>
using varint_bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T>
[[nodiscard]] THRIFTLENS_INLINE T number_of(uint64_t raw) noexcept {
  return static_cast<T>(from_zigzag(static_cast<varint_bits<T>>(raw)));
}

template <class T>
[[nodiscard]] THRIFTLENS_INLINE const uint8_t* get_number(const uint8_t* from, const uint8_t* end,
                                                          T& value) noexcept {
  varint_bits<T> raw = 0;
  from = get_varint(from, end, raw);
  if constexpr (sizeof(T) == 2)
    if (from != nullptr && raw > 0xffffu) return nullptr;
  value = number_of<T>(raw);
  return from;
}

template <class T>
[[nodiscard]] const uint8_t* skip_varints_scalar(const uint8_t* from, const uint8_t* end,
                                                 size_t count) noexcept {
  T unused = 0;
  while (count-- != 0)
    if ((from = get_number(from, end, unused)) == nullptr) return nullptr;
  return from;
}

template <class T>
[[nodiscard]] const uint8_t* read_varints_scalar(const uint8_t* from, const uint8_t* end, T* to,
                                                 size_t count) noexcept {
  while (count-- != 0)
    if ((from = get_number(from, end, *to++)) == nullptr) return nullptr;
  return from;
}

// Maximum last byte of a varint of T of maximum length.
template <class T>
inline constexpr uint8_t last_byte = sizeof(T) == 2   ? 3
                                     : sizeof(T) == 4 ? 15
                                                      : 1;

// Bits that follow a run of set bits of that length: 2, 4, or 9.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE uint64_t after_full(uint64_t bits) noexcept {
  uint64_t runs = bits << 1;
  if constexpr (sizeof(T) == 2) return runs & bits << 2;
  runs &= bits << 2;
  runs &= runs << 2;  // four in a row
  if constexpr (sizeof(T) == 4) return runs;
  return runs & runs << 4 & bits << 9;
}

// After the count-th set bit (count >= 1, there are so many).
[[nodiscard]] inline unsigned after_stop(uint32_t stops, size_t count) noexcept {
  while (--count != 0) stops &= stops - 1;
  return static_cast<unsigned>(std::countr_zero(stops)) + 1;
}

#if THRIFTLENS_X86
// Passes `count` varints, Width bytes per step.
template <class T, unsigned Width>
struct varint_window {
  const uint8_t* from;
  size_t count;
  uint64_t previous_stops = 0;  // top bits of the bytes that were passed; the last 16 count in the next step

  [[nodiscard]] THRIFTLENS_INLINE bool has_block(const uint8_t* end) const noexcept {
    return count != 0 && end - from >= ptrdiff_t{Width};
  }
  // `continued`: bytes with the top bit; `last`: bytes that may end the longest varint. False if the last
  // varint ends here, or if one is too long, which is then the next one.
  [[nodiscard]] THRIFTLENS_INLINE bool take(uint32_t continued, uint32_t last) noexcept {
    constexpr auto mask = static_cast<uint32_t>((uint64_t{1} << Width) - 1);
    const uint64_t bits = previous_stops | uint64_t{continued} << 16;
    if ((static_cast<uint32_t>(after_full<T>(bits) >> 16) & ~last & mask) != 0) return false;
    const uint32_t stops = ~continued & mask;
    const auto stop_count = static_cast<size_t>(std::popcount(stops));
    const bool is_complete = stop_count >= count;
    from += is_complete ? after_stop(stops, count) : Width;
    previous_stops = is_complete ? 0 : bits >> Width;
    count -= is_complete ? count : stop_count;
    return !is_complete;
  }
  // Passes the others one by one, from the one that the last step split.
  [[nodiscard]] const uint8_t* finish(const uint8_t* end) const noexcept {
    const int cut = std::countl_one(static_cast<std::uint16_t>(previous_stops));
    return skip_varints_scalar<T>(from - cut, end, count);
  }
};

// Counts bytes without the top bit.
template <class T>
THRIFTLENS_TARGET_AVX2 const uint8_t* skip_varints_avx2(const uint8_t* from, const uint8_t* end,
                                                        size_t count) noexcept {
  varint_window<T, 32> window{from, count};
  while (window.has_block(end)) {
    const bytes_32 bytes = get_32(window.from);
    if (!window.take(top_bits(bytes), top_bits(bytes <= last_byte<T>))) break;
  }
  return window.finish(end);
}

template <class T>
const uint8_t* skip_varints_sse2(const uint8_t* from, const uint8_t* end, size_t count) noexcept {
  varint_window<T, 16> window{from, count};
  while (window.has_block(end)) {
    const bytes_16 bytes = get_16(window.from);
    if (!window.take(top_bits(bytes), top_bits(bytes <= last_byte<T>))) break;
  }
  return window.finish(end);
}
#endif

// The number of a varint of `bits` bits, of which the lowest byte is the first.
[[nodiscard]] THRIFTLENS_INLINE uint64_t close_up_bits(uint64_t bytes, unsigned bits) noexcept {
  return thriftlens::detail::close_up(bytes & (~uint64_t{0} >> (64 - bits)));
}

// The varint at `from`, before eight bytes of which `bytes` are loaded, without a loop over its bytes.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE const uint8_t* read_word(const uint8_t* from, const uint8_t* end,
                                                         uint64_t bytes, uint64_t stops, T& value) noexcept {
  constexpr unsigned free_bits = 8 * sizeof(T);  // so many bits of bytes cannot overflow T
  const auto bits = static_cast<unsigned>(std::countr_zero(stops | uint64_t{1} << 63)) + 1;
  if (stops == 0 || bits > free_bits) return get_number(from, end, value);
  value = number_of<T>(close_up_bits(bytes, bits));
  return from + bits / 8;
}

// Eight bytes per load: all leading one-byte numbers, else one number.
template <class T>
const uint8_t* read_varints_words(const uint8_t* from, const uint8_t* end, T* to, size_t count) noexcept {
  constexpr uint64_t tops = 0x8080808080808080u;
  T* const last = to + count;
  while (last - to >= 8 && end - from >= 8) {
    const auto bytes = load_le<uint64_t>(from);
    const uint64_t stops = ~bytes & tops;
    if (stops == tops) {
      for (unsigned i = 0; i < 8; ++i) *to++ = number_of<T>(*from++);
    } else if ((from = read_word(from, end, bytes, stops, *to++)) == nullptr) {
      return nullptr;
    }
  }
  return read_varints_scalar(from, end, to, static_cast<size_t>(last - to));
}

#if THRIFTLENS_X86
// The value of a varint of nine bytes or more whose first eight are `raw_bytes`; false if it does not fit.
template <class T>
THRIFTLENS_TARGET_AVX2 inline bool wide_number(const uint8_t* from, unsigned width, uint64_t raw_bytes,
                                               T& value) noexcept {
  const uint64_t ninth = from[8] & 0x7fu, tenth = width == 10 ? from[9] : 0u;
  if (sizeof(T) < 8 || width > 10 || tenth > 1) return false;
  value = number_of<T>(thriftlens::detail::close_up(raw_bytes) | ninth << 56 | tenth << 63);
  return true;
}
// The value of a varint of `width` bytes at `from`, with ten readable bytes after it; false if it does not
// fit T.
template <class T>
THRIFTLENS_TARGET_AVX2 inline bool number_of_width(const uint8_t* from, unsigned width, T& value) noexcept {
  const auto raw_bytes = load_le<uint64_t>(from);
  if (width > 8) [[unlikely]]
    return wide_number(from, width, raw_bytes, value);
  const uint64_t raw = close_up_bits(raw_bytes, 8 * width);
  if constexpr (sizeof(T) < 8)
    if (width > 5 || raw > (sizeof(T) == 2 ? 0xffffu : 0xffffffffu)) [[unlikely]]
      return false;
  value = number_of<T>(raw);
  return true;
}
// Decodes numbers that end at the `stops` after `from`, as many as fit before `last`. Returns the end of
// their bytes; nullptr if one is too large.
template <class T>
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE const uint8_t* read_stops(const uint8_t* from, uint64_t stops,
                                                                   T*& to, T* last) noexcept {
  unsigned at = 0;
  for (; stops != 0 && to != last; stops &= stops - 1) {
    const auto next = static_cast<unsigned>(std::countr_zero(stops)) + 1;
    if (!number_of_width(from + at, next - at, *to++)) [[unlikely]]
      return nullptr;
    at = next;
  }
  return from + at;
}

// Finds the ends of all varints in 64 bytes first, so that numbers do not depend on each other.
template <class T>
THRIFTLENS_TARGET_AVX2 const uint8_t* read_varints_avx2(const uint8_t* from, const uint8_t* end, T* to,
                                                        size_t count) noexcept {
  T* const last = to + count;
  while (last - to >= 16 && end - from >= 80) {
    const uint64_t low = top_bits(get_32(from)), high = top_bits(get_32(from + 32));
    const uint64_t stops = ~(low | high << 32);
    const int ones = std::countr_one(stops) & ~15;
    if (ones != 0 && ones <= last - to) {
      for (int i = 0; i < ones; ++i) to[i] = static_cast<T>((from[i] >> 1) ^ -(from[i] & 1));
      to += ones;
      from += ones;
    } else if (stops == 0 || (from = read_stops(from, stops, to, last)) == nullptr) {
      return nullptr;
    }
  }
  return read_varints_words(from, end, to, static_cast<size_t>(last - to));
}
#endif

template <class T>
inline constexpr kernel_body<decltype(&skip_varints_scalar<T>)> skip_varints_bodies[] = {
    {instructions::any, skip_varints_scalar<T>},
#if THRIFTLENS_X86
    {instructions::sse2, skip_varints_sse2<T>},
    {instructions::avx2, skip_varints_avx2<T>},
#endif
};
template <class T>
inline constexpr kernel_body<decltype(&read_varints_scalar<T>)> read_varints_bodies[] = {
    {instructions::any, read_varints_scalar<T>},
    {instructions::any, read_varints_words<T>},
#if THRIFTLENS_X86
    {instructions::avx2, read_varints_avx2<T>},
#endif
};

}  // namespace detail

/// Types whose Compact form is a zigzag varint.
template <class T>
concept varint_number =
    std::same_as<T, std::int16_t> || std::same_as<T, int32_t> || std::same_as<T, std::int64_t>;

/// The end of `count` varints of type T, or nullptr if one is truncated or does not fit.
template <varint_number T>
[[nodiscard]] const uint8_t* skip_varints(const uint8_t* from, const uint8_t* end, size_t count) noexcept {
#if THRIFTLENS_X86
  if (count >= 16 && best_level() >= level::avx2) return detail::skip_varints_avx2<T>(from, end, count);
  if (count >= 16) return detail::skip_varints_sse2<T>(from, end, count);
#endif
  return detail::skip_varints_scalar<T>(from, end, count);
}

/// Reads `count` zigzag varints into `to`; returns their end, or nullptr if one is truncated or does not fit.
template <varint_number T>
[[nodiscard]] const uint8_t* read_varints(const uint8_t* from, const uint8_t* end, T* to,
                                          size_t count) noexcept {
#if THRIFTLENS_X86
  if (count >= 16 && best_level() >= level::avx2) return detail::read_varints_avx2(from, end, to, count);
#endif
  return detail::read_varints_words(from, end, to, count);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
