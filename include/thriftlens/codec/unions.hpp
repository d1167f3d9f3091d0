// unions: std::variant, bare or the one member of a struct, as a Thrift union.
// In: a union type. Out: its alternatives that have a field id, and their ids.
// Never holds a value.
#pragma once

#include <thriftlens/codec/value_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

namespace detail {

template <class T>
struct variant_behind {
  using type = T;
};
template <class T>
  requires requires { typename binding<T>::bound_union; }
struct variant_behind<T> {
  using type = typename binding<T>::bound_union;
};

template <class T>
struct variant_parts {
  static constexpr bool valid = false;
  static constexpr bool may_be_empty = false;
  static constexpr std::size_t size = 0;
};
template <class... Types>
struct variant_parts<std::variant<Types...>> {
  static constexpr bool valid = true;
  static constexpr bool may_be_empty =
      std::is_same_v<std::variant_alternative_t<0, std::variant<Types...>>, std::monostate>;
  static constexpr std::size_t size = sizeof...(Types);
};

}  // namespace detail

/// A union type T: a std::variant, or a struct bound by tl::union_.
template <class T>
struct union_members {
  using variant = typename detail::variant_behind<T>::type;
  using parts = detail::variant_parts<variant>;
  /// A monostate in front stands for "no member set".
  static constexpr std::size_t first = parts::may_be_empty ? 1 : 0;
  static constexpr std::size_t count = parts::size - first;

  template <std::size_t Member>
  using type = std::variant_alternative_t<Member + first, variant>;

  [[nodiscard]] static constexpr std::size_t given_ids() noexcept {
    if constexpr (requires { binding<T>::id_count; })
      return binding<T>::id_count;
    else
      return 0;
  }
  /// Id of the member of that number, from 0, as declared.
  [[nodiscard]] static constexpr std::int16_t id(std::size_t member) noexcept {
    if constexpr (given_ids() != 0)
      return static_cast<std::int16_t>(binding<T>::ids[member]);
    else
      return static_cast<std::int16_t>(member + 1);
  }
  /// The member with that id, or count.
  [[nodiscard]] static constexpr std::size_t find(std::int16_t wanted) noexcept {
    for (std::size_t member = 0; member < count; ++member)
      if (id(member) == wanted) return member;
    return count;
  }
  template <class Object>
  [[nodiscard]] THRIFTLENS_INLINE static constexpr auto& get(Object& object) noexcept {
    if constexpr (std::is_same_v<T, variant>)
      return object;
    else
      return binding<T>::get(object);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
