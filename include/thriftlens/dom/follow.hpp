// follow: follows a compiled path through open levels. Does not open levels or report errors: the node takes
// the remaining steps.
#pragma once

#include <thriftlens/dom/change.hpp>
#include <thriftlens/path/path.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Slot number of an element, or key_index::none.
[[nodiscard]] inline std::uint32_t element_below(const level& in, std::int64_t index) noexcept {
  const std::int64_t at = index < 0 ? index + in.count : index;
  const bool is_list = is_sequence(in.wire);
  return is_list && at >= 0 && at < std::int64_t{in.count} ? static_cast<std::uint32_t>(at) : key_index::none;
}
[[nodiscard]] inline std::uint32_t value_below(tree& of, level& in, const map_key& key) {
  // Other forms of keys may need a conversion to the key type.
  const bool fits = key.kind() == map_key::form::text || key.kind() == map_key::form::integer;
  if (in.wire != ttype::map || !fits) return key_index::none;
  const std::uint32_t at = changer(of).find_entry(in, key);
  return at == key_index::none ? at : at + 1;
}
[[nodiscard]] inline std::uint32_t step_below(tree& of, level& in, const path_step& step) {
  switch (step.kind) {
    case path_step::form::field:
      return in.wire == ttype::struct_ ? changer(of).find_field(in, step.id) : key_index::none;
    case path_step::form::index:
      return element_below(in, step.first);
    case path_step::form::key:
      return value_below(of, in, step.key);
    default:
      return key_index::none;
  }
}

/// Takes steps from the slot `at` in the level `in` (null: the root) and updates both. Returns the number of
/// steps taken.
[[nodiscard]] inline std::size_t follow(tree& of, std::span<const path_step> steps, level*& in,
                                        const slot*& at) {
  std::size_t taken = 0;
  for (; taken < steps.size() && at->expanded; ++taken) {
    level& below = *at->below;
    const std::uint32_t number = step_below(of, below, steps[taken]);
    if (number == key_index::none) [[unlikely]]
      break;
    in = &below;
    at = &below.items[number];
  }
  return taken;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
