// text: strings and bytes of every C++ kind, seen as bytes and made from bytes.
// In: an object of kind text, or wire bytes. Out: the other.
// Never checks UTF-8: bytes are only moved here.
#pragma once

#include <thriftlens/codec/value_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// True for string_view, byte_view and spans: decoding makes them borrow from the wire bytes.
template <class T>
inline constexpr bool borrows =
    std::is_same_v<T, std::string_view> || std::is_same_v<T, std::u8string_view> ||
    std::is_same_v<T, byte_view> || std::is_same_v<T, std::span<const std::uint8_t>> ||
    std::is_same_v<T, std::span<const std::byte>>;

template <class T>
[[nodiscard]] THRIFTLENS_INLINE byte_view text_bytes(const T& of) noexcept {
  return byte_view(static_cast<const void*>(of.data()), of.size());
}

template <class T>
THRIFTLENS_INLINE void assign_text(T& to, byte_view from) {
  if constexpr (std::is_same_v<T, byte_view>) {
    to = from;
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

/// The same into a text that is new: it takes exactly its bytes, where assign would grow by doubling.
template <class T>
THRIFTLENS_INLINE void start_text(T& to, byte_view from) {
  if constexpr (std::is_same_v<T, std::string>)
    to = std::string(from.text());
  else
    assign_text(to, from);
}

namespace detail {
// Two copies of Width bytes that meet or overlap: Width to twice Width bytes.
template <std::size_t Width>
THRIFTLENS_INLINE void copy_ends(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  std::memcpy(to, from, Width);
  std::memcpy(to + size - Width, from + size - Width, Width);
}
THRIFTLENS_INLINE void copy_below_16(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 8) {
    copy_ends<8>(to, from, size);
  } else if (size >= 4) {
    copy_ends<4>(to, from, size);
  } else if (size != 0) {
    to[0] = from[0];
    to[size / 2] = from[size / 2];
    to[size - 1] = from[size - 1];
  }
}
THRIFTLENS_INLINE void copy_to_64(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  std::memcpy(to, from, 16);
  if (size > 32) {
    std::memcpy(to + 16, from + 16, 16);
    std::memcpy(to + size - 32, from + size - 32, 16);
  }
  std::memcpy(to + size - 16, from + size - 16, 16);
}
}  // namespace detail

/// Copies `size` bytes; short runs without a call. The runs do not overlap.
THRIFTLENS_INLINE void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 16) {
    if (size > 64) [[unlikely]]
      std::memcpy(to, from, size);
    else
      detail::copy_to_64(to, from, size);
  } else {
    detail::copy_below_16(to, from, size);
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
