// integer: reads integers of any width.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// i8, i16, i32 or i64.
[[nodiscard]] constexpr bool is_integer(ttype type) noexcept {
  return type == ttype::i32 || type == ttype::i64 || type == ttype::i16 || type == ttype::i8;
}

template <class Reader, class Base, class Number>
[[nodiscard]] THRIFTLENS_INLINE bool read_widened(Reader& in, bool (Base::*read)(Number&) noexcept,
                                                  std::int64_t& value) noexcept {
  Number number{};
  const bool is_read = (in.*read)(number);
  value = number;
  return is_read;
}

/// Reads an integer of that wire type. False without reading if it is not an integer type, or if the reader
/// failed.
template <class Reader>
[[nodiscard]] THRIFTLENS_INLINE bool read_integer(Reader& in, ttype wire, std::int64_t& value) noexcept {
  if (wire == ttype::i64) return in.read_i64(value);
  if (wire == ttype::i32) return detail::read_widened(in, &Reader::read_i32, value);
  if (wire == ttype::i16) return detail::read_widened(in, &Reader::read_i16, value);
  return wire == ttype::i8 && detail::read_widened(in, &Reader::read_i8, value);
}

/// Whether an integer of that wire type can be the number.
[[nodiscard]] constexpr bool fits_integer(ttype wire, std::int64_t number) noexcept {
  const std::int64_t low = INT64_MIN >> (64 - 8 * fixed_width(wire));
  return number >= low && number <= ~low;
}
/// Writes a number as an integer of that wire type, which it fits.
template <class P>
[[nodiscard]] std::uint8_t* put_integer(std::uint8_t* to, ttype wire, std::int64_t number) noexcept {
  if (wire == ttype::i8) return P::put_i8(to, static_cast<std::int8_t>(number));
  if (wire == ttype::i16) return P::put_i16(to, static_cast<std::int16_t>(number));
  if (wire == ttype::i32) return P::put_i32(to, static_cast<std::int32_t>(number));
  return P::put_i64(to, number);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
