// small_algorithm: replacements for a few algorithms in widely included headers. <algorithm> costs a fifth of
// <vector>, <string> and <memory> per unit.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Like std::min and std::max.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE constexpr T least(T lhs, T rhs) noexcept {
  return rhs < lhs ? rhs : lhs;
}
template <class T, class... More>
[[nodiscard]] THRIFTLENS_INLINE constexpr T greatest(T first, More... more) noexcept {
  ((first = first < more ? more : first), ...);
  return first;
}

/// Like std::partition_point: the end of the leading elements for which `is_before(element)`. Random access.
/// O(log n).
template <class At, class Predicate>
[[nodiscard]] constexpr At end_of(At begin, At end, Predicate is_before) noexcept {
  for (auto remaining = end - begin; remaining > 0;) {
    const auto half = remaining / 2;
    if (is_before(begin[half])) {
      begin += half + 1;
      remaining -= half + 1;
    } else {
      remaining = half;
    }
  }
  return begin;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
