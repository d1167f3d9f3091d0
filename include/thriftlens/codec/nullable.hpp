// nullable: optional, unique_ptr and shared_ptr as a value that may be missing.
#pragma once

#include <thriftlens/codec/value_kind.hpp>

#include <memory>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// The object to decode into: a new one, or, with Reuse, an existing one that is not shared.
template <bool Reuse, class T>
[[nodiscard]] auto& make_pointed(T& in) {
  using value = pointed<T>;
  if constexpr (requires { in.emplace(); }) {
    if constexpr (Reuse)
      return in.has_value() ? *in : in.emplace();
    else
      return in.emplace();
  } else if constexpr (std::is_same_v<T, std::shared_ptr<value>>) {
    in = std::make_shared<value>();
    return *in;
  } else {
    if (!Reuse || in == nullptr) in.reset(new value());
    return *in;
  }
}

/// Whether the object represents a missing field: an empty optional or pointer.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE constexpr bool is_missing(const T& of) noexcept {
  if constexpr (is_nullable_value<T>)
    return !static_cast<bool>(of);
  else
    return false;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
