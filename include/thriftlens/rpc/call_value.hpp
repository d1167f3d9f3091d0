// call_value: the caller's values as the structs and values that messages carry.
// In: a bound struct, a view, JSON text, wire bytes or a plain value; its IDL type. Out: wire bytes of that
// type. Never puts bytes into a message that are not what the IDL says.
#pragma once

#include <thriftlens/codec/encode.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/value_in.hpp>
#include <thriftlens/view/conform.hpp>
#include <thriftlens/view/explain.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The arguments of a function that takes none, and the result of one that returns nothing.
struct no_value {
  template <protocol P>
  [[nodiscard]] result<void> try_append_as(type /*to*/, buffer& out) const {
    out.commit(P::put_stop(out.reserve(1)));
    return {};
  }
};

namespace detail {

/// Bytes that a caller or a binding made, which have to be one value of the type.
template <protocol P>
[[nodiscard]] result<void> check_value(byte_view bytes, type to) {
  const fault why = conforms<P>(bytes, to);
  if (why.code == errc::ok) return {};
  return explain<P>(bytes, to, why);
}
template <protocol P>
[[nodiscard]] result<void> append_checked(buffer& out, type to, byte_view bytes) {
  if (result<void> done = check_value<P>(bytes, to); !done) return done;
  out.append(bytes);
  return {};
}
/// A binding knows no IDL: what it made is checked.
template <protocol P, class T>
[[nodiscard]] result<void> append_bound(buffer& out, type to, const T& value) {
  const std::size_t begin = out.size();
  if (result<void> done = try_append_encoded<P>(value, out); !done) return done;
  return check_value<P>(byte_view(out.data() + begin, out.size() - begin), to);
}

/// Appends a value of type `to`. Errors: of the value, with its path in it; the caller takes back what was
/// written.
template <protocol P, class T>
[[nodiscard]] result<void> append_call_value(buffer& out, type to, const T& value) {
  if constexpr (requires { value.template try_append_as<P>(to, out); }) {
    return value.template try_append_as<P>(to, out);
  } else if constexpr (std::same_as<T, wire_bytes>) {
    return append_checked<P>(out, to, value.bytes);
  } else if constexpr (bound<T>) {
    return append_bound<P>(out, to, value);
  } else {
    const errc code = append_value<P>(out, to, value);
    if (code == errc::ok) return {};
    return error(code, refused_value_text(code, to, value));
  }
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
