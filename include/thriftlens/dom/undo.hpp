// undo: what levels were before a change of many steps, to be put back when a later step fails. Never
// gives memory back: what the steps made stays in the arena until the next message.
#pragma once

#include <thriftlens/dom/tree.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Steps are undone in reverse order. A level's children may meanwhile be set, added after the others and,
/// in structs, erased.
class undo_log {
 public:
  explicit undo_log(tree& of) noexcept : tree_(of) {}

  /// The level before children are added. Of a struct all slots: fields go between others.
  void keep(level& of) {
    steps_.push_back({&of, of, {}, 0, static_cast<std::uint32_t>(slots_.size())});
    if (of.wire == ttype::struct_) slots_.insert(slots_.end(), of.items, of.items + of.count);
  }
  /// One slot of a level (null: the root) before it is replaced.
  void keep(level* where, const slot& at) {
    steps_.push_back(
        {where, {}, at, where == nullptr ? 0 : static_cast<std::uint32_t>(&at - where->items), one_slot});
  }
  /// The levels that a change below `in` will mark.
  void keep_above(level* in) {
    for (; in != nullptr && !in->changed; in = in->parent) unmarked_.push_back(in);
  }

  void roll_back() noexcept {
    for (auto each = steps_.rbegin(); each != steps_.rend(); ++each) {
      if (each->first == one_slot)
        (each->where == nullptr ? tree_.root : each->where->items[each->number]) = each->old;
      else
        put_back(*each);
    }
    for (level* each : unmarked_) each->changed = false;
    steps_.clear();
  }

 private:
  static constexpr std::uint32_t one_slot = 0xffffffffu;
  struct step {
    level* where;
    level before;
    slot old;
    std::uint32_t number;
    std::uint32_t first;  // where the level's slots begin, or one_slot
  };

  // The level keeps its (perhaps larger) capacity; its index may know children that are gone.
  void put_back(const step& of) noexcept {
    level& in = *of.where;
    slot* const items = in.items;
    const std::uint32_t capacity = in.capacity;
    in = of.before;
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
