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

/// Number of members of the aggregate T; max_members + 1 if there are more.
template <class T>
inline constexpr std::size_t member_count = detail::count_members<T, max_members + 1>();

namespace detail {

// The tuple of references for one number of members. A table, as a structured binding must list its names.
template <std::size_t Count>
inline constexpr auto tie_of = [](auto&) noexcept { return std::tie(); };
template <>
inline constexpr auto tie_of<1> = [](auto& of) noexcept {
  auto& [m1] = of;
  return std::tie(m1);
};
template <>
inline constexpr auto tie_of<2> = [](auto& of) noexcept {
  auto& [m1, m2] = of;
  return std::tie(m1, m2);
};
template <>
inline constexpr auto tie_of<3> = [](auto& of) noexcept {
  auto& [m1, m2, m3] = of;
  return std::tie(m1, m2, m3);
};
template <>
inline constexpr auto tie_of<4> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4] = of;
  return std::tie(m1, m2, m3, m4);
};
template <>
inline constexpr auto tie_of<5> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5] = of;
  return std::tie(m1, m2, m3, m4, m5);
};
template <>
inline constexpr auto tie_of<6> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6] = of;
  return std::tie(m1, m2, m3, m4, m5, m6);
};
template <>
inline constexpr auto tie_of<7> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7);
};
template <>
inline constexpr auto tie_of<8> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8);
};
template <>
inline constexpr auto tie_of<9> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9);
};
template <>
inline constexpr auto tie_of<10> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
};
template <>
inline constexpr auto tie_of<11> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
};
template <>
inline constexpr auto tie_of<12> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
};
template <>
inline constexpr auto tie_of<13> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13);
};
template <>
inline constexpr auto tie_of<14> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14);
};
template <>
inline constexpr auto tie_of<15> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
};
template <>
inline constexpr auto tie_of<16> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
};
template <>
inline constexpr auto tie_of<17> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17);
};
template <>
inline constexpr auto tie_of<18> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18);
};
template <>
inline constexpr auto tie_of<19> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19);
};
template <>
inline constexpr auto tie_of<20> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20);
};
template <>
inline constexpr auto tie_of<21> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21);
};
template <>
inline constexpr auto tie_of<22> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
         m22] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22);
};
template <>
inline constexpr auto tie_of<23> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23);
};
template <>
inline constexpr auto tie_of<24> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24);
};
template <>
inline constexpr auto tie_of<25> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25);
};
template <>
inline constexpr auto tie_of<26> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26);
};
template <>
inline constexpr auto tie_of<27> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27);
};
template <>
inline constexpr auto tie_of<28> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28);
};
template <>
inline constexpr auto tie_of<29> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29);
};
template <>
inline constexpr auto tie_of<30> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30);
};
template <>
inline constexpr auto tie_of<31> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31);
};
template <>
inline constexpr auto tie_of<32> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32);
};
template <>
inline constexpr auto tie_of<33> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33);
};
template <>
inline constexpr auto tie_of<34> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34);
};
template <>
inline constexpr auto tie_of<35> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35);
};
template <>
inline constexpr auto tie_of<36> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36);
};
template <>
inline constexpr auto tie_of<37> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37);
};
template <>
inline constexpr auto tie_of<38> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38);
};
template <>
inline constexpr auto tie_of<39> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39);
};
template <>
inline constexpr auto tie_of<40> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40);
};
template <>
inline constexpr auto tie_of<41> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41);
};
template <>
inline constexpr auto tie_of<42> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42] =
      of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42);
};
template <>
inline constexpr auto tie_of<43> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43);
};
template <>
inline constexpr auto tie_of<44> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44);
};
template <>
inline constexpr auto tie_of<45> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45);
};
template <>
inline constexpr auto tie_of<46> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46);
};
template <>
inline constexpr auto tie_of<47> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47);
};
template <>
inline constexpr auto tie_of<48> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48);
};
template <>
inline constexpr auto tie_of<49> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49);
};
template <>
inline constexpr auto tie_of<50> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50);
};
template <>
inline constexpr auto tie_of<51> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51);
};
template <>
inline constexpr auto tie_of<52> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52);
};
template <>
inline constexpr auto tie_of<53> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53);
};
template <>
inline constexpr auto tie_of<54> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54);
};
template <>
inline constexpr auto tie_of<55> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55);
};
template <>
inline constexpr auto tie_of<56> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56);
};
template <>
inline constexpr auto tie_of<57> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57);
};
template <>
inline constexpr auto tie_of<58> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58);
};
template <>
inline constexpr auto tie_of<59> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58, m59);
};
template <>
inline constexpr auto tie_of<60> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58, m59, m60);
};
template <>
inline constexpr auto tie_of<61> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58, m59, m60, m61);
};
template <>
inline constexpr auto tie_of<62> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62] =
      of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58, m59, m60, m61, m62);
};
template <>
inline constexpr auto tie_of<63> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62,
         m63] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58, m59, m60, m61, m62, m63);
};
template <>
inline constexpr auto tie_of<64> = [](auto& of) noexcept {
  auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
         m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
         m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62,
         m63, m64] = of;
  return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
                  m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56,
                  m57, m58, m59, m60, m61, m62, m63, m64);
};

}  // namespace detail

/// References to all members, in order of declaration.
template <class T>
[[nodiscard]] constexpr auto tie_members(T& of) noexcept {
  return detail::tie_of<member_count<std::remove_const_t<T>>>(of);
}

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
