// adapter: user types that are encoded as another type, such as a time point as i64.
#pragma once

#include <thriftlens/codec/fwd.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The user writes
///
///     template <> struct tl::adapter<instant> {
///       using wire = std::int64_t;                 // any type the codec knows
///       static wire to_wire(const instant& value);
///       static instant from_wire(wire value);      // or bool from_wire(wire, instant&):
///     };                                           // false where it is not a value
template <class T>
concept has_adapter = requires(const T& value) {
  typename adapter<T>::wire;
  { adapter<T>::to_wire(value) } -> std::convertible_to<typename adapter<T>::wire>;
};

namespace detail::codec {

template <class T>
using adapted_wire = std::remove_cvref_t<typename adapter<T>::wire>;

/// The type that a value is encoded as.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE adapted_wire<T> to_wire(const T& value) {
  return static_cast<adapted_wire<T>>(adapter<T>::to_wire(value));
}
/// False if the adapter rejects the value.
template <class T>
[[nodiscard]] bool adapt(adapted_wire<T>&& from, T& to) {
  if constexpr (requires {
                  { adapter<T>::from_wire(std::move(from), to) } -> std::same_as<bool>;
                }) {
    return adapter<T>::from_wire(std::move(from), to);
  } else {
    to = adapter<T>::from_wire(std::move(from));
    return true;
  }
}

}  // namespace detail::codec
}  // namespace thriftlens::inline THRIFTLENS_ABI
