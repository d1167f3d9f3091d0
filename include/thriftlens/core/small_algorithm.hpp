// small_algorithm: the few algorithms that headers which everybody includes need. Never a reason to
// include <algorithm>, which costs every unit a fifth of <vector>, <string> and <memory>.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// As std::min and std::max.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE constexpr T least(T lhs, T rhs) noexcept {
  return rhs < lhs ? rhs : lhs;
}
template <class T, class... More>
[[nodiscard]] THRIFTLENS_INLINE constexpr T greatest(T first, More... more) noexcept {
  ((first = first < more ? more : first), ...);
  return first;
}

/// As std::partition_point: where the elements end for which `before(each)` is true; they come first. `begin`
/// has random access. O(log n).
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
