// traits: properties of protocols and operations that depend on them, for templates.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/simd/byteswap.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Encoding of numbers on the wire.
enum class number_layout : std::uint8_t { big_endian, little_endian, varint };

/// Properties of a protocol: `P::traits`. All members are compile-time constants; by protocol_id: traits_of()
/// in select.hpp.
///
///     property                                                   expression
///     field headers, sizes and numbers have fixed layouts        P::traits.has_fixed_layout
///     an array of numbers can be copied and swapped in bulk      layout_of<P, T>, load_array<P>()
///     a string begins with 4 bytes of size                       P::traits.size_width
///     a bool field has no value after its header                P::traits.has_inline_bool
///     a header depends on the field before it                    P::traits.headers_are_deltas
///     numbers vary in width                                      element_width<P>(), number_size<P>()
///     a value per protocol                                       by_protocol<T>
///     conversion between protocols                               try_append_converted(id, id, …)
///     a header with a bool in it, or a value after it            put_header<P>(), put_raw_field<P>()
///     truth of a bool's byte                                     P::to_bool(), P::bool_byte(), bool_bytes<P>
///     bytes of a header or a size                                header_size<P>(), size_width_of<P>()
///     an empty container                                         P::is_empty_container()
struct protocol_traits {
  /// The value of a bool field is part of its header; the field has no other bytes.
  bool has_inline_bool = false;
  /// A field header depends on the id of the previous field: after removing or adding a field, the next
  /// header must be rewritten.
  bool headers_are_deltas = false;
  /// Field header: type byte and id in 16 bits; sizes in 32 bits; numbers in their own width; all of it big
  /// endian. Prefix templates, learned layouts and the flat codec match such bytes by position.
  bool has_fixed_layout = false;
  number_layout integers = number_layout::varint;
  number_layout doubles = number_layout::little_endian;
  /// Width of the size prefix of a string; 0 if it varies.
  std::uint8_t size_width = 0;
  /// By ttype: size of a container element, 0 if it varies; and its minimum.
  ttype_table width = {};
  ttype_table least = {};
};

namespace detail {

/// Size of a container element; 0 if it varies.
template <class P>
[[nodiscard]] THRIFTLENS_INLINE constexpr std::size_t element_width(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? P::traits.width[raw] : std::size_t{0};
}
/// Minimum size of a container element.
template <class P>
[[nodiscard]] THRIFTLENS_INLINE constexpr std::size_t least_width(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? P::traits.least[raw] : std::size_t{0};
}

/// Encoding of a T as a container element. Single bytes count as big_endian.
template <class P, class T>
inline constexpr number_layout layout_of = sizeof(T) == 1                ? number_layout::big_endian
                                           : std::is_floating_point_v<T> ? P::traits.doubles
                                                                         : P::traits.integers;

/// Loads the number or bool at `from`; not for varints.
template <class P, class T>
[[nodiscard]] THRIFTLENS_INLINE T load_number(byte_ptr from) noexcept {
  static_assert(layout_of<P, T> != number_layout::varint);
  if constexpr (std::is_same_v<T, bool>)
    return P::to_bool(*from);
  else if constexpr (layout_of<P, T> == number_layout::little_endian)
    return load_le<T>(from);
  else
    return load_be<T>(from);
}
/// Loads an array of numbers in bulk; not for varints.
template <class P, class T>
void load_array(T* to, byte_ptr from, std::size_t count) noexcept {
  static_assert(layout_of<P, T> != number_layout::varint && !std::is_same_v<T, bool>);
  if constexpr (layout_of<P, T> == number_layout::big_endian) {
    simd::load_be_array(to, from, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = load_le<T>(from + i * sizeof(T));
  }
}
/// Encoded size of a number.
template <class P, class T>
[[nodiscard]] THRIFTLENS_INLINE constexpr std::size_t number_size(T value) noexcept {
  using integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  if constexpr (layout_of<P, T> == number_layout::varint)
    return varint_size(to_zigzag(static_cast<integer>(value)));
  else
    return sizeof(T);
}

/// The bytes of false and true as container elements.
template <class P>
inline constexpr std::uint8_t bool_bytes[2] = {P::bool_byte(false), P::bool_byte(true)};

/// Writes the header of a field without its value and returns the end; requires capacity for
/// P::max_field_header. `truth` is the value of a bool, used if P has it in the header.
template <class P>
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_header(std::uint8_t* to, field_header header, bool truth,
                                                         std::int16_t& last_id) noexcept {
  if constexpr (P::traits.has_inline_bool) {
    if (header.type == ttype::bool_) return P::put_bool_field(to, header.id, truth, last_id);
  }
  return P::put_field(to, header.type, header.id, last_id);
}
/// Writes a field whose value is encoded as a container element, like defaults and replacements; requires
/// capacity for P::max_field_header + value.size().
template <class P>
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* put_raw_field(std::uint8_t* to, field_header header,
                                                            byte_view value, std::int16_t& last_id) noexcept {
  if constexpr (P::traits.has_inline_bool) {
    if (header.type == ttype::bool_) return P::put_bool_field(to, header.id, P::to_bool(value[0]), last_id);
  }
  to = P::put_field(to, header.type, header.id, last_id);
  if (!value.empty()) std::memcpy(to, value.data(), value.size());
  return to + value.size();
}
/// The same at the end of a buffer.
template <class P>
void append_raw_field(buffer& out, field_header header, byte_view value, std::int16_t& last_id) {
  out.commit(put_raw_field<P>(out.prepare(P::max_field_header + value.size()), header, value, last_id));
}

/// Size of a field header; updates `last_id`. Excludes a bool's value byte.
template <class P>
[[nodiscard]] THRIFTLENS_INLINE std::size_t header_size(std::int16_t id, std::int16_t& last_id) noexcept {
  std::uint8_t scratch[P::max_field_header];
  // The type does not change the length.
  return static_cast<std::size_t>(P::put_field(scratch, ttype::i32, id, last_id) - scratch);
}
/// Size of the header of a list or set.
template <class P>
[[nodiscard]] THRIFTLENS_INLINE std::size_t header_size(list_header list) noexcept {
  std::uint8_t scratch[P::max_list_header];
  return static_cast<std::size_t>(P::put_list(scratch, list) - scratch);
}
template <class P>
[[nodiscard]] THRIFTLENS_INLINE std::size_t header_size(map_header map) noexcept {
  std::uint8_t scratch[P::max_map_header];
  return static_cast<std::size_t>(P::put_map(scratch, map) - scratch);
}
/// Width of the size prefix for a string of that many bytes.
template <class P>
[[nodiscard]] THRIFTLENS_INLINE std::size_t size_width_of(std::uint32_t size) noexcept {
  std::uint8_t scratch[P::max_length_prefix];
  return static_cast<std::size_t>(P::put_size(scratch, size) - scratch);
}

/// One T per protocol of the library, not for protocols of programs: see bytes_in() in convert.hpp for
/// encoded values.
template <class T>
struct by_protocol {
  T values[protocol_count] = {};

  template <class P>
  static constexpr bool holds = is_listed(P::id);

  [[nodiscard]] constexpr T& operator[](protocol_id which) noexcept {
    THRIFTLENS_ASSERT(is_listed(which));
    return values[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] constexpr const T& operator[](protocol_id which) const noexcept {
    THRIFTLENS_ASSERT(is_listed(which));
    return values[static_cast<std::size_t>(which)];
  }
  /// Calls `visit(id, value)` for all.
  template <class Visit>
  constexpr void for_each(Visit&& visit) {
    for (std::size_t i = 0; i < protocol_count; ++i) visit(static_cast<protocol_id>(i), values[i]);
  }
  friend bool operator==(const by_protocol&, const by_protocol&) = default;
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
