// json_quote: writes bytes as a JSON string with quotes and escapes, and validates UTF-8 in the same pass.
#pragma once

#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/json_escape.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Encoding found by quote_json(). `unchecked`: not ASCII, and no kernel of this processor validates in the
/// same pass.
enum class text_form : uint8_t { utf8, ill_formed, unchecked };

/// Result of quote_json().
struct json_quoted {
  uint8_t* end;  ///< after the closing quote
  text_form form;
};

/// Capacity that quote_json() requires for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr size_t json_quote_capacity(size_t size) noexcept { return size * 6 + 80; }

namespace detail {

// Uses escape_json(), for processors whose kernels do not validate in the same pass.
template <auto Escape>
json_quoted quote_json_around(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  *to = '"';
  const json_escaped body = Escape(to + 1, from, size);
  *body.end = '"';
  return {body.end + 1, body.ascii ? text_form::utf8 : text_form::unchecked};
}
inline json_quoted quote_json_scalar(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  return quote_json_around<escape_json_scalar>(to, from, size);
}

#if THRIFTLENS_X86
inline json_quoted quote_json_ssse3(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  return quote_json_around<escape_json_ssse3>(to, from, size);
}

THRIFTLENS_TARGET_VBMI2 inline __m512i utf8_lookup(const uint8_t* table, __m512i nibbles) noexcept {
  return _mm512_shuffle_epi8(_mm512_maskz_broadcast_i32x4(0xffff, load_16(table)),
                             nibbles & _mm512_set1_epi8(0x0f));
}
// Faults by a byte and its predecessor.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE __m512i utf8_pair_faults(__m512i previous, __m512i bytes) noexcept {
  return utf8_lookup(utf8_first_high, _mm512_srli_epi16(previous, 4)) &
         utf8_lookup(utf8_first_low, previous) & utf8_lookup(utf8_second_high, _mm512_srli_epi16(bytes, 4));
}
// Faults of the bytes in mask `there` of the 64 at `from`, like utf8_faults_avx2(). `previous`: low bits for
// existing bytes before `from`. Finds a truncated sequence only if the block is not full.
THRIFTLENS_TARGET_VBMI2 inline __m512i utf8_faults_vbmi2(__m512i bytes, const uint8_t* from, __mmask64 there,
                                                         __mmask64 previous) noexcept {
  const __m512i back1 = _mm512_maskz_loadu_epi8(there << 1 | (previous & 1), from - 1);
  const __m512i back2 = _mm512_maskz_loadu_epi8(there << 2 | (previous & 3), from - 2);
  const __m512i back3 = _mm512_maskz_loadu_epi8(there << 3 | (previous & 7), from - 3);
  const __m512i third = _mm512_subs_epu8(back2, _mm512_set1_epi8(0xe0 - 0x80));
  const __m512i fourth = _mm512_subs_epu8(back3, _mm512_set1_epi8(0xf0 - 0x80));
  return ((third | fourth) & _mm512_set1_epi8(static_cast<char>(0x80))) ^ utf8_pair_faults(back1, bytes);
}

// Whether a text of full blocks of `Width` bytes ends within a sequence, which no further block detects.
template <size_t Width>
[[nodiscard]] THRIFTLENS_INLINE bool utf8_cut_off(const uint8_t* end, size_t size) noexcept {
  return size != 0 && size % Width == 0 && (end[-1] >= 0xc0 || end[-2] >= 0xe0 || end[-3] >= 0xf0);
}
// After the body of a string: the closing quote.
THRIFTLENS_INLINE json_quoted end_quote(uint8_t* to, bool ill_formed) noexcept {
  *to = '"';
  return {to + 1, ill_formed ? text_form::ill_formed : text_form::utf8};
}

THRIFTLENS_TARGET_VBMI2 inline json_quoted quote_long_json_vbmi2(uint8_t* to, const uint8_t* from,
                                                                 size_t size) noexcept {
  __m512i faults = _mm512_setzero_si512();
  uint64_t previous = 0, high = 0;
  for (size_t remaining = size; remaining != 0;) {
    const size_t chunk = remaining < 64 ? remaining : 64;
    const json_text_block block(from, chunk);
    const uint64_t open = high >> 61;  // a sequence may reach into this block
    high = _mm512_movepi8_mask(block.bytes);
    if ((high | open) != 0) faults |= utf8_faults_vbmi2(block.bytes, from, block.there, previous);
    to = block.put(to, chunk);
    previous = ~uint64_t{0};
    from += chunk;
    remaining -= chunk;
  }
  return end_quote(to, utf8_cut_off<64>(from, size) || _mm512_test_epi8_mask(faults, faults) != 0);
}

THRIFTLENS_TARGET_VBMI2 inline json_quoted quote_json_vbmi2(uint8_t* to, const uint8_t* from,
                                                            size_t size) noexcept {
  *to++ = '"';
  if (size >= 64) [[unlikely]]
    return quote_long_json_vbmi2(to, from, size);
  const json_text_block block(from, size);
  // One branch for both, because it is hard to predict which one occurs.
  if ((block.specials | _mm512_movepi8_mask(block.bytes)) == 0) {
    _mm512_storeu_si512(to, block.bytes);
    return end_quote(to + size, false);
  }
  to = block.put_escaped(to, size);
  const __m512i faults = utf8_faults_vbmi2(block.bytes, from, block.there, 0);
  return end_quote(to, _mm512_test_epi8_mask(faults, faults) != 0);
}

// Up to 32 bytes; the missing ones are zero.
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE __m256i load_partial_32(const uint8_t* from, size_t size) noexcept {
  if (size >= 32) return load_32(from);
  if (size <= 16) return _mm256_set_m128i(_mm_setzero_si128(), load_partial(from, size));
  return _mm256_set_m128i(load_partial(from + 16, size - 16), load_16(from));
}

THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE unsigned json_specials(__m256i bytes) noexcept {
  const __m256i controls = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
  return top_bits(controls | _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')) |
                  _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
}
// The first `size` of 32 bytes, one at least.
THRIFTLENS_TARGET_AVX2 THRIFTLENS_INLINE uint8_t* put_block_avx2(uint8_t* to, const uint8_t* from,
                                                                 __m256i bytes, size_t size) noexcept {
  const unsigned specials = json_specials(bytes) & ~0u >> (32 - size);
  if (specials == 0) {
    store_32(to, bytes);
    return to + size;
  }
  const __m128i low = _mm256_castsi256_si128(bytes);
  to = put_block_ssse3(to, from, low, specials & 0xffff, size < 16 ? size : 16);
  if (size <= 16) return to;
  return put_block_ssse3(to, from + 16, _mm256_extracti128_si256(bytes, 1), specials >> 16, size - 16);
}

THRIFTLENS_TARGET_AVX2 inline json_quoted quote_json_avx2(uint8_t* to, const uint8_t* from,
                                                          size_t size) noexcept {
  *to++ = '"';
  __m256i faults = _mm256_setzero_si256(), previous = faults;
  for (size_t remaining = size; remaining != 0;) {
    const size_t chunk = remaining < 32 ? remaining : 32;
    const __m256i bytes = load_partial_32(from, chunk);
    if (top_bits(bytes | previous) != 0) faults |= utf8_faults_avx2(bytes, previous);
    previous = bytes;
    to = put_block_avx2(to, from, bytes, chunk);
    from += chunk;
    remaining -= chunk;
  }
  return end_quote(to, utf8_cut_off<32>(from, size) || _mm256_testz_si256(faults, faults) == 0);
}
#endif

#if THRIFTLENS_NEON
inline json_quoted quote_json_neon(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  return quote_json_around<escape_json_neon>(to, from, size);
}
#endif

inline constexpr kernel_body<decltype(&quote_json_scalar)> quote_json_bodies[] = {
    {instructions::any, quote_json_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, quote_json_ssse3}, {instructions::avx2, quote_json_avx2},
    {instructions::vbmi2, quote_json_vbmi2},
#endif
#if THRIFTLENS_NEON
    {instructions::neon, quote_json_neon},
#endif
};

}  // namespace detail

/// Writes `bytes` as a JSON string, escaped like escape_json(). `to` has capacity for
/// json_quote_capacity(size) bytes. The output is valid JSON only if the bytes are UTF-8.
[[nodiscard]] THRIFTLENS_INLINE json_quoted quote_json(uint8_t* to, byte_view bytes) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::quote_json_vbmi2(to, bytes.data(), bytes.size());
  if (best_level() >= level::avx2) return detail::quote_json_avx2(to, bytes.data(), bytes.size());
  if (best_level() >= level::ssse3) return detail::quote_json_ssse3(to, bytes.data(), bytes.size());
#endif
#if THRIFTLENS_NEON
  return detail::quote_json_neon(to, bytes.data(), bytes.size());
#else
  return detail::quote_json_scalar(to, bytes.data(), bytes.size());
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
