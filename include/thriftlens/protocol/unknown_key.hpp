// unknown_key: names of unknown fields ("#5") and of their types ("i32").
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// "#5", "#-1".
[[nodiscard]] inline std::string unknown_key(std::int16_t id) {
  std::string key(1, '#');  // "#" + …: g++ 12 warns of a nonexistent overlap
  key += std::to_string(id);
  return key;
}
/// The id of such a key. False for other text, including "#05" and "#+5": keys are unique.
[[nodiscard]] inline bool parse_unknown_key(std::string_view key, std::int16_t& id) {
  if (key.size() < 2 || key[0] != '#') return false;
  const char* const end = key.data() + key.size();
  const std::from_chars_result read = std::from_chars(key.data() + 1, end, id);
  return read.ec == std::errc() && read.ptr == end && unknown_key(id) == key;
}

/// The type with that name; "stop" is the unknown element type of an empty container. void for unknown names.
[[nodiscard]] constexpr ttype find_ttype(std::string_view name) noexcept {
  for (std::uint8_t raw = 0; raw <= static_cast<std::uint8_t>(ttype::uuid); ++raw) {
    const auto type = static_cast<ttype>(raw);
    if ((is_value_type(type) || type == ttype::stop) && to_string(type) == name) return type;
  }
  return ttype::void_;
}
/// Name of an element type; non-value types count as stop.
[[nodiscard]] constexpr std::string_view element_name(ttype type) noexcept {
  return to_string(is_value_type(type) ? type : ttype::stop);
}
/// Error text for an unknown type name.
[[nodiscard]] THRIFTLENS_COLD inline std::string no_ttype_text(std::string_view name) {
  std::string text = joined({'"', name.substr(0, 40), "\" is not a wire type; expected"});
  const char* between = " ";
  for (std::uint8_t raw = 0; raw <= static_cast<std::uint8_t>(ttype::uuid); ++raw) {
    if (!is_value_type(raw)) continue;
    text += between;
    text += to_string(static_cast<ttype>(raw));
    between = ", ";
  }
  return text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
