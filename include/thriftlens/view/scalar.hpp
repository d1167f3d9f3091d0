// scalar: one wire value as a C++ value, without copy where it is text or bytes.
// In: a reader that stands at the value, its wire type, the C++ type wanted. Out: the value, or why it cannot
// be that. Never narrows (an i64 is no std::int32_t, an i32 may be a std::int64_t), never wraps (-1 is no
// unsigned number).
#pragma once

#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/view/walker.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Integers of C++ that numbers of the wire can be taken as: signed and unsigned ones, no characters of wide
/// strings.
template <class T>
concept integer_value = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, wchar_t> &&
                        !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// C++ types a scalar can be taken as: bool; integers as wide as the wire type or wider; enums; double;
/// std::string_view, byte_view, std::span<const std::uint8_t> and std::string for string and binary;
/// uuid_bytes. As in the codec, a number that an unsigned type or an enum's own type does not hold is an
/// error (unfit_value).
template <class T>
concept scalar_value = std::same_as<T, bool> || integer_value<T> || std::is_enum_v<T> ||
                       std::same_as<T, double> || std::same_as<T, std::string_view> ||
                       std::same_as<T, byte_view> || std::same_as<T, std::span<const std::uint8_t>> ||
                       std::same_as<T, std::string> || std::same_as<T, uuid_bytes>;

namespace detail {

/// Stops the compiler with one sentence.
template <class T>
constexpr bool check_scalar() noexcept {
  static_assert(
      scalar_value<T>,
      "thriftlens: as<T>: T is bool, an integer, an enum, double, std::string_view, std::string, byte_view, "
      "std::span<const std::uint8_t> or uuid_bytes; structs and containers are decoded: decode<T>(view)");
  return scalar_value<T>;
}

/// How a C++ type is called in errors, in the words of the IDL.
template <scalar_value T>
[[nodiscard]] constexpr const char* scalar_word() noexcept {
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, uuid_bytes>)
    return "uuid";
  else if constexpr (std::is_enum_v<T>)
    return "an enum";
  else if constexpr (std::is_unsigned_v<T>) {
    constexpr const char* words[] = {"an unsigned i8", "an unsigned i16", "an unsigned i32",
                                     "an unsigned i64"};
    return words[sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
  } else if constexpr (std::is_integral_v<T>)
    return sizeof(T) == 1 ? "i8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
  else
    return "string or binary";
}

/// Reads an integer of any wire width. ok, wrong_type or a fault of the reader.
template <protocol P>
[[nodiscard]] errc read_integer_of(typename P::reader& in, ttype wire, std::int64_t& value) noexcept {
  if (!is_integer(wire)) return errc::wrong_type;
  return read_integer(in, wire, value) ? errc::ok : in.fault().code;
}

/// The number as a T that may be too small for it: ok, or unfit_value.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE errc fit_number(std::int64_t number, T& value) noexcept {
  if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> own{};
    const errc code = fit_number(number, own);
    if (code == errc::ok) value = static_cast<T>(own);
    return code;
  } else {
    const bool negative = std::is_unsigned_v<T> && number < 0;
    const bool narrowed = sizeof(T) < 8 && static_cast<std::int64_t>(static_cast<T>(number)) != number;
    if (negative || narrowed) [[unlikely]]
      return errc::unfit_value;
    value = static_cast<T>(number);
    return errc::ok;
  }
}

/// Reads the value. ok, wrong_type (nothing was read), unfit_value or a fault of the reader.
template <protocol P, scalar_value T>
[[nodiscard]] THRIFTLENS_INLINE errc read_scalar(typename P::reader& in, ttype wire,
                                                 T& value) noexcept(!std::is_same_v<T, std::string>) {
  auto done = [&in](bool read) { return read ? errc::ok : in.fault().code; };
  if constexpr (std::is_enum_v<T>) {
    if (wire != ttype::i32) return errc::wrong_type;
    std::int32_t number = 0;
    const errc code = done(in.read_i32(number));
    return code == errc::ok ? fit_number(number, value) : code;
  } else if constexpr (std::is_same_v<T, bool>) {
    return wire == ttype::bool_ ? done(in.read_bool(value)) : errc::wrong_type;
  } else if constexpr (std::is_same_v<T, double>) {
    return wire == ttype::double_ ? done(in.read_double(value)) : errc::wrong_type;
  } else if constexpr (std::is_same_v<T, uuid_bytes>) {
    return wire == ttype::uuid ? done(in.read_uuid(value)) : errc::wrong_type;
  } else if constexpr (integer_value<T>) {
    if (!is_integer(wire) || fixed_width(wire) > sizeof(T)) return errc::wrong_type;
    std::int64_t i64 = 0;
    const errc code = done(read_integer(in, wire, i64));
    if constexpr (std::is_unsigned_v<T>) {
      if (code == errc::ok && i64 < 0) [[unlikely]]
        return errc::unfit_value;
    }
    value = static_cast<T>(i64);
    return code;
  } else {
    if (wire != ttype::string) return errc::wrong_type;
    byte_view bytes;
    if (!in.read_bytes(bytes)) return in.fault().code;
    if constexpr (std::is_same_v<T, byte_view>)
      value = bytes;
    else if constexpr (std::is_same_v<T, std::span<const std::uint8_t>>)
      value = T(bytes.data(), bytes.size());
    else
      value = T(bytes.text());
    return errc::ok;
  }
}

}  // namespace detail
}  // namespace thriftlens::inline THRIFTLENS_ABI
