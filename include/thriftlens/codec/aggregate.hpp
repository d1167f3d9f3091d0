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

}  // namespace detail

namespace detail {
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

namespace detail {
// Two initialisers in braces, but no object of a class.
template <class T, std::size_t... Before>
[[nodiscard]] constexpr bool is_array_at(std::index_sequence<Before...>) noexcept {
  return requires {
    T{(static_cast<void>(Before), anything{})..., {anything{}, anything{}}};
  } && !requires {
    T{(static_cast<void>(Before), anything{})..., any_class{}};
  };
}
template <class T, std::size_t... Index>
[[nodiscard]] constexpr bool is_array_at_any(std::index_sequence<Index...>) noexcept {
  return (is_array_at<T>(std::make_index_sequence<Index>{}) || ...);
}
}  // namespace detail
/// The aggregate T has a C array of numbers, enums or pointers (arrays of classes are not recognised).
template <class T>
inline constexpr bool has_c_array = detail::is_array_at_any<T>(std::make_index_sequence<max_members>{});

/// Number of members of the aggregate T; max_members + 1 if there are more.
template <class T>
inline constexpr std::size_t member_count = detail::count_members<T, max_members + 1>();

namespace detail {

// The tuple of references for one number of members; void for a member without an address (a bit-field). A
// table, as a structured binding must list its names: m1 to m8 for the first eight members, then n1, n2, ...
template <std::size_t Count>
inline constexpr auto tie_of = [](auto&) noexcept { return std::tie(); };
// clang-format off
#define THRIFTLENS_TIE(count, ...)                       \
  template <>                                            \
  inline constexpr auto tie_of<count> = [](auto& of) noexcept { \
    auto& [__VA_ARGS__] = of;                            \
    if constexpr (requires { std::tie(__VA_ARGS__); })   \
      return std::tie(__VA_ARGS__);                      \
  };
#define THRIFTLENS_NAMES_1(x) x##1
#define THRIFTLENS_NAMES_2(x) x##1, x##2
#define THRIFTLENS_NAMES_3(x) x##1, x##2, x##3
#define THRIFTLENS_NAMES_4(x) x##1, x##2, x##3, x##4
#define THRIFTLENS_NAMES_5(x) x##1, x##2, x##3, x##4, x##5
#define THRIFTLENS_NAMES_6(x) x##1, x##2, x##3, x##4, x##5, x##6
#define THRIFTLENS_NAMES_7(x) x##1, x##2, x##3, x##4, x##5, x##6, x##7
#define THRIFTLENS_NAMES_8(x) x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8
THRIFTLENS_TIE(1, THRIFTLENS_NAMES_1(m))
THRIFTLENS_TIE(2, THRIFTLENS_NAMES_2(m))
THRIFTLENS_TIE(3, THRIFTLENS_NAMES_3(m))
THRIFTLENS_TIE(4, THRIFTLENS_NAMES_4(m))
THRIFTLENS_TIE(5, THRIFTLENS_NAMES_5(m))
THRIFTLENS_TIE(6, THRIFTLENS_NAMES_6(m))
THRIFTLENS_TIE(7, THRIFTLENS_NAMES_7(m))
THRIFTLENS_TIE(8, THRIFTLENS_NAMES_8(m))
THRIFTLENS_TIE(9, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_1(n))
THRIFTLENS_TIE(10, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_2(n))
THRIFTLENS_TIE(11, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_3(n))
THRIFTLENS_TIE(12, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_4(n))
THRIFTLENS_TIE(13, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_5(n))
THRIFTLENS_TIE(14, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_6(n))
THRIFTLENS_TIE(15, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_7(n))
THRIFTLENS_TIE(16, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n))
THRIFTLENS_TIE(17, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_1(o))
THRIFTLENS_TIE(18, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_2(o))
THRIFTLENS_TIE(19, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_3(o))
THRIFTLENS_TIE(20, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_4(o))
THRIFTLENS_TIE(21, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_5(o))
THRIFTLENS_TIE(22, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_6(o))
THRIFTLENS_TIE(23, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_7(o))
THRIFTLENS_TIE(24, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o))
THRIFTLENS_TIE(25, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_1(p))
THRIFTLENS_TIE(26, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_2(p))
THRIFTLENS_TIE(27, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_3(p))
THRIFTLENS_TIE(28, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_4(p))
THRIFTLENS_TIE(29, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_5(p))
THRIFTLENS_TIE(30, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_6(p))
THRIFTLENS_TIE(31, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_7(p))
THRIFTLENS_TIE(32, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p))
THRIFTLENS_TIE(33, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_1(q))
THRIFTLENS_TIE(34, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_2(q))
THRIFTLENS_TIE(35, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_3(q))
THRIFTLENS_TIE(36, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_4(q))
THRIFTLENS_TIE(37, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_5(q))
THRIFTLENS_TIE(38, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_6(q))
THRIFTLENS_TIE(39, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_7(q))
THRIFTLENS_TIE(40, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q))
THRIFTLENS_TIE(41, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_1(r))
THRIFTLENS_TIE(42, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_2(r))
THRIFTLENS_TIE(43, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_3(r))
THRIFTLENS_TIE(44, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_4(r))
THRIFTLENS_TIE(45, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_5(r))
THRIFTLENS_TIE(46, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_6(r))
THRIFTLENS_TIE(47, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_7(r))
THRIFTLENS_TIE(48, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r))
THRIFTLENS_TIE(49, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_1(s))
THRIFTLENS_TIE(50, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_2(s))
THRIFTLENS_TIE(51, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_3(s))
THRIFTLENS_TIE(52, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_4(s))
THRIFTLENS_TIE(53, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_5(s))
THRIFTLENS_TIE(54, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_6(s))
THRIFTLENS_TIE(55, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_7(s))
THRIFTLENS_TIE(56, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s))
THRIFTLENS_TIE(57, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_1(t))
THRIFTLENS_TIE(58, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_2(t))
THRIFTLENS_TIE(59, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_3(t))
THRIFTLENS_TIE(60, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_4(t))
THRIFTLENS_TIE(61, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_5(t))
THRIFTLENS_TIE(62, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_6(t))
THRIFTLENS_TIE(63, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_7(t))
THRIFTLENS_TIE(64, THRIFTLENS_NAMES_8(m), THRIFTLENS_NAMES_8(n), THRIFTLENS_NAMES_8(o), THRIFTLENS_NAMES_8(p), THRIFTLENS_NAMES_8(q), THRIFTLENS_NAMES_8(r), THRIFTLENS_NAMES_8(s), THRIFTLENS_NAMES_8(t))
#undef THRIFTLENS_TIE
#undef THRIFTLENS_NAMES_1
#undef THRIFTLENS_NAMES_2
#undef THRIFTLENS_NAMES_3
#undef THRIFTLENS_NAMES_4
#undef THRIFTLENS_NAMES_5
#undef THRIFTLENS_NAMES_6
#undef THRIFTLENS_NAMES_7
#undef THRIFTLENS_NAMES_8
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
