// framing: how values stand one after another in a file, a topic or a connection.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What stands around each of many values.
enum class framing : std::uint8_t {
  none,     ///< nothing: structs back to back, whose end is found by skipping
  u32,      ///< four bytes of size in front, big endian: Thrift's framed transport
  u32le,    ///< the same, little endian
  varint,   ///< the size as a varint, as Protobuf's delimited streams have it
  message,  ///< RPC messages, each with a frame of u32 around it or without
  kafka,    ///< as u32; the size -1 is a null record (what kcat's %R%s writes)
  base64,   ///< a line each, whose last word is base64, padded or not
  hex,      ///< a line each, whose last word are hexadecimal digits
};

namespace detail {

inline constexpr std::string_view framing_names[] = {"none",    "u32",   "u32le",  "varint",
                                                     "message", "kafka", "base64", "hex"};
inline constexpr std::size_t framing_count = sizeof framing_names / sizeof framing_names[0];

/// The framing of that name, as the command line and Python spell it.
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
