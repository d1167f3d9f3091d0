// flat: values whose size is a constant plus the lengths of their strings, written behind one check for room.
// In: a type, an object. Out: whether it is flat, how much room it takes at most, its bytes.
// Never fails while it is written: what can be refused is asked for first (texts_fit, numbers_fit).
#pragma once

#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/text.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Adapters are called once a value: flat are those whose wire value has a fixed size and is never refused.
template <class T>
inline constexpr bool is_leaf =
    is_fixed<T> || kind_of<T> == value_kind::enumeration || kind_of<T> == value_kind::text;
template <class T>
  requires(kind_of<T> == value_kind::adapted)
inline constexpr bool is_leaf<T> = is_fixed<adapted_wire<T>> && !is_unsigned_number<adapted_wire<T>>;

template <class T>
[[nodiscard]] constexpr bool find_flat() noexcept;
template <class T>
inline constexpr bool is_flat = find_flat<T>();

/// A flat member: a field that is left out where it is empty, and never refused.
template <class T, std::size_t Index>
inline constexpr bool is_flat_member =
    is_flat<member_type<T, Index>> && !members<T>::template omits_default<Index> &&
    !(members<T>::template required<Index> && kind_of<member_type<T, Index>> == value_kind::nullable);

template <class T>
[[nodiscard]] constexpr bool find_flat() noexcept {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::nullable)
    return is_leaf<pointed<T>>;
  else if constexpr (kind == value_kind::structure && bound<T>) {
    return !members<T>::keeps_unknown &&
           for_each_member<T>([]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
             return is_flat_member<T, Index>;
           });
  } else
    return is_leaf<T>;
}

/// Structs in structs, this one counted.
template <class T>
[[nodiscard]] constexpr std::uint32_t flat_depth() noexcept {
  if constexpr (kind_of<T> == value_kind::structure) {
    std::uint32_t deepest = 0;
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      constexpr std::uint32_t depth = flat_depth<member_type<T, Index>>();
      deepest = depth > deepest ? depth : deepest;
      return true;
    });
    return deepest + 1;
  } else {
    return 0;
  }
}

/// Most bytes without those of strings.
template <protocol P, class T>
[[nodiscard]] constexpr std::size_t flat_base() noexcept {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::text)
    return P::size_room;
  else if constexpr (kind == value_kind::nullable)
    return flat_base<P, pointed<T>>();
  else if constexpr (kind == value_kind::adapted)
    return flat_base<P, adapted_wire<T>>();
  else if constexpr (kind == value_kind::structure) {
    std::size_t sum = 1;
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      sum += P::field_room + flat_base<P, member_type<T, Index>>();
      return true;
    });
    return sum;
  } else if constexpr (P::id == protocol_id::binary || sizeof(T) == 1)
    return fixed_width(wire_type<T>());
  else
    return kind == value_kind::uuid ? P::uuid_room : P::number_room;
}

/// True where nothing has to be asked of the object.
template <class T>
[[nodiscard]] constexpr bool has_text() noexcept {
  if constexpr (kind_of<T> == value_kind::text)
    return true;
  else if constexpr (kind_of<T> == value_kind::nullable)
    return has_text<pointed<T>>();
  else if constexpr (kind_of<T> == value_kind::structure) {
    return !for_each_member<T>([]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      return !has_text<member_type<T, Index>>();
    });
  } else
    return false;
}

/// True where a field may be left out.
template <class T>
[[nodiscard]] constexpr bool has_nullable() noexcept {
  if constexpr (kind_of<T> == value_kind::nullable)
    return true;
  else if constexpr (kind_of<T> == value_kind::structure) {
    return !for_each_member<T>([]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      return !has_nullable<member_type<T, Index>>();
    });
  } else
    return false;
}

/// True where a number may be refused.
template <class T>
[[nodiscard]] constexpr bool has_unsigned() noexcept {
  if constexpr (kind_of<T> == value_kind::nullable)
    return has_unsigned<pointed<T>>();
  else if constexpr (kind_of<T> == value_kind::structure) {
    return !for_each_member<T>([]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      return !has_unsigned<member_type<T, Index>>();
    });
  } else
    return is_unsigned_number<T>;
}

/// Bytes of all strings in a flat value. With Links those that a gather list borrows count nothing.
template <bool Links, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t flat_text(const T& value) noexcept {
  if constexpr (!has_text<T>())
    return 0;
  else if constexpr (kind_of<T> == value_kind::text) {
    const std::size_t size = text_bytes(value).size();
    return Links && size >= 4096 ? 0 : size;
  } else if constexpr (kind_of<T> == value_kind::nullable)
    return is_missing(value) ? 0 : flat_text<Links>(*value);
  else {
    std::size_t sum = 0;
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>)
                           THRIFTLENS_INLINE_LAMBDA {
                             sum += flat_text<Links>(members<T>::template get<Index>(value));
                             return true;
                           });
    return sum;
  }
}

/// No string of a flat value is longer than the wire can say.
template <class T>
[[nodiscard]] bool texts_fit(const T& value) noexcept {
  if constexpr (kind_of<T> == value_kind::text)
    return text_bytes(value).size() <= 0x7fffffffu;
  else if constexpr (kind_of<T> == value_kind::nullable)
    return is_missing(value) || texts_fit(*value);
  else if constexpr (kind_of<T> == value_kind::structure) {
    return for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      return texts_fit(members<T>::template get<Index>(value));
    });
  } else
    return true;
}

/// Every unsigned number of a flat value has a place in its wire type.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE bool numbers_fit(const T& value) noexcept {
  if constexpr (!has_unsigned<T>())
    return true;
  else if constexpr (is_unsigned_number<T>)
    return fits_wire(value);
  else if constexpr (kind_of<T> == value_kind::nullable)
    return is_missing(value) || numbers_fit(*value);
  else {
    return for_each_member<T>(
        [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>)
            THRIFTLENS_INLINE_LAMBDA { return numbers_fit(members<T>::template get<Index>(value)); });
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
