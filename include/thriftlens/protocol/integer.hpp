// integer: whole numbers of the wire, whatever their width.
// In: a reader that stands at a value, its wire type. Out: the value in 64 bits.
// Never narrows; bools and doubles are no integers here.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// i8, i16, i32 or i64.
[[nodiscard]] constexpr bool is_integer(ttype type) noexcept {
  return type == ttype::i32 || type == ttype::i64 || type == ttype::i16 || type == ttype::i8;
}

/// Reads an integer of that wire type. False where the type is none, and nothing was read; or where the
/// reader failed.
template <class Reader>
[[nodiscard]] THRIFTLENS_INLINE bool read_integer(Reader& in, ttype wire, std::int64_t& value) noexcept {
  const auto widened = [&value, &in](auto number, auto read) {
    const bool done = (in.*read)(number);
    value = number;
    return done;
  };
  if (wire == ttype::i64) return in.read_i64(value);
  if (wire == ttype::i32) return widened(std::int32_t{}, &Reader::read_i32);
  if (wire == ttype::i16) return widened(std::int16_t{}, &Reader::read_i16);
  return wire == ttype::i8 && widened(std::int8_t{}, &Reader::read_i8);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
