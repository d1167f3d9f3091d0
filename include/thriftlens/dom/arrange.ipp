// arrange: bodies of arrange.hpp.
#pragma once

#include <thriftlens/dom/arrange.hpp>

#include <thriftlens/dom/change.hpp>
#include <thriftlens/dom/key_index.hpp>

#include <algorithm>
#include <bit>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

THRIFTLENS_BODY std::vector<std::uint32_t> child_numbers(const level& in) {
  std::vector<std::uint32_t> numbers(in.count / in.stride());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i * in.stride();
  return numbers;
}
THRIFTLENS_BODY std::vector<std::uint32_t> compact_numbers(level& in) {
  changer::compact_level(in);
  return child_numbers(in);
}
THRIFTLENS_BODY void reorder(level& in, const std::vector<std::uint32_t>& from) {
  if (from == child_numbers(in)) return;
  const std::vector<slot> before(in.items, in.items + in.count);
  slot* to = in.items;
  for (const std::uint32_t at : from) to = std::copy_n(before.data() + at, in.stride(), to);
  in.count = static_cast<std::uint32_t>(to - in.items);
  in.renumber();
  tree::touch(&in);
}

THRIFTLENS_BODY bool less_real(double left, double right) noexcept {
  return left < right || (left == left && right != right);
}
THRIFTLENS_BODY bool less_scalar(const slot& left, const slot& right, protocol_id protocol) noexcept {
  const wire_key a = scalar_key(left, protocol), b = scalar_key(right, protocol);
  if (a.is_text) return a.text < b.text;
  if (left.wire == ttype::double_)
    return less_real(std::bit_cast<double>(a.number), std::bit_cast<double>(b.number));
  return static_cast<std::int64_t>(a.number) < static_cast<std::int64_t>(b.number);
}
THRIFTLENS_BODY void sort_scalars(level& in, protocol_id protocol) {
  sort_children(in, [&](std::uint32_t left, std::uint32_t right) {
    return less_scalar(in.items[left], in.items[right], protocol);
  });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
