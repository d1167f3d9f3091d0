// edit_guide: the edits of a batch that apply to a value and its parts, while a pass descends.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/rewrite/edit_tree.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Nodes that apply to one value: a run in the guide's stack. Wildcards make several.
struct edit_nodes {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  [[nodiscard]] bool is_single() const noexcept { return end - begin == 1; }
};

/// The combined edits of the nodes of one value.
struct edit_decision {
  std::uint32_t edit = edit_node::none;  ///< of the value itself: the last one
  bool deeper = false;
  bool strict = false;
  bool makes = false;
  std::uint32_t any = edit_node::none;  ///< for messages

  void add(const edit_node& of) noexcept {
    if (of.action != edit_node::none && (edit == edit_node::none || of.action > edit)) edit = of.action;
    strict |= of.strict;
    makes |= of.makes;
    any = of.any;
  }
};

/// A field, element or entry that some edit names.
struct edit_request {
  std::uint32_t step;  ///< a node that its step leads to
  bool seen = false;
  bool present = false;  ///< two-pass runs know it beforehand
  edit_nodes at;
};
/// A range in the guide's list of requests.
struct edit_requests {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const noexcept { return begin == end; }
};

/// Grows while a pass descends; release() drops what was pushed since a mark().
class edit_guide {
 public:
  struct marker {
    std::size_t stack, requests;
  };

  edit_guide() = default;
  edit_guide(const edit_tree* tree, std::span<const edit_entry> edits, byte_view values) noexcept
      : tree_(tree), edits_(edits), values_(values) {}

  [[nodiscard]] bool has_edits() const noexcept { return tree_ != nullptr; }
  [[nodiscard]] const edit_tree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const step_trie& steps() const noexcept { return tree_->steps(); }
  [[nodiscard]] std::span<const edit_entry> edits() const noexcept { return edits_; }
  [[nodiscard]] byte_view values() const noexcept { return values_; }
  [[nodiscard]] edit_action action(std::uint32_t edit) const noexcept { return edits_[edit].action; }
  [[nodiscard]] bool inserts(std::uint32_t edit) const noexcept {
    return action(edit) == edit_action::insert;
  }
  [[nodiscard]] bool erases(const edit_decision& decision) const noexcept {
    return decision.edit != edit_node::none && action(decision.edit) == edit_action::erase;
  }
  /// Whether the edit ignores absent values.
  [[nodiscard]] bool needs_old(std::uint32_t edit) const noexcept {
    return action(edit) == edit_action::erase || action(edit) == edit_action::replace;
  }
  /// The new value of an edit other than erase and replace.
  [[nodiscard]] byte_view value(std::uint32_t edit) const noexcept { return edits_[edit].value_in(values_); }

  // ---- nodes ----

  /// The nodes of the root: of the tree, or those that another guide has at a value.
  [[nodiscard]] edit_nodes root() {
    stack_.push_back(0);
    return {0, 1};
  }
  [[nodiscard]] edit_nodes root(const edit_guide& above, edit_nodes at) {
    for (std::size_t i = at.begin; i < at.end; ++i) stack_.push_back(above.stack_[i]);
    return {0, stack_.size()};
  }
  [[nodiscard]] marker mark() const noexcept { return {stack_.size(), requests_.size()}; }
  void release(const marker& to) {
    stack_.resize(to.stack);
    requests_.resize(to.requests);
  }
  [[nodiscard]] std::size_t top() const noexcept { return stack_.size(); }
  void push(std::uint32_t node) { stack_.push_back(node); }
  void push(edit_nodes nodes) {
    for (std::size_t i = nodes.begin; i < nodes.end; ++i) stack_.push_back(std::uint32_t{stack_[i]});
  }
  void pop_to(std::size_t top) { stack_.resize(top); }
  [[nodiscard]] std::uint32_t operator[](std::size_t at) const noexcept { return stack_[at]; }
  [[nodiscard]] const edit_node& node(std::size_t at) const noexcept { return (*tree_)[stack_[at]]; }
  [[nodiscard]] const edit_extras& extras(std::size_t at) const noexcept { return tree_->extras(node(at)); }
  [[nodiscard]] std::uint32_t any(edit_nodes at) const noexcept { return node(at.begin).any; }

  /// Combines the nodes of a value. False if one edit changes a part of what another replaces.
  [[nodiscard]] bool decide(edit_nodes at, edit_decision& decision) const noexcept {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      decision.add(node(i));
      decision.deeper |= tree_->goes_deeper(stack_[i]);
    }
    return decision.edit == edit_node::none || !decision.deeper;
  }
  /// Pushes the nodes of slices and wildcards that hold the element (an entry is the element 0 of 1).
  void push_slices(edit_nodes at, std::int64_t index, std::int64_t size) {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      for (const edit_extras::many& slice : extras(i).many_children) {
        const std::int64_t first = slice.first < 0 ? slice.first + size : slice.first;
        const std::int64_t last = slice.last < 0 ? slice.last + size : slice.last;
        if (index >= first && index < last) stack_.push_back(slice.node);
      }
    }
  }
  /// The edits that append to a list, in their order.
  [[nodiscard]] std::vector<std::uint32_t> appends(edit_nodes at) const {
    std::vector<std::uint32_t> edits;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const std::vector<std::uint32_t>& appended = extras(i).appends;
      edits.insert(edits.end(), appended.begin(), appended.end());
    }
    sort_stably(edits.data(), edits.size(), [](std::uint32_t lhs, std::uint32_t rhs) { return lhs < rhs; });
    return edits;
  }

  // ---- requests: the children that single steps lead to ----

  [[nodiscard]] edit_request& request(std::size_t at) noexcept { return requests_[at]; }
  [[nodiscard]] std::int16_t id(std::size_t at) const noexcept { return steps().id(requests_[at].step); }

  /// Lists the distinct single children of all nodes: those of one map in the order of their edits, others in
  /// the order of steps.
  [[nodiscard]] edit_requests collect(edit_nodes at, bool of_map) {
    const std::size_t begin = requests_.size();
    if (at.is_single())
      collect_single(stack_[at.begin], of_map, begin);
    else
      collect_merged(at, begin);
    return {begin, requests_.size()};
  }
  /// The request for a field, or the end.
  [[nodiscard]] std::size_t find_field(edit_requests among, std::int16_t id) const noexcept {
    const auto precedes = [&](const edit_request& request) { return steps().id(request.step) < id; };
    const std::size_t at = first_not(among, precedes);
    return at != among.end && this->id(at) == id ? at : among.end;
  }
  /// The request for an entry, or the end. `key` in the form of edit_keys.
  [[nodiscard]] std::size_t find_key(edit_nodes at, edit_requests among, const map_key& key) const noexcept {
    for (std::size_t i = at.begin; i < at.end && !among.empty(); ++i) {
      const std::uint32_t child = steps().find(stack_[i], key);
      if (child == step_trie::none) continue;
      return at.is_single() ? among.begin + steps()[child].position : first_of_step(among, child);
    }
    return among.end;
  }
  /// The requests without a match, in the order of their edits.
  [[nodiscard]] pod_vector<std::size_t> unseen(edit_requests among) const {
    pod_vector<std::size_t> positions;
    for (std::size_t i = among.begin; i < among.end; ++i)
      if (!requests_[i].seen) positions.push_back(i);
    const auto first_edit = [this](std::size_t at) { return node(requests_[at].at.begin).first; };
    sort_stably(positions.data(), positions.size(),
                [&](std::size_t lhs, std::size_t rhs) { return first_edit(lhs) < first_edit(rhs); });
    return positions;
  }

 private:
  void add_request(std::uint32_t child) {
    requests_.push_back({child, false, false, {stack_.size(), stack_.size() + 1}});
    stack_.push_back(child);
  }
  template <class Visit>
  void each_child(std::uint32_t of, Visit visit) const {
    for (std::uint32_t child = steps()[of].first_child; child != step_trie::none; child = steps()[child].next)
      visit(child);
  }
  void collect_single(std::uint32_t parent, bool of_map, std::size_t begin) {
    each_child(parent, [&](std::uint32_t child) { add_request(child); });
    if (of_map || steps()[parent].ascending) return;
    const auto less = [&](const edit_request& lhs, const edit_request& rhs) {
      return steps().less(lhs.step, rhs.step);
    };
    sort_stably(requests_.data() + begin, requests_.size() - begin, less);
  }
  /// The children of all nodes in the order of their steps.
  [[nodiscard]] pod_vector<std::uint32_t> children(edit_nodes at) const {
    pod_vector<std::uint32_t> nodes;
    for (std::size_t i = at.begin; i < at.end; ++i)
      each_child(stack_[i], [&](std::uint32_t child) { nodes.push_back(child); });
    const auto less = [&](std::uint32_t lhs, std::uint32_t rhs) { return steps().less(lhs, rhs); };
    sort_stably(nodes.data(), nodes.size(), less);
    return nodes;
  }
  void collect_merged(edit_nodes at, std::size_t begin) {
    for (const std::uint32_t child : children(at)) {
      if (requests_.size() == begin || steps().less(requests_.back().step, child)) {
        add_request(child);
      } else {
        stack_.push_back(child);
        ++requests_.back().at.end;
      }
    }
  }
  [[nodiscard]] std::size_t first_of_step(edit_requests among, std::uint32_t step) const noexcept {
    return first_not(among, [&](const edit_request& request) { return steps().less(request.step, step); });
  }
  /// The first request for which `precedes` is false, or the end.
  template <class Precedes>
  [[nodiscard]] std::size_t first_not(edit_requests among, Precedes precedes) const noexcept {
    const edit_request* const begin = requests_.data();
    return static_cast<std::size_t>(end_of(begin + among.begin, begin + among.end, precedes) - begin);
  }

  const edit_tree* tree_ = nullptr;
  std::span<const edit_entry> edits_;
  byte_view values_;
  std::vector<std::uint32_t> stack_;
  pod_vector<edit_request> requests_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
