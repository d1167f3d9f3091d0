// parts: the structs and unions in a type, not further than the next one: types may be recursive.
#pragma once

#include <thriftlens/codec/members.hpp>
#include <thriftlens/codec/text.hpp>
#include <thriftlens/codec/type_list.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

namespace detail {

// The types directly in a value that is not a struct or union.
template <class T>
[[nodiscard]] constexpr auto find_components() noexcept {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::structure || kind == value_kind::union_)
    return type_list<>();
  else if constexpr (kind == value_kind::nullable)
    return type_list<pointed<T>>();
  else if constexpr (kind == value_kind::adapted)
    return type_list<adapted_wire<T>>();
  else if constexpr (wire_type<T>() == ttype::map)
    return type_list<key_type<T>, mapped_type<T>>();
  else if constexpr (is_container(wire_type<T>()))
    return type_list<element_type<T>>();
  else
    return type_list<>();
}
// The types of the members of a struct or union.
template <class T>
[[nodiscard]] constexpr auto find_members() noexcept {
  if constexpr (is_union_value<T>) {
    using list = union_members<T>;
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      return type_list<typename list::template type<Index>...>();
    }(std::make_index_sequence<list::count>());
  } else {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      return type_list<member_type<T, Index>...>();
    }(member_indices<T>());
  }
}

template <class T>
[[nodiscard]] constexpr auto find_value_parts() noexcept;
template <class... T>
[[nodiscard]] constexpr auto find_all_parts(type_list<T...>) noexcept {
  return (type_list<>() + ... + find_value_parts<T>());
}
template <class T>
[[nodiscard]] constexpr auto find_value_parts() noexcept {
  if constexpr (kind_of<T> == value_kind::structure || kind_of<T> == value_kind::union_)
    return type_list<T>();
  else
    return find_all_parts(find_components<T>());
}

// Whether values of these types borrow, up to the next structs and unions. An adapter may keep its argument.
template <class... T>
[[nodiscard]] constexpr bool any_value_borrows(type_list<T...>) noexcept {
  return ((borrows<T> || any_value_borrows(find_components<T>())) || ...);
}
// Whether members of these structs and unions borrow, or of those that they contain.
template <class... Seen>
[[nodiscard]] constexpr bool any_part_borrows(type_list<Seen...>, type_list<>) noexcept {
  return false;
}
template <class... Seen, class T, class... Rest>
[[nodiscard]] constexpr bool any_part_borrows(type_list<Seen...>, type_list<T, Rest...>) noexcept {
  if constexpr ((std::is_same_v<T, Seen> || ...)) {
    return any_part_borrows(type_list<Seen...>(), type_list<Rest...>());
  } else {
    constexpr auto members = find_members<T>();
    return any_value_borrows(members) ||
           any_part_borrows(type_list<T, Seen...>(), type_list<Rest...>() + find_all_parts(members));
  }
}

}  // namespace detail

/// T itself where it is a struct or union, else those in what it points at or contains. A type may be listed
/// more than once.
template <class T>
using value_parts = decltype(detail::find_value_parts<T>());
/// Those that the members of a struct or union T lead to.
template <class T>
using parts_of = decltype(detail::find_all_parts(detail::find_members<T>()));
/// A decoded T can refer to the bytes that it was decoded from.
template <class T>
inline constexpr bool refers_to_bytes =
    detail::any_value_borrows(type_list<T>()) || detail::any_part_borrows(type_list<>(), value_parts<T>());

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
