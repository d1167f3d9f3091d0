// read_value: decodes one value of any kind.
#pragma once

#include <thriftlens/codec/read_container.hpp>
#include <thriftlens/codec/read_struct.hpp>
#include <thriftlens/codec/text.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

namespace detail {

template <class State, class T>
THRIFTLENS_INLINE read_cursor read_number(State& state, read_cursor from, T& to) {
  wire_number<T> number{};
  read_cursor next = State::protocol_type::get_number(from, state.end, number, state.code);
  if (next == nullptr) [[unlikely]]
    return state.fail_at(from);
  if constexpr (is_unsigned_number<T>) {
    if (number < 0) [[unlikely]]
      return state.reject(errc::unfit_value, from);
  }
  to = static_cast<T>(number);
  return next;
}

// Whether the number fits the underlying type of the enum.
template <class Underlying>
[[nodiscard]] THRIFTLENS_INLINE bool fits_enum(std::int32_t number) noexcept {
  if constexpr (sizeof(Underlying) < 4)
    return static_cast<Underlying>(number) == number;
  else
    return !std::is_unsigned_v<Underlying> || number >= 0;
}
template <class State, class T>
THRIFTLENS_INLINE read_cursor read_enumeration(State& state, read_cursor from, T& to) {
  using underlying = std::underlying_type_t<T>;
  std::int32_t number = 0;
  const read_cursor next = read_number(state, from, number);
  if (next == nullptr) [[unlikely]]
    return nullptr;
  if (!fits_enum<underlying>(number)) return state.reject(errc::unfit_value, from);
  to = static_cast<T>(static_cast<underlying>(number));
  return next;
}

template <class State, class T>
THRIFTLENS_INLINE read_cursor read_text(State& state, read_cursor from, T& to) {
  byte_view bytes;
  const read_cursor next =
      State::protocol_type::get_bytes(from, state.end, state.string_size, bytes, state.code);
  if (next == nullptr) [[unlikely]]
    return state.fail_at(from);
  // It takes more than a short string does.
  if (std::is_same_v<T, buffer> && !state.spend(1, 256 + bytes.size()))
    return state.reject(errc::output_limit, from);
  if constexpr (State::reuse)
    assign_text(to, bytes);
  else
    start_text(to, bytes);
  return next;
}

template <class State, class T>
THRIFTLENS_INLINE read_cursor read_uuid(State& state, read_cursor from, T& to) {
  if (state.remaining(from) < to.size()) return state.reject(errc::truncated, from);
  std::memcpy(to.data(), from, to.size());
  return from + to.size();
}

template <class State, class T>
THRIFTLENS_INLINE read_cursor read_boolean(State& state, read_cursor from, T& to) {
  if (from == state.end) return state.reject(errc::truncated, from);
  to = State::protocol_type::to_bool(*from);
  return from + 1;
}

template <class State, class T>
read_cursor read_adapted(State& state, read_cursor from, T& to, std::uint32_t depth) {
  adapted_wire<T> value{};
  const read_cursor next = read_value(state, from, value, depth);
  if (next == nullptr) return nullptr;
  return adapt<T>(std::move(value), to) ? next : state.reject(errc::unfit_value, from);
}

template <class State, class T>
THRIFTLENS_INLINE read_cursor read_nullable(State& state, read_cursor from, T& to, std::uint32_t depth) {
  // The value of an optional is counted with the enclosing object.
  if constexpr (!requires { to.emplace(); }) {
    if (!state.spend(1, object_size<pointed<T>> + node_overhead))
      return state.reject(errc::output_limit, from);
  }
  return read_value(state, from, make_pointed<State::reuse>(to), depth);
}

// A value without children.
template <class State, class T>
THRIFTLENS_INLINE read_cursor read_leaf(State& state, read_cursor from, T& to) {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::boolean)
    return read_boolean(state, from, to);
  else if constexpr (kind == value_kind::number)
    return read_number(state, from, to);
  else if constexpr (kind == value_kind::enumeration)
    return read_enumeration(state, from, to);
  else if constexpr (kind == value_kind::text)
    return read_text(state, from, to);
  else
    return read_uuid(state, from, to);
}

}  // namespace detail

template <class State, class T>
THRIFTLENS_INLINE read_cursor read_value(State& state, read_cursor from, T& to, std::uint32_t depth) {
  if constexpr (is_nullable_value<T>)
    return detail::read_nullable(state, from, to, depth);
  else if constexpr (kind_of<T> == value_kind::adapted)
    return detail::read_adapted(state, from, to, depth);
  else if constexpr (is_struct_value<T>)
    return read_struct(state, from, to, depth);
  else if constexpr (is_union_value<T>)
    return read_union(state, from, to, depth);
  else if constexpr (is_container(wire_type<T>()))
    return read_container(state, from, to, depth);
  else
    return detail::read_leaf(state, from, to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
