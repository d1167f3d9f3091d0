// sequence: containers that lists are decoded into, and how they grow. Memory is reserved in steps, whatever
// the count in the bytes, and bounded by a limit.
#pragma once

#include <thriftlens/codec/members.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/simd/byteswap.hpp>
#include <thriftlens/simd/varint.hpp>

#include <cstddef>
#include <deque>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Numbers that bulk kernels can read and write: integers, doubles, enums of 32 bits.
template <class T>
inline constexpr bool is_bulk =
    (kind_of<T> == value_kind::number || (kind_of<T> == value_kind::enumeration && sizeof(T) == 4));
/// Integers that are varints in Compact.
template <class T>
inline constexpr bool is_varint = is_bulk<T> && sizeof(T) > 1 && !std::is_same_v<T, double>;

/// Index of the first number that does not fit its wire type, or was decoded from one that does not fit; else
/// `count`. O(count) for unsigned numbers, else O(1).
template <class T>
[[nodiscard]] THRIFTLENS_INLINE std::size_t first_unfit(const T* from, std::size_t count) noexcept {
  if constexpr (is_unsigned_number<T>) {
    bool fits = true;
    for (std::size_t i = 0; i < count; ++i) fits &= fits_wire(from[i]);
    if (fits) [[likely]]
      return count;
    std::size_t fitting = 0;
    while (fitting != count && fits_wire<T>(from[fitting])) ++fitting;
    return fitting;
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

/// The number of elements of any container.
template <class C>
[[nodiscard]] THRIFTLENS_INLINE std::size_t element_count(const C& of) {
  if constexpr (has_container<C>)
    return container<C>::size(of);
  else
    return of.size();
}
/// Calls `visit` with the elements of any container until it returns false.
template <class C, class Visitor>
THRIFTLENS_INLINE void for_each_element(const C& of, Visitor&& visit) {
  if constexpr (has_container<C>) {
    static_cast<void>(container<C>::for_each(of, visit));
  } else {
    for (const auto& element : of)
      if (!visit(element)) [[unlikely]]
        return;
  }
}

/// Bytes that are reserved at once for elements that were not read yet, and per remaining byte of input.
inline constexpr std::size_t unread_capacity = std::size_t{1} << 16, unread_capacity_per_byte = 8;
template <class C>
inline constexpr std::size_t unread_count = unread_capacity / sizeof(element_type<C>) + 1;

template <class C>
THRIFTLENS_INLINE void reserve_unseen(C& in, std::size_t count, std::size_t bytes_left = 0) {
  if constexpr (requires { in.reserve(count); }) {
    const std::size_t max_size = unread_capacity + bytes_left * unread_capacity_per_byte;
    in.reserve(in.size() + thriftlens::detail::least(count, max_size / sizeof(element_type<C>) + 1));
  }
}

template <class C>
concept grows = requires(C& c) {
  c.clear();
  c.emplace_back();
} || requires(C& c) {
  c.clear();
  c.push_back(element_type<C>());
};

namespace detail {
template <class T>
inline constexpr bool is_deque = false;
template <class T, class Allocator>
inline constexpr bool is_deque<std::deque<T, Allocator>> = true;
}  // namespace detail

/// Overhead of a node of a container, or of one allocation.
inline constexpr std::size_t node_overhead = 48;

namespace detail {
template <class T>
[[nodiscard]] constexpr std::size_t find_object_size() noexcept;
}  // namespace detail
/// Bytes of a default-constructed T, including the heap: an empty std::deque has a block there.
template <class T>
inline constexpr std::size_t object_size = detail::find_object_size<T>();

namespace detail {
// Besides the object itself.
template <class T, std::size_t... Index>
[[nodiscard]] constexpr std::size_t heap_size(std::index_sequence<Index...>) noexcept {
  return (std::size_t{0} + ... + (object_size<member_type<T, Index>> - sizeof(member_type<T, Index>)));
}
template <class T>
[[nodiscard]] constexpr std::size_t find_object_size() noexcept {
  if constexpr (is_deque<T>)
    return sizeof(T) + 640;
  else if constexpr (is_array<T>)
    return std::tuple_size_v<T> * object_size<element_type<T>>;
  else if constexpr (is_struct_value<T>)
    return sizeof(T) + heap_size<T>(member_indices<T>());
  else
    return sizeof(T);
}
}  // namespace detail
/// Bytes of one more element of a C.
template <class C>
[[nodiscard]] constexpr std::size_t element_cost() noexcept {
  if constexpr (detail::is_array<C>)
    return 0;
  else if constexpr (std::ranges::random_access_range<C>)
    return object_size<element_type<C>>;
  else
    return object_size<element_type<C>> + node_overhead;
}

/// Counts comparisons in hash buckets. A sender may know the hash (that of an integer is the integer) and
/// choose elements that share a bucket. Counts nothing for containers without buckets.
template <class C>
class bucket_steps {
 public:
  /// Allowed steps per element, and once per container.
  static constexpr std::size_t steps_an_element = 32, steps_at_first = 65536;

  /// Must be called before `next`, an element or key, is added to `in`. False for too many steps.
  template <class Key>
  [[nodiscard]] THRIFTLENS_INLINE bool next(const C& in, const Key& next) {
    if constexpr (requires { in.bucket_size(in.bucket(next)); }) {
      if (in.bucket_count() == 0) return true;
      steps_ += in.bucket_size(in.bucket(next));
      allowed_ += steps_an_element;
    }
    return steps_ <= allowed_;
  }

 private:
  std::size_t steps_ = 0;
  std::size_t allowed_ = steps_at_first;
};

/// Adds a default-constructed element and returns it, if the container supports that.
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

/// A default-constructed Value with the allocator of the container, if any, so that moving it in copies
/// nothing.
template <class Value, class C>
[[nodiscard]] THRIFTLENS_INLINE Value make_for(const C& target) {
  if constexpr (requires {
                  typename C::allocator_type;
                  target.get_allocator();
                }) {
    if constexpr (std::uses_allocator_v<Value, typename C::allocator_type>) {
      return std::make_obj_using_allocator<Value>(target.get_allocator());
    } else {
      return Value();
    }
  } else {
    return Value();
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
