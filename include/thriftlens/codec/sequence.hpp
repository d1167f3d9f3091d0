// sequence: what lists can be decoded into, and how each kind grows.
// In: a container type. Out: whether its numbers lie side by side, how an element is added.
// Never trusts a claimed count with memory: room is made in steps.
#pragma once

#include <thriftlens/codec/value_kind.hpp>
#include <thriftlens/simd/byteswap.hpp>
#include <thriftlens/simd/varint.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Numbers that bulk kernels can read and write: integers, doubles, enums of 32 bits.
template <class T>
inline constexpr bool is_bulk =
    (kind_of<T> == value_kind::number || (kind_of<T> == value_kind::enumeration && sizeof(T) == 4));
/// Integers that are varints in Compact.
template <class T>
inline constexpr bool is_varint = is_bulk<T> && sizeof(T) > 1 && !std::is_same_v<T, double>;

/// Which of these numbers is the first that does not fit its wire type, or that came from one that does not
/// fit here; `count` for none. O(count) for unsigned numbers, else nothing.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t first_unfit(const T* from, std::size_t count) noexcept {
  if constexpr (is_unsigned_number<T>) {
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) all &= fits_wire(from[i]);
    if (all) [[likely]]
      return count;
    return static_cast<std::size_t>(std::find_if_not(from, from + count, fits_wire<T>) - from);
  } else {
    return count;
  }
}

template <class C>
concept contiguous = std::ranges::contiguous_range<C>;
template <class C>
concept resizable_run = contiguous<C> && requires(C& c, const element_type<C>* from) {
  c.resize(std::size_t{});
  c.reserve(std::size_t{});
  c.insert(c.end(), from, from);
};

/// Room for elements that have not been seen yet is made up to this many bytes at once.
inline constexpr std::size_t unseen_room = std::size_t{1} << 16;

template <class C>
THRIFTLENS_INLINE void reserve_unseen(C& in, std::size_t count) {
  if constexpr (requires { in.reserve(count); }) {
    constexpr std::size_t most = unseen_room / sizeof(element_type<C>) + 1;
    in.reserve(in.size() + (count < most ? count : most));
  }
}

/// Adds a default-made element and returns it; for containers that can.
template <class C>
[[nodiscard]] THRIFTLENS_INLINE auto& add_element(C& to) {
  if constexpr (requires { to.emplace_back(); }) {
    to.emplace_back();
    return to.back();
  } else {
    to.push_back(element_type<C>());
    return to.back();
  }
}

/// A default-made Value that uses the container's allocator where both have one, so that moving it in copies
/// nothing.
template <class Value, class C>
[[nodiscard]] THRIFTLENS_INLINE Value make_for(const C& target) {
  if constexpr (requires { target.get_allocator(); }) {
    if constexpr (std::uses_allocator_v<Value, typename C::allocator_type>) {
      return std::make_obj_using_allocator<Value>(target.get_allocator());
    } else {
      return Value();
    }
  } else {
    return Value();
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
