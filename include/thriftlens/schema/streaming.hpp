// streaming: streaming mode of a function, from Kitex's annotation.
#pragma once

#include <thriftlens/core/print.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Sides that send a stream of messages instead of one.
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

/// False for an unknown value, which sets `bidirectional`: such a function streams in some way and must not
/// be called as unary.
[[nodiscard]] constexpr bool parse_streaming(std::string_view value, streaming_mode& mode) noexcept {
  mode = streaming_mode::none;
  if (value == "unary") return true;
  for (const streaming_mode known :
       {streaming_mode::client, streaming_mode::server, streaming_mode::bidirectional}) {
    mode = known;
    if (value == to_string(known)) return true;
  }
  return false;
}

/// Whether the annotations (key and value) name only known modes.
template <class Annotations>
[[nodiscard]] THRIFTLENS_COLD constexpr bool knows_streaming(const Annotations& annotations) noexcept {
  streaming_mode mode = streaming_mode::none;
  for (const auto& annotation : annotations) {
    if (annotation.key == streaming_annotation && !parse_streaming(annotation.value, mode)) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
