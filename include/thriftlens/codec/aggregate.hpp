// aggregate: number and references of the members of a plain struct, without bases and C arrays.
#pragma once

#include <thriftlens/codec/member_name.hpp>

#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

inline constexpr std::size_t max_members = 64;

namespace detail {

struct anything {
  template <class T>
  operator T() const {  // NOLINT: implicit on purpose
    std::abort();       // never called; clang requires a body for types of one unit
  }
};

struct any_class {
  template <class T>
    requires(std::is_class_v<T> || std::is_union_v<T>)
  operator T() const {  // NOLINT: implicit on purpose
    std::abort();       // never called, as above
  }
};

template <class T, std::size_t... Index>
[[nodiscard]] constexpr bool bindable_from(std::index_sequence<Index...>) noexcept {
  return requires { T{(static_cast<void>(Index), anything{})...}; };
}
template <class T, std::size_t Count>
[[nodiscard]] constexpr std::size_t count_members() noexcept {
  if constexpr (Count == 0)
    return 0;
  else if constexpr (bindable_from<T>(std::make_index_sequence<Count>{}))
    return Count;
  else
    return count_members<T, Count - 1>();
}

template <class T>
struct any_base {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;  // NOLINT: implicit on purpose
};
}  // namespace detail
/// The aggregate T has a base class.
template <class T>
inline constexpr bool has_base = requires { T{detail::any_base<T>{}}; };

/// Number of members of the aggregate T; max_members + 1 if there are more.
template <class T>
inline constexpr std::size_t member_count = detail::count_members<T, max_members + 1>();

namespace detail {
// Whether the member after `Before` others takes a list of two initialisers, but no object of a class. Tested
// in this order: clang instantiates the constructors of a class for the list.
template <class T, std::size_t... Before>
[[nodiscard]] constexpr bool is_array_at(std::index_sequence<Before...>) noexcept {
  if constexpr (requires { T{(static_cast<void>(Before), anything{})..., any_class{}}; })
    return false;
  else
    return requires { T{(static_cast<void>(Before), anything{})..., {anything{}, anything{}}}; };
}
template <class T, std::size_t... Index>
[[nodiscard]] constexpr bool is_array_at_any(std::index_sequence<Index...>) noexcept {
  return (is_array_at<T>(std::make_index_sequence<Index>{}) || ...);
}
}  // namespace detail
/// The aggregate T has a C array of numbers, enums or pointers among its first max_members (arrays of classes
/// are not recognised).
template <class T>
inline constexpr bool has_c_array = detail::is_array_at_any<T>(
    std::make_index_sequence<(member_count<T> < max_members ? member_count<T> : max_members)>{});

namespace detail {

// The tuple of references for one number of members; void for a member without an address (a bit-field). A
// table, as a structured binding must list its names: m1 to m8 for the first eight members, then n1, n2, ...
template <std::size_t Count>
inline constexpr auto tie_of = [](auto&) noexcept { return std::tie(); };
// clang-format off
#define THRIFTLENS_TIE(count, ...)                              \
  template <>                                                   \
  inline constexpr auto tie_of<count> = [](auto& of) noexcept { \
    auto& [__VA_ARGS__] = of;                                   \
    if constexpr (requires { std::tie(__VA_ARGS__); })          \
      return std::tie(__VA_ARGS__);                             \
  };
#define THRIFTLENS_NAMES(x) x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8
// One to eight members named x after `first` others, whose names end with a comma.
#define THRIFTLENS_TIE_8(x, first, ...)                                                       \
  THRIFTLENS_TIE(first + 1, __VA_ARGS__ x##1)                                                 \
  THRIFTLENS_TIE(first + 2, __VA_ARGS__ x##1, x##2)                                           \
  THRIFTLENS_TIE(first + 3, __VA_ARGS__ x##1, x##2, x##3)                                     \
  THRIFTLENS_TIE(first + 4, __VA_ARGS__ x##1, x##2, x##3, x##4)                               \
  THRIFTLENS_TIE(first + 5, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5)                         \
  THRIFTLENS_TIE(first + 6, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5, x##6)                   \
  THRIFTLENS_TIE(first + 7, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5, x##6, x##7)             \
  THRIFTLENS_TIE(first + 8, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8)
THRIFTLENS_TIE_8(m, 0, )
THRIFTLENS_TIE_8(n, 8, THRIFTLENS_NAMES(m), )
THRIFTLENS_TIE_8(o, 16, THRIFTLENS_NAMES(m), THRIFTLENS_NAMES(n), )
THRIFTLENS_TIE_8(p, 24, THRIFTLENS_NAMES(m), THRIFTLENS_NAMES(n), THRIFTLENS_NAMES(o), )
THRIFTLENS_TIE_8(q, 32, THRIFTLENS_NAMES(m), THRIFTLENS_NAMES(n), THRIFTLENS_NAMES(o), THRIFTLENS_NAMES(p),
                 )
THRIFTLENS_TIE_8(r, 40, THRIFTLENS_NAMES(m), THRIFTLENS_NAMES(n), THRIFTLENS_NAMES(o), THRIFTLENS_NAMES(p),
                 THRIFTLENS_NAMES(q), )
THRIFTLENS_TIE_8(s, 48, THRIFTLENS_NAMES(m), THRIFTLENS_NAMES(n), THRIFTLENS_NAMES(o), THRIFTLENS_NAMES(p),
                 THRIFTLENS_NAMES(q), THRIFTLENS_NAMES(r), )
THRIFTLENS_TIE_8(t, 56, THRIFTLENS_NAMES(m), THRIFTLENS_NAMES(n), THRIFTLENS_NAMES(o), THRIFTLENS_NAMES(p),
                 THRIFTLENS_NAMES(q), THRIFTLENS_NAMES(r), THRIFTLENS_NAMES(s), )
#undef THRIFTLENS_TIE
#undef THRIFTLENS_TIE_8
#undef THRIFTLENS_NAMES
// clang-format on

}  // namespace detail

/// References to all members, in order of declaration.
template <class T>
[[nodiscard]] constexpr auto tie_members(T& of) noexcept {
  return detail::tie_of<member_count<std::remove_const_t<T>>>(of);
}
/// The aggregate T has a bit-field, so that tie_members() returns nothing.
template <class T>
inline constexpr bool has_bit_field = std::is_void_v<decltype(tie_members(std::declval<T&>()))>;

namespace detail {

template <class T>
struct holder {
  T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
// Only addresses inside it are taken, at compile time.
template <class T>
extern const holder<T> imagined;

template <class T, std::size_t Index>
[[nodiscard]] constexpr std::string_view aggregate_name() noexcept {
  return member_name<member_pointer{&std::get<Index>(tie_members(imagined<T>.value))}>();
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace detail

/// The name of a member by index.
template <class T, std::size_t Index>
inline constexpr std::string_view aggregate_member_name = detail::aggregate_name<T, Index>();

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
