// convert: converts a value from one protocol to another in one pass, without a schema.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/converter.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/select.hpp>

#include <concepts>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends the value in `bytes` in the other protocol. Works for any type; a message header is not part of a
/// value (see message.hpp). Errors, after which the buffer is unchanged: those of reading, trailing_bytes,
/// output_limit. Paths have field ids.
template <protocol From, protocol To>
[[nodiscard]] result<void> try_append_converted(byte_view bytes, buffer& out, const limits& bounds = {},
                                                ttype type = ttype::struct_) {
  if (detail::overlaps(bytes, out)) return detail::overlap_error();
  detail::rollback guard(out);
  typename From::reader in(bytes, bounds);
  typename To::writer writer(out);
  detail::converter<From, To> step(in, writer, bounds);
  if (step.value(type) && (in.at_end() || in.reject(errc::trailing_bytes))) {
    guard.keep();
    return {};
  }
  return detail::with_looks(error(in.fault().code, {}, in.fault().offset, step.path()), bytes, From::id,
                            type);
}
template <protocol From, protocol To>
void append_converted(byte_view bytes, buffer& out, const limits& bounds = {}, ttype type = ttype::struct_) {
  try_append_converted<From, To>(bytes, out, bounds, type).value();
}

/// Same with protocols chosen at run time; copies the bytes unchecked if they are equal. A template, so that
/// all conversions are compiled only if it is called.
[[nodiscard]] result<void> try_append_converted(std::same_as<protocol_id> auto from,
                                                std::same_as<protocol_id> auto to, byte_view bytes,
                                                buffer& out, const limits& bounds = {},
                                                ttype type = ttype::struct_) {
  if (detail::overlaps(bytes, out)) return detail::overlap_error();
  if (from == to) {
    out.append(bytes);
    return {};
  }
  return visit_protocol(from, [&]<class From>(From) {
    return visit_protocol(to, [&]<class To>(To) -> result<void> {
      if constexpr (std::is_same_v<From, To>)
        return {};
      else
        return try_append_converted<From, To>(bytes, out, bounds, type);
    });
  });
}

namespace detail {

/// The bytes for protocol P of a value stored by protocol (`type` encoded as a container element). For a
/// protocol of the program they are converted from Binary into `spare`.
template <protocol P>
[[nodiscard]] byte_view bytes_in(const by_protocol<byte_view>& held, ttype type, buffer& spare) {
  if constexpr (by_protocol<byte_view>::holds<P>) {
    return held[P::id];
  } else {
    spare.clear();
    try_append_converted<binary, P>(held[binary::id], spare, {}, type).value();
    return spare;
  }
}

}  // namespace detail

/// Same, into a new buffer.
template <protocol From, protocol To>
[[nodiscard]] result<buffer> try_convert(byte_view bytes, const limits& bounds = {},
                                         ttype type = ttype::struct_) {
  buffer out;
  result<void> converted = try_append_converted<From, To>(bytes, out, bounds, type);
  if (!converted) return std::move(converted).error();
  return out;
}
template <protocol From, protocol To>
[[nodiscard]] buffer convert(byte_view bytes, const limits& bounds = {}, ttype type = ttype::struct_) {
  return try_convert<From, To>(bytes, bounds, type).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
