// binding: declares the fields of a struct for encoding and decoding.
#pragma once

#include <thriftlens/codec/field.hpp>

#include <cstddef>
#include <tuple>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The fields of a struct, in any order:
///
///     template <> struct tl::binding<Point> : tl::fields<tl::field<1, &Point::x>, tl::field<2,
///     &Point::label>> {};
///
/// For private members the struct declares `friend struct tl::binding<Point>;`.
template <class... Fields>
struct fields {
  using bound_fields = std::tuple<Fields...>;
};

/// For plain aggregates: members are numbered 1, 2, … as they are declared, at most 64 of them.
///
///     template <> struct tl::binding<Point> : tl::numbered {};
struct numbered {
  using bound_in_order = void;
};

/// For a struct whose only member is a std::variant: a union, which may be empty if monostate is the first
/// alternative. Takes the ids of the other alternatives, by default 1, 2, …
///
///     struct Uni { std::variant<std::monostate, int, std::string> value; };
///     template <> struct tl::binding<Uni> : tl::union_<&Uni::value, 1, 2> {};
template <auto Member, int... Ids>
struct union_ {
  using bound_union = typename detail::codec::member_parts<decltype(Member)>::type;
  static constexpr std::size_t id_count = sizeof...(Ids);
  static constexpr int ids[sizeof...(Ids) + 1] = {Ids..., 0};
  template <class T>
  [[nodiscard]] static constexpr auto& get(T& object) noexcept {
    return object.*Member;
  }
};

/// For a std::variant, by default a union with the ids 1, 2, …
///
///     template <> struct tl::binding<std::variant<int, std::string>> : tl::union_ids<3, 7> {};
template <int... Ids>
struct union_ids {
  using bound_ids = void;
  static constexpr std::size_t id_count = sizeof...(Ids);
  static constexpr int ids[sizeof...(Ids) + 1] = {Ids..., 0};
};

/// True for types with a binding of any form.
template <class T>
concept bound = requires { sizeof(binding<T>); };

}  // namespace thriftlens::inline THRIFTLENS_ABI
