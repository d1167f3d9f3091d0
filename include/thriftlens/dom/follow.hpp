// follow: the way along a compiled path as far as levels are open.
// In: a slot and steps. Out: how many steps could be taken, and the slot they lead to.
// Never opens a level and never says why it stopped: the node goes on from there, with words.
#pragma once

#include <thriftlens/dom/change.hpp>
#include <thriftlens/path/path.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// Number of the slot below an open level that a step leads to, or key_index::none.
[[nodiscard]] inline std::uint32_t step_below(tree& of, level& in, const path_step& step) {
  if (step.kind == path_step::form::field)
    return in.wire == ttype::struct_ ? changer(of).find_field(in, step.id) : key_index::none;
  if (step.kind == path_step::form::index) {
    const std::int64_t at = step.first < 0 ? step.first + in.count : step.first;
    return (in.wire == ttype::list || in.wire == ttype::set) && at >= 0 && at < std::int64_t{in.count}
               ? static_cast<std::uint32_t>(at)
               : key_index::none;
  }
  // Other forms of keys may first have to fit the map's type.
  const bool fits = step.key.kind() == map_key::form::text || step.key.kind() == map_key::form::integer;
  if (step.kind != path_step::form::key || in.wire != ttype::map || !fits) return key_index::none;
  const std::uint32_t at = changer(of).find_entry(in, step.key);
  return at == key_index::none ? at : at + 1;
}

/// Takes steps from the slot `at`, which stands in the level `in` (null: the root). Returns how many; both
/// are where they lead then.
[[nodiscard]] inline std::size_t follow(tree& of, std::span<const path_step> steps, level*& in,
                                        const slot*& at) {
  std::size_t taken = 0;
  for (; taken < steps.size() && at->expanded; ++taken) {
    level& below = *at->below;
    const std::uint32_t number = step_below(of, below, steps[taken]);
    if (number == key_index::none) [[unlikely]]
      break;
    in = &below;
    at = &below.slots[number];
  }
  return taken;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
