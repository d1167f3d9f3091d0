// size: computes the encoded size of a value.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/flat.hpp>
#include <thriftlens/codec/parts.hpp>
#include <thriftlens/codec/sequence.hpp>
#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail::codec {

template <protocol P, class T>
[[nodiscard]] std::size_t value_size(const T& value);

namespace detail {

template <protocol P, class... T>
[[nodiscard]] constexpr bool name_sizes(type_list<T...>) noexcept {
  (static_cast<void>(&value_size<P, T>), ...);
  return true;
}
// Names the functions for all structs that T leads to, as readers_named does with readers.
template <protocol P, class T>
inline constexpr bool sizes_named = name_sizes<P>(parts_of<T>());

// One field with its header; 0 for an empty one.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t field_size(const T& value, std::int16_t id,
                                                       std::int16_t& last_id) {
  if constexpr (is_nullable_value<T>) {
    return is_missing(value) ? 0 : field_size<P>(*value, id, last_id);
  } else {
    constexpr bool is_inline = P::traits.has_inline_bool && wire_type<T>() == ttype::bool_;
    const std::size_t header = header_size<P>(id, last_id);
    return is_inline ? header : header + value_size<P>(value);
  }
}

template <protocol P>
[[nodiscard]] std::size_t unknown_size(const unknown_fields& retained, std::int16_t last_id) {
  const result<unknown_fields> converted = retained.try_in_protocol<P>();
  if (!converted) return 0;
  std::size_t sum = 0;
  for (const unknown_fields::entry& field : converted->entries()) {
    const bool is_inline = P::traits.has_inline_bool && field.type == ttype::bool_;
    sum += header_size<P>(field.id, last_id) + (is_inline ? 0 : field.size);
  }
  return sum;
}

template <protocol P, class T, std::size_t Index>
[[nodiscard]] THRIFTLENS_INLINE std::size_t member_size(const T& value, std::int16_t& last_id) {
  using list = members<T>;
  const auto& member = list::template get<Index>(value);
  if constexpr (list::template omits_default<Index>) {
    if (member == list::template default_value<Index>()) return 0;
  }
  return field_size<P>(member, list::template id<Index>, last_id);
}
template <protocol P, class T, std::size_t... Index>
[[nodiscard]] std::size_t fields_size(const T& value, std::index_sequence<Index...>) {
  std::size_t sum = 1;
  [[maybe_unused]] std::int16_t last_id = 0;
  ((sum += member_size<P, T, Index>(value, last_id)), ...);
  if constexpr (members<T>::keeps_unknown) sum += unknown_size<P>(members<T>::unknown(value), last_id);
  return sum;
}

template <protocol P, class T>
[[nodiscard]] std::size_t struct_size(const T& value) {
  static_assert(sizes_named<P, T>);
  if constexpr (P::traits.has_fixed_layout && is_flat<T> && !has_nullable<T>)
    return flat_base<P, T>() + flat_text<false>(value);
  else
    return fields_size<P>(value, member_indices<T>());
}

template <protocol P, class T>
[[nodiscard]] std::size_t union_size(const T& value) {
  static_assert(sizes_named<P, T>);
  using list = union_members<T>;
  std::size_t sum = 1;
  for_each_index<0, list::count>([&](auto member) {
    const auto* active = std::get_if<member + list::first>(&list::get(value));
    std::int16_t last_id = 0;
    if (active != nullptr) sum += field_size<P>(*active, list::id(member), last_id);
    return active == nullptr;
  });
  return sum;
}

template <protocol P, class C>
[[nodiscard]] std::size_t map_size(const C& value) {
  const auto count = static_cast<std::uint32_t>(element_count(value));
  std::size_t sum = header_size<P>(map_header{wire_type<key_type<C>>(), wire_type<mapped_type<C>>(), count});
  for_each_element(value, [&](const auto& item) {
    sum += value_size<P, key_type<C>>(item.first) + value_size<P, mapped_type<C>>(item.second);
    return true;
  });
  return sum;
}
template <protocol P, class C>
[[nodiscard]] std::size_t list_size(const C& value) {
  using element = element_type<C>;
  constexpr ttype wire = wire_type<element>();
  const auto count = static_cast<std::uint32_t>(element_count(value));
  std::size_t sum = header_size<P>(list_header{wire, count});
  if constexpr (element_width<P>(wire) != 0) return sum + std::size_t{count} * element_width<P>(wire);
  for_each_element(value, [&](const auto& item) {
    sum += value_size<P, element>(item);
    return true;
  });
  return sum;
}

template <protocol P, class C>
[[nodiscard]] std::size_t container_size(const C& value) {
  if constexpr (wire_type<C>() == ttype::map)
    return map_size<P>(value);
  else
    return list_size<P>(value);
}

// A value without children.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t leaf_size(const T& value) {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::number || kind == value_kind::enumeration) {
    return number_size<P>(to_wire_number(value));
  } else if constexpr (kind == value_kind::text) {
    const std::size_t size = text_bytes(value).size();
    return size_width_of<P>(static_cast<std::uint32_t>(size)) + size;
  } else {
    return element_width<P>(wire_type<T>());
  }
}

}  // namespace detail

template <protocol P, class T>
[[nodiscard]] std::size_t value_size(const T& value) {
  if constexpr (is_nullable_value<T>)
    return is_missing(value) ? 0 : value_size<P>(*value);
  else if constexpr (kind_of<T> == value_kind::adapted)
    return value_size<P, adapted_wire<T>>(codec::to_wire(value));
  else if constexpr (is_struct_value<T>)
    return detail::struct_size<P>(value);
  else if constexpr (is_union_value<T>)
    return detail::union_size<P>(value);
  else if constexpr (is_container(wire_type<T>()))
    return detail::container_size<P>(value);
  else
    return detail::leaf_size<P>(value);
}

}  // namespace detail::codec

/// The encoded size of the value. Binary only adds up string lengths; Compact reads every number.
template <protocol Protocol = binary, class T>
[[nodiscard]] std::size_t encoded_size(const T& value) {
  static_assert(detail::codec::check_value<T>());
  return detail::codec::value_size<Protocol, T>(value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
