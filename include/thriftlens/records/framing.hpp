// framing: how consecutive values in a file, topic or connection are delimited. framing_table.hpp reads and
// writes them.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

// X(name, description)
// clang-format off
#define THRIFTLENS_FRAMINGS(X) \
  X(none,    "structs back to back") \
  X(u32,     "4-byte big-endian size prefix, as in Thrift's framed transport") \
  X(u32le,   "4-byte little-endian size prefix") \
  X(varint,  "varint size prefix, as in Protobuf's delimited streams") \
  X(kafka,   "like u32; size -1 is a null record (kcat's %R%s)") \
  X(base64,  "one record per line; its last word is base64, padded or not") \
  X(hex,     "one record per line; its last word is hexadecimal") \
  X(message, "RPC messages, with or without u32 frames")
// clang-format on

/// How a value is delimited among other values.
enum class framing : std::uint8_t {
#define THRIFTLENS_FRAMING_NAME(name, description) name,
  THRIFTLENS_FRAMINGS(THRIFTLENS_FRAMING_NAME)
#undef THRIFTLENS_FRAMING_NAME
};

namespace detail {

#define THRIFTLENS_FRAMING_NAME(name, description) #name,
inline constexpr const char* framing_names[] = {THRIFTLENS_FRAMINGS(THRIFTLENS_FRAMING_NAME)};
#undef THRIFTLENS_FRAMING_NAME
#define THRIFTLENS_FRAMING_DESCRIPTION(name, description) description,
inline constexpr const char* framing_descriptions[] = {THRIFTLENS_FRAMINGS(THRIFTLENS_FRAMING_DESCRIPTION)};
#undef THRIFTLENS_FRAMING_DESCRIPTION
#undef THRIFTLENS_FRAMINGS
inline constexpr std::size_t framing_count = sizeof framing_names / sizeof framing_names[0];

}  // namespace detail

/// "none", "u32", "base64" …
[[nodiscard]] constexpr std::string_view to_string(framing which) noexcept {
  return detail::framing_names[static_cast<std::size_t>(which)];
}
template <>
inline constexpr bool detail::is_printed<framing> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
