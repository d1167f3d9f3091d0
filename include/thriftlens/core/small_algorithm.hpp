// small_algorithm: the few algorithms that headers which everybody includes need. Never a reason to
// include <algorithm>, which costs every unit a fifth of <vector>, <string> and <memory>.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// As std::min and std::max.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE constexpr T least(T left, T right) noexcept {
  return right < left ? right : left;
}
template <class T, class... More>
[[nodiscard]] THRIFTLENS_INLINE constexpr T greatest(T most, More... more) noexcept {
  ((most = most < more ? more : most), ...);
  return most;
}

/// As std::partition_point: where the elements end for which `before(each)` is true; they come first. `begin`
/// has random access. O(log n).
template <class At, class Before>
[[nodiscard]] constexpr At end_of(At begin, At end, Before before) noexcept {
  for (auto left = end - begin; left > 0;) {
    const auto half = left / 2;
    if (before(begin[half])) {
      begin += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return begin;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
