// base64: encodes and decodes base64 (RFC 4648). Strict: standard alphabet, padded, canonical; lenient: also
// unpadded and the URL alphabet. Does not accept white space.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/simd/block.hpp>
#include <thriftlens/simd/intrinsics.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

/// Forms that decode_base64() accepts.
enum class base64_form : uint8_t { strict, lenient };

/// Characters of the padded text for `size` bytes.
[[nodiscard]] constexpr size_t base64_text_size(size_t size) noexcept { return (size + 2) / 3 * 4; }
/// Capacity that encode_base64() requires for `size` bytes; it may write anywhere in it.
[[nodiscard]] constexpr size_t base64_text_capacity(size_t size) noexcept {
  return base64_text_size(size) + 64;
}
/// Capacity that decode_base64() requires for `size` characters.
[[nodiscard]] constexpr size_t base64_bytes_capacity(size_t size) noexcept { return size / 4 * 3 + 3; }

namespace detail {

inline constexpr char base64_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Values of characters; 0x80 for others.
[[nodiscard]] constexpr std::array<uint8_t, 256> make_base64_values(bool url) noexcept {
  std::array<uint8_t, 256> values{};
  for (auto& value : values) value = 0x80;
  for (uint8_t i = 0; i < 64; ++i) values[static_cast<uint8_t>(base64_alphabet[i])] = i;
  if (url) {
    values['-'] = 62;
    values['_'] = 63;
  }
  return values;
}
inline constexpr auto base64_values = make_base64_values(false);
inline constexpr auto base64_url_values = make_base64_values(true);

// Replaces the characters for missing bytes by '=' in text for `size` bytes whose last group ends at `end`.
THRIFTLENS_INLINE uint8_t* put_base64_padding(uint8_t* end, size_t size) noexcept {
  const size_t odd = size % 3;
  if (odd != 0) end[-1] = '=';
  if (odd == 1) end[-2] = '=';
  return end;
}
// Four characters of three bytes.
THRIFTLENS_INLINE uint8_t* put_base64_group(uint8_t* to, uint32_t triple) noexcept {
  for (unsigned shift : {18u, 12u, 6u, 0u})
    *to++ = static_cast<uint8_t>(base64_alphabet[(triple >> shift) & 63u]);
  return to;
}
inline uint8_t* encode_base64_scalar(uint8_t* to, const uint8_t* from, size_t size) noexcept {
  size_t remaining = size;
  for (; remaining >= 3; remaining -= 3, from += 3)
    to = put_base64_group(to, uint32_t{from[0]} << 16 | uint32_t{from[1]} << 8 | from[2]);
  if (remaining == 0) return to;
  const uint32_t second = remaining == 2 ? from[1] : 0u;
  return put_base64_padding(put_base64_group(to, uint32_t{from[0]} << 16 | second << 8), size);
}

inline constexpr size_t no_base64 = static_cast<size_t>(-1);

// Whether the unused bits of the last character, in a final group of `rest` characters, are not zero.
[[nodiscard]] THRIFTLENS_INLINE bool has_spare_bits(uint8_t last, size_t rest) noexcept {
  return rest != 0 && (base64_values[last] & (rest == 2 ? 0x0fu : 0x03u)) != 0;
}
// Number of characters before the padding of a text that begins at `from`; no_base64 for an invalid end.
[[nodiscard]] THRIFTLENS_INLINE size_t base64_body_size(const uint8_t* from, size_t size,
                                                        base64_form form) noexcept {
  const bool strict = form == base64_form::strict;
  // Padding completes a group of four; without it only lenient text may end in a short group.
  if (size % 4 != 0) {
    if (strict) return no_base64;
  } else if (size != 0) {
    const bool padded = from[size - 1] == '=';
    size -= size_t{padded} + (padded && from[size - 2] == '=');
  }
  const size_t rest = size % 4;
  if (rest == 1 || (strict && size != 0 && has_spare_bits(from[size - 1], rest))) return no_base64;
  return size;
}
// Decodes Count + 1 characters to Count bytes. nullptr if one is invalid.
template <int Count>
THRIFTLENS_INLINE uint8_t* put_base64_bytes(uint8_t* to, const uint8_t* from,
                                            const std::array<uint8_t, 256>& values) noexcept {
  uint32_t triple = 0, combined = 0;
  for (int i = 0; i <= Count; ++i) {
    const uint32_t value = values[from[i]];
    combined |= value;
    triple |= value << (26 - 6 * i);
  }
  if ((combined & 0x80u) != 0) return nullptr;
  for (int i = 0; i < Count; ++i, triple <<= 8) *to++ = static_cast<uint8_t>(triple >> 24);
  return to;
}
// `size` counts from `from`, which starts a group of four.
inline uint8_t* decode_base64_scalar(uint8_t* to, const uint8_t* from, size_t size,
                                     base64_form form) noexcept {
  const auto& values = form == base64_form::strict ? base64_values : base64_url_values;
  size = base64_body_size(from, size, form);
  if (size == no_base64) return nullptr;
  for (; size >= 4; size -= 4, from += 4)
    if ((to = put_base64_bytes<3>(to, from, values)) == nullptr) return nullptr;
  if (size == 3) return put_base64_bytes<2>(to, from, values);
  return size == 2 ? put_base64_bytes<1>(to, from, values) : to;
}

#if THRIFTLENS_X86
// Muła and Lemire, "Faster Base64 Encoding and Decoding Using AVX2 Instructions" (2018), with 16-byte
// vectors.
alignas(16) inline constexpr uint8_t base64_spread[16] = {1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10};
alignas(16) inline constexpr std::int8_t base64_offsets[16] = {
    'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
    '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A',      0,        0};
// The first twelve bytes in groups of six bits.
THRIFTLENS_TARGET_SSSE3 THRIFTLENS_INLINE __m128i base64_sextets(__m128i bytes) noexcept {
  const __m128i spread = _mm_shuffle_epi8(bytes, load_16(base64_spread));
  return _mm_mulhi_epu16(spread & _mm_set1_epi32(0x0fc0fc00), _mm_set1_epi32(0x04000040)) |
         _mm_mullo_epi16(spread & _mm_set1_epi32(0x003f03f0), _mm_set1_epi32(0x01000010));
}
THRIFTLENS_TARGET_SSSE3 inline __m128i base64_characters(__m128i bytes) noexcept {
  const __m128i values = base64_sextets(bytes);
  const __m128i capital = _mm_cmpgt_epi8(_mm_set1_epi8(26), values) & _mm_set1_epi8(13);
  const __m128i range = _mm_subs_epu8(values, _mm_set1_epi8(51)) | capital;
  return _mm_add_epi8(values, _mm_shuffle_epi8(load_16(base64_offsets), range));
}

THRIFTLENS_TARGET_SSSE3 inline uint8_t* encode_base64_ssse3(uint8_t* to, const uint8_t* from,
                                                            size_t size) noexcept {
  uint8_t* const end = to + base64_text_size(size);
  size_t remaining = size;
  for (; remaining >= 16; remaining -= 12, from += 12, to += 16)
    store_16(to, base64_characters(load_16(from)));
  const __m128i last = load_partial(from, remaining);
  store_16(to, base64_characters(last));
  if (remaining > 12) store_16(to + 16, base64_characters(_mm_srli_si128(last, 12)));
  return put_base64_padding(end, size);
}

// The same algorithm with AVX-512: 48 bytes per step. gcc 12 warns of the forms without a mask.
inline constexpr uint64_t all_bits = ~uint64_t{0};
alignas(64) inline constexpr uint32_t base64_wide_spread[16] = {
    0x01020001, 0x04050304, 0x07080607, 0x0a0b090a, 0x0d0e0c0d, 0x10110f10, 0x13141213, 0x16171516,
    0x191a1819, 0x1c1d1b1c, 0x1f201e1f, 0x22232122, 0x25262425, 0x28292728, 0x2b2c2a2b, 0x2e2f2d2e};
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE __m512i base64_characters(__m512i bytes, __m512i spread,
                                                                    __m512i alphabet) noexcept {
  const __m512i shifts = _mm512_set1_epi64(0x3036242a1016040a);
  const __m512i groups = _mm512_maskz_permutexvar_epi8(all_bits, spread, bytes);
  const __m512i sextets = _mm512_maskz_multishift_epi64_epi8(all_bits, shifts, groups);
  return _mm512_maskz_permutexvar_epi8(all_bits, sextets, alphabet);
}
THRIFTLENS_TARGET_VBMI2 inline uint8_t* encode_base64_vbmi2(uint8_t* to, const uint8_t* from,
                                                            size_t size) noexcept {
  uint8_t* const end = to + base64_text_size(size);
  const __m512i spread = _mm512_load_si512(base64_wide_spread);
  const __m512i alphabet = _mm512_loadu_si512(base64_alphabet);
  for (size_t remaining = size; remaining != 0; to += 64) {
    const size_t chunk = remaining < 48 ? remaining : 48;
    const __m512i bytes = _mm512_maskz_loadu_epi8(low_bits(chunk), from);
    _mm512_storeu_si512(to, base64_characters(bytes, spread, alphabet));
    from += chunk;
    remaining -= chunk;
  }
  return put_base64_padding(end, size);
}

// By the lower and the upper half of a character: classes that both have are faults.
alignas(16) inline constexpr uint8_t base64_low_classes[16] = {
    0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a};
alignas(16) inline constexpr uint8_t base64_high_classes[16] = {
    0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10};
alignas(16) inline constexpr std::int8_t base64_value_offsets[16] = {0, 16, 19, 4, -65, -65, -71, -71,
                                                                     0, 0,  0,  0, 0,   0,   0,   0};
// The values of 16 characters; false if one is not in the standard alphabet.
THRIFTLENS_TARGET_SSSE3 inline bool base64_values_of(__m128i text, __m128i& values) noexcept {
  const __m128i slash = _mm_set1_epi8(0x2f);
  const __m128i high = _mm_srli_epi32(text, 4) & slash;
  const __m128i faults = _mm_shuffle_epi8(load_16(base64_low_classes), text & slash) &
                         _mm_shuffle_epi8(load_16(base64_high_classes), high);
  const __m128i range = _mm_add_epi8(_mm_cmpeq_epi8(text, slash), high);
  values = _mm_add_epi8(text, _mm_shuffle_epi8(load_16(base64_value_offsets), range));
  return top_bits(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) == 0xffff;
}
alignas(16) inline constexpr std::int8_t base64_closed_up[16] = {2, 1,  0,  6,  5,  4,  10, 9,
                                                                 8, 14, 13, 12, -1, -1, -1, -1};
THRIFTLENS_TARGET_SSSE3 inline uint8_t* decode_base64_ssse3(uint8_t* to, const uint8_t* from, size_t size,
                                                            base64_form form) noexcept {
  const __m128i closed_up = load_16(base64_closed_up);
  // Leaves the last group, and 16 bytes of capacity for a 12-byte result, to the scalar code.
  for (; size >= 24; size -= 16, from += 16, to += 12) {
    __m128i values;
    if (!base64_values_of(load_16(from), values)) break;  // '-', '_' or a fault: handled by the scalar code
    const __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi32(0x01400140));
    store_16(to, _mm_shuffle_epi8(_mm_madd_epi16(pairs, _mm_set1_epi32(0x00011000)), closed_up));
  }
  return decode_base64_scalar(to, from, size, form);
}

alignas(64) inline constexpr uint32_t base64_wide_closed_up[16] = {
    0x06000102, 0x090a0405, 0x0c0d0e08, 0x16101112, 0x191a1415, 0x1c1d1e18, 0x26202122, 0x292a2425,
    0x2c2d2e28, 0x36303132, 0x393a3435, 0x3c3d3e38, 0,          0,          0,          0};
// 48 bytes of 64 values.
THRIFTLENS_TARGET_VBMI2 THRIFTLENS_INLINE __m512i join_base64(__m512i values) noexcept {
  const __m512i pairs = _mm512_maddubs_epi16(values, _mm512_set1_epi32(0x01400140));
  const __m512i triples = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
  return _mm512_maskz_permutexvar_epi8(all_bits, _mm512_load_si512(base64_wide_closed_up), triples);
}
// 64 characters per step, the last ones masked: no branch on the remainder.
THRIFTLENS_TARGET_VBMI2 inline uint8_t* decode_base64_vbmi2(uint8_t* to, const uint8_t* from, size_t size,
                                                            base64_form form) noexcept {
  const auto& values_of = form == base64_form::strict ? base64_values : base64_url_values;
  const __m512i low = _mm512_loadu_si512(values_of.data()), high = _mm512_loadu_si512(&values_of[64]);
  size = base64_body_size(from, size, form);
  if (size == no_base64) return nullptr;
  while (size != 0) {
    const size_t chunk = size < 64 ? size : 64, decoded = chunk * 3 / 4;
    const __m512i text = _mm512_mask_loadu_epi8(_mm512_set1_epi8('A'), low_bits(chunk), from);
    const __m512i values = _mm512_maskz_permutex2var_epi8(all_bits, low, text, high);
    if (_mm512_movepi8_mask(values | text) != 0) return nullptr;
    _mm512_mask_storeu_epi8(to, low_bits(decoded), join_base64(values));
    to += decoded;
    from += chunk;
    size -= chunk;
  }
  return to;
}
#endif

inline constexpr kernel_body<decltype(&encode_base64_scalar)> encode_base64_bodies[] = {
    {instructions::any, encode_base64_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, encode_base64_ssse3},
    {instructions::vbmi2, encode_base64_vbmi2},
#endif
};
inline constexpr kernel_body<decltype(&decode_base64_scalar)> decode_base64_bodies[] = {
    {instructions::any, decode_base64_scalar},
#if THRIFTLENS_X86
    {instructions::ssse3, decode_base64_ssse3},
    {instructions::vbmi2, decode_base64_vbmi2},
#endif
};

}  // namespace detail

/// Writes padded standard base64, base64_text_size(size) characters, and returns its end. `to` has capacity
/// for base64_text_capacity(size) bytes.
[[nodiscard]] THRIFTLENS_INLINE uint8_t* encode_base64(uint8_t* to, byte_view bytes) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::encode_base64_vbmi2(to, bytes.data(), bytes.size());
  if (best_level() >= level::ssse3) return detail::encode_base64_ssse3(to, bytes.data(), bytes.size());
#endif
  return detail::encode_base64_scalar(to, bytes.data(), bytes.size());
}

/// Writes the decoded bytes at `to`, which must have base64_bytes_capacity(size) of capacity; returns their
/// end, or nullptr if the text is not base64 of that form.
[[nodiscard]] inline uint8_t* decode_base64(uint8_t* to, byte_view text,
                                            base64_form form = base64_form::strict) noexcept {
#if THRIFTLENS_X86
  if (detail::has_vbmi2) return detail::decode_base64_vbmi2(to, text.data(), text.size(), form);
  if (text.size() >= 24 && best_level() >= level::ssse3)
    return detail::decode_base64_ssse3(to, text.data(), text.size(), form);
#endif
  return detail::decode_base64_scalar(to, text.data(), text.size(), form);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
