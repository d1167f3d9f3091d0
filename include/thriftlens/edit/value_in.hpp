// value_in: a C++ value as wire bytes of an IDL type.
// In: a type and a bool, number, text, bytes, enum name, uuid, range, map, view or checked wire bytes. Out:
// bytes at the end of a buffer. Never changes a number or text to make it fit.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/view/conform.hpp>
#include <thriftlens/view/view.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bytes that are already wire bytes of the type they are put at; checked before they are taken. Borrowed.
struct wire_bytes {
  byte_view bytes;
};

namespace detail {

template <class T>
inline constexpr bool is_view = false;
template <protocol P>
inline constexpr bool is_view<view<P>> = true;

template <class T>
concept text_like = std::convertible_to<const T&, std::string_view>;
template <class T>
concept blob_like = std::same_as<T, byte_view> || std::same_as<T, std::span<const std::uint8_t>> ||
                    std::same_as<T, std::vector<std::uint8_t>>;
template <class T>
concept pair_like = requires(const T& pair) {
  pair.first;
  pair.second;
};

/// Writes numbers of the width the type has; answers value_range or value_type where they cannot be.
template <protocol P, class Out>
[[nodiscard]] inline errc append_integer(Out& out, type to, std::int64_t value) {
  auto fits = [value](std::int64_t low, std::int64_t high) { return value >= low && value <= high; };
  std::uint8_t* at = out.reserve(P::number_room);
  switch (to.kind()) {
    case type_kind::i8:
      if (!fits(-0x80, 0x7f)) return errc::value_range;
      return out.commit(P::put_i8(at, static_cast<std::int8_t>(value))), errc::ok;
    case type_kind::i16:
      if (!fits(-0x8000, 0x7fff)) return errc::value_range;
      return out.commit(P::put_i16(at, static_cast<std::int16_t>(value))), errc::ok;
    case type_kind::i32:
    case type_kind::enum_:
      if (!fits(-0x80000000LL, 0x7fffffffLL)) return errc::value_range;
      return out.commit(P::put_i32(at, static_cast<std::int32_t>(value))), errc::ok;
    case type_kind::i64:
      return out.commit(P::put_i64(at, value)), errc::ok;
    case type_kind::double_: {
      constexpr std::int64_t exact = std::int64_t{1} << 53;
      if (!fits(-exact, exact)) return errc::value_range;
      return out.commit(P::put_double(at, static_cast<double>(value))), errc::ok;
    }
    default:
      return errc::value_type;
  }
}
template <protocol P, class Out>
[[nodiscard]] inline errc put_text(Out& out, type to, std::string_view text) {
  if (to.kind() == type_kind::enum_) {
    std::optional<std::int32_t> number = to.member_value(text);
    return number ? append_integer<P>(out, to, *number) : errc::unknown_enum_name;
  }
  if (to.wire() != ttype::string) return errc::value_type;
  if (text.size() > 0x7fffffffu) return errc::value_range;
  out.commit(P::put_size(out.reserve(P::size_room), static_cast<std::uint32_t>(text.size())));
  out.append({text.data(), text.size()});
  return errc::ok;
}
/// Containers with their header filled in behind the elements.
template <protocol P, class Range>
[[nodiscard]] errc put_range(buffer& out, type to, const Range& range);

}  // namespace detail

/// Appends `value` as a value of type `to` (a bool as an element has it). ok, value_type, value_range,
/// unknown_enum_name, or what the bytes of a view or wire_bytes are broken by; then the buffer is as before.
/// A value of another room (json_text) writes itself by its append_as. Integers may stand for doubles where
/// they are exact; texts name enum members. `Out`: a buffer.
template <protocol P, class T, class Out>
[[nodiscard]] errc append_value(Out& out, type to, const T& value) {
  if constexpr (std::same_as<T, bool>) {
    if (to.kind() != type_kind::bool_) return errc::value_type;
    return out.commit(P::put_bool(out.reserve(P::number_room), value)), errc::ok;
  } else if constexpr (std::is_enum_v<T>) {
    return append_value<P>(out, to,
                           +static_cast<std::underlying_type_t<T>>(value));  // + : a small one as an int
  } else if constexpr (std::signed_integral<T>) {
    return detail::append_integer<P>(out, to, value);
  } else if constexpr (std::unsigned_integral<T>) {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return errc::value_range;
    return detail::append_integer<P>(out, to, static_cast<std::int64_t>(value));
  } else if constexpr (std::floating_point<T>) {
    if (to.kind() != type_kind::double_) return errc::value_type;
    return out.commit(P::put_double(out.reserve(P::number_room), static_cast<double>(value))), errc::ok;
  } else if constexpr (requires { value.template append_as<P>(out, to); }) {
    return value.template append_as<P>(out, to);
  } else if constexpr (std::same_as<T, wire_bytes>) {
    if (fault why = conforms<P>(value.bytes, to)) return why.code;
    return out.append(value.bytes), errc::ok;
  } else if constexpr (detail::is_view<T>) {
    static_assert(std::is_same_v<typename T::protocol_type, P>,
                  "convert the view's bytes to this protocol first");
    if (value.code() == errc::ok && value.wire() != to.wire()) return errc::value_type;
    result<byte_view> bytes = value.try_bytes();
    if (!bytes) return bytes.error().code();
    if (value.type() == to) return out.append(*bytes), errc::ok;
    return append_value<P>(out, to, wire_bytes{*bytes});
  } else if constexpr (std::same_as<T, uuid_bytes>) {
    if (to.kind() != type_kind::uuid) return errc::value_type;
    return out.commit(P::put_uuid(out.reserve(P::uuid_room), value)), errc::ok;
  } else if constexpr (detail::text_like<T>) {
    return detail::put_text<P>(out, to, value);
  } else if constexpr (std::same_as<T, map_key>) {
    using form = map_key::form;
    if (value.kind() == form::wire) return append_value<P>(out, to, wire_bytes{value.bytes()});
    if (value.kind() == form::text || value.kind() == form::name)
      return detail::put_text<P>(out, to, value.text());
    if (value.kind() == form::boolean) return append_value<P>(out, to, value.boolean());
    return value.kind() == form::real ? append_value<P>(out, to, value.real())
                                      : append_value<P>(out, to, value.integer());
  } else if constexpr (detail::blob_like<T>) {
    if (to.wire() == ttype::string)
      return detail::put_text<P>(out, to, {reinterpret_cast<const char*>(value.data()), value.size()});
    return detail::put_range<P>(out, to, value);
  } else {
    static_assert(std::ranges::input_range<const T>, "no such value in Thrift");
    return detail::put_range<P>(out, to, value);
  }
}

namespace detail {
template <protocol P, class Range>
errc put_range(buffer& out, type to, const Range& range) {
  std::size_t begin = out.size();
  typename P::writer writer(out);
  std::uint32_t size = 0;
  errc code = errc::ok;
  if constexpr (pair_like<std::ranges::range_value_t<const Range>>) {
    if (to.kind() != type_kind::map) return errc::value_type;
    container_mark mark = writer.begin_map(to.key().wire(), to.value().wire());
    for (const auto& [key, value] : range) {
      if (code == errc::ok) code = append_value<P>(out, to.key(), key);
      if (code == errc::ok) code = append_value<P>(out, to.value(), value);
      ++size;
    }
    if (code == errc::ok) writer.end_map(mark, size);
  } else {
    if (to.kind() != type_kind::list && to.kind() != type_kind::set) return errc::value_type;
    container_mark mark = writer.begin_list(to.element().wire());
    for (const auto& each : range) {
      if (code == errc::ok)
        code = append_value<P>(out, to.element(),
                               static_cast<const std::ranges::range_value_t<const Range>&>(each));
      ++size;
    }
    if (code == errc::ok) writer.end_list(mark, size);
  }
  if (code != errc::ok) out.truncate(begin);
  return code;
}
}  // namespace detail

namespace detail {
/// "the integer 5", "the text 'x'": what a caller gave.
template <class T>
[[nodiscard]] std::string given_value_text(const T& value) {
  if constexpr (std::same_as<T, bool>)
    return value ? "the bool true" : "the bool false";
  else if constexpr (std::is_enum_v<T>)
    return "an enum of number " + std::to_string(static_cast<std::underlying_type_t<T>>(value));
  else if constexpr (std::integral<T>)
    return "the integer " + std::to_string(value);
  else if constexpr (std::floating_point<T>)
    return "the double " + std::to_string(value);
  else if constexpr (is_view<T>)
    return value.code() == errc::ok ? value.described() : std::string("a view of nothing");
  else if constexpr (std::same_as<T, wire_bytes>)
    return "wire bytes";
  else if constexpr (std::same_as<T, uuid_bytes>)
    return "a uuid";
  else if constexpr (text_like<T>)
    return "the text " + in_quotes(value);
  else if constexpr (blob_like<T>)
    return "bytes";
  else if constexpr (std::ranges::input_range<const T>) {
    if constexpr (pair_like<std::ranges::range_value_t<const T>>)
      return "a map";
    else
      return "a list";
  } else
    return "a value";
}
}  // namespace detail

/// What to say about a value that append_value() refused: "expected i64, given the text 'x'". Empty where the
/// code's own sentence says it: the bytes of a view or of wire_bytes are broken. Cold.
template <class T>
[[nodiscard]] THRIFTLENS_COLD std::string refused_value_text(errc code, type to, const T& value) {
  if constexpr (detail::text_like<T>) {
    if (code == errc::unknown_enum_name) return no_such_member_text(to, value);
  }
  if (code != errc::value_type && code != errc::value_range) return {};
  return "expected " + to.name() + ", given " + detail::given_value_text(value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
