// text: strings and bytes of all C++ types, to and from bytes.
#pragma once

#include <thriftlens/codec/value_kind.hpp>
#include <thriftlens/core/copy_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// True for string_view, byte_view and spans, which borrow from the decoded bytes.
template <class T>
inline constexpr bool borrows =
    std::is_same_v<T, std::string_view> || std::is_same_v<T, std::u8string_view> ||
    std::is_same_v<T, byte_view> || std::is_same_v<T, std::span<const std::uint8_t>> ||
    std::is_same_v<T, std::span<const std::byte>>;

template <class T>
[[nodiscard]] THRIFTLENS_INLINE byte_view text_bytes(const T& of) noexcept {
  return byte_view(static_cast<const void*>(of.data()), of.size());
}

/// std::string::assign costs two calls. A text that is not longer than the old one needs neither.
THRIFTLENS_NOINLINE inline void assign_string(std::string& to, byte_view from) {
  if (from.size() > to.size()) {
    to.assign(from.text());
    return;
  }
  to.erase(from.size());
  copy_bytes(reinterpret_cast<std::uint8_t*>(to.data()), from.data(), from.size());
}

template <class T>
THRIFTLENS_INLINE void assign_text(T& to, byte_view from) {
  if constexpr (std::is_same_v<T, byte_view>) {
    to = from;
  } else if constexpr (std::is_same_v<T, std::string>) {
    assign_string(to, from);
  } else if constexpr (std::is_same_v<T, buffer>) {
    to.clear();
    to.append(from);
  } else {
    const auto* first = reinterpret_cast<const typename T::value_type*>(from.data());
    if constexpr (borrows<T>)
      to = T(first, from.size());
    else
      to.assign(first, first + from.size());
  }
}

/// Assigns to an empty text with exact capacity; assign would grow by doubling.
template <class T>
THRIFTLENS_INLINE void start_text(T& to, byte_view from) {
  if constexpr (std::is_same_v<T, std::string>)
    to = std::string(from.text());
  else
    assign_text(to, from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
