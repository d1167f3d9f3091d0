// flat: values whose size is a constant plus the lengths of their strings, written after one check for room.
// In: a type, an object. Out: whether it is flat, how much room it takes at most, its bytes.
// Never fails while it is written: what can be refused is asked for first (texts_fit, numbers_fit).
#pragma once

#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/text.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/gather.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Adapters are called once a value: flat are those whose wire value has a fixed size and is never refused.
template <class T>
inline constexpr bool is_leaf = is_fixed<T> || kind_of<T> == value_kind::enumeration || is_text_value<T>;
template <class T>
  requires(kind_of<T> == value_kind::adapted)
inline constexpr bool is_leaf<T> = is_fixed<adapted_wire<T>> && !is_unsigned_number<adapted_wire<T>>;

template <class T>
[[nodiscard]] constexpr bool find_flat() noexcept;
template <class T>
inline constexpr bool is_flat = find_flat<T>();
/// An empty one is refused as an element or key, so it is not flat there.
template <class T>
inline constexpr bool is_flat_element = is_flat<T> && !is_nullable_value<T>;

/// A flat member: a field that is left out where it is empty, and never refused.
template <class T, std::size_t Index>
inline constexpr bool is_flat_member =
    is_flat<member_type<T, Index>> && !members<T>::template omits_default<Index> &&
    !(members<T>::template required<Index> && is_nullable_value<member_type<T, Index>>);

template <class T>
[[nodiscard]] constexpr bool find_flat() noexcept {
  if constexpr (is_nullable_value<T>) {
    return is_leaf<pointed<T>>;
  } else if constexpr (is_struct_value<T> && bound<T>) {
    if (members<T>::keeps_unknown) return false;
    return for_each_member<T>([](auto index) { return is_flat_member<T, index>; });
  } else {
    return is_leaf<T>;
  }
}

/// Structs in structs, this one counted.
template <class T>
[[nodiscard]] constexpr std::uint32_t flat_depth() noexcept {
  if constexpr (is_struct_value<T>) {
    std::uint32_t max_depth = 0;
    for_each_member<T>([&](auto index) {
      max_depth = std::max(max_depth, flat_depth<member_type<T, index>>());
      return true;
    });
    return max_depth + 1;
  } else {
    return 0;
  }
}

/// The most bytes that a flat value takes, without those of strings.
template <protocol P, class T>
[[nodiscard]] constexpr std::size_t flat_base() noexcept {
  if constexpr (is_text_value<T>) {
    return P::size_room;
  } else if constexpr (is_nullable_value<T>) {
    return flat_base<P, pointed<T>>();
  } else if constexpr (is_struct_value<T>) {
    std::size_t sum = 1;
    for_each_member<T>([&](auto index) {
      sum += P::field_room + flat_base<P, member_type<T, index>>();
      return true;
    });
    return sum;
  } else {
    constexpr std::size_t width = element_width<P>(wire_type<T>());
    return width != 0 ? width : P::number_room;
  }
}

/// Some part of a flat value answers `ask(std::type_identity<Part>())` with true.
template <class T, class Ask>
[[nodiscard]] constexpr bool has_part(Ask ask) noexcept {
  if constexpr (is_struct_value<T>)
    return !for_each_member<T>([&](auto index) { return !has_part<member_type<T, index>>(ask); });
  else if constexpr (is_nullable_value<T>)
    return ask(std::type_identity<T>()) || has_part<pointed<T>>(ask);
  else
    return ask(std::type_identity<T>());
}
template <class T>
inline constexpr bool has_text =
    has_part<T>([]<class Part>(std::type_identity<Part>) { return is_text_value<Part>; });
/// A field may be left out.
template <class T>
inline constexpr bool has_nullable =
    has_part<T>([]<class Part>(std::type_identity<Part>) { return is_nullable_value<Part>; });
/// A number may be refused.
template <class T>
inline constexpr bool has_unsigned =
    has_part<T>([]<class Part>(std::type_identity<Part>) { return is_unsigned_number<Part>; });

/// Calls `visit` with each leaf that is there in a flat value, until it returns false.
template <class T, class Visitor>
THRIFTLENS_INLINE bool for_each_leaf(const T& value, Visitor&& visit) {
  if constexpr (is_nullable_value<T>)
    return is_missing(value) || for_each_leaf(*value, visit);
  else if constexpr (is_struct_value<T>)
    return for_each_member<T>([&](auto index) THRIFTLENS_INLINE_LAMBDA {
      return for_each_leaf(members<T>::template get<index>(value), visit);
    });
  else
    return visit(value);
}

/// Bytes of all strings in a flat value. With Links those that a gather list borrows count nothing.
template <bool Links, class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t flat_text(const T& value) noexcept {
  std::size_t sum = 0;
  if constexpr (has_text<T>) {
    for_each_leaf(value, [&]<class Leaf>(const Leaf& leaf) THRIFTLENS_INLINE_LAMBDA {
      if constexpr (is_text_value<Leaf>) {
        const std::size_t size = text_bytes(leaf).size();
        if (!Links || size < gather_list::worth_linking) sum += size;
      }
      return true;
    });
  }
  return sum;
}

/// Greatest size of a string that the wire can say.
inline constexpr std::size_t max_wire_size = 0x7fffffff;

/// No string of a flat value is longer than the wire can say.
template <class T>
[[nodiscard]] bool texts_fit(const T& value) noexcept {
  return for_each_leaf(value, []<class Leaf>(const Leaf& leaf) {
    if constexpr (is_text_value<Leaf>) return text_bytes(leaf).size() <= max_wire_size;
    return true;
  });
}

/// Every unsigned number of a flat value fits its wire type.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE bool numbers_fit(const T& value) noexcept {
  if constexpr (has_unsigned<T>) {
    return for_each_leaf(value, []<class Leaf>(const Leaf& leaf) THRIFTLENS_INLINE_LAMBDA {
      if constexpr (is_unsigned_number<Leaf>) return fits_wire(leaf);
      return true;
    });
  }
  return true;
}

// ---- their bytes; State: write_state, or flat_target of the fast path

/// Writes a string where there is room for it.
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

/// Writes a flat value where there is room for it.
template <class State, class T>
THRIFTLENS_INLINE write_cursor put_flat(State& state, write_cursor to, const T& value);

/// The bool that a bool or an adapted type travels as.
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
/// Writes header and value of a flat field; an empty one is left out.
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

template <class State, class T>
THRIFTLENS_INLINE write_cursor put_flat_struct(State& state, write_cursor to, const T& value) {
  std::int16_t last_id = 0;
  for_each_member<T>([&](auto index) THRIFTLENS_INLINE_LAMBDA {
    to = put_flat_field<State, member_wire<T, index>>(state, to, members<T>::template id<index>, last_id,
                                                      members<T>::template get<index>(value));
    return true;
  });
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
    return put_flat_struct(state, to, value);
  else
    return put_uuid(to, value);
}

template <class State, class T>
write_cursor refuse_number(State& state, const T& value);
/// False, after a failure, where the member holds a number that is refused.
template <class T, std::size_t Index, class State>
[[nodiscard]] bool refuse_member(State& state, const T& value) {
  const auto& member = members<T>::template get<Index>(value);
  if (numbers_fit(member)) return true;
  refuse_number(state, member);
  state.in_field(members<T>::template name<Index>(), members<T>::template id<Index>);
  return false;
}
/// Fails with the path to the first number of a flat value that its wire type does not carry.
template <class State, class T>
THRIFTLENS_COLD write_cursor refuse_number(State& state, const T& value) {
  if constexpr (is_unsigned_number<T>) {
    return state.fail(errc::value_range);
  } else if constexpr (is_nullable_value<T>) {
    return refuse_number(state, *value);
  } else if constexpr (is_struct_value<T>) {
    for_each_member<T>([&](auto index) { return refuse_member<T, index>(state, value); });
  }
  return nullptr;
}

/// Room for flat values and `more` bytes, or nullptr after a failure. Their numbers fit.
template <class State, class... T>
THRIFTLENS_INLINE write_cursor room_for_flat(State& state, write_cursor to, std::uint32_t depth,
                                             std::size_t more, const T&... values) {
  using P = typename State::protocol_type;
  constexpr std::uint32_t max_depth = std::max({flat_depth<T>()...});
  if (depth < max_depth) [[unlikely]]
    return state.fail(errc::depth_limit);
  const std::size_t texts = (std::size_t{0} + ... + flat_text<State::links>(values));
  if (texts > max_wire_size && !(texts_fit(values) && ...)) [[unlikely]]
    return state.fail(errc::size_limit);
  return state.room(to, (more + ... + flat_base<P, T>()) + texts);
}

/// Room for a flat value, then its bytes.
template <class State, class T>
THRIFTLENS_INLINE write_cursor write_flat(State& state, write_cursor to, const T& value,
                                          std::uint32_t depth) {
  if (!numbers_fit(value)) return refuse_number(state, value);
  to = room_for_flat(state, to, depth, 0, value);
  if (to == nullptr) [[unlikely]]
    return nullptr;
  return put_flat(state, to, value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
