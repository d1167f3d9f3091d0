// read_value: wire bytes into one value of any kind.
// In: the place of a value of known wire type. Out: the object, the place behind the value.
// Never looks at a type at run time: the C++ type decides.
#pragma once

#include <thriftlens/codec/read_list.hpp>
#include <thriftlens/codec/read_map.hpp>
#include <thriftlens/codec/read_struct.hpp>
#include <thriftlens/codec/read_union.hpp>
#include <thriftlens/codec/text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

namespace detail {

template <class State, class T>
THRIFTLENS_INLINE const std::uint8_t* read_number(State& state, const std::uint8_t* from, T& to) {
  wire_number<T> number{};
  const std::uint8_t* behind = State::source::number(from, state.end, number, state.code);
  if (behind == nullptr) [[unlikely]]
    return state.fail_at(from);
  if constexpr (is_unsigned_number<T>) {
    if (number < 0) [[unlikely]]
      return state.fail(errc::unfit_value, from);
  }
  to = static_cast<T>(number);
  return behind;
}

template <class State, class T>
THRIFTLENS_INLINE const std::uint8_t* read_enumeration(State& state, const std::uint8_t* from, T& to) {
  std::int32_t number = 0;
  const std::uint8_t* behind = State::source::number(from, state.end, number, state.code);
  if (behind == nullptr) [[unlikely]]
    return state.fail_at(from);
  using underlying = std::underlying_type_t<T>;
  if constexpr (sizeof(T) < 4) {
    if (static_cast<underlying>(number) != number) [[unlikely]]
      return state.fail(errc::unfit_value, from);
  } else if constexpr (is_unsigned_number<T>) {
    if (number < 0) [[unlikely]]
      return state.fail(errc::unfit_value, from);
  }
  to = static_cast<T>(static_cast<underlying>(number));
  return behind;
}

template <class State, class T>
THRIFTLENS_INLINE const std::uint8_t* read_text(State& state, const std::uint8_t* from, T& to) {
  byte_view bytes;
  const std::uint8_t* behind = State::source::text(from, state.end, bytes, state.string_size, state.code);
  if (behind == nullptr) [[unlikely]]
    return state.fail_at(from);
  if constexpr (!State::reuse && std::is_same_v<T, std::string>) {
    // A new string takes exactly its bytes; assign grows by doubling.
    to = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } else {
    assign_text(to, bytes);
  }
  return behind;
}

template <class State, class T>
THRIFTLENS_INLINE const std::uint8_t* read_uuid(State& state, const std::uint8_t* from, T& to) {
  if (static_cast<std::size_t>(state.end - from) < to.size()) [[unlikely]]
    return state.fail(errc::truncated, from);
  std::memcpy(to.data(), from, to.size());
  return from + to.size();
}

template <class State, class T>
const std::uint8_t* read_adapted(State& state, const std::uint8_t* from, T& to, std::uint32_t depth) {
  adapted_wire<T> value{};
  const std::uint8_t* behind = read_value(state, from, value, depth);
  if (behind == nullptr) [[unlikely]]
    return nullptr;
  if (!adapt<T>(std::move(value), to)) [[unlikely]]
    return state.fail(errc::unfit_value, from);
  return behind;
}

}  // namespace detail

template <class State, class T>
THRIFTLENS_INLINE const std::uint8_t* read_value(State& state, const std::uint8_t* from, T& to,
                                                 std::uint32_t depth) {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::boolean) {
    const std::uint8_t* behind = State::source::boolean(from, state.end, to, state.code);
    return behind != nullptr ? behind : state.fail_at(from);
  } else if constexpr (kind == value_kind::number)
    return detail::read_number(state, from, to);
  else if constexpr (kind == value_kind::enumeration)
    return detail::read_enumeration(state, from, to);
  else if constexpr (kind == value_kind::text)
    return detail::read_text(state, from, to);
  else if constexpr (kind == value_kind::uuid)
    return detail::read_uuid(state, from, to);
  else if constexpr (kind == value_kind::nullable)
    return read_value(state, from, make_pointed<State::reuse>(to), depth);
  else if constexpr (kind == value_kind::adapted)
    return detail::read_adapted(state, from, to, depth);
  else if constexpr (kind == value_kind::structure)
    return read_struct(state, from, to, depth);
  else if constexpr (kind == value_kind::union_)
    return read_union(state, from, to, depth);
  else if constexpr (wire_type<T>() == ttype::map)
    return read_map(state, from, to, depth);
  else
    return read_list(state, from, to, depth);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
