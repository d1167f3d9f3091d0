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
  const std::vector<slot> old_items(in.items, in.items + in.count);
  slot* to = in.items;
  for (const std::uint32_t at : from) to = std::copy_n(old_items.data() + at, in.stride(), to);
  in.count = static_cast<std::uint32_t>(to - in.items);
  in.renumber();
  tree::touch(&in);
}

THRIFTLENS_BODY bool less_real(double lhs, double rhs) noexcept {
  return lhs < rhs || (lhs == lhs && rhs != rhs);
}
THRIFTLENS_BODY bool less_scalar(const slot& lhs, const slot& rhs, protocol_id protocol) noexcept {
  const wire_key a = scalar_key(lhs, protocol), b = scalar_key(rhs, protocol);
  if (a.is_text) return a.text < b.text;
  if (lhs.wire == ttype::double_)
    return less_real(std::bit_cast<double>(a.number), std::bit_cast<double>(b.number));
  return static_cast<std::int64_t>(a.number) < static_cast<std::int64_t>(b.number);
}
THRIFTLENS_BODY void sort_scalars(level& in, protocol_id protocol) {
  sort_children(in, [&](std::uint32_t lhs, std::uint32_t rhs) {
    return less_scalar(in.items[lhs], in.items[rhs], protocol);
  });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
