// uuid: 16 bytes and their text, 8-4-4-4-12 hex digits.
#pragma once

#include <thriftlens/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The 16 bytes of a uuid in printing order.
using uuid_bytes = std::array<std::uint8_t, 16>;

/// For unordered containers of uuids: uuid_bytes is a std::array, which has no std::hash.
struct uuid_hash {
  [[nodiscard]] std::size_t operator()(const uuid_bytes& id) const noexcept {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(id.data()), id.size()});
  }
};

namespace detail {

/// Characters of a uuid's text.
inline constexpr std::size_t uuid_text_size = 36;

/// The value of a hex digit, or -1.
[[nodiscard]] constexpr int hex_digit(int letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  const int lower = letter | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
/// The value of two hex digits, or -1.
[[nodiscard]] constexpr int hex_byte(const char* at) noexcept {
  const int high = hex_digit(at[0]), low = hex_digit(at[1]);
  return (high | low) < 0 ? -1 : high << 4 | low;
}
/// Whether a hyphen precedes the digits of that byte.
[[nodiscard]] constexpr bool uuid_hyphen_before(std::size_t byte) noexcept {
  return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

/// Parses a uuid; digits may be of either case. False, with `id` unspecified, for other text.
[[nodiscard]] constexpr bool parse_uuid(std::string_view text, uuid_bytes& id) noexcept {
  if (text.size() != uuid_text_size) return false;
  const char* at = text.data();
  for (std::size_t i = 0; i < id.size(); ++i, at += 2) {
    if (detail::uuid_hyphen_before(i) && *at++ != '-') return false;
    const int value = detail::hex_byte(at);
    if (value < 0) return false;
    id[i] = static_cast<std::uint8_t>(value);
  }
  return true;
}

/// Writes the lower-case text of the 16 bytes at `id` to `to`, which has capacity for uuid_text_size bytes.
/// Returns its end.
template <class Char>
  requires(sizeof(Char) == 1)
constexpr Char* put_uuid_text(Char* to, const std::uint8_t* id) noexcept {
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < std::tuple_size_v<uuid_bytes>; ++i) {
    if (detail::uuid_hyphen_before(i)) *to++ = static_cast<Char>('-');
    *to++ = static_cast<Char>(digits[id[i] >> 4]);
    *to++ = static_cast<Char>(digits[id[i] & 15]);
  }
  return to;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
