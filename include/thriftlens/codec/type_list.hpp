// type_list: a list of types.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

template <class... T>
struct type_list {};

template <class List>
inline constexpr std::size_t type_count = 0;
template <class... T>
inline constexpr std::size_t type_count<type_list<T...>> = sizeof...(T);

/// Concatenation.
template <class... Lhs, class... Rhs>
[[nodiscard]] constexpr type_list<Lhs..., Rhs...> operator+(type_list<Lhs...>, type_list<Rhs...>) noexcept {
  return {};
}

namespace detail {

template <std::size_t Index, class T>
struct numbered_type {
  using type = T;
};
// Has a base per type, which overload resolution finds by index.
template <class Indices, class List>
struct numbered_types;
template <std::size_t... Index, class... T>
struct numbered_types<std::index_sequence<Index...>, type_list<T...>> : numbered_type<Index, T>... {};

template <std::size_t Index, class T>
numbered_type<Index, T> find_type(const numbered_type<Index, T>*);

}  // namespace detail

/// The type at an index.
template <std::size_t Index, class List>
using type_at = typename decltype(detail::find_type<Index>(
    static_cast<const detail::numbered_types<std::make_index_sequence<type_count<List>>, List>*>(
        nullptr)))::type;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
