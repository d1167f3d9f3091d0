// varint: runs of varints, as the elements of Compact lists stand.
// In: a pointer, the end of the bytes, a count. Out: the place after, or the numbers.
// Never accepts what core/varint.hpp does not; after a nullptr, ask that for the place and the reason.
#pragma once

#include <thriftlens/core/varint.hpp>
#include <thriftlens/simd/dispatch.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::simd {

namespace detail {

// One varint of a number of type T; i16 travels as 32 bits whose value must fit 16.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* get_number(const std::uint8_t* from,
                                                               const std::uint8_t* end, T& value) noexcept {
  using raw_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  raw_type raw = 0;
  from = get_varint(from, end, raw);
  if constexpr (sizeof(T) == 2)
    if (from != nullptr && raw > 0xffffu) return nullptr;
  value = static_cast<T>(from_zigzag(raw));
  return from;
}

template <class T>
[[nodiscard]] const std::uint8_t* skip_varints_scalar(const std::uint8_t* from, const std::uint8_t* end,
                                                      std::size_t count) noexcept {
  T unused = 0;
  while (count-- != 0)
    if ((from = get_number(from, end, unused)) == nullptr) return nullptr;
  return from;
}

template <class T>
[[nodiscard]] const std::uint8_t* read_varints_scalar(const std::uint8_t* from, const std::uint8_t* end,
                                                      T* to, std::size_t count) noexcept {
  while (count-- != 0)
    if ((from = get_number(from, end, *to++)) == nullptr) return nullptr;
  return from;
}

// A varint of T that fills this many bytes with the top bit set must end with a byte of at most `last_byte`.
template <class T>
inline constexpr unsigned full_bytes = sizeof(T) == 2   ? 2
                                       : sizeof(T) == 4 ? 4
                                                        : 9;
template <class T>
inline constexpr std::uint8_t last_byte = sizeof(T) == 2   ? 3
                                          : sizeof(T) == 4 ? 15
                                                           : 1;

// Bits after `full_bytes` set bits in a row.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t after_full(std::uint64_t bits) noexcept {
  std::uint64_t runs = bits << 1;
  if constexpr (sizeof(T) == 2) return runs & bits << 2;
  runs &= bits << 2;
  runs &= runs << 2;  // four in a row
  if constexpr (sizeof(T) == 4) return runs;
  return runs & runs << 4 & bits << 9;
}

// After the count-th clear bit of `continued` (count >= 1, there are so many).
[[nodiscard]] inline unsigned after_stop(std::uint32_t stops, std::size_t count) noexcept {
  while (--count != 0) stops &= stops - 1;
  return static_cast<unsigned>(std::countr_zero(stops)) + 1;
}

#if THRIFTLENS_X86
// Top bits of the bytes gone over, Width a step; the last 16 of the step before count in this one.
template <class T, unsigned Width>
struct varint_window {
  std::uint64_t before = 0;

  // `continued`: bytes with the top bit; `small`: bytes that may end a full varint. False where one is too
  // long: then nothing has changed.
  [[nodiscard]] THRIFTLENS_INLINE bool take(std::uint32_t continued, std::uint32_t small) noexcept {
    constexpr auto all = static_cast<std::uint32_t>((std::uint64_t{1} << Width) - 1);
    const std::uint64_t bits = before | std::uint64_t{continued} << 16;
    if ((static_cast<std::uint32_t>(after_full<T>(bits) >> 16) & ~small & all) != 0) return false;
    before = bits >> Width;
    return true;
  }
  // Bytes of the varint that the last step cut.
  [[nodiscard]] int cut() const noexcept { return std::countl_one(static_cast<std::uint16_t>(before)); }
};

// Counts bytes without the top bit, 32 a step.
template <class T>
THRIFTLENS_TARGET_AVX2 const std::uint8_t* skip_varints_avx2(const std::uint8_t* from,
                                                             const std::uint8_t* end,
                                                             std::size_t count) noexcept {
  const __m256i last = _mm256_set1_epi8(static_cast<char>(last_byte<T>));
  varint_window<T, 32> window;
  for (; count != 0 && end - from >= 32; from += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i small = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, last), bytes);
    const auto continued = static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
    if (!window.take(continued, static_cast<std::uint32_t>(_mm256_movemask_epi8(small)))) break;
    const auto found = static_cast<std::size_t>(__builtin_popcount(~continued));
    if (found >= count) return from + after_stop(~continued, count);
    count -= found;
  }
  return skip_varints_scalar<T>(from - window.cut(), end, count);
}

template <class T>
const std::uint8_t* skip_varints_sse2(const std::uint8_t* from, const std::uint8_t* end,
                                      std::size_t count) noexcept {
  const __m128i last = _mm_set1_epi8(static_cast<char>(last_byte<T>));
  varint_window<T, 16> window;
  for (; count != 0 && end - from >= 16; from += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i small = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last), bytes);
    const auto continued = static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
    if (!window.take(continued, static_cast<std::uint32_t>(_mm_movemask_epi8(small)))) break;
    // Sums of the top bits; a population count is not in the base instruction set.
    const __m128i tops = _mm_and_si128(_mm_srli_epi16(bytes, 7), _mm_set1_epi8(1));
    const __m128i sums = _mm_sad_epu8(tops, _mm_setzero_si128());
    const auto found = static_cast<std::size_t>(16 - _mm_cvtsi128_si32(sums) - _mm_extract_epi16(sums, 4));
    if (found >= count) return from + after_stop(~continued & 0xffffu, count);
    count -= found;
  }
  return skip_varints_scalar<T>(from - window.cut(), end, count);
}
#endif

// The varint at `from`, before eight bytes of which `bytes` are loaded, without a loop over its bytes.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* read_word(const std::uint8_t* from,
                                                              const std::uint8_t* end, std::uint64_t bytes,
                                                              std::uint64_t stops, T& value) noexcept {
  using raw_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr int free_bits = sizeof(T) == 2   ? 16
                            : sizeof(T) == 4 ? 32
                                             : 64;  // so many bits of bytes cannot overflow T
  const int width = std::countr_zero(stops | std::uint64_t{1} << 63) + 1;
  if (stops == 0 || width > free_bits) return get_number(from, end, value);
  const std::uint64_t raw = thriftlens::detail::close_up(bytes & (~std::uint64_t{0} >> (64 - width)));
  value = static_cast<T>(from_zigzag(static_cast<raw_type>(raw)));
  return from + width / 8;
}

// Eight bytes a load: as many one-byte numbers as are in front, else one number.
template <class T>
const std::uint8_t* read_varints_words(const std::uint8_t* from, const std::uint8_t* end, T* to,
                                       std::size_t count) noexcept {
  using raw_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr std::uint64_t tops = 0x8080808080808080u;
  T* const last = to + count;
  while (last - to >= 8 && end - from >= 8) {
    const auto bytes = load_le<std::uint64_t>(from);
    const std::uint64_t stops = ~bytes & tops;
    if (stops == tops) {
      for (unsigned i = 0; i < 8; ++i) to[i] = static_cast<T>(from_zigzag(static_cast<raw_type>(from[i])));
      to += 8;
      from += 8;
    } else if ((from = read_word(from, end, bytes, stops, *to++)) == nullptr) {
      return nullptr;
    }
  }
  return read_varints_scalar(from, end, to, static_cast<std::size_t>(last - to));
}

#if THRIFTLENS_X86
// The value of a varint of `width` bytes at `from`, with ten bytes after it; false where it does not fit T.
template <class T>
THRIFTLENS_TARGET_AVX2 inline bool number_of_width(const std::uint8_t* from, unsigned width,
                                                   T& value) noexcept {
  using raw_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto word = load_le<std::uint64_t>(from);
  if (width <= 8) [[likely]] {
    const std::uint64_t raw = thriftlens::detail::close_up(word & (~std::uint64_t{0} >> (64 - 8 * width)));
    if constexpr (sizeof(T) < 8)
      if (width > 5 || raw > (sizeof(T) == 2 ? 0xffffu : 0xffffffffu)) [[unlikely]]
        return false;
    value = static_cast<T>(from_zigzag(static_cast<raw_type>(raw)));
    return true;
  }
  if (sizeof(T) < 8 || width > 10 || (width == 10 && from[9] > 1)) return false;
  const std::uint64_t top =
      std::uint64_t{from[8] & 0x7fu} << 56 | (width == 10 ? std::uint64_t{from[9]} << 63 : 0);
  value = static_cast<T>(from_zigzag(static_cast<raw_type>(thriftlens::detail::close_up(word) | top)));
  return true;
}

THRIFTLENS_TARGET_AVX2 inline std::uint32_t top_bits(const std::uint8_t* from) noexcept {
  return static_cast<std::uint32_t>(
      _mm256_movemask_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
}

// All ends of 64 bytes are known before the first number is put together, so that numbers do not wait for
// each other.
template <class T>
THRIFTLENS_TARGET_AVX2 const std::uint8_t* read_varints_avx2(const std::uint8_t* from,
                                                             const std::uint8_t* end, T* to,
                                                             std::size_t count) noexcept {
  T* const last = to + count;
  while (last - to >= 16 && end - from >= 80) {
    std::uint64_t stops = ~(std::uint64_t{top_bits(from)} | std::uint64_t{top_bits(from + 32)} << 32);
    if (stops == 0) return nullptr;
    if (const int ones = std::countr_one(stops) & ~15; ones != 0 && ones <= last - to) {
      for (int i = 0; i < ones; ++i) to[i] = static_cast<T>((from[i] >> 1) ^ -(from[i] & 1));
      to += ones;
      from += ones;
      continue;
    }
    unsigned at = 0;
    for (; stops != 0 && to != last; stops &= stops - 1) {
      const auto next = static_cast<unsigned>(std::countr_zero(stops)) + 1;
      if (!number_of_width(from + at, next - at, *to++)) [[unlikely]]
        return nullptr;
      at = next;
    }
    from += at;
  }
  return read_varints_words(from, end, to, static_cast<std::size_t>(last - to));
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
    std::same_as<T, std::int16_t> || std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// After `count` varints of numbers of type T, or nullptr where one is cut off or does not fit.
template <varint_number T>
[[nodiscard]] const std::uint8_t* skip_varints(const std::uint8_t* from, const std::uint8_t* end,
                                               std::size_t count) noexcept {
#if THRIFTLENS_X86
  if (count >= 16 && best_level() >= level::avx2) return detail::skip_varints_avx2<T>(from, end, count);
  if (count >= 16) return detail::skip_varints_sse2<T>(from, end, count);
#endif
  return detail::skip_varints_scalar<T>(from, end, count);
}

/// Reads `count` zigzag varints into `to`; the place after them, or nullptr where one is cut off or does not
/// fit.
template <varint_number T>
[[nodiscard]] const std::uint8_t* read_varints(const std::uint8_t* from, const std::uint8_t* end, T* to,
                                               std::size_t count) noexcept {
#if THRIFTLENS_X86
  if (count >= 16 && best_level() >= level::avx2) return detail::read_varints_avx2(from, end, to, count);
#endif
  return detail::read_varints_words(from, end, to, count);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::simd
