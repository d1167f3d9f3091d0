// arrange: the children of a level in another order, or fewer of them.
// In: a level and a question about slot numbers. Out: the level rearranged; marked as changed only if it is.
// Never trusts the question to be consistent: any answers give some order of the same children.
#pragma once

#include <thriftlens/dom/change.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// Gives a level the children that began at these slot numbers, in this order. False where they are in place
/// already; the level is then as before.
inline bool reorder(level& in, const std::vector<std::uint32_t>& from) {
  const std::uint32_t stride = in.stride();
  bool in_place = from.size() * stride == in.count;
  for (std::uint32_t i = 0; in_place && i < from.size(); ++i) in_place = from[i] == i * stride;
  if (in_place) return false;
  const std::vector<slot> before(in.slots, in.slots + in.count);
  slot* to = in.slots;
  for (const std::uint32_t at : from) to = std::copy_n(before.begin() + at, stride, to);
  in.count = static_cast<std::uint32_t>(to - in.slots);
  in.index = nullptr;
  ++in.version;
  tree::touch(&in);
  return true;
}

/// Orders children by `less(number, number)`. Stable merge sort: O(n log n) questions.
template <class Less>
void sort_children(level& in, Less&& less) {
  changer::compact_level(in);
  const std::uint32_t stride = in.stride(), count = in.count / stride;
  std::vector<std::uint32_t> from(count), to(count);
  for (std::uint32_t i = 0; i < count; ++i) from[i] = i * stride;
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * width) {
      std::size_t left = begin, right = std::min<std::size_t>(begin + width, count);
      const std::size_t middle = right, end = std::min<std::size_t>(begin + 2 * width, count);
      for (std::size_t at = begin; at < end; ++at) {
        const bool take_right = left == middle || (right != end && less(from[right], from[left]));
        to[at] = take_right ? from[right++] : from[left++];
      }
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

/// The natural order of two scalars of one wire type: numbers by value (NaN last), texts and uuids by bytes.
[[nodiscard]] inline bool less_scalar(const slot& left, const slot& right, protocol_id protocol) noexcept {
  const wire_key a = key_of(left, protocol), b = key_of(right, protocol);
  if (a.is_text) return a.text < b.text;
  if (left.wire == ttype::double_) {
    const auto x = std::bit_cast<double>(a.number), y = std::bit_cast<double>(b.number);
    return x < y || (x == x && y != y);
  }
  return static_cast<std::int64_t>(a.number) < static_cast<std::int64_t>(b.number);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
