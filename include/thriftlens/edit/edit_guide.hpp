// edit_guide: which edits of a batch apply to a value and to what is inside it, while a pass goes down.
#pragma once

#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/path/map_key.hpp>

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

/// What the nodes of one value ask for.
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
/// A run of them in the guide's list.
struct edit_requests {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const noexcept { return begin == end; }
};

/// Grows while a pass goes down; release() forgets what was pushed since a mark().
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
  [[nodiscard]] bool erases(const edit_decision& made) const noexcept {
    return made.edit != edit_node::none && action(made.edit) == edit_action::erase;
  }
  /// Whether the edit has no say about a value that is not there.
  [[nodiscard]] bool needs_old(std::uint32_t edit) const noexcept {
    return action(edit) == edit_action::erase || action(edit) == edit_action::replace;
  }
  /// Whether what the nodes ask for takes the value as it is there.
  [[nodiscard]] bool reads_old(const edit_decision& made) const noexcept {
    return made.edit == edit_node::none || needs_old(made.edit);
  }
  /// The new value of an edit that is no erase and no replace.
  [[nodiscard]] byte_view value(std::uint32_t edit) const noexcept { return edits_[edit].value_in(values_); }

  // ---- nodes ----

  /// The nodes of the root, of the tree or of those that another guide has at a value.
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

  /// What the nodes ask for. False where one edit changes a part of what another replaces.
  [[nodiscard]] bool decide(edit_nodes at, edit_decision& made) const noexcept {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      made.add(node(i));
      made.deeper |= tree_->goes_deeper(stack_[i]);
    }
    return made.edit == edit_node::none || !made.deeper;
  }
  /// Pushes the nodes of slices and wildcards that hold the element (an entry is the element 0 of 1).
  void push_slices(edit_nodes at, std::int64_t index, std::int64_t size) {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      for (const edit_extras::many& each : extras(i).many_children) {
        const std::int64_t first = each.first < 0 ? each.first + size : each.first;
        const std::int64_t last = each.last < 0 ? each.last + size : each.last;
        if (index >= first && index < last) stack_.push_back(each.node);
      }
    }
  }
  /// The edits that append to a list, in their order.
  [[nodiscard]] std::vector<std::uint32_t> appends(edit_nodes at) const {
    std::vector<std::uint32_t> all;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const std::vector<std::uint32_t>& each = extras(i).appends;
      all.insert(all.end(), each.begin(), each.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  // ---- requests: the children that single steps lead to ----

  [[nodiscard]] edit_request& request(std::size_t at) noexcept { return requests_[at]; }
  [[nodiscard]] std::int16_t id(std::size_t at) const noexcept { return steps().id(requests_[at].step); }

  /// Lists the single children of all nodes, each once: those of one map in the order they were asked for,
  /// others in the order of steps.
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
    const auto before = [&](const edit_request& each) { return steps().id(each.step) < id; };
    const std::size_t at = first_not(among, before);
    return at != among.end && this->id(at) == id ? at : among.end;
  }
  /// The request for an entry, or the end.
  [[nodiscard]] std::size_t find_key(edit_nodes at, edit_requests among, const map_key& key) const noexcept {
    return find_child(at, among, [&](std::uint32_t node) { return steps().find(node, key); });
  }
  /// The same by the bytes of a key, which are `equals(bytes)` to those of the edit.
  template <class Equals>
  [[nodiscard]] std::size_t find_bytes(edit_nodes at, edit_requests among, Equals equals) const {
    return find_child(at, among, [&](std::uint32_t node) { return steps().find_bytes(node, equals); });
  }
  template <class Find>
  [[nodiscard]] std::size_t find_child(edit_nodes at, edit_requests among, Find find) const {
    for (std::size_t i = at.begin; i < at.end && !among.empty(); ++i) {
      const std::uint32_t child = find(stack_[i]);
      if (child == step_trie::none) continue;
      if (at.is_single()) return among.begin + steps()[child].position;
      return first_not(among, [&](const edit_request& each) { return steps().less(each.step, child); });
    }
    return among.end;
  }
  /// The requests that were not seen, in the order they were asked for.
  [[nodiscard]] std::vector<std::size_t> unseen(edit_requests among) const {
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    for (std::size_t i = among.begin; i < among.end; ++i) {
      if (!requests_[i].seen) found.emplace_back(node(requests_[i].at.begin).first, i);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> all;
    for (const auto& [order, at] : found) all.push_back(at);
    return all;
  }

 private:
  static std::ptrdiff_t offset(std::size_t at) noexcept { return static_cast<std::ptrdiff_t>(at); }
  void add_request(std::uint32_t child) {
    requests_.push_back({child, false, false, {stack_.size(), stack_.size() + 1}});
    stack_.push_back(child);
  }
  template <class Visit>
  void each_child(std::uint32_t of, Visit visit) const {
    for (std::uint32_t each = steps()[of].first_child; each != step_trie::none; each = steps()[each].next)
      visit(each);
  }
  void collect_single(std::uint32_t parent, bool of_map, std::size_t begin) {
    each_child(parent, [&](std::uint32_t child) { add_request(child); });
    if (of_map || steps()[parent].ascending) return;
    const auto less = [&](const edit_request& left, const edit_request& right) {
      return steps().less(left.step, right.step);
    };
    std::sort(requests_.begin() + offset(begin), requests_.end(), less);
  }
  /// The children of all nodes in the order of their steps.
  [[nodiscard]] std::vector<std::uint32_t> children(edit_nodes at) const {
    std::vector<std::uint32_t> all;
    for (std::size_t i = at.begin; i < at.end; ++i)
      each_child(stack_[i], [&](std::uint32_t child) { all.push_back(child); });
    const auto less = [&](std::uint32_t left, std::uint32_t right) { return steps().less(left, right); };
    std::stable_sort(all.begin(), all.end(), less);
    return all;
  }
  void collect_merged(edit_nodes at, std::size_t begin) {
    for (const std::uint32_t each : children(at)) {
      if (requests_.size() == begin || steps().less(requests_.back().step, each)) {
        add_request(each);
      } else {
        stack_.push_back(each);
        ++requests_.back().at.end;
      }
    }
  }
  /// The first of them that is not `before`, or the end.
  template <class Before>
  [[nodiscard]] std::size_t first_not(edit_requests among, Before before) const noexcept {
    const auto first = requests_.begin() + offset(among.begin), last = requests_.begin() + offset(among.end);
    return static_cast<std::size_t>(std::partition_point(first, last, before) - requests_.begin());
  }

  const edit_tree* tree_ = nullptr;
  std::span<const edit_entry> edits_;
  byte_view values_;
  std::vector<std::uint32_t> stack_;
  std::vector<edit_request> requests_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
