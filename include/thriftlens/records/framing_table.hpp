// framing_table: how each framing is read, written and detected. A new framing is a line of framing.hpp and a
// row here.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/records/framing.hpp>
#include <thriftlens/simd/base64.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The bytes before a record that state its size.
struct frame_header {
  errc code = errc::ok;   ///< truncated: the header needs `begin` bytes
  bool is_null = false;   ///< a null record, without content
  std::size_t begin = 0;  ///< of the record, from the first byte of the header
  std::uint64_t size = 0;
};

/// Functions of a framing; null: it has no such part.
struct framing_row {
  framing of = framing::none;
  // Of framings with a size: reads a header, and writes one of at most `max_header` bytes.
  static constexpr std::size_t max_header = 16;
  frame_header (*read_header)(byte_view window) noexcept = nullptr;
  std::uint8_t* (*put_header)(std::uint8_t* to, std::uint32_t size) noexcept = nullptr;
  std::uint8_t* (*put_null)(std::uint8_t* to) noexcept = nullptr;
  // Of framings with a record per line: appends the bytes of a word, false if it is malformed; appends a
  // line.
  bool (*decode_word)(byte_view word, buffer& out) = nullptr;
  void (*append_line)(byte_view record, buffer& out) = nullptr;
  // For detection: improbability of one header or line among random bytes, as a power of two; and a penalty,
  // which ranks rare framings below common ones that fit the same bytes.
  double bits = 0;
  double rareness = 0;
};

template <bool IsLittle, bool HasNull>
[[nodiscard]] inline frame_header read_u32_header(byte_view window) noexcept {
  if (window.size() < 4) return {.code = errc::truncated, .begin = 4};
  const auto size = IsLittle ? load_le<std::int32_t>(window.data()) : load_be<std::int32_t>(window.data());
  if (HasNull && size == -1) return {.is_null = true, .begin = 4};
  if (size < 0) return {.code = errc::negative_size};
  return {.begin = 4, .size = static_cast<std::uint64_t>(size)};
}
template <bool IsLittle>
[[nodiscard]] inline std::uint8_t* put_u32_header(std::uint8_t* to, std::uint32_t size) noexcept {
  IsLittle ? store_le(to, size) : store_be(to, size);
  return to + 4;
}
[[nodiscard]] inline std::uint8_t* put_null_u32(std::uint8_t* to) noexcept {
  return put_u32_header<false>(to, 0xffffffffu);
}

[[nodiscard]] inline frame_header read_varint_header(byte_view window) noexcept {
  std::uint32_t size = 0;
  const byte_ptr content = get_varint(window.data(), window.end(), size);
  if (content != nullptr) return {.begin = static_cast<std::size_t>(content - window.data()), .size = size};
  return {.code = varint_fault<std::uint32_t>(window.data(), window.end()), .begin = window.size() + 1};
}
[[nodiscard]] inline std::uint8_t* put_varint_header(std::uint8_t* to, std::uint32_t size) noexcept {
  return put_varint(to, size);
}

[[nodiscard]] inline bool decode_hex_word(byte_view word, buffer& out) {
  if (word.size() % 2 != 0) return false;
  std::uint8_t* to = out.prepare(word.size() / 2);
  for (std::size_t i = 0; i < word.size(); i += 2) {
    const int byte = hex_byte(word.text().data() + i);
    if (byte < 0) return false;
    *to++ = static_cast<std::uint8_t>(byte);
  }
  out.commit(to);
  return true;
}
inline void append_hex_line(byte_view record, buffer& out) {
  std::uint8_t* to = out.prepare(2 * record.size() + 1);
  for (const std::uint8_t byte : record) {
    *to++ = static_cast<std::uint8_t>("0123456789abcdef"[byte >> 4]);
    *to++ = static_cast<std::uint8_t>("0123456789abcdef"[byte & 15]);
  }
  *to = '\n';
  out.commit(to + 1);
}

[[nodiscard]] inline bool decode_base64_word(byte_view word, buffer& out) {
  std::uint8_t* const to = out.prepare(simd::base64_bytes_capacity(word.size()));
  const std::uint8_t* const end = simd::decode_base64(to, word, simd::base64_form::lenient);
  if (end != nullptr) out.commit(end);
  return end != nullptr;
}
inline void append_base64_line(byte_view record, buffer& out) {
  out.commit(simd::encode_base64(out.prepare(simd::base64_text_capacity(record.size())), record));
  out.push_back('\n');
}

/// Of all framings, in the order of the enum.
inline constexpr framing_row framing_table[] = {
    {.of = framing::none},
    {.of = framing::u32,
     .read_header = read_u32_header<false, false>,
     .put_header = put_u32_header<false>,
     .bits = 20},
    {.of = framing::u32le,
     .read_header = read_u32_header<true, false>,
     .put_header = put_u32_header<true>,
     .bits = 20},
    {.of = framing::varint,
     .read_header = read_varint_header,
     .put_header = put_varint_header,
     .bits = 6,
     .rareness = 1},
    {.of = framing::kafka,
     .read_header = read_u32_header<false, true>,
     .put_header = put_u32_header<false>,
     .put_null = put_null_u32,
     .bits = 20,
     .rareness = 2},
    {.of = framing::base64, .decode_word = decode_base64_word, .append_line = append_base64_line, .bits = 8},
    {.of = framing::hex, .decode_word = decode_hex_word, .append_line = append_hex_line, .bits = 8},
    {.of = framing::message, .bits = 20}};

[[nodiscard]] consteval bool is_framing_table_complete() {
  for (std::size_t i = 0; i < framing_count; ++i)
    if (static_cast<std::size_t>(framing_table[i].of) != i) return false;
  return sizeof framing_table == framing_count * sizeof(framing_row);
}
static_assert(is_framing_table_complete(), "a row for every framing, in the order of the enum");

[[nodiscard]] constexpr const framing_row& row_of(framing which) noexcept {
  return framing_table[static_cast<std::size_t>(which)];
}

[[nodiscard]] inline byte_view trimmed(byte_view line) noexcept {
  const auto is_blank = [](std::uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
  };
  byte_ptr begin = line.begin(), end = line.end();
  while (begin != end && is_blank(*begin)) ++begin;
  while (begin != end && is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}
/// The last word of a trimmed line: log lines put times and names before the bytes. A line of only digits
/// and blanks is returned entirely.
[[nodiscard]] inline byte_view last_word(byte_view line) noexcept {
  constexpr std::string_view digits = "0123456789abcdefABCDEF \t";
  const std::size_t blank = line.text().find_last_of(" \t");
  if (blank == std::string_view::npos || line.text().find_first_not_of(digits) == std::string_view::npos)
    return line;
  return line.part(blank + 1, line.size() - blank - 1);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
