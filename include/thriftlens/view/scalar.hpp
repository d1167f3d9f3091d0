// scalar: one wire value as a C++ value, text and bytes without copy. Never narrows (an i64 is not read as
// std::int32_t, an i32 may be read as std::int64_t) or wraps (-1 is not read as unsigned).
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/integer.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// C++ integers for wire numbers: signed and unsigned ones, without characters of wide strings.
template <class T>
concept integer_value = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, wchar_t> &&
                        !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// C++ types of a scalar: bool; integers as wide as the wire type or wider; enums; double; std::string_view,
/// byte_view, std::span<const std::uint8_t> and std::string for string and binary; uuid_bytes. As in the
/// codec, a number that an unsigned type or an enum's underlying type cannot represent is an error
/// (unfit_value).
template <class T>
concept scalar_value = std::same_as<T, bool> || integer_value<T> || std::is_enum_v<T> ||
                       std::same_as<T, double> || std::same_as<T, std::string_view> ||
                       std::same_as<T, byte_view> || std::same_as<T, std::span<const std::uint8_t>> ||
                       std::same_as<T, std::string> || std::same_as<T, uuid_bytes>;

namespace detail {

/// Stops compilation with one message.
template <class T>
constexpr bool check_scalar() noexcept {
  static_assert(
      scalar_value<T>,
      "thriftlens: as<T>: T is bool, an integer, an enum, double, std::string_view, std::string, byte_view, "
      "std::span<const std::uint8_t> or uuid_bytes; structs and containers are decoded: decode<T>(view)");
  return scalar_value<T>;
}

template <integer_value T>
[[nodiscard]] constexpr const char* integer_word() noexcept {
  constexpr const char* names[][2] = {{"i8", "u8"}, {"i16", "u16"}, {"i32", "u32"}, {"i64", "u64"}};
  return names[std::countr_zero(sizeof(T))][std::is_unsigned_v<T>];
}
/// The name of a C++ type in errors, in IDL terms.
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
  else if constexpr (integer_value<T>)
    return integer_word<T>();
  else
    return "string or binary";
}

/// Reads an integer of any wire width. ok, wrong_type or a fault of the reader.
template <protocol P>
[[nodiscard]] errc read_integer_of(typename P::reader& in, ttype wire, std::int64_t& value) noexcept {
  if (!is_integer(wire)) return errc::wrong_type;
  return read_integer(in, wire, value) ? errc::ok : in.fault().code;
}

/// Converts the number to a T that may be too small for it: ok, or unfit_value.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE errc fit_number(std::int64_t number, T& value) noexcept {
  const bool negative = std::is_unsigned_v<T> && number < 0;
  const bool narrowed = sizeof(T) < 8 && static_cast<std::int64_t>(static_cast<T>(number)) != number;
  if (negative || narrowed) [[unlikely]]
    return errc::unfit_value;
  value = static_cast<T>(number);
  return errc::ok;
}

/// Reads an integer into a T of at least its width.
template <protocol P, integer_value T>
[[nodiscard]] THRIFTLENS_INLINE errc read_integer_as(typename P::reader& in, ttype wire, T& value) noexcept {
  if (!is_integer(wire) || fixed_width(wire) > sizeof(T)) return errc::wrong_type;
  std::int64_t number = 0;
  if (!read_integer(in, wire, number)) return in.fault().code;
  return fit_number(number, value);
}
/// Reads the number of an enum.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE errc read_enum_as(typename P::reader& in, T& value) noexcept {
  std::int32_t number = 0;
  if (!in.read_i32(number)) return in.fault().code;
  std::underlying_type_t<T> own{};
  const errc code = fit_number(number, own);
  if (code == errc::ok) value = static_cast<T>(own);
  return code;
}
/// Reads text or bytes.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE bool read_text_as(typename P::reader& in, T& value) {
  byte_view bytes;
  if (!in.read_bytes(bytes)) return false;
  if constexpr (std::is_same_v<T, byte_view>)
    value = bytes;
  else if constexpr (std::is_same_v<T, std::span<const std::uint8_t>>)
    value = T(bytes.data(), bytes.size());
  else
    value = T(bytes.text());
  return true;
}
/// The wire type of a T; integers have several.
template <scalar_value T>
inline constexpr ttype scalar_wire = std::is_same_v<T, bool>         ? ttype::bool_
                                     : std::is_same_v<T, double>     ? ttype::double_
                                     : std::is_same_v<T, uuid_bytes> ? ttype::uuid
                                     : std::is_enum_v<T>             ? ttype::i32
                                                                     : ttype::string;
/// Reads a value that every T can represent. False: the reader failed.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE bool read_plain(typename P::reader& in, T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return in.read_bool(value);
  else if constexpr (std::is_same_v<T, double>)
    return in.read_double(value);
  else if constexpr (std::is_same_v<T, uuid_bytes>)
    return in.read_uuid(value);
  else
    return read_text_as<P>(in, value);
}
/// Reads the value. ok, wrong_type (nothing was read), unfit_value or a fault of the reader.
template <protocol P, scalar_value T>
[[nodiscard]] THRIFTLENS_INLINE errc read_scalar(typename P::reader& in, ttype wire,
                                                 T& value) noexcept(!std::is_same_v<T, std::string>) {
  if constexpr (integer_value<T>) {
    return read_integer_as<P>(in, wire, value);
  } else {
    if (wire != scalar_wire<T>) return errc::wrong_type;
    if constexpr (std::is_enum_v<T>)
      return read_enum_as<P>(in, value);
    else
      return read_plain<P>(in, value) ? errc::ok : in.fault().code;
  }
}
/// Borrows the text or bytes of a string without a reader. False: use the reader.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE bool borrow_text([[maybe_unused]] ttype wire,
                                                 [[maybe_unused]] const std::uint8_t* at,
                                                 [[maybe_unused]] const std::uint8_t* end,
                                                 [[maybe_unused]] T& value) noexcept {
  constexpr bool is_text = std::is_same_v<T, std::string_view>;
  if constexpr (P::traits.has_fixed_layout && (is_text || std::is_same_v<T, byte_view>)) {
    const auto available = static_cast<std::size_t>(end - at);
    if (wire != ttype::string || available < 4) return false;
    const auto size = load_be<std::uint32_t>(at);
    if (size > available - 4 || size > limits{}.string_size) return false;
    const byte_view bytes(at + 4, size);
    if constexpr (is_text)
      value = bytes.text();
    else
      value = bytes;
    return true;
  } else {
    return false;
  }
}

}  // namespace detail
}  // namespace thriftlens::inline THRIFTLENS_ABI
