// arrange: sorts and filters the children of a level. An inconsistent comparison gives some order of the same
// children.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/dom/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// The slot numbers of the children of a level.
[[nodiscard]] std::vector<std::uint32_t> child_numbers(const level& in);
/// Removes erased children; then like child_numbers.
[[nodiscard]] std::vector<std::uint32_t> compact_numbers(level& in);
/// Replaces the children of a level by those with the given slot numbers, in that order.
void reorder(level& in, const std::vector<std::uint32_t>& from);

/// Merges two ordered runs, [begin, middle) and [middle, end). Stable.
template <class Less>
void merge_runs(const std::vector<std::uint32_t>& from, std::size_t begin, std::size_t middle,
                std::size_t end, std::uint32_t* to, Less& less) {
  std::size_t first = begin, second = middle;
  while (first != middle || second != end) {
    const bool take_second = first == middle || (second != end && less(from[second], from[first]));
    *to++ = take_second ? from[second++] : from[first++];
  }
}
/// Merges pairs of adjacent ordered runs of `width` elements.
template <class Less>
void merge_pairs(const std::vector<std::uint32_t>& from, std::size_t width, std::vector<std::uint32_t>& to,
                 Less& less) {
  for (std::size_t begin = 0; begin < from.size(); begin += 2 * width) {
    const std::size_t middle = begin + thriftlens::detail::least(width, from.size() - begin);
    const std::size_t end = middle + thriftlens::detail::least(width, from.size() - middle);
    merge_runs(from, begin, middle, end, &to[begin], less);
  }
}
/// Sorts children by `less(number, number)`. Stable merge sort: O(n log n) comparisons.
template <class Less>
void sort_children(level& in, Less&& less) {
  std::vector<std::uint32_t> from = compact_numbers(in), to(from.size());
  for (std::size_t width = 1; width < from.size(); width *= 2) {
    merge_pairs(from, width, to, less);
    from.swap(to);
  }
  reorder(in, from);
}

/// Removes the children for which `keep(number)` is false; returns their number. O(n).
template <class Keep>
std::uint32_t filter_children(level& in, Keep&& keep) {
  std::vector<std::uint32_t> rest = compact_numbers(in);
  const auto dropped = std::erase_if(rest, [&](std::uint32_t at) { return !keep(at); });
  reorder(in, rest);
  return static_cast<std::uint32_t>(dropped);
}

/// Numbers by value, NaN last.
[[nodiscard]] bool less_real(double lhs, double rhs) noexcept;
/// The natural order of two scalars of one wire type: numbers by value (NaN last), texts and uuids by bytes.
[[nodiscard]] bool less_scalar(const slot& lhs, const slot& rhs, protocol_id protocol) noexcept;
/// Sorts scalars in that order.
void sort_scalars(level& in, protocol_id protocol);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/arrange.ipp>
#endif
