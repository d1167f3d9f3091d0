// edit_tree: the edits of one batch, ordered by where they apply.
// In: compiled paths and what to do at their end. Out: a trie that one pass over the bytes follows.
// Never holds values: those lie with the edit, the trie knows their numbers.
#pragma once

#include <thriftlens/lens/plan.hpp>
#include <thriftlens/path/path.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

enum class edit_action : std::uint8_t { set, insert, append, erase, replace, create };

/// Which child of a value: by id, index or key. As the edges of a plan.
struct edit_step {
  std::int16_t id = 0;
  std::int64_t index = 0;
  map_key key = 0;

  friend bool operator<(const edit_step& left, const edit_step& right) noexcept {
    if (left.id != right.id) return left.id < right.id;
    if (left.index != right.index) return left.index < right.index;
    return key_less(left.key, right.key);
  }
};

/// What happens at and below one value. Numbers are those of the edits in the order they were asked for.
struct edit_node {
  static constexpr std::uint32_t none = 0xffffffffu;

  struct many {
    std::int64_t first = 0;
    std::int64_t last = path_syntax_step::open;
    std::uint32_t node = 0;
  };

  std::uint32_t action = none;                                  ///< the last edit of the value itself
  std::uint32_t first = none;                                   ///< the edit that came here first
  std::uint32_t any = none;                                     ///< some edit at or below, for messages
  std::vector<std::uint32_t> appends;                           ///< to this list or set
  std::vector<std::pair<std::int64_t, std::uint32_t>> inserts;  ///< before these elements
  std::map<edit_step, std::uint32_t> children;
  std::vector<many> many_children;                              ///< slices and wildcards
  bool strict = false;                                          ///< some edit below needs the value to be there
  bool makes = false;                                           ///< some edit makes the value where it is absent
  bool counts = false;                                          ///< some edit may change how many children there are

  [[nodiscard]] bool goes_deeper() const noexcept {
    return !appends.empty() || !inserts.empty() || !children.empty() || !many_children.empty();
  }
};

/// Grows by add(); read by index from 0, the root.
class edit_tree {
 public:
  edit_tree() : nodes_(1) {}

  [[nodiscard]] const edit_node& operator[](std::uint32_t at) const noexcept { return nodes_[at]; }

  /// Notes edit number `edit`. edit_conflict where one edit would change what another replaces or erases as a whole.
  [[nodiscard]] errc add(const path& way, edit_action action, std::uint32_t edit) {
    std::span<const path_step> steps = way.steps();
    bool before_element = action == edit_action::insert && !steps.empty() && steps.back().kind == path_step::form::index;
    std::size_t depth = steps.size() - (before_element ? 1u : 0u);
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < depth; ++i) {
      edit_node& node = nodes_[at];
      if (node.action != edit_node::none) return errc::edit_conflict;
      note(node, action, edit);
      bool last = i + 1 == depth && !before_element;
      if (last && (action != edit_action::replace)) node.counts = true;
      at = child(at, steps[i], edit);
    }
    edit_node& end = nodes_[at];
    if (before_element || action == edit_action::append) {
      if (end.action != edit_node::none) return errc::edit_conflict;
      end.counts = true;
      end.any = edit;
      if (before_element) {
        end.strict = true;
        end.inserts.emplace_back(steps.back().first, edit);
      } else {
        end.makes = true;
        end.appends.push_back(edit);
      }
      return errc::ok;
    }
    if (end.goes_deeper()) return errc::edit_conflict;
    end.action = end.any = edit;
    return errc::ok;
  }

 private:
  static void note(edit_node& node, edit_action action, std::uint32_t edit) noexcept {
    node.any = edit;
    if (action == edit_action::create) node.makes = true;
    else if (action != edit_action::erase && action != edit_action::replace) node.strict = true;
  }
  std::uint32_t child(std::uint32_t at, const path_step& step, std::uint32_t edit) {
    auto fresh = static_cast<std::uint32_t>(nodes_.size());
    using form = path_step::form;
    if (step.kind == form::elements || step.kind == form::entries) {
      for (const edit_node::many& each : nodes_[at].many_children) {
        if (each.first == step.first && each.last == step.last) return each.node;
      }
      nodes_[at].many_children.push_back({step.first, step.last, fresh});
      nodes_.emplace_back().first = edit;
      return fresh;
    }
    edit_step key;
    if (step.kind == form::field) key.id = step.id;
    if (step.kind == form::index) key.index = step.first;
    if (step.kind == form::key) key.key = plain_key(step.key);
    auto [place, is_new] = nodes_[at].children.try_emplace(key, fresh);
    std::uint32_t found = place->second;
    if (is_new) nodes_.emplace_back().first = edit;
    return found;
  }

  std::deque<edit_node> nodes_;
};

}  // namespace thriftlens::detail
