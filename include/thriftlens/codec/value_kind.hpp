// value_kind: classifies C++ types by their encoding. See text.hpp, nullable.hpp, sequence.hpp and
// members.hpp for values of a kind.
#pragma once

#include <thriftlens/codec/adapter.hpp>
#include <thriftlens/codec/binding.hpp>
#include <thriftlens/codec/container.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

enum class value_kind : unsigned char {
  none,  ///< cannot be encoded
  boolean,
  number,       ///< integers (as the signed type of their width), double; std::byte, by its
                ///< eight bits
  enumeration,  ///< enums, as i32 whatever their own type
  text,         ///< strings and bytes, owned or borrowed
  uuid,         ///< std::array of 16 std::uint8_t or std::byte
  nullable,     ///< optional, unique_ptr, shared_ptr
  sequence,     ///< list
  set,
  map,        ///< maps, and sequences of pairs
  foreign,    ///< a container with tl::container
  adapted,    ///< a type with tl::adapter
  structure,  ///< a struct with tl::binding, or an aggregate for bind_by_name
  union_,     ///< std::variant, or a struct bound by tl::union_
};

namespace detail {

template <class T>
inline constexpr bool is_text =
    std::is_same_v<T, std::string_view> || std::is_same_v<T, byte_view> || std::is_same_v<T, buffer> ||
    std::is_same_v<T, std::span<const std::uint8_t>> || std::is_same_v<T, std::span<const std::byte>>;
template <class Traits, class Allocator>
inline constexpr bool is_text<std::basic_string<char, Traits, Allocator>> = true;
template <class Traits, class Allocator>
inline constexpr bool is_text<std::basic_string<char8_t, Traits, Allocator>> = true;
template <>
inline constexpr bool is_text<std::u8string_view> = true;
template <class Allocator>
inline constexpr bool is_text<std::vector<std::uint8_t, Allocator>> = true;
template <class Allocator>
inline constexpr bool is_text<std::vector<std::byte, Allocator>> = true;

template <class T>
inline constexpr bool is_uuid =
    std::is_same_v<T, std::array<std::uint8_t, 16>> || std::is_same_v<T, std::array<std::byte, 16>>;

template <class T>
inline constexpr bool is_nullable = false;
template <class T>
inline constexpr bool is_nullable<std::optional<T>> = true;
template <class T, class Deleter>
inline constexpr bool is_nullable<std::unique_ptr<T, Deleter>> = !std::is_array_v<T>;
template <class T>
inline constexpr bool is_nullable<std::shared_ptr<T>> = !std::is_array_v<T>;

template <class T>
inline constexpr bool is_pair = false;
template <class First, class Second>
inline constexpr bool is_pair<std::pair<First, Second>> = true;

template <class T>
inline constexpr bool is_variant = false;
template <class... Types>
inline constexpr bool is_variant<std::variant<Types...>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t Size>
inline constexpr bool is_array<std::array<T, Size>> = true;

template <class T>
concept iterable = std::ranges::input_range<const T> && std::ranges::sized_range<const T>;

template <class T>
[[nodiscard]] constexpr value_kind kind_of_range() noexcept {
  if constexpr (requires {
                  typename T::key_type;
                  typename T::mapped_type;
                })
    return value_kind::map;
  else if constexpr (requires { typename T::key_type; })
    return value_kind::set;
  else if constexpr (is_pair<std::remove_cv_t<std::ranges::range_value_t<T>>>)
    return value_kind::map;
  else
    return value_kind::sequence;
}

template <class T>
[[nodiscard]] constexpr value_kind kind_of_class() noexcept {
  if constexpr (has_container<T>)
    return value_kind::foreign;
  else if constexpr (is_variant<T>)
    return value_kind::union_;
  else if constexpr (iterable<T>)
    return kind_of_range<T>();
  else if constexpr (bound<T>) {
    if constexpr (requires { typename binding<T>::bound_union; })
      return value_kind::union_;
    else
      return value_kind::structure;
  } else if constexpr (std::is_aggregate_v<T> && std::is_class_v<T>)
    return value_kind::structure;
  else
    return value_kind::none;
}

template <class T>
[[nodiscard]] constexpr value_kind kind_of_scalar() noexcept {
  constexpr bool wide_character =
      std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
  constexpr bool integer = std::is_integral_v<T> && sizeof(T) <= 8 && !wide_character;
  if constexpr (std::is_same_v<T, bool>)
    return value_kind::boolean;
  else if constexpr (integer || std::is_same_v<T, double> || std::is_same_v<T, std::byte>)
    return value_kind::number;
  else
    return std::is_enum_v<T> && sizeof(T) <= 4 ? value_kind::enumeration : value_kind::none;
}

template <class T>
[[nodiscard]] constexpr value_kind find_kind() noexcept {
  if constexpr (has_adapter<T>)
    return value_kind::adapted;
  else if constexpr (is_text<T>)
    return value_kind::text;
  else if constexpr (is_uuid<T>)
    return value_kind::uuid;
  else if constexpr (is_nullable<T>)
    return value_kind::nullable;
  else if constexpr (std::is_class_v<T>)
    return kind_of_class<T>();
  else
    return kind_of_scalar<T>();
}

}  // namespace detail

/// The kind of a type (without const or reference); none if it cannot be encoded.
template <class T>
inline constexpr value_kind kind_of = detail::find_kind<T>();

template <class T>
inline constexpr bool is_text_value = kind_of<T> == value_kind::text;
template <class T>
inline constexpr bool is_nullable_value = kind_of<T> == value_kind::nullable;
template <class T>
inline constexpr bool is_struct_value = kind_of<T> == value_kind::structure;
template <class T>
inline constexpr bool is_union_value = kind_of<T> == value_kind::union_;

/// The integer or double of the protocols with the same width.
template <class T>
using wire_number = std::conditional_t<
    std::is_same_v<T, double>, double,
    std::conditional_t<sizeof(T) == 1, std::int8_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t,
                                          std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>>;

/// The wire number of a number or enum.
template <class T>
[[nodiscard]] constexpr auto to_wire_number(T value) noexcept {
  if constexpr (kind_of<T> == value_kind::enumeration)
    return static_cast<std::int32_t>(value);
  else
    return static_cast<wire_number<T>>(value);
}

/// The value type of an optional or smart pointer.
template <class T>
using pointed = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<T&>())>>;

/// Element of a sequence or set, pair of a map, without const.
template <class T>
struct element_of {
  using type = std::remove_cv_t<std::ranges::range_value_t<T>>;
};
template <has_container T>
struct element_of<T> {
  using type = typename container<T>::value_type;
};
template <class T>
using element_type = typename element_of<T>::type;
template <class T>
using key_type = std::remove_cv_t<typename element_type<T>::first_type>;
template <class T>
using mapped_type = std::remove_cv_t<typename element_type<T>::second_type>;

namespace detail {
// By value_kind; stop if it also depends on the type.
inline constexpr ttype wire_of_kind[] = {
    ttype::stop, ttype::bool_, ttype::stop, ttype::i32,  ttype::string, ttype::uuid,    ttype::stop,
    ttype::list, ttype::set,   ttype::map,  ttype::stop, ttype::stop,   ttype::struct_, ttype::struct_,
};
// By sizeof.
inline constexpr ttype wire_of_integer[] = {ttype::stop, ttype::i8,   ttype::i16,  ttype::stop, ttype::i32,
                                            ttype::stop, ttype::stop, ttype::stop, ttype::i64};
}  // namespace detail

/// The wire type of values of type T; stop for kind none.
template <class T>
[[nodiscard]] constexpr ttype wire_type() noexcept {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::number)
    return std::is_same_v<T, double> ? ttype::double_ : detail::wire_of_integer[sizeof(T)];
  else if constexpr (kind == value_kind::nullable)
    return wire_type<pointed<T>>();
  else if constexpr (kind == value_kind::foreign)
    return container<T>::wire;
  else if constexpr (kind == value_kind::adapted)
    return wire_type<adapted_wire<T>>();
  else
    return detail::wire_of_kind[static_cast<unsigned char>(kind)];
}

/// Unsigned integers, and enums over unsigned 32-bit integers. Their wire type is signed and of the same
/// width, so the upper half of their range cannot be encoded (value_range) and negative numbers cannot be
/// decoded (unfit_value).
template <class T>
inline constexpr bool is_unsigned_number = kind_of<T> == value_kind::number && std::is_unsigned_v<T>;
template <class T>
  requires(std::is_enum_v<T> && !std::is_same_v<T, std::byte>)
inline constexpr bool is_unsigned_number<T> =
    kind_of<T> == value_kind::enumeration && sizeof(T) == 4 && std::is_unsigned_v<std::underlying_type_t<T>>;

/// Whether the number fits its wire type.
template <class T>
  requires is_unsigned_number<T>
[[nodiscard]] constexpr bool fits_wire(T value) noexcept {
  return static_cast<wire_number<T>>(value) >= 0;
}

/// True for types of fixed size in Binary: numbers, bool, uuid.
template <class T>
inline constexpr bool is_fixed =
    kind_of<T> == value_kind::boolean || kind_of<T> == value_kind::number || kind_of<T> == value_kind::uuid ||
    (kind_of<T> == value_kind::enumeration && sizeof(T) == 4);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
