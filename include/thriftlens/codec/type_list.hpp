// type_list: types as one argument.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

template <class... T>
struct type_list {};

template <class List>
inline constexpr std::size_t type_count = 0;
template <class... T>
inline constexpr std::size_t type_count<type_list<T...>> = sizeof...(T);

/// Both, one after the other.
template <class... Left, class... Right>
[[nodiscard]] constexpr type_list<Left..., Right...> operator+(type_list<Left...>,
                                                               type_list<Right...>) noexcept {
  return {};
}

namespace detail {

template <std::size_t Index, class T>
struct numbered_type {
  using type = T;
};
// Has each type as a base, which overload resolution finds by its number.
template <class Indices, class List>
struct numbered_types;
template <std::size_t... Index, class... T>
struct numbered_types<std::index_sequence<Index...>, type_list<T...>> : numbered_type<Index, T>... {};

template <std::size_t Index, class T>
numbered_type<Index, T> find_type(const numbered_type<Index, T>*);

}  // namespace detail

/// The type at that position.
template <std::size_t Index, class List>
using type_at = typename decltype(detail::find_type<Index>(
    static_cast<const detail::numbered_types<std::make_index_sequence<type_count<List>>, List>*>(
        nullptr)))::type;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
