// arrange: the children of a level in another order, or fewer of them.
// In: a level and a question about slot numbers. Out: the level rearranged; marked as changed only if it is.
// Never trusts the question to be consistent: any answers give some order of the same children.
#pragma once

#include <thriftlens/dom/change.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

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
  bool moved = false;
  for (std::uint32_t i = 0; i < count; ++i) moved = moved || from[i] != i * stride;
  if (!moved) return;
  const std::vector<slot> before(in.slots, in.slots + in.count);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t part = 0; part < stride; ++part) in.slots[i * stride + part] = before[from[i] + part];
  in.index = nullptr;
  ++in.version;
  tree::touch(&in);
}

/// Keeps the children for which `keep(number)` holds; how many were dropped. O(n).
template <class Keep>
std::uint32_t filter_children(level& in, Keep&& keep) {
  changer::compact_level(in);
  const std::uint32_t stride = in.stride();
  std::vector<std::uint32_t> kept;
  for (std::uint32_t at = 0; at < in.count; at += stride)
    if (keep(at)) kept.push_back(at);
  const auto dropped = in.count / stride - static_cast<std::uint32_t>(kept.size());
  if (dropped == 0) return 0;
  std::uint32_t to = 0;
  for (std::uint32_t at : kept)
    for (std::uint32_t part = 0; part < stride; ++part) in.slots[to++] = in.slots[at + part];
  in.count = to;
  in.index = nullptr;
  ++in.version;
  tree::touch(&in);
  return dropped;
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
