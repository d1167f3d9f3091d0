// call_value: the caller's values as the structs and values that messages carry. Never puts bytes into a
// message that are not what the IDL says.
#pragma once

#include <thriftlens/codec/encode.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/view/explain.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The arguments of a function that takes none, and the result of one that returns nothing.
struct no_value {
  template <protocol P>
  [[nodiscard]] result<void> try_append_as(type /*to*/, buffer& out) const {
    out.commit(P::put_stop(out.prepare(1)));
    return {};
  }
};

namespace detail {

/// Whether a value that is given as bytes or text lies in the output of the same call.
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

/// Appends a value of any kind, as its own kind checks it.
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
/// Appends a value of type `to`, and checks what was written, whatever kind of value it is: structure, wire
/// types, required fields, duplicate fields, union members. Errors: of the value, with its path in it; the
/// caller reverts what was written.
template <protocol P, class T>
[[nodiscard]] result<void> append_call_value(buffer& out, type to, const T& value) {
  const std::size_t begin = out.size();
  if (result<void> done = append_unchecked_value<P>(out, to, value); !done) return done;
  const byte_view bytes(out.data() + begin, out.size() - begin);
  const fault why = check_value<P>(bytes, to.wire(), to);
  if (why.code == errc::ok) return {};
  return explain<P>(bytes, to, why);
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
