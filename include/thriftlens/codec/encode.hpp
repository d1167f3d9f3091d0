// encode: the user's own structs into Thrift bytes. Never leaves half a value in the output: the contract
// of core/rollback.hpp.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/fast/fast_encode.hpp>
#include <thriftlens/codec/write_value.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/core/small_algorithm.hpp>

#include <cstdint>
#include <span>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail::codec {

/// One encoding: the sink, what goes with it, and the error if there is one.
template <protocol Protocol, bool Dynamic, class Sink>
class encoding {
 public:
  template <class... To>
  THRIFTLENS_INLINE explicit encoding(const shape* at, To&&... to) noexcept
      : state_(std::forward<To>(to)...) {
    state_.at = at;
  }
  /// False, with the sink as before, where the value cannot be written.
  template <class T>
  [[nodiscard]] THRIFTLENS_INLINE bool write(const T& value, const encode_options& options) {
    const write_cursor end = write_value(state_, state_.sink.start(), value,
                                         thriftlens::detail::least(options.limits.depth, limits::max_depth));
    if (end != nullptr && state_.sink.finish(end)) [[likely]]
      return true;
    return give_up(end);
  }
  [[nodiscard]] THRIFTLENS_COLD error reason() const { return state_.to_error(); }

  [[nodiscard]] const Sink& sink() const noexcept { return state_.sink; }

 private:
  THRIFTLENS_COLD bool give_up(const write_cursor end) noexcept {
    if (end != nullptr) state_.reject(state_.sink.code());
    state_.sink.undo();
    return false;
  }
  write_state<Protocol, Sink, Dynamic> state_;
};

inline constexpr encode_options usual_encoding = {};

/// Every other value. A function of its own: in one with fast_encode it would cost that one registers and
/// stack.
template <protocol Protocol, class T>
[[nodiscard]] THRIFTLENS_NOINLINE result<void> encode_any(const T& value, buffer& out,
                                                          const encode_options& options) {
  encoding<Protocol, false, buffer_sink> run(nullptr, out, options.limits.max_given());
  if (!run.write(value, options)) [[unlikely]]
    return run.reason();
  return {};
}

}  // namespace detail::codec

/// Appends the value, fields in order of their ids. O(size). After any failure, an allocation's too, the
/// output is as it was before (core/rollback.hpp). Errors: depth_limit, output_limit, size_limit (a
/// string or container beyond 2^31 - 1), empty_value (an empty optional or pointer that is required or stands
/// in a container), value_range (an unsigned number beyond its wire type, which is signed: 3000000000 as
/// i32). Strings that the value borrows must not lie in `out`: growing would move them.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<void> try_append_encoded(const T& value, buffer& out,
                                              const encode_options& options = detail::codec::usual_encoding) {
  static_assert(detail::codec::check_value<T>());
  if (detail::codec::fast_encode<Protocol>(value, out, options)) return {};
  return detail::codec::encode_any<Protocol>(value, out, options);
}
template <protocol Protocol = binary, class T>
void append_encoded(const T& value, buffer& out,
                    const encode_options& options = detail::codec::usual_encoding) {
  static_assert(detail::codec::check_value<T>());
  if (detail::codec::fast_encode<Protocol>(value, out, options)) return;
  detail::codec::encode_any<Protocol>(value, out, options).value();
}

/// The same in pieces: strings of 4 KiB or more are borrowed from the value, so it must outlive their use.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<void> try_append_encoded(const T& value, gather_list& out,
                                              const encode_options& options = detail::codec::usual_encoding) {
  static_assert(detail::codec::check_value<T>());
  detail::gather_rollback guard(out);
  detail::codec::encoding<Protocol, false, detail::codec::gather_sink> run(nullptr, out,
                                                                           options.limits.max_given());
  if (!run.write(value, options)) [[unlikely]]
    return run.reason();
  guard.keep();
  return {};
}
template <protocol Protocol = binary, class T>
void append_encoded(const T& value, gather_list& out,
                    const encode_options& options = detail::codec::usual_encoding) {
  try_append_encoded<Protocol>(value, out, options).value();
}

/// The value's bytes in a buffer of their own.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<buffer> try_encode(const T& value,
                                        const encode_options& options = detail::codec::usual_encoding) {
  buffer out;
  if (result<void> done = try_append_encoded<Protocol>(value, out, options); !done)
    return std::move(done).error();
  return out;
}
template <protocol Protocol = binary, class T>
[[nodiscard]] buffer encode(const T& value, const encode_options& options = detail::codec::usual_encoding) {
  buffer out;
  append_encoded<Protocol>(value, out, options);
  return out;
}

/// Writes to the caller's memory and returns how many bytes; buffer_too_small where they do not fit, and what
/// the memory holds then is not defined. Allocates only near the end of the memory.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<std::size_t> try_encode_into(
    const T& value, std::span<std::uint8_t> out,
    const encode_options& options = detail::codec::usual_encoding) {
  static_assert(detail::codec::check_value<T>());
  detail::codec::encoding<Protocol, false, detail::codec::span_sink> run(nullptr, out);
  if (!run.write(value, options)) [[unlikely]]
    return run.reason();
  return run.sink().written();
}
template <protocol Protocol = binary, class T>
std::size_t encode_into(const T& value, std::span<std::uint8_t> out,
                        const encode_options& options = detail::codec::usual_encoding) {
  return try_encode_into<Protocol>(value, out, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
