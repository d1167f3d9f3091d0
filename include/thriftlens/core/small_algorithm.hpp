// small_algorithm: replacements for a few algorithms in widely included headers. <algorithm> costs a fifth of
// <vector>, <string> and <memory> per unit.
#pragma once

#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

/// Compares two numbers with the context of stable_order().
using index_less = bool (*)(const void* context, std::size_t lhs, std::size_t rhs);

/// The numbers below `count` in the order of std::stable_sort: a merge sort from runs of one. O(n log n).
[[nodiscard]] THRIFTLENS_NOINLINE inline pod_vector<std::size_t> stable_order(std::size_t count,
                                                                              const void* context,
                                                                              index_less less) {
  pod_vector<std::size_t> order, merged;
  order.resize(count);
  merged.resize(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t run = 1; run < count; run *= 2) {
    for (std::size_t out = 0; out < count;) {
      std::size_t lhs = out, rhs = least(out + run, count);
      const std::size_t middle = rhs, end = least(rhs + run, count);
      for (; out < end; ++out) {
        const bool takes_rhs = lhs == middle || (rhs < end && less(context, order[rhs], order[lhs]));
        merged[out] = order[takes_rhs ? rhs++ : lhs++];
      }
    }
    order.swap(merged);
  }
  return order;
}
/// One merge sort for all element types: much less code than std::stable_sort. Cold code only.
template <class Less>
[[nodiscard]] pod_vector<std::size_t> stable_order(std::size_t count, const Less& less) {
  return stable_order(count, &less, [](const void* context, std::size_t lhs, std::size_t rhs) {
    return (*static_cast<const Less*>(context))(lhs, rhs);
  });
}
/// Like std::stable_sort, with a copy of the items.
template <class Item, class Less>
void sort_stably(Item* items, std::size_t count, const Less& less) {
  pod_vector<Item> sorted;
  sorted.reserve(count);
  for (const std::size_t i :
       stable_order(count, [&](std::size_t lhs, std::size_t rhs) { return less(items[lhs], items[rhs]); }))
    sorted.push_back(items[i]);
  for (std::size_t i = 0; i < count; ++i) items[i] = sorted[i];
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
