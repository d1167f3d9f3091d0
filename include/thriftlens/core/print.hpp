// print: operator<< for types with a text form.
#pragma once

#include <thriftlens/core/config.hpp>

#include <iosfwd>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// Specialized as true for the types that operator<< below prints.
template <class Value>
inline constexpr bool is_printed = false;

/// False for an empty handle.
template <class Value>
[[nodiscard]] bool has_text(const Value& of) noexcept {
  if constexpr (requires { static_cast<bool>(of); })
    return static_cast<bool>(of);
  else
    return true;
}
}  // namespace detail

/// Errors (as what()), error codes and other enums (`truncated`, `i32`, `compact`), diagnostics, types,
/// fields and other handles of a schema (their name; `(none)` for an empty handle), paths, selections.
template <class Traits, class Value>
  requires detail::is_printed<Value>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Value& of) {
  if constexpr (requires { of.what(); })
    return out << of.what();
  else if constexpr (requires { of.to_string(); })
    return out << of.to_string();
  else if constexpr (requires { of.text(); })
    return out << of.text();
  else if constexpr (requires { of.name(); })
    return detail::has_text(of) ? out << of.name() : out << "(none)";
  else
    return out << to_string(of);
}

namespace detail {
using thriftlens::operator<<;  // found by argument-dependent lookup for types of this namespace
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
