// arrange: the children of a level in another order, or fewer of them.
// In: a level and a question about slot numbers. Out: the level rearranged; marked as changed only if it is.
// Never trusts the question to be consistent: any answers give some order of the same children.
#pragma once

#include <thriftlens/dom/change.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// The slot numbers at which the children of a level begin.
[[nodiscard]] inline std::vector<std::uint32_t> child_numbers(const level& in) {
  std::vector<std::uint32_t> numbers(in.count / in.stride());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i * in.stride();
  return numbers;
}
/// Gives a level the children that began at these slot numbers, in this order.
inline void reorder(level& in, const std::vector<std::uint32_t>& from) {
  if (from == child_numbers(in)) return;
  const std::vector<slot> before(in.slots, in.slots + in.count);
  slot* to = in.slots;
  for (const std::uint32_t at : from) to = std::copy_n(before.begin() + at, in.stride(), to);
  in.count = static_cast<std::uint32_t>(to - in.slots);
  in.renumber();
  tree::touch(&in);
}

/// Merges two ordered runs, [begin, middle) and [middle, end). Of equal ones those of the first come first.
template <class Less>
void merge_runs(const std::vector<std::uint32_t>& from, std::size_t begin, std::size_t middle,
                std::size_t end, std::uint32_t* to, Less& less) {
  std::size_t left = begin, right = middle;
  while (left != middle || right != end) {
    const bool take_right = left == middle || (right != end && less(from[right], from[left]));
    *to++ = take_right ? from[right++] : from[left++];
  }
}
/// Merges each two neighbours of the ordered runs of that width.
template <class Less>
void merge_pairs(const std::vector<std::uint32_t>& from, std::size_t width, std::vector<std::uint32_t>& to,
                 Less& less) {
  for (std::size_t begin = 0; begin < from.size(); begin += 2 * width) {
    const std::size_t middle = std::min(begin + width, from.size());
    merge_runs(from, begin, middle, std::min(middle + width, from.size()), &to[begin], less);
  }
}
/// Orders children by `less(number, number)`. Stable merge sort: O(n log n) questions.
template <class Less>
void sort_children(level& in, Less&& less) {
  changer::compact_level(in);
  std::vector<std::uint32_t> from = child_numbers(in), to(from.size());
  for (std::size_t width = 1; width < from.size(); width *= 2) {
    merge_pairs(from, width, to, less);
    from.swap(to);
  }
  reorder(in, from);
}

/// Keeps the children for which `keep(number)` holds; how many were dropped. O(n).
template <class Keep>
std::uint32_t filter_children(level& in, Keep&& keep) {
  changer::compact_level(in);
  std::vector<std::uint32_t> rest = child_numbers(in);
  const auto dropped = std::erase_if(rest, [&](std::uint32_t at) { return !keep(at); });
  reorder(in, rest);
  return static_cast<std::uint32_t>(dropped);
}

/// Numbers by value, NaN last.
[[nodiscard]] inline bool less_real(double left, double right) noexcept {
  return left < right || (left == left && right != right);
}
/// The natural order of two scalars of one wire type: numbers by value (NaN last), texts and uuids by bytes.
[[nodiscard]] inline bool less_scalar(const slot& left, const slot& right, protocol_id protocol) noexcept {
  const wire_key a = key_of(left, protocol), b = key_of(right, protocol);
  if (a.is_text) return a.text < b.text;
  if (left.wire == ttype::double_)
    return less_real(std::bit_cast<double>(a.number), std::bit_cast<double>(b.number));
  return static_cast<std::int64_t>(a.number) < static_cast<std::int64_t>(b.number);
}
inline void sort_scalars(level& in, protocol_id protocol) {
  sort_children(in, [&](std::uint32_t left, std::uint32_t right) {
    return less_scalar(in.slots[left], in.slots[right], protocol);
  });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
