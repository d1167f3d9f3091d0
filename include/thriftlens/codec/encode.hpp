// encode: encodes structs as Thrift bytes. After an error the output is unchanged (core/rollback.hpp).
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

/// State of one encoding.
template <protocol Protocol, bool Dynamic, class Sink>
class encoding {
 public:
  template <class... To>
  THRIFTLENS_INLINE explicit encoding(const shape* at, To&&... to) noexcept
      : state_(std::forward<To>(to)...) {
    state_.at = at;
  }
  /// False, with the sink unchanged, if the value cannot be encoded.
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

template <class T>
constexpr void refuse_order() {
  static_assert(sizeof(T) == 0, "thriftlens: encode<Protocol>(value): the protocol comes first");
}

/// The general encoder. A separate function, as it would cost fast_encode registers and stack.
template <protocol Protocol, class T>
[[nodiscard]] THRIFTLENS_NOINLINE result<void> encode_any(const T& value, buffer& out,
                                                          const encode_options& options) {
  encoding<Protocol, false, basic_buffer_sink<refers_to_bytes<T>>> run(nullptr, out,
                                                                       options.limits.max_given());
  if (!run.write(value, options)) [[unlikely]]
    return run.reason();
  return {};
}

}  // namespace detail::codec

// encode<T, Protocol>(value) and its relatives do not compile, with one message.
template <class T, protocol Protocol, class... Arguments>
  requires(!protocol<T>)
void encode(const Arguments&...) {
  detail::codec::refuse_order<T>();
}
template <class T, protocol Protocol, class... Arguments>
  requires(!protocol<T>)
void try_encode(const Arguments&...) {
  detail::codec::refuse_order<T>();
}
template <class T, protocol Protocol, class... Arguments>
  requires(!protocol<T>)
void append_encoded(const Arguments&...) {
  detail::codec::refuse_order<T>();
}

/// Appends the value, fields in order of their ids. O(size). After any failure, also of an allocation, the
/// output is unchanged. Errors: depth_limit, output_limit, size_limit (a string or container above 2^31 - 1),
/// empty_value (an empty optional or pointer that is required or in a container), value_range (an unsigned
/// number outside its signed wire type: 3000000000 as i32). Strings of the value may borrow from `out`; they
/// dangle afterwards if it grew.
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

/// Encodes in pieces: strings from 4 KiB on are borrowed from the value, which must outlive their use.
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

/// Returns the bytes in a new buffer.
template <protocol Protocol = binary, class T>
[[nodiscard]] result<buffer> try_encode(const T& value,
                                        const encode_options& options = detail::codec::usual_encoding) {
  buffer out;
  if (result<void> appended = try_append_encoded<Protocol>(value, out, options); !appended)
    return std::move(appended).error();
  return out;
}
template <protocol Protocol = binary, class T>
[[nodiscard]] buffer encode(const T& value, const encode_options& options = detail::codec::usual_encoding) {
  buffer out;
  append_encoded<Protocol>(value, out, options);
  return out;
}

/// Writes to the memory of the caller and returns the number of bytes. Error: buffer_too_small; the content
/// of the memory is then unspecified. Allocates only near the end of the memory.
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
