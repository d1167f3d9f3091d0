// member_name: the name of a struct's member, taken from the compiler.
#pragma once

#include <thriftlens/core/config.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// A constant that names a member in the compiler's spelling of it.
template <class Pointer>
struct member_pointer {
  Pointer pointer;
};
template <class Pointer>
member_pointer(Pointer) -> member_pointer<Pointer>;

namespace detail {

// Pretty function texts end in `…&Point::label]`, `…value.Agg::label)}; …]` or `…value.label}]`, by compiler
// and argument.
template <auto Member>
[[nodiscard]] constexpr std::string_view spelled_member() noexcept {
#if defined(__clang__)
  const std::string_view text = __PRETTY_FUNCTION__;
#else
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(0, text.rfind("; std::string_view = "));
#endif
  return text;
}

[[nodiscard]] constexpr bool is_name_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

[[nodiscard]] constexpr std::string_view last_name(std::string_view text) noexcept {
  while (!text.empty() && !is_name_byte(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin != 0 && is_name_byte(text[begin - 1])) --begin;
  return text.substr(begin);
}

}  // namespace detail

/// A name, or a function that returns it in the spelling of the compiler; extracted on use, as most are
/// unused.
struct name_source {
  std::string_view name;
  std::string_view (*spelling)() noexcept = nullptr;
};

namespace detail {
[[nodiscard]] constexpr std::string_view public_name(std::string_view spelling) noexcept {
  std::string_view name = last_name(spelling);
  if (name.size() > 1 && name.back() == '_') name.remove_suffix(1);
  return name;
}
}  // namespace detail

[[nodiscard]] constexpr std::string_view name_of(const name_source& from) noexcept {
  return from.spelling == nullptr ? from.name : detail::public_name(from.spelling());
}

/// The name in `&Point::label` or a member_pointer: "label". Drops one trailing underscore, as of private
/// members.
template <auto Member>
[[nodiscard]] constexpr std::string_view member_name() noexcept {
  return detail::public_name(detail::spelled_member<Member>());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
