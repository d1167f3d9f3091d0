// streaming: which sides of a function send more than one message, as Kitex's annotation says.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Who sends a stream of messages in the place of one.
enum class streaming_mode : std::uint8_t { none, client, server, bidirectional };

/// "none", "client", "server", "bidirectional".
[[nodiscard]] constexpr std::string_view to_string(streaming_mode mode) noexcept {
  constexpr std::string_view names[] = {"none", "client", "server", "bidirectional"};
  return names[static_cast<std::size_t>(mode)];
}
template <>
inline constexpr bool detail::is_printed<streaming_mode> = true;

namespace detail {

inline constexpr std::string_view streaming_annotation = "streaming.mode";

/// False: a value that nobody knows, which then counts as `bidirectional`. Such a function streams somehow,
/// and a plain call of it would be wrong.
[[nodiscard]] constexpr bool parse_streaming(std::string_view value, streaming_mode& mode) noexcept {
  mode = streaming_mode::none;
  if (value == "unary") return true;
  for (const streaming_mode each :
       {streaming_mode::client, streaming_mode::server, streaming_mode::bidirectional}) {
    mode = each;
    if (value == to_string(each)) return true;
  }
  return false;
}

/// Whether the annotations, each of a key and a value, name no mode that nobody knows.
template <class Annotations>
[[nodiscard]] constexpr bool knows_streaming(const Annotations& all) noexcept {
  streaming_mode mode = streaming_mode::none;
  for (const auto& each : all) {
    if (each.key == streaming_annotation && !parse_streaming(each.value, mode)) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
