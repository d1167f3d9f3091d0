// flat: values whose size is a constant plus the lengths of their strings, written after one reservation.
// Writing cannot fail: values are checked first (texts_fit, numbers_fit).
#pragma once

#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/text.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/gather.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Adapters are called once per value, so only those with a wire value of fixed size are flat.
template <class T>
inline constexpr bool is_leaf = is_fixed<T> || kind_of<T> == value_kind::enumeration || is_text_value<T>;
template <class T>
  requires(kind_of<T> == value_kind::adapted)
inline constexpr bool is_leaf<T> = is_fixed<adapted_wire<T>> && !is_unsigned_number<adapted_wire<T>>;

template <class T>
[[nodiscard]] constexpr bool find_flat() noexcept;
template <class T>
inline constexpr bool is_flat = find_flat<T>();
/// Empty elements and keys are rejected, so nullable ones are not flat.
template <class T>
inline constexpr bool is_flat_element = is_flat<T> && !is_nullable_value<T>;

/// A flat member: if nullable, an empty one is omitted and cannot be rejected.
template <class T, std::size_t Index>
inline constexpr bool is_flat_member =
    is_flat<member_type<T, Index>> && !members<T>::template omits_default<Index> &&
    !(members<T>::template required<Index> && is_nullable_value<member_type<T, Index>>);

/// Larger structs are not flat: a flat value is written by one function, instantiated for every enclosing
/// struct.
inline constexpr std::size_t max_flat_object = 256;

namespace detail {
template <class T, std::size_t... Index>
[[nodiscard]] constexpr bool all_flat(std::index_sequence<Index...>) noexcept {
  return (is_flat_member<T, Index> && ...);
}
}  // namespace detail
template <class T>
[[nodiscard]] constexpr bool find_flat() noexcept {
  if constexpr (is_nullable_value<T>) {
    return is_leaf<pointed<T>>;
  } else if constexpr (is_struct_value<T> && bound<T>) {
    if constexpr (members<T>::keeps_unknown || sizeof(T) > max_flat_object)
      return false;
    else
      return detail::all_flat<T>(member_indices<T>());
  } else {
    return is_leaf<T>;
  }
}

template <class T>
[[nodiscard]] constexpr std::uint32_t flat_depth() noexcept;
namespace detail {
template <class T, std::size_t... Index>
[[nodiscard]] constexpr std::uint32_t inner_depth(std::index_sequence<Index...>) noexcept {
  return thriftlens::detail::greatest(std::uint32_t{0}, flat_depth<member_type<T, Index>>()...);
}
}  // namespace detail
/// Nesting depth, including this struct.
template <class T>
[[nodiscard]] constexpr std::uint32_t flat_depth() noexcept {
  if constexpr (is_struct_value<T>)
    return detail::inner_depth<T>(member_indices<T>()) + 1;
  else
    return 0;
}

template <protocol P, class T>
[[nodiscard]] constexpr std::size_t flat_base() noexcept;
namespace detail {
template <class P, class T, std::size_t... Index>
[[nodiscard]] constexpr std::size_t fields_base(std::index_sequence<Index...>) noexcept {
  return (std::size_t{1} + ... + (P::max_field_header + flat_base<P, member_type<T, Index>>()));
}
}  // namespace detail
/// Maximum size of a flat value, without strings.
template <protocol P, class T>
[[nodiscard]] constexpr std::size_t flat_base() noexcept {
  if constexpr (is_text_value<T>) {
    return P::max_length_prefix;
  } else if constexpr (is_nullable_value<T>) {
    return flat_base<P, pointed<T>>();
  } else if constexpr (is_struct_value<T>) {
    return detail::fields_base<P, T>(member_indices<T>());
  } else {
    constexpr std::size_t width = element_width<P>(wire_type<T>());
    return width != 0 ? width : P::max_number;
  }
}

/// Properties of the parts of a flat value.
struct flat_parts {
  bool text = false;
  bool nullable = false;         ///< a field may be left out
  bool unsigned_number = false;  ///< a number may be refused

  [[nodiscard]] friend constexpr flat_parts operator|(flat_parts lhs, flat_parts rhs) noexcept {
    return {lhs.text || rhs.text, lhs.nullable || rhs.nullable, lhs.unsigned_number || rhs.unsigned_number};
  }
};
template <class T>
[[nodiscard]] constexpr flat_parts find_flat_parts() noexcept;
template <class T>
inline constexpr flat_parts flat_parts_of = find_flat_parts<T>();
namespace detail {
template <class T, std::size_t... Index>
[[nodiscard]] constexpr flat_parts join_flat_parts(std::index_sequence<Index...>) noexcept {
  return (flat_parts() | ... | flat_parts_of<member_type<T, Index>>);
}
}  // namespace detail
template <class T>
[[nodiscard]] constexpr flat_parts find_flat_parts() noexcept {
  if constexpr (is_struct_value<T>)
    return detail::join_flat_parts<T>(member_indices<T>());
  else if constexpr (is_nullable_value<T>)
    return {is_text_value<pointed<T>>, true, is_unsigned_number<pointed<T>>};
  else
    return {is_text_value<T>, false, is_unsigned_number<T>};
}
template <class T>
inline constexpr bool has_text = flat_parts_of<T>.text;
template <class T>
inline constexpr bool has_nullable = flat_parts_of<T>.nullable;
template <class T>
inline constexpr bool has_unsigned = flat_parts_of<T>.unsigned_number;

template <bool Links, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t flat_text(const T& value) noexcept;
namespace detail {
template <bool Links, class T, std::size_t... Index>
[[nodiscard]] THRIFTLENS_INLINE std::size_t fields_text(const T& value,
                                                        std::index_sequence<Index...>) noexcept {
  return (std::size_t{0} + ... + flat_text<Links>(members<T>::template get<Index>(value)));
}
}  // namespace detail
/// Bytes of all strings in a flat value, with Links without those that a gather list borrows.
template <bool Links, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t flat_text(const T& value) noexcept {
  if constexpr (!has_text<T>) {
    return 0;
  } else if constexpr (is_struct_value<T>) {
    return detail::fields_text<Links>(value, member_indices<T>());
  } else if constexpr (is_nullable_value<T>) {
    return is_missing(value) ? 0 : flat_text<Links>(*value);
  } else {
    const std::size_t size = text_bytes(value).size();
    return !Links || size < gather_list::worth_linking ? size : 0;
  }
}

/// Maximum size of a string on the wire.
inline constexpr std::size_t max_wire_size = 0x7fffffff;

template <class T>
[[nodiscard]] bool texts_fit(const T& value) noexcept;
template <class T>
[[nodiscard]] THRIFTLENS_INLINE bool numbers_fit(const T& value) noexcept;
namespace detail {
template <class T, std::size_t... Index>
[[nodiscard]] bool field_texts_fit(const T& value, std::index_sequence<Index...>) noexcept {
  return (texts_fit(members<T>::template get<Index>(value)) && ...);
}
template <class T, std::size_t... Index>
[[nodiscard]] THRIFTLENS_INLINE bool field_numbers_fit(const T& value,
                                                       std::index_sequence<Index...>) noexcept {
  return (numbers_fit(members<T>::template get<Index>(value)) && ...);
}
}  // namespace detail
/// Whether all strings of a flat value fit the wire.
template <class T>
[[nodiscard]] bool texts_fit(const T& value) noexcept {
  if constexpr (!has_text<T>)
    return true;
  else if constexpr (is_struct_value<T>)
    return detail::field_texts_fit(value, member_indices<T>());
  else if constexpr (is_nullable_value<T>)
    return is_missing(value) || texts_fit(*value);
  else
    return text_bytes(value).size() <= max_wire_size;
}
/// Whether all unsigned numbers of a flat value fit their wire types.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE bool numbers_fit(const T& value) noexcept {
  if constexpr (!has_unsigned<T>)
    return true;
  else if constexpr (is_struct_value<T>)
    return detail::field_numbers_fit(value, member_indices<T>());
  else if constexpr (is_nullable_value<T>)
    return is_missing(value) || numbers_fit(*value);
  else
    return fits_wire(value);
}

// ---- their bytes; State: flat_target, or a write_state that borrows long strings

/// Target of flat values whose memory was reserved before.
template <protocol Protocol>
struct flat_target {
  using protocol_type = Protocol;
  static constexpr bool links = false;
};
/// The state that flat values need: without borrowing, only its protocol.
template <class State>
[[nodiscard]] THRIFTLENS_INLINE decltype(auto) to_flat(State& state) noexcept {
  if constexpr (State::links)
    return (state);
  else
    return flat_target<typename State::protocol_type>();
}

/// Writes a string to reserved memory.
template <class State, class T>
THRIFTLENS_INLINE write_cursor put_text(State& state, write_cursor to, const T& value) {
  const byte_view bytes = text_bytes(value);
  to = State::protocol_type::put_size(to, static_cast<std::uint32_t>(bytes.size()));
  if constexpr (State::links) {
    if (bytes.size() >= gather_list::worth_linking) {
      state.sink.link(to, bytes);
      return to;
    }
  }
  copy_bytes(to, bytes.data(), bytes.size());
  return to + bytes.size();
}

template <class T>
THRIFTLENS_INLINE write_cursor put_uuid(write_cursor to, const T& value) noexcept {
  std::memcpy(to, value.data(), value.size());
  return to + value.size();
}

/// Writes a flat value to reserved memory.
template <class State, class T>
THRIFTLENS_INLINE write_cursor put_flat(State& state, write_cursor to, const T& value);

/// The wire bool of a bool or an adapted type.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE bool wire_bool(const T& value) {
  if constexpr (kind_of<T> == value_kind::adapted)
    return codec::to_wire(value);
  else
    return value;
}

/// Four bytes in one store; the value overwrites the last.
[[nodiscard]] THRIFTLENS_INLINE write_cursor put_binary_header(write_cursor to,
                                                               std::uint32_t header) noexcept {
  store_le(to, header);
  return to + 3;
}
/// Writes header and value of a flat field; omits an empty one.
template <class State, ttype Wire, class T>
THRIFTLENS_INLINE write_cursor put_flat_field(State& state, write_cursor to, std::int16_t id,
                                              std::int16_t& last_id, const T& value) {
  using P = typename State::protocol_type;
  if constexpr (is_nullable_value<T>)
    return is_missing(value) ? to : put_flat_field<State, Wire>(state, to, id, last_id, *value);
  else if constexpr (Wire == ttype::bool_)
    return P::put_bool_field(to, id, wire_bool(value), last_id);
  else if constexpr (P::traits.has_fixed_layout)
    return put_flat(state, put_binary_header(to, binary_header(Wire, id)), value);
  else
    return put_flat(state, P::put_field(to, Wire, id, last_id), value);
}

template <class State, class T, std::size_t... Index>
THRIFTLENS_INLINE write_cursor put_flat_struct(State& state, write_cursor to, const T& value,
                                               std::index_sequence<Index...>) {
  [[maybe_unused]] std::int16_t last_id = 0;
  ((to = put_flat_field<State, member_wire<T, Index>>(state, to, members<T>::template id<Index>, last_id,
                                                      members<T>::template get<Index>(value))),
   ...);
  return State::protocol_type::put_stop(to);
}

template <class State, class T>
THRIFTLENS_INLINE write_cursor put_flat(State& state, write_cursor to, const T& value) {
  using P = typename State::protocol_type;
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::boolean)
    return P::put_bool(to, value);
  else if constexpr (kind == value_kind::number || kind == value_kind::enumeration)
    return P::put_number(to, to_wire_number(value));
  else if constexpr (kind == value_kind::text)
    return put_text(state, to, value);
  else if constexpr (kind == value_kind::adapted)
    return put_flat(state, to, codec::to_wire(value));
  else if constexpr (kind == value_kind::structure)
    return put_flat_struct(state, to, value, member_indices<T>());
  else
    return put_uuid(to, value);
}

template <class State, class T>
write_cursor refuse_number(State& state, const T& value);
/// False, after a failure, if the member holds a number outside its wire type.
template <class T, std::size_t Index, class State>
[[nodiscard]] bool refuse_member(State& state, const T& value) {
  const auto& member = members<T>::template get<Index>(value);
  if (numbers_fit(member)) return true;
  refuse_number(state, member);
  state.in_field(members<T>::template name<Index>(), members<T>::template id<Index>);
  return false;
}
/// Fails with the path of the first number of a flat value outside its wire type.
template <class State, class T>
THRIFTLENS_COLD write_cursor refuse_number(State& state, const T& value) {
  if constexpr (is_unsigned_number<T>) {
    return state.reject(errc::value_range);
  } else if constexpr (!has_unsigned<T>) {
    return nullptr;
  } else if constexpr (is_nullable_value<T>) {
    return refuse_number(state, *value);
  } else if constexpr (is_struct_value<T>) {
    for_each_member<T>([&](auto index) { return refuse_member<T, index>(state, value); });
  }
  return nullptr;
}

/// Reserves memory for flat values and `more` bytes; nullptr after a failure. Their numbers must fit.
template <class State, class... T>
THRIFTLENS_INLINE write_cursor reserve_flat(State& state, write_cursor to, std::uint32_t depth,
                                            std::size_t more, const T&... values) {
  using P = typename State::protocol_type;
  constexpr std::uint32_t max_depth = thriftlens::detail::greatest(flat_depth<T>()...);
  if (depth < max_depth) [[unlikely]]
    return state.reject(errc::depth_limit);
  const std::size_t texts = (std::size_t{0} + ... + flat_text<State::links>(values));
  if (texts > max_wire_size && !(texts_fit(values) && ...)) [[unlikely]]
    return state.reject(errc::size_limit);
  return state.reserve(to, (more + ... + flat_base<P, T>()) + texts);
}

/// Reserves memory for a flat value and writes it.
template <class State, class T>
THRIFTLENS_INLINE write_cursor write_flat(State& state, write_cursor to, const T& value,
                                          std::uint32_t depth) {
  if (!numbers_fit(value)) return refuse_number(state, value);
  to = reserve_flat(state, to, depth, 0, value);
  if (to == nullptr) [[unlikely]]
    return nullptr;
  auto&& target = to_flat(state);
  return put_flat(target, to, value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
