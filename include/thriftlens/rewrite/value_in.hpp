// value_in: a C++ value as wire bytes of an IDL type. Never changes a number or text to make it fit.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/view/conform.hpp>
#include <thriftlens/view/view.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bytes that are already wire bytes of the target type; validated when they are used. Borrowed.
struct wire_bytes {
  byte_view bytes;
};

namespace detail {

template <class T>
inline constexpr bool is_view = false;
template <protocol P>
inline constexpr bool is_view<view<P>> = true;

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
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

/// Whether a double can hold the integer.
[[nodiscard]] constexpr bool is_exact(std::int64_t value) noexcept {
  constexpr std::int64_t last = std::int64_t{1} << 53;
  return value >= -last && value <= last;
}
/// Whether a number type can hold the value: ok or value_range; value_type if it is not a number.
[[nodiscard]] constexpr errc check_integer(ttype wire, std::int64_t value) noexcept {
  const bool is_double = wire == ttype::double_;
  if (!is_double && !is_integer(wire)) return errc::value_type;
  return (is_double ? is_exact(value) : fits_integer(wire, value)) ? errc::ok : errc::value_range;
}
/// Writes a number that check_integer() allows.
template <protocol P>
[[nodiscard]] std::uint8_t* put_integer_as(std::uint8_t* at, ttype wire, std::int64_t value) noexcept {
  return wire == ttype::double_ ? P::put_double(at, static_cast<double>(value))
                                : put_integer<P>(at, wire, value);
}
/// Writes numbers of the width the type has; answers value_range or value_type where they cannot be.
template <protocol P, class Out>
[[nodiscard]] inline errc append_integer(Out& out, type to, std::int64_t value) {
  const errc code = check_integer(to.wire(), value);
  if (code == errc::ok) out.commit(put_integer_as<P>(out.prepare(P::max_number), to.wire(), value));
  return code;
}
template <protocol P, class Out>
[[nodiscard]] inline errc append_double(Out& out, type to, double value) {
  if (to.kind() != type_kind::double_) return errc::value_type;
  out.commit(P::put_double(out.prepare(P::max_number), value));
  return errc::ok;
}
template <protocol P, class Out>
[[nodiscard]] inline errc append_bool(Out& out, type to, bool value) {
  if (to.kind() != type_kind::bool_) return errc::value_type;
  out.commit(P::put_bool(out.prepare(P::max_number), value));
  return errc::ok;
}
template <protocol P, class Out>
[[nodiscard]] inline errc append_uuid(Out& out, type to, const uuid_bytes& value) {
  if (to.kind() != type_kind::uuid) return errc::value_type;
  out.commit(P::put_uuid(out.prepare(P::uuid_size), value));
  return errc::ok;
}
/// A bool, integer, enum or floating point number.
template <protocol P, class T, class Out>
[[nodiscard]] inline errc append_number(Out& out, type to, T value) {
  if constexpr (std::same_as<T, bool>) {
    return append_bool<P>(out, to, value);
  } else if constexpr (std::is_enum_v<T>) {
    return append_number<P>(out, to, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::floating_point<T>) {
    return append_double<P>(out, to, static_cast<double>(value));
  } else {
    const auto number = static_cast<std::int64_t>(value);
    const bool is_too_large = std::unsigned_integral<T> && number < 0;
    return is_too_large ? errc::value_range : append_integer<P>(out, to, number);
  }
}
/// The number of an enum's member.
template <protocol P, class Out>
[[nodiscard]] inline errc put_member(Out& out, type to, std::string_view name) {
  const std::optional<std::int32_t> number = to.member_value(name);
  return number ? append_integer<P>(out, to, *number) : errc::unknown_enum_name;
}
template <protocol P, class Out>
[[nodiscard]] inline errc put_text(Out& out, type to, std::string_view text) {
  if (to.kind() == type_kind::enum_) return put_member<P>(out, to, text);
  if (to.wire() != ttype::string) return errc::value_type;
  if (text.size() > 0x7fffffffu) return errc::value_range;
  out.commit(P::put_size(out.prepare(P::max_length_prefix), static_cast<std::uint32_t>(text.size())));
  out.append({text.data(), text.size()});
  return errc::ok;
}
template <protocol P, class Out>
[[nodiscard]] errc append_wire_bytes(Out& out, type to, byte_view bytes) {
  if (fault invalid = conforms<P>(bytes, to)) return invalid.code;
  out.append(bytes);
  return errc::ok;
}
template <protocol P, class Out>
[[nodiscard]] errc append_view(Out& out, type to, const view<P>& value) {
  if (value.code() == errc::ok && value.wire() != to.wire()) return errc::value_type;
  result<byte_view> bytes = value.try_bytes();
  if (!bytes) return bytes.error().code();
  if (value.type() != to)
    return same_structs(value.type(), to) ? append_wire_bytes<P>(out, to, *bytes) : errc::value_type;
  out.append(*bytes);
  return errc::ok;
}
template <protocol P, class Out>
[[nodiscard]] errc append_key(Out& out, type to, const map_key& value) {
  using form = map_key::form;
  const form kind = value.kind();
  if (kind == form::wire) return append_wire_bytes<P>(out, to, value.bytes());
  if (kind == form::text || kind == form::name) return put_text<P>(out, to, value.text());
  if (kind == form::boolean) return append_bool<P>(out, to, value.boolean());
  if (kind == form::real) return append_double<P>(out, to, value.real());
  return append_integer<P>(out, to, value.integer());
}
/// Containers with their header filled in after the elements.
template <protocol P, class Range>
[[nodiscard]] errc put_range(buffer& out, type to, const Range& range);
/// A uuid, text, key, bytes or range.
template <protocol P, class T, class Out>
[[nodiscard]] errc append_plain(Out& out, type to, const T& value) {
  if constexpr (std::same_as<T, uuid_bytes>) {
    return append_uuid<P>(out, to, value);
  } else if constexpr (text_like<T>) {
    return put_text<P>(out, to, value);
  } else if constexpr (std::same_as<T, map_key>) {
    return append_key<P>(out, to, value);
  } else if constexpr (blob_like<T>) {
    if (to.wire() == ttype::string) return put_text<P>(out, to, byte_view(value).text());
    return put_range<P>(out, to, value);
  } else {
    static_assert(
        std::ranges::input_range<const T>,
        "thriftlens: a value is a number, enum, text, bytes, uuid, view, wire_bytes, json_text or a "
        "range of these; a bound struct is wire_bytes{encode(value)}");
    return put_range<P>(out, to, value);
  }
}

/// Appends `value` as a value of type `to` (a bool as in an element). ok, value_type, value_range,
/// unknown_enum_name, or the fault of the bytes of a view or wire_bytes; then the buffer is unchanged. Other
/// classes (json_text) provide an append_as. Integers convert to doubles if exact; texts name enum members.
/// `Out`: a buffer.
template <protocol P, class T, class Out>
[[nodiscard]] errc append_value(Out& out, type to, const T& value) {
  if constexpr (detail::is_number<T>) {
    return detail::append_number<P>(out, to, value);
  } else if constexpr (requires { value.template append_as<P>(out, to); }) {
    return value.template append_as<P>(out, to);
  } else if constexpr (std::same_as<T, wire_bytes>) {
    return detail::append_wire_bytes<P>(out, to, value.bytes);
  } else if constexpr (detail::is_view<T>) {
    static_assert(std::is_same_v<typename T::protocol_type, P>,
                  "convert the view's bytes to this protocol first");
    return detail::append_view(out, to, value);
  } else {
    return detail::append_plain<P>(out, to, value);
  }
}

template <protocol P, class Entry>
[[nodiscard]] errc put_entry(buffer& out, type to, const Entry& entry) {
  const auto& [key, value] = entry;
  const errc code = append_value<P>(out, to.key(), key);
  return code == errc::ok ? append_value<P>(out, to.value(), value) : code;
}
/// Counts the values that `put` writes.
template <class Range, class Put>
[[nodiscard]] errc put_each(const Range& range, std::uint32_t& size, Put put) {
  for (const auto& item : range) {
    if (const errc code = put(item); code != errc::ok) return code;
    ++size;
  }
  return errc::ok;
}
template <protocol P, class Range>
[[nodiscard]] errc put_entries(buffer& out, type to, const Range& range) {
  if (to.kind() != type_kind::map) return errc::value_type;
  typename P::writer writer(out);
  const container_mark mark = writer.begin_map(to.key().wire(), to.value().wire());
  std::uint32_t size = 0;
  const auto put = [&](const auto& entry) { return put_entry<P>(out, to, entry); };
  if (const errc code = put_each(range, size, put); code != errc::ok) return code;
  writer.end_map(mark, size);
  return errc::ok;
}
template <protocol P, class Range>
[[nodiscard]] errc put_elements(buffer& out, type to, const Range& range) {
  if (!to.is_sequence()) return errc::value_type;
  typename P::writer writer(out);
  const container_mark mark = writer.begin_list(to.element().wire());
  std::uint32_t size = 0;
  using element = std::ranges::range_value_t<const Range>;
  const auto put = [&](const element& item) { return append_value<P>(out, to.element(), item); };
  if (const errc code = put_each(range, size, put); code != errc::ok) return code;
  writer.end_list(mark, size);
  return errc::ok;
}
template <protocol P>
[[nodiscard]] errc check_keys(const buffer& out, std::size_t begin, type of) {
  const byte_view written(out.data() + begin, out.size() - begin);
  return repeats_key<P>(written, of.wire()) ? errc::duplicate_key : errc::ok;
}
template <protocol P, class Range>
errc put_range(buffer& out, type to, const Range& range) {
  const std::size_t begin = out.size();
  errc code = errc::ok;
  if constexpr (pair_like<std::ranges::range_value_t<const Range>>)
    code = put_entries<P>(out, to, range);
  else
    code = put_elements<P>(out, to, range);
  if (code == errc::ok) code = check_keys<P>(out, begin, to);
  if (code != errc::ok) out.truncate(begin);
  return code;
}

/// "the integer 5": a caller's number for a message.
template <class T>
[[nodiscard]] std::string number_text(T value) {
  if constexpr (std::same_as<T, bool>)
    return value ? "the bool true" : "the bool false";
  else if constexpr (std::is_enum_v<T>)
    return joined({"an enum of number ", static_cast<std::underlying_type_t<T>>(value)});
  else
    return (std::integral<T> ? "the integer " : "the double ") + std::to_string(value);
}
template <class T>
[[nodiscard]] constexpr const char* form_text() {
  if constexpr (std::same_as<T, wire_bytes>)
    return "wire bytes";
  else if constexpr (std::same_as<T, uuid_bytes>)
    return "a uuid";
  else if constexpr (blob_like<T>)
    return "bytes";
  else if constexpr (!std::ranges::input_range<const T>)
    return "a value";
  else if constexpr (pair_like<std::ranges::range_value_t<const T>>)
    return "a map";
  else
    return "a list";
}
/// "the integer 5", "the text 'x'": a caller's value for a message.
template <class T>
[[nodiscard]] std::string value_text(const T& value) {
  if constexpr (is_number<T>)
    return number_text(value);
  else if constexpr (is_view<T>)
    return value.code() == errc::ok ? value.described() : std::string("an empty view");
  else if constexpr (text_like<T>)
    return joined({"the text ", in_quotes(value)});
  else
    return form_text<T>();
}

/// The message for a value that append_value() rejected: "expected i64, given the text 'x'". Empty if the
/// code says enough: the bytes of a view or of wire_bytes are broken. Cold.
template <class T>
[[nodiscard]] THRIFTLENS_COLD std::string refused_value_text(errc code, type to, const T& value) {
  if constexpr (detail::text_like<T>) {
    if (code == errc::unknown_enum_name) return no_such_member_text(to, value);
  }
  if (code != errc::value_type && code != errc::value_range) return {};
  return joined({"expected ", to.name(), ", got ", detail::value_text(value)});
}
/// The error of json_text or wire_bytes, with a path inside the value; code ok for other values.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_COLD error error_inside(type to, const T& value) {
  if constexpr (requires(buffer& out) { value.template try_append_as<P>(to, out); }) {
    buffer unused;
    if (auto result = value.template try_append_as<P>(to, unused); !result) return result.error();
  } else if constexpr (std::same_as<T, wire_bytes>) {
    if (const fault reason = conforms<P>(value.bytes, to)) return explain<P>(value.bytes, to, reason);
  }
  return {};
}
/// The error of a value that does not fit at a path. For json_text and wire_bytes the path goes on inside the
/// value, in which the offset counts.
template <protocol P, class T>
[[nodiscard]] THRIFTLENS_COLD error refused_value(errc code, const path& way, type to, const T& value) {
  const error inside = error_inside<P>(to, value);
  std::string place(way.text());
  if (inside.code() == errc::ok)
    return error(code, refused_value_text(code, to, value), error::no_offset, std::move(place));
  if (!inside.path().empty()) place += inside.path().substr(1);
  return inside.at(std::move(place));
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
