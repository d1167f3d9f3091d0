// arrange: the children of a level in another order, or fewer of them.
// In: a level and a question about slot numbers. Out: the level rearranged; marked as changed only if it is.
// Never trusts the question to be consistent: any answers give some order of the same children.
#pragma once

#include <thriftlens/dom/change.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// Whether a level has just the children that began at these slot numbers, in this order.
[[nodiscard]] inline bool is_in_place(const level& in, const std::vector<std::uint32_t>& from) noexcept {
  const std::uint32_t stride = in.stride();
  if (from.size() * stride != in.count) return false;
  for (std::uint32_t i = 0; i < from.size(); ++i)
    if (from[i] != i * stride) return false;
  return true;
}
/// Gives a level the children that began at these slot numbers, in this order.
inline void reorder(level& in, const std::vector<std::uint32_t>& from) {
  if (is_in_place(in, from)) return;
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
/// Orders children by `less(number, number)`. Stable merge sort: O(n log n) questions.
template <class Less>
void sort_children(level& in, Less&& less) {
  changer::compact_level(in);
  std::vector<std::uint32_t> from(in.count / in.stride()), to(from.size());
  for (std::uint32_t i = 0; i < from.size(); ++i) from[i] = i * in.stride();
  for (std::size_t width = 1; width < from.size(); width *= 2) {
    for (std::size_t begin = 0; begin < from.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, from.size());
      merge_runs(from, begin, middle, std::min(middle + width, from.size()), &to[begin], less);
    }
    from.swap(to);
  }
  reorder(in, from);
}

/// Keeps the children for which `keep(number)` holds; how many were dropped. O(n).
template <class Keep>
std::uint32_t filter_children(level& in, Keep&& keep) {
  changer::compact_level(in);
  std::vector<std::uint32_t> rest;
  for (std::uint32_t at = 0; at < in.count; at += in.stride())
    if (keep(at)) rest.push_back(at);
  const std::uint32_t before = in.live();
  reorder(in, rest);
  return before - in.live();
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

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
