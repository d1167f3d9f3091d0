// encode: the user's own structs into Thrift bytes.
// In: an object of a type with a binding. Out: bytes in a buffer, in the caller's memory, or in pieces.
// Never leaves half a value behind: after an error the output is as it was.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/write_value.hpp>
#include <thriftlens/core/result.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace codec {

/// Writes `value` to the sink; an error where that fails, with the sink as before.
template <protocol Protocol, bool Dynamic, class Sink, class T>
[[nodiscard]] std::optional<error> encode_whole(const T& value, Sink& sink, const encode_options& options, const shape* at) {
  write_state<Protocol, Sink, Dynamic> state(sink);
  state.at = at;
  std::uint8_t* behind = write_value(state, sink.start(), value, std::min(options.limits.depth, limits::deepest));
  if (behind != nullptr && sink.finish(behind)) [[likely]] return std::nullopt;
  if (behind != nullptr) state.fail(sink.code());
  sink.undo();
  return state.to_error();
}

inline constexpr encode_options usual_encoding = {};

}  // namespace codec

/// Appends the value, fields in order of their ids. O(size). Errors: depth_limit, output_limit, size_limit (a string or
/// container beyond 2^31 - 1), empty_value (an empty optional or pointer that is required or stands in a container).
template <protocol Protocol = binary, class T>
void encode(const T& value, buffer& out, const encode_options& options = codec::usual_encoding) {
  static_assert(codec::check_value<T>());
  codec::buffer_sink sink(out, options.limits.output_size);
  if (auto reason = codec::encode_whole<Protocol, false>(value, sink, options, nullptr)) [[unlikely]] raise(std::move(*reason));
}
template <protocol Protocol = binary, class T>
[[nodiscard]] result<void> try_encode(const T& value, buffer& out, const encode_options& options = codec::usual_encoding) {
  static_assert(codec::check_value<T>());
  codec::buffer_sink sink(out, options.limits.output_size);
  if (auto reason = codec::encode_whole<Protocol, false>(value, sink, options, nullptr)) return *std::move(reason);
  return {};
}

/// Writes to the caller's memory and returns how many bytes; buffer_too_small where they do not fit, and what the memory
/// holds then is not defined. Allocates only near the end of the memory.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<std::size_t> try_encode(const T& value, std::span<std::uint8_t> out, const encode_options& options = codec::usual_encoding) {
  static_assert(codec::check_value<T>());
  codec::span_sink sink(out);
  if (auto reason = codec::encode_whole<Protocol, false>(value, sink, options, nullptr)) return *std::move(reason);
  return sink.written();
}
template <protocol Protocol = binary, class T>
std::size_t encode(const T& value, std::span<std::uint8_t> out, const encode_options& options = codec::usual_encoding) {
  return try_encode<Protocol>(value, out, options).value();
}

/// Appends the value in pieces: strings of 4 KiB or more are borrowed from it, so it must outlive their use.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<void> try_encode(const T& value, gather_list& out, const encode_options& options = codec::usual_encoding) {
  static_assert(codec::check_value<T>());
  codec::gather_sink sink(out, options.limits.output_size);
  if (auto reason = codec::encode_whole<Protocol, false>(value, sink, options, nullptr)) return *std::move(reason);
  return {};
}
template <protocol Protocol = binary, class T>
void encode(const T& value, gather_list& out, const encode_options& options = codec::usual_encoding) {
  try_encode<Protocol>(value, out, options).value();
}

}  // namespace thriftlens
