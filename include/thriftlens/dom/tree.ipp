// tree: bodies of tree.hpp.
#pragma once

#include <thriftlens/dom/tree.hpp>

#include <algorithm>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

THRIFTLENS_BODY void tree::grow(level& in, std::uint32_t count) {
  if (in.capacity - in.count >= count) return;
  const std::uint32_t capacity = (std::max)({in.count + count, in.capacity * 2, 4u});
  slot* moved = make_slots(capacity);
  if (in.count != 0) std::memcpy(static_cast<void*>(moved), in.items, in.count * sizeof(slot));
  in.items = moved;
  in.capacity = capacity;
}
THRIFTLENS_BODY const image::field_node* tree::missing_field(const image::struct_node& in,
                                                             std::span<const slot> items) const noexcept {
  for (const image::field_node& field : fields(in)) {
    const auto is_of_field = [&](const slot& item) { return item.is(field); };
    if ((field.flags & image::required) != 0 && std::ranges::none_of(items, is_of_field)) return &field;
  }
  return nullptr;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
