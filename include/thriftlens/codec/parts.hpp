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

template <class T>
[[nodiscard]] constexpr auto find_value_parts() noexcept {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::structure || kind == value_kind::union_)
    return type_list<T>();
  else if constexpr (kind == value_kind::nullable)
    return find_value_parts<pointed<T>>();
  else if constexpr (kind == value_kind::adapted)
    return find_value_parts<adapted_wire<T>>();
  else if constexpr (wire_type<T>() == ttype::map)
    return find_value_parts<key_type<T>>() + find_value_parts<mapped_type<T>>();
  else if constexpr (is_container(wire_type<T>()))
    return find_value_parts<element_type<T>>();
  else
    return type_list<>();
}

template <class T>
[[nodiscard]] constexpr auto find_parts() noexcept {
  if constexpr (is_union_value<T>) {
    using list = union_members<T>;
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      return (type_list<>() + ... + find_value_parts<typename list::template type<Index>>());
    }(std::make_index_sequence<list::count>());
  } else {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      return (type_list<>() + ... + find_value_parts<member_type<T, Index>>());
    }(member_indices<T>());
  }
}

}  // namespace detail

namespace detail {

// Up to the next struct or union. An adapter may keep what it is given.
template <class T>
[[nodiscard]] constexpr bool value_borrows() noexcept {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::nullable)
    return value_borrows<pointed<T>>();
  else if constexpr (kind == value_kind::adapted)
    return value_borrows<adapted_wire<T>>();
  else if constexpr (wire_type<T>() == ttype::map)
    return value_borrows<key_type<T>>() || value_borrows<mapped_type<T>>();
  else if constexpr (is_container(wire_type<T>()))
    return value_borrows<element_type<T>>();
  else
    return borrows<T>;
}
template <class T>
[[nodiscard]] constexpr bool members_borrow() noexcept {
  if constexpr (is_union_value<T>) {
    using list = union_members<T>;
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      return (value_borrows<typename list::template type<Index>>() || ...);
    }(std::make_index_sequence<list::count>());
  } else {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      return (value_borrows<member_type<T, Index>>() || ...);
    }(member_indices<T>());
  }
}
template <class... Seen>
[[nodiscard]] constexpr bool any_borrows(type_list<Seen...>, type_list<>) noexcept {
  return false;
}
template <class... Seen, class T, class... Rest>
[[nodiscard]] constexpr bool any_borrows(type_list<Seen...>, type_list<T, Rest...>) noexcept {
  if constexpr ((std::is_same_v<T, Seen> || ...))
    return any_borrows(type_list<Seen...>(), type_list<Rest...>());
  else if constexpr (members_borrow<T>())
    return true;
  else
    return any_borrows(type_list<T, Seen...>(), type_list<Rest...>() + decltype(find_parts<T>())());
}

}  // namespace detail

/// T itself where it is a struct or union, else those in what it points at or contains. A type may be listed
/// more than once.
template <class T>
using value_parts = decltype(detail::find_value_parts<T>());
/// Those that the members of a struct or union T lead to.
template <class T>
using parts_of = decltype(detail::find_parts<T>());
/// A decoded T can refer to the bytes that it was decoded from.
template <class T>
inline constexpr bool refers_to_bytes =
    detail::value_borrows<T>() || detail::any_borrows(type_list<>(), value_parts<T>());

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
