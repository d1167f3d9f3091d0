// field: declares a member of a struct as a field.
#pragma once

#include <thriftlens/codec/fwd.hpp>
#include <thriftlens/codec/member_name.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Text as a template argument.
template <std::size_t Size>
struct fixed_text {
  char text[Size] = {};
  constexpr fixed_text(const char (&from)[Size]) noexcept {  // NOLINT: implicit on purpose
    for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
  }
  [[nodiscard]] constexpr operator std::string_view() const noexcept {
    return {text, Size - 1};
  }  // NOLINT: implicit on purpose
};

struct required_option {};
struct omit_default_option {};
struct as_set_option {};

}  // namespace detail

// In their own namespace, as thriftlens has other names such as field_requiredness::required.
namespace field_options {
/// Field option: decoding fails without the field, encoding if the member is an empty optional or pointer.
inline constexpr detail::required_option required{};
/// Field option: a member equal to its default_(…), or to a default-constructed one, is not written.
inline constexpr detail::omit_default_option omit_default{};
/// Field option: a vector, deque or array is encoded as `set`. Its elements are not checked for duplicates.
inline constexpr detail::as_set_option as_set{};
}  // namespace field_options
using namespace field_options;

/// Field option: the name in errors, in JSON and for bind_by_name; default: that of the member.
template <std::size_t Size>
struct named {
  detail::fixed_text<Size> text;
  constexpr named(const char (&from)[Size]) noexcept : text(from) {}  // NOLINT: implicit on purpose
};

/// Field option: the value of the member if the field is missing: a value, a text, or a function that returns
/// one. Default: that of a default-constructed struct.
template <class Value>
struct default_ {
  Value value;
  constexpr default_(Value from) noexcept : value(from) {}  // NOLINT: implicit on purpose
  template <std::size_t Size>
  constexpr default_(const char (&from)[Size]) noexcept : value(from) {}  // NOLINT: implicit on purpose
};
template <std::size_t Size>
default_(const char (&)[Size]) -> default_<detail::fixed_text<Size>>;

namespace detail::codec {

struct no_option {};

template <class T>
inline constexpr bool is_named = false;
template <std::size_t Size>
inline constexpr bool is_named<named<Size>> = true;
template <class T>
inline constexpr bool is_default = false;
template <class Value>
inline constexpr bool is_default<default_<Value>> = true;

/// Type is the option `Option`.
template <class Type, class Option>
inline constexpr bool is_option = std::is_same_v<std::remove_cv_t<Type>, Option>;
template <class T>
inline constexpr bool is_field_option = is_option<T, required_option> || is_option<T, omit_default_option> ||
                                        is_option<T, as_set_option> || is_named<T> || is_default<T>;

/// Owner and type of a member pointer; void for anything else.
template <class T>
struct member_parts {
  using owner = void;
  using type = void;
};
template <class Owner, class Type>
struct member_parts<Type Owner::*> {
  using owner = Owner;
  using type = Type;
};

/// The first option that is a named<…>, or no_option.
template <auto... Options>
  requires(sizeof...(Options) == 0)
[[nodiscard]] constexpr auto find_name() noexcept {
  return no_option{};
}
template <auto First, auto... Rest>
[[nodiscard]] constexpr auto find_name() noexcept {
  if constexpr (is_named<std::remove_cv_t<decltype(First)>>)
    return First;
  else
    return find_name<Rest...>();
}
/// The first option that is a default_<…>, or no_option.
template <auto... Options>
  requires(sizeof...(Options) == 0)
[[nodiscard]] constexpr auto find_default() noexcept {
  return no_option{};
}
template <auto First, auto... Rest>
[[nodiscard]] constexpr auto find_default() noexcept {
  if constexpr (is_default<std::remove_cv_t<decltype(First)>>)
    return First;
  else
    return find_default<Rest...>();
}

}  // namespace detail::codec

/// `tl::field<1, &Point::x>`, `tl::field<2, &Point::label, tl::required, tl::named("Label")>`. Options in any
/// order: required, omit_default, as_set, named("…"), default_(…).
template <int Id, auto Member, auto... Options>
struct field {
  using owner = typename detail::codec::member_parts<decltype(Member)>::owner;
  using type = typename detail::codec::member_parts<decltype(Member)>::type;
  static constexpr int id = Id;
  static constexpr auto member = Member;
  static constexpr bool is_required =
      (detail::codec::is_option<decltype(Options), detail::required_option> || ...);
  static constexpr bool omits_default =
      (detail::codec::is_option<decltype(Options), detail::omit_default_option> || ...);
  static constexpr bool is_set = (detail::codec::is_option<decltype(Options), detail::as_set_option> || ...);
  static constexpr bool has_default = (detail::codec::is_default<std::remove_cv_t<decltype(Options)>> || ...);

  static_assert(std::is_member_object_pointer_v<decltype(Member)>,
                "thriftlens: field<id, member>: the second argument is not a pointer to a data member, such "
                "as &Point::x");
  static_assert((detail::codec::is_field_option<std::remove_cv_t<decltype(Options)>> && ...),
                "thriftlens: field<id, member, options...>: options are required, omit_default, as_set, "
                "named(\"...\") and default_(...)");
  static_assert(Id >= -32768 && Id <= 32767,
                "thriftlens: field<id, member>: the id is outside the range of i16");
  static_assert(Id != 0, "thriftlens: field<id, member>: no field has the id 0");
  static_assert(!std::is_array_v<type>, "thriftlens: field<id, member>: a C array; use std::array");

  template <class T>
  [[nodiscard]] static constexpr auto& get(T& object) noexcept {
    return object.*Member;
  }
  [[nodiscard]] static constexpr detail::codec::name_source name_from() noexcept {
    if constexpr (std::is_same_v<decltype(name_option), const detail::codec::no_option>)
      return {{}, &detail::codec::detail::spelled_member<Member>};
    else
      return {name_option.text};
  }
  [[nodiscard]] static constexpr std::string_view name() noexcept {
    return detail::codec::name_of(name_from());
  }
  /// The value of default_(…); requires has_default.
  [[nodiscard]] static auto default_value() {
    if constexpr (requires { default_option.value(); })
      return type(default_option.value());
    else if constexpr (requires { std::string_view(default_option.value); })
      return type(std::string_view(default_option.value));
    else
      return type(default_option.value);
  }

 private:
  static constexpr auto name_option = detail::codec::find_name<Options...>();
  static constexpr auto default_option = detail::codec::find_default<Options...>();
};

/// In the list of fields: `tl::keep_unknown<&Point::rest>` names a member of type tl::unknown_fields, which
/// stores fields that the binding does not know. They are written back after the known ones.
template <auto Member>
struct keep_unknown {
  using owner = typename detail::codec::member_parts<decltype(Member)>::owner;
  static_assert(std::is_same_v<typename detail::codec::member_parts<decltype(Member)>::type, unknown_fields>,
                "thriftlens: keep_unknown<member>: the member is not of type thriftlens::unknown_fields");
  template <class T>
  [[nodiscard]] static constexpr auto& get(T& object) noexcept {
    return object.*Member;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
