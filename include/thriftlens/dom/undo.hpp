// undo: records levels before a change of several steps and restores them if a step fails. Memory of the
// steps stays in the arena until the next message.
#pragma once

#include <thriftlens/dom/tree.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Steps are undone in reverse order. Children of a level may be set, appended and, in structs, erased.
class undo_log {
 public:
  explicit undo_log(tree& of) noexcept : tree_(of) {}

  /// Records a level before children are added; of a struct all slots, as fields are inserted between others.
  void keep(level& of) {
    steps_.push_back({&of, of, {}, 0, static_cast<std::uint32_t>(slots_.size())});
    if (of.wire == ttype::struct_) slots_.insert(slots_.end(), of.items, of.items + of.count);
  }
  /// Records a slot of a level (null: the root) before it is replaced.
  void keep(level* where, const slot& at) {
    steps_.push_back(
        {where, {}, at, where == nullptr ? 0 : static_cast<std::uint32_t>(&at - where->items), one_slot});
  }
  /// Records the levels that a change below `in` will mark.
  void keep_above(level* in) {
    for (; in != nullptr && !in->changed; in = in->parent) unmarked_.push_back(in);
  }

  void roll_back() noexcept {
    for (auto it = steps_.rbegin(); it != steps_.rend(); ++it) {
      if (it->first == one_slot)
        (it->where == nullptr ? tree_.root : it->where->items[it->number]) = it->saved_slot;
      else
        restore(*it);
    }
    for (level* marked : unmarked_) marked->changed = false;
    steps_.clear();
  }

 private:
  static constexpr std::uint32_t one_slot = 0xffffffffu;
  struct step {
    level* where;
    level saved;
    slot saved_slot;
    std::uint32_t number;
    std::uint32_t first;  // first slot of the level in slots_, or one_slot
  };

  // The level keeps its capacity, which may have grown; its index may contain removed children.
  void restore(const step& of) noexcept {
    level& in = *of.where;
    slot* const items = in.items;
    const std::uint32_t capacity = in.capacity;
    in = of.saved;
    in.items = items;
    in.capacity = capacity;
    in.index = nullptr;
    if (in.wire == ttype::struct_) std::copy_n(slots_.data() + of.first, in.count, in.items);
  }

  tree& tree_;
  std::vector<step> steps_;
  std::vector<slot> slots_;
  std::vector<level*> unmarked_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
