// json_quote: bytes to a whole JSON string: quotes, escapes, and the encoding looked at on the way.
// In: bytes. Out: the JSON string and whether it is ASCII, well-formed UTF-8, ill-formed, or not ASCII and
// not checked here. Never reads past its input, never writes past the room it asks for.
#pragma once

#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/json_escape.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::simd {

/// What quote_json found. `unchecked`: not ASCII, and this processor has no kernel that checks on the way.
enum class text_form : std::uint8_t { utf8, ill_formed, unchecked };

/// What quote_json wrote.
struct json_quoted {
  std::uint8_t* end;  ///< after the closing quote
  text_form form;
};

/// Room that quote_json may use for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr std::size_t json_quote_room(std::size_t size) noexcept { return size * 6 + 80; }

namespace detail {

// By a body of escape_json, for processors whose kernels do not check the encoding on the way.
template <auto Escape>
json_quoted quote_json_around(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  *to = '"';
  const json_escaped body = Escape(to + 1, from, size);
  *body.end = '"';
  return {body.end + 1, body.ascii ? text_form::utf8 : text_form::unchecked};
}
inline json_quoted quote_json_scalar(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  return quote_json_around<escape_json_scalar>(to, from, size);
}

#if THRIFTLENS_X86
inline json_quoted quote_json_ssse3(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  return quote_json_around<escape_json_ssse3>(to, from, size);
}

THRIFTLENS_TARGET_VBMI2 inline __m512i utf8_table_vbmi2(const std::uint8_t* of) noexcept {
  return _mm512_maskz_broadcast_i32x4(0xffff, _mm_load_si128(reinterpret_cast<const __m128i*>(of)));
}

// Faults of the bytes that are `there` among the 64 at `from`, as utf8_faults_avx2 finds them. `before`: low
// bits for bytes that stand before `from`. A sequence that is cut off is found if a byte that is not there
// follows it.
THRIFTLENS_TARGET_VBMI2 inline __m512i utf8_faults_vbmi2(__m512i bytes, const std::uint8_t* from,
                                                         __mmask64 there, __mmask64 before) noexcept {
  const __m512i back1 = _mm512_maskz_loadu_epi8(there << 1 | (before & 1), from - 1);
  const __m512i back2 = _mm512_maskz_loadu_epi8(there << 2 | (before & 3), from - 2);
  const __m512i back3 = _mm512_maskz_loadu_epi8(there << 3 | (before & 7), from - 3);
  const __m512i nibble = _mm512_set1_epi8(0x0f);
  const __m512i first_high = _mm512_shuffle_epi8(utf8_table_vbmi2(utf8_first_high),
                                                 _mm512_and_si512(_mm512_srli_epi16(back1, 4), nibble));
  const __m512i first_low =
      _mm512_shuffle_epi8(utf8_table_vbmi2(utf8_first_low), _mm512_and_si512(back1, nibble));
  const __m512i second_high = _mm512_shuffle_epi8(utf8_table_vbmi2(utf8_second_high),
                                                  _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble));
  const __m512i third = _mm512_subs_epu8(back2, _mm512_set1_epi8(0xe0 - 0x80));
  const __m512i fourth = _mm512_subs_epu8(back3, _mm512_set1_epi8(0xf0 - 0x80));
  const __m512i expected =
      _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8(static_cast<char>(0x80)));
  return _mm512_xor_si512(expected, _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high));
}

// Whether a sequence that begins in the last bytes before `end` (three at least) needs bytes after it.
[[nodiscard]] THRIFTLENS_INLINE bool utf8_cut_off(const std::uint8_t* end) noexcept {
  return end[-1] >= 0xc0 || end[-2] >= 0xe0 || end[-3] >= 0xf0;
}

THRIFTLENS_TARGET_VBMI2 inline json_quoted quote_long_json_vbmi2(std::uint8_t* to, const std::uint8_t* from,
                                                                 std::size_t size) noexcept {
  __m512i faults = _mm512_setzero_si512();
  std::uint64_t before = 0, high = 0;
  for (std::size_t left = size; left != 0;) {
    const std::size_t now = left < 64 ? left : 64;
    const __mmask64 there = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(now));
    const __m512i bytes = _mm512_maskz_loadu_epi8(there, from);
    const std::uint64_t open = high >> 61;  // a sequence may reach into this block
    high = _mm512_movepi8_mask(bytes);
    if ((high | open) != 0) faults = _mm512_or_si512(faults, utf8_faults_vbmi2(bytes, from, there, before));
    to = put_block_vbmi2(to, from, bytes, there, now);
    before = ~std::uint64_t{0};
    from += now;
    left -= now;
  }
  *to++ = '"';
  const bool fault = _mm512_test_epi8_mask(faults, faults) != 0 || ((size & 63) == 0 && utf8_cut_off(from));
  return {to, fault ? text_form::ill_formed : text_form::utf8};
}

THRIFTLENS_TARGET_VBMI2 inline json_quoted quote_json_vbmi2(std::uint8_t* to, const std::uint8_t* from,
                                                            std::size_t size) noexcept {
  *to++ = '"';
  if (size >= 64) [[unlikely]]
    return quote_long_json_vbmi2(to, from, size);
  const __mmask64 there = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(size));
  const __m512i bytes = _mm512_maskz_loadu_epi8(there, from);
  const __mmask64 controls = _mm512_mask_cmplt_epu8_mask(there, bytes, _mm512_set1_epi8(0x20));
  const std::uint64_t specials = json_specials_vbmi2(bytes, controls), high = _mm512_movepi8_mask(bytes);
  // One branch for both: which of them it is is hard to foresee.
  if ((specials | high) == 0) {
    _mm512_storeu_si512(to, bytes);
    to += size;
    *to++ = '"';
    return {to, text_form::utf8};
  }
  to = put_escaped_vbmi2(to, from, bytes, there, controls, specials, size);
  *to++ = '"';
  const __m512i faults = utf8_faults_vbmi2(bytes, from, there, 0);
  return {to, _mm512_test_epi8_mask(faults, faults) != 0 ? text_form::ill_formed : text_form::utf8};
}

// Up to 32 bytes; the missing ones are zero.
THRIFTLENS_TARGET_AVX2 inline __m256i load_partial_32(const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 32) return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  if (size <= 16) return _mm256_set_m128i(_mm_setzero_si128(), load_partial(from, size));
  return _mm256_set_m128i(load_partial(from + 16, size - 16),
                          _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

// The first `size` of 16 bytes, of which `specials` are to be escaped.
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE std::uint8_t* put_escaped_half(std::uint8_t* to,
                                                                        const std::uint8_t* from,
                                                                        __m128i bytes, unsigned specials,
                                                                        std::size_t size) noexcept {
  if (specials != 0) {
    std::uint8_t* end = put_escaped_block(to, bytes, specials, size);
    return end != nullptr ? end : escape_json_scalar(to, from, size).end;
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  return to + size;
}

// The first `size` of 32 bytes.
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE std::uint8_t* put_block_avx2(std::uint8_t* to,
                                                                      const std::uint8_t* from, __m256i bytes,
                                                                      std::size_t size) noexcept {
  const __m256i controls = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
  const __m256i marks = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')),
                                        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
  const unsigned specials = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_or_si256(controls, marks))) &
                            static_cast<unsigned>((std::uint64_t{1} << size) - 1);
  if (specials == 0) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
    return to + size;
  }
  const __m128i low = _mm256_castsi256_si128(bytes);
  to = put_escaped_half(to, from, low, specials & 0xffff, size < 16 ? size : 16);
  if (size <= 16) return to;
  return put_escaped_half(to, from + 16, _mm256_extracti128_si256(bytes, 1), specials >> 16, size - 16);
}

THRIFTLENS_TARGET_AVX2 inline json_quoted quote_json_avx2(std::uint8_t* to, const std::uint8_t* from,
                                                          std::size_t size) noexcept {
  *to++ = '"';
  __m256i faults = _mm256_setzero_si256(), before = faults;
  for (std::size_t left = size; left != 0;) {
    const std::size_t now = left < 32 ? left : 32;
    const __m256i bytes = load_partial_32(from, now);
    if (_mm256_movemask_epi8(_mm256_or_si256(bytes, before)) != 0)
      faults = _mm256_or_si256(faults, utf8_faults_avx2(bytes, before));
    before = bytes;
    to = put_block_avx2(to, from, bytes, now);
    from += now;
    left -= now;
  }
  *to++ = '"';
  const bool cut_off = size != 0 && (size & 31) == 0 && utf8_cut_off(from);
  const bool fault = _mm256_testz_si256(faults, faults) == 0 || cut_off;
  return {to, fault ? text_form::ill_formed : text_form::utf8};
}
#endif

inline constexpr kernel_body<decltype(&quote_json_scalar)> quote_json_bodies[] = {
    {instructions::any, quote_json_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, quote_json_ssse3},
    {instructions::avx2, quote_json_avx2},
    {instructions::vbmi2, quote_json_vbmi2},
#endif
};

}  // namespace detail

/// Writes `bytes` as a JSON string, escaped as escape_json does it. `to` has json_quote_room(size) bytes;
/// what is written is a JSON text only if the bytes are UTF-8.
[[nodiscard]] THRIFTLENS_INLINE json_quoted quote_json(std::uint8_t* to, byte_view bytes) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::quote_json_vbmi2(to, bytes.data(), bytes.size());
  if (best_level() >= level::avx2) return detail::quote_json_avx2(to, bytes.data(), bytes.size());
  if (best_level() >= level::ssse3) return detail::quote_json_ssse3(to, bytes.data(), bytes.size());
#endif
  return detail::quote_json_scalar(to, bytes.data(), bytes.size());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::simd
