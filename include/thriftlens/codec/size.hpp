// size: how many bytes a value takes on the wire, without writing it.
// In: an object of a type with a binding. Out: the number of bytes that encode writes.
// Never fails: for what encode refuses the number means nothing.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/flat.hpp>
#include <thriftlens/codec/sequence.hpp>
#include <thriftlens/codec/unions.hpp>
#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/core/varint.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace codec {

template <protocol P, class T>
[[nodiscard]] std::size_t value_size(const T& value);

namespace detail {

template <protocol P>
[[nodiscard]] THRIFTLENS_INLINE std::size_t header_size(std::int16_t id, std::int16_t& last_id) noexcept {
  std::uint8_t scratch[P::field_room];
  // The type does not change the length.
  return static_cast<std::size_t>(P::put_field(scratch, ttype::i32, id, last_id) - scratch);
}

template <protocol P, class Number>
[[nodiscard]] THRIFTLENS_INLINE std::size_t number_size(Number value) noexcept {
  if constexpr (P::id == protocol_id::binary || sizeof(Number) == 1 || std::is_same_v<Number, double>)
    return sizeof(Number);
  else if constexpr (sizeof(Number) == 8)
    return varint_size(to_zigzag(std::int64_t{value}));
  else
    return varint_size(to_zigzag(std::int32_t{value}));
}

// One field with its header; nothing for an empty one.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t field_size(const T& value, std::int16_t id,
                                                       std::int16_t& last_id) {
  if constexpr (kind_of<T> == value_kind::nullable) {
    return is_missing(value) ? 0 : field_size<P>(*value, id, last_id);
  } else {
    const std::size_t header = header_size<P>(id, last_id);
    if constexpr (P::id == protocol_id::compact && wire_type<T>() == ttype::bool_)
      return header;
    else
      return header + value_size<P>(value);
  }
}

template <protocol P, class T>
[[nodiscard]] std::size_t struct_size(const T& value) {
  using list = members<T>;
  if constexpr (P::id == protocol_id::binary && is_flat<T> && !has_nullable<T>()) {
    return flat_base<P, T>() + flat_text<false>(value);
  } else {
    std::size_t sum = 1;
    std::int16_t last_id = 0;
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      const auto& member = list::template get<Index>(value);
      if constexpr (list::template omits_default<Index>) {
        if (member == list::template default_value<Index>()) return true;
      }
      sum += field_size<P>(member, list::template id<Index>, last_id);
      return true;
    });
    if constexpr (list::keeps_unknown) {
      const unknown_fields& kept = list::unknown(value);
      const result<unknown_fields> same = kept.in_protocol<P>();
      if (same) {
        for (const unknown_fields::entry& each : same->entries())
          sum += header_size<P>(each.id, last_id) +
                 (P::id == protocol_id::compact && each.type == ttype::bool_ ? 0 : each.size);
      }
    }
    return sum;
  }
}

template <protocol P, class T>
[[nodiscard]] std::size_t union_size(const T& value) {
  using list = union_members<T>;
  const auto& variant = list::get(value);
  std::size_t sum = 1;
  [&]<std::size_t... Member>(std::index_sequence<Member...>) {
    auto add = [&]<std::size_t Chosen>(std::integral_constant<std::size_t, Chosen>) {
      const auto* set = std::get_if<Chosen + list::first>(&variant);
      std::int16_t last_id = 0;
      if (set != nullptr) sum += field_size<P>(*set, list::id(Chosen), last_id);
    };
    (add(std::integral_constant<std::size_t, Member>{}), ...);
  }(std::make_index_sequence<list::count>{});
  return sum;
}

template <protocol P, class C>
[[nodiscard]] std::size_t container_size(const C& value) {
  constexpr bool is_map = wire_type<C>() == ttype::map;
  std::size_t count = 0;
  if constexpr (has_container<C>)
    count = container<C>::size(value);
  else
    count = value.size();
  std::size_t sum = P::id == protocol_id::binary ? P::list_room + is_map
                    : is_map                     ? (count == 0 ? 1 : varint_size(count) + 1)
                    : count < 15                 ? 1
                                                 : varint_size(count) + 1;
  if constexpr (!is_map && P::id == protocol_id::binary && is_fixed<element_type<C>>) {
    return sum + count * fixed_width(wire_type<element_type<C>>());
  } else {
    auto add = [&](const auto& each) {
      if constexpr (is_map)
        sum += value_size<P, key_type<C>>(each.first) + value_size<P, mapped_type<C>>(each.second);
      else
        sum += value_size<P, element_type<C>>(each);
      return true;
    };
    if constexpr (has_container<C>)
      container<C>::for_each(value, add);
    else
      for (const auto& each : value) add(each);
    return sum;
  }
}

}  // namespace detail

template <protocol P, class T>
[[nodiscard]] std::size_t value_size(const T& value) {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::boolean)
    return 1;
  else if constexpr (kind == value_kind::number)
    return detail::number_size<P>(static_cast<wire_number<T>>(value));
  else if constexpr (kind == value_kind::enumeration)
    return detail::number_size<P>(static_cast<std::int32_t>(value));
  else if constexpr (kind == value_kind::text) {
    const std::size_t size = text_bytes(value).size();
    return size + (P::id == protocol_id::binary ? 4 : varint_size(size));
  } else if constexpr (kind == value_kind::uuid)
    return 16;
  else if constexpr (kind == value_kind::nullable)
    return is_missing(value) ? 0 : value_size<P>(*value);
  else if constexpr (kind == value_kind::adapted)
    return value_size<P, adapted_wire<T>>(adapter<T>::to_wire(value));
  else if constexpr (kind == value_kind::structure)
    return detail::struct_size<P>(value);
  else if constexpr (kind == value_kind::union_)
    return detail::union_size<P>(value);
  else
    return detail::container_size<P>(value);
}

}  // namespace codec

/// Bytes that encode writes for the value. Binary: little more than the sum of string lengths; Compact looks
/// at every number.
template <protocol Protocol = binary, class T>
[[nodiscard]] std::size_t encoded_size(const T& value) {
  static_assert(codec::check_value<T>());
  return codec::value_size<Protocol, T>(value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
