// write_value: encodes one value of any kind.
#pragma once

#include <thriftlens/codec/write_container.hpp>
#include <thriftlens/codec/write_struct.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

template <class State, class T>
THRIFTLENS_INLINE write_cursor write_value(State& state, write_cursor to, const T& value,
                                           std::uint32_t depth) {
  if constexpr (is_nullable_value<T>)
    return is_missing(value) ? state.reject(errc::empty_value) : write_value(state, to, *value, depth);
  else if constexpr (is_leaf<T> || (is_flat<T> && !State::dynamic))
    return write_flat(state, to, value, depth);
  else if constexpr (kind_of<T> == value_kind::adapted)
    return write_value(state, to, codec::to_wire(value), depth);
  else if constexpr (is_struct_value<T>)
    return write_struct(state, to, value, depth);
  else if constexpr (is_union_value<T>)
    return write_union(state, to, value, depth);
  else
    return write_container(state, to, value, depth);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
