// scalar: one wire value as a C++ value, without copy where it is text or bytes.
// In: a reader that stands at the value, its wire type, the C++ type wanted. Out: the value, or why it cannot be that.
// Never narrows: an i64 is no std::int32_t, an i32 may be a std::int64_t.
#pragma once

#include <thriftlens/lens/walker.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// C++ types a scalar can be taken as: bool; signed integers and enums as wide as the wire type or wider; double;
/// std::string_view, byte_view, std::span<const std::uint8_t> and std::string for string and binary; uuid_bytes.
template <class T>
concept scalar_value = std::same_as<T, bool> || std::signed_integral<T> || std::is_enum_v<T> || std::same_as<T, double> ||
                       std::same_as<T, std::string_view> || std::same_as<T, byte_view> ||
                       std::same_as<T, std::span<const std::uint8_t>> || std::same_as<T, std::string> || std::same_as<T, uuid_bytes>;

namespace detail {

/// How a C++ type is called in errors, in the words of the IDL.
template <scalar_value T>
[[nodiscard]] constexpr const char* scalar_word() noexcept {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_same_v<T, double>) return "double";
  else if constexpr (std::is_same_v<T, uuid_bytes>) return "uuid";
  else if constexpr (std::is_enum_v<T>) return "an enum";
  else if constexpr (std::is_integral_v<T>) return sizeof(T) == 1 ? "i8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
  else return "string or binary";
}

/// Reads an integer of any wire width. ok, wrong_type or a fault of the reader.
template <protocol P>
[[nodiscard]] inline errc read_integer_of(typename P::reader& in, ttype wire, std::int64_t& value) noexcept {
  auto done = [&](bool read) { return read ? errc::ok : in.fault().code; };
  auto narrow = [&]<class T>(T, bool (P::reader::*read)(T&)) {
    T number{};
    const errc code = done((in.*read)(number));
    value = number;
    return code;
  };
  if (wire == ttype::i64) return done(in.read_i64(value));
  if (wire == ttype::i32) return narrow(std::int32_t{}, &P::reader::read_i32);
  if (wire == ttype::i16) return narrow(std::int16_t{}, &P::reader::read_i16);
  if (wire == ttype::i8) return narrow(std::int8_t{}, &P::reader::read_i8);
  return errc::wrong_type;
}

/// Reads the value. ok, wrong_type (nothing was read) or a fault of the reader.
template <protocol P, scalar_value T>
[[nodiscard]] THRIFTLENS_INLINE errc read_scalar(typename P::reader& in, ttype wire, T& value) noexcept(!std::is_same_v<T, std::string>) {
  auto done = [&in](bool read) { return read ? errc::ok : in.fault().code; };
  if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    static_assert(sizeof(T) >= 4, "an enum of the IDL is an i32");
    if (wire != ttype::i32) return errc::wrong_type;
    std::int32_t raw = 0;
    errc code = done(in.read_i32(raw));
    number = static_cast<std::underlying_type_t<T>>(raw);
    value = static_cast<T>(number);
    return code;
  } else if constexpr (std::is_same_v<T, bool>) {
    return wire == ttype::bool_ ? done(in.read_bool(value)) : errc::wrong_type;
  } else if constexpr (std::is_same_v<T, double>) {
    return wire == ttype::double_ ? done(in.read_double(value)) : errc::wrong_type;
  } else if constexpr (std::is_same_v<T, uuid_bytes>) {
    return wire == ttype::uuid ? done(in.read_uuid(value)) : errc::wrong_type;
  } else if constexpr (std::signed_integral<T>) {
    if (wire == ttype::double_ || fixed_width(wire) == 0 || fixed_width(wire) > sizeof(T) || wire == ttype::bool_) return errc::wrong_type;
    std::int64_t i64 = 0;
    errc code = read_integer_of<P>(in, wire, i64);
    value = static_cast<T>(i64);
    return code;
  } else {
    if (wire != ttype::string) return errc::wrong_type;
    byte_view bytes;
    if (!in.read_bytes(bytes)) return in.fault().code;
    if constexpr (std::is_same_v<T, byte_view>) value = bytes;
    else if constexpr (std::is_same_v<T, std::span<const std::uint8_t>>) value = T(bytes.data(), bytes.size());
    else value = T(bytes.text());
    return errc::ok;
  }
}

}  // namespace detail
}  // namespace thriftlens
