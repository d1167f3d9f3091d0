// framing: how consecutive values in a file, topic or connection are delimited.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// How a value is delimited among other values.
enum class framing : std::uint8_t {
  none,     ///< structs back to back; skipping finds their ends
  u32,      ///< 4-byte big-endian size prefix: Thrift's framed transport
  u32le,    ///< 4-byte little-endian size prefix
  varint,   ///< varint size prefix, as in Protobuf's delimited streams
  message,  ///< RPC messages, with or without u32 frames
  kafka,    ///< like u32; size -1 is a null record (kcat's %R%s)
  base64,   ///< one per line; its last token is base64, padded or not
  hex,      ///< one per line; its last token is hexadecimal digits
};

namespace detail {

inline constexpr std::string_view framing_names[] = {"none",    "u32",   "u32le",  "varint",
                                                     "message", "kafka", "base64", "hex"};
inline constexpr std::size_t framing_count = sizeof framing_names / sizeof framing_names[0];

/// The framing with that name on the command line and in Python.
[[nodiscard]] constexpr std::optional<framing> find_framing(std::string_view name) noexcept {
  for (std::size_t i = 0; i < framing_count; ++i) {
    if (framing_names[i] == name) return static_cast<framing>(i);
  }
  return std::nullopt;
}

}  // namespace detail

/// "none", "u32", "u32le", "varint", "message", "kafka", "base64", "hex".
[[nodiscard]] constexpr std::string_view to_string(framing which) noexcept {
  return detail::framing_names[static_cast<std::size_t>(which)];
}
template <>
inline constexpr bool detail::is_printed<framing> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
