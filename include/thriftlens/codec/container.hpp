// container: user containers without the interface of the standard library (begin, end, size, clear and
// push_back or emplace).
#pragma once

#include <thriftlens/codec/fwd.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <concepts>
#include <cstddef>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The user writes
///
///     template <> struct tl::container<ring> {
///       static constexpr tl::ttype wire = tl::ttype::list;  // list, set or map
///       using value_type = int;                             // of a map: std::pair<key, value>
///       static std::size_t size(const ring&);
///       static bool for_each(const ring&, auto visit);      // false as soon as visit(element) is
///       static void clear(ring&);
///       static bool add(ring&, value_type&&);               // false: there already (set, map)
///     };
template <class T>
concept has_container = requires(const T& full, T& target, typename container<T>::value_type value) {
  { container<T>::wire } -> std::convertible_to<ttype>;
  { container<T>::size(full) } -> std::convertible_to<std::size_t>;
  container<T>::clear(target);
  {
    container<T>::add(target, static_cast<typename container<T>::value_type&&>(value))
  } -> std::same_as<bool>;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
