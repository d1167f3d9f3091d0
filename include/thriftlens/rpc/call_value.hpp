// call_value: encodes the caller's arguments and results, and checks them against the IDL.
#pragma once

#include <thriftlens/codec/encode.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/view/explain.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The arguments of a function without parameters, and the result of a void function.
struct no_value {
  template <protocol P>
  [[nodiscard]] result<void> try_append_as(type /*to*/, buffer& out) const {
    out.commit(P::put_stop(out.prepare(1)));
    return {};
  }
};

namespace detail {

/// Whether a value passed as bytes or text overlaps the output of the same call.
template <class T>
[[nodiscard]] bool lies_in(const T& value, const buffer& out) noexcept {
  if constexpr (std::same_as<T, wire_bytes>)
    return overlaps(value.bytes, out);
  else if constexpr (is_view<T>)
    return overlaps(value.whole(), out);
  else if constexpr (requires { std::string_view(value.text); })  // json_text
    return overlaps(byte_view(std::string_view(value.text)), out);
  else if constexpr (std::convertible_to<const T&, std::string_view>)
    return overlaps(byte_view(std::string_view(value)), out);
  else if constexpr (std::convertible_to<const T&, byte_view>)
    return overlaps(byte_view(value), out);
  else
    return false;
}

/// Appends a value of any kind with the checks of that kind only.
template <protocol P, class T>
[[nodiscard]] result<void> append_unchecked_value(buffer& out, type to, const T& value) {
  if constexpr (requires { value.template try_append_as<P>(to, out); }) {
    return value.template try_append_as<P>(to, out);
  } else if constexpr (std::same_as<T, wire_bytes>) {
    out.append(value.bytes);
    return {};
  } else if constexpr (bound<T>) {
    return try_append_encoded<P>(value, out);
  } else {
    const errc code = append_value<P>(out, to, value);
    if (code == errc::ok) return {};
    return error(code, refused_value_text(code, to, value));
  }
}
/// Appends a value of type `to` and validates the bytes: wire types, required fields, duplicate fields, union
/// members. Errors contain the path in the value; the caller truncates the output then.
template <protocol P, class T>
[[nodiscard]] result<void> append_call_value(buffer& out, type to, const T& value) {
  const std::size_t begin = out.size();
  if (result<void> done = append_unchecked_value<P>(out, to, value); !done) return done;
  const byte_view bytes(out.data() + begin, out.size() - begin);
  const fault reason = check_value<P>(bytes, to.wire(), to);
  if (reason.code == errc::ok) return {};
  return explain<P>(bytes, to, reason);
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
