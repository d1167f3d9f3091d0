// edit_tree: the edits of one batch, ordered by where they apply. Has no values: the edits own them, the trie
// has their indices.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/path/step_trie.hpp>
#include <thriftlens/protocol/canonical.hpp>
#include <thriftlens/view/wire_key.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

enum class edit_action : std::uint8_t { set, insert, append, erase, replace, create };

/// One edit: its path, and its value as wire bytes of the type at the end of the path.
struct edit_entry {
  path target_path;
  std::size_t value_at = 0;  ///< in the bytes of all edits; replace: its number among the replacements
  std::size_t value_size = 0;
  edit_action action = edit_action::set;

  edit_entry() = default;
  edit_entry(edit_action verb, const path& path_in, std::size_t begin, std::size_t size)
      : target_path(path_in), value_at(begin), value_size(size), action(verb) {}

  /// The new value, among those of all edits; replace has none.
  [[nodiscard]] byte_view value_in(byte_view values) const noexcept {
    return {values.data() + value_at, value_size};
  }
  [[nodiscard]] type target() const noexcept {
    return action == edit_action::append ? target_path.to().element() : target_path.to();
  }
};

/// The edits at and below one value. Indices are those of the edits in the batch.
struct edit_node {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t action = none;  ///< the last edit of the value itself
  std::uint32_t first = none;   ///< the edit that came here first
  std::uint32_t any = none;     ///< some edit at or below, for messages
  std::uint32_t more = 0;       ///< in the tree: appends, inserts, slices; 0: none
  bool strict = false;          ///< some edit below needs the value to be there
  bool makes = false;           ///< some edit makes the value where it is absent
  bool counts = false;          ///< some edit may change how many children there are
};

/// What few values have.
struct edit_extras {
  struct many {
    std::int64_t first = 0;
    std::int64_t last = path_step::open;
    std::uint32_t node = 0;
  };

  std::vector<std::uint32_t> appends;                           ///< to this list or set
  std::vector<std::pair<std::int64_t, std::uint32_t>> inserts;  ///< before these elements
  std::vector<many> many_children;                              ///< slices and wildcards
};

/// The keys of the edits, equal ones in one spelling.
class edit_keys {
 public:
  /// The steps of a path with those spellings: its own, or in `respelled`.
  template <protocol P>
  [[nodiscard]] std::span<const path_step> steps_of(const path& target, std::vector<path_step>& respelled) {
    const auto steps = target.steps();
    if (!target.from() || std::none_of(steps.begin(), steps.end(), is_wire_key)) return steps;
    respelled.assign(steps.begin(), steps.end());
    respell<P>(target.from(), respelled);
    return respelled;
  }
  /// The spelling of a key of a message, as read_key() reads it, if an edit names it.
  template <protocol P>
  [[nodiscard]] map_key find(const map_key& key, ttype wire) const {
    if (key.kind() != map_key::form::wire || spellings_.empty()) return key;
    buffer canonical;
    if (!read<P>(key.bytes(), wire, canonical)) return key;
    const auto match = spellings_.find(canonical.str());
    return match == spellings_.end() ? key : map_key::wire(byte_view(match->second));
  }

 private:
  [[nodiscard]] static bool is_wire_key(const path_step& step) noexcept {
    return step.kind == path_step::form::key && step.key.kind() == map_key::form::wire;
  }
  template <protocol P>
  void respell(type of, std::span<path_step> steps) {
    for (path_step& step : steps) {
      if (is_wire_key(step)) step.key = add<P>(step.key, of.key().wire());
      of = type(of.image(), step.type);
    }
  }
  /// The key as read_key() reads it, in its first spelling. Bytes that are no key stay.
  template <protocol P>
  [[nodiscard]] map_key add(const map_key& key, ttype wire) {
    if (key_form(wire) != map_key::form::wire) return scalar<P>(key, wire);
    buffer canonical;
    if (!read<P>(key.bytes(), wire, canonical)) return key;
    const std::string& first = spellings_.try_emplace(canonical.str(), key.text()).first->second;
    return map_key::wire(byte_view(first));
  }
  template <protocol P>
  [[nodiscard]] static map_key scalar(const map_key& key, ttype wire) {
    typename P::reader in(key.bytes(), key_limits);
    map_key value = 0;
    return read_key<P>(in, wire, value) && in.at_end() ? value : key;
  }
  template <protocol P>
  [[nodiscard]] static bool read(byte_view bytes, ttype wire, buffer& canonical) {
    typename P::reader in(bytes, key_limits);
    return append_canonical_key<P>(in, canonical, wire) && in.at_end();
  }

  std::map<std::string, std::string> spellings_;  // first ones by canonical encoding
};

/// Grows by add(); read by index from 0, the root.
class edit_tree {
 public:
  edit_tree() : nodes_(1), extras_(1) {}

  [[nodiscard]] const edit_node& operator[](std::uint32_t at) const noexcept { return nodes_[at]; }
  /// The children reached by one step, by the same indices.
  [[nodiscard]] const step_trie& steps() const noexcept { return steps_; }
  [[nodiscard]] const edit_keys& keys() const noexcept { return keys_; }
  [[nodiscard]] const edit_extras& extras(const edit_node& of) const noexcept { return extras_[of.more]; }
  [[nodiscard]] bool goes_deeper(std::uint32_t at) const noexcept {
    return nodes_[at].more != 0 || steps_[at].children != 0;
  }

  /// Adds edit number `edit`. edit_conflict if an edit would change a part of a value that another replaces
  /// or erases.
  template <protocol P>
  [[nodiscard]] errc add(const path& target, edit_action action, std::uint32_t edit) {
    std::vector<path_step> respelled;
    const auto steps = keys_.template steps_of<P>(target, respelled);
    if (action == edit_action::insert && ends_in_index(steps)) return insert_before(steps, edit);
    const std::uint32_t at = descend(steps, action, edit, action != edit_action::replace);
    if (action == edit_action::append) return add_element(at, nullptr, edit);
    if (at == edit_node::none || goes_deeper(at)) return errc::edit_conflict;
    nodes_[at].action = nodes_[at].any = edit;
    return errc::ok;
  }

 private:
  [[nodiscard]] static bool ends_in_index(std::span<const path_step> steps) noexcept {
    return !steps.empty() && steps.back().kind == path_step::form::index;
  }
  [[nodiscard]] errc insert_before(std::span<const path_step> steps, std::uint32_t edit) {
    const std::uint32_t list = descend(steps.first(steps.size() - 1), edit_action::insert, edit, false);
    return add_element(list, &steps.back(), edit);
  }
  /// The node at the end of the steps, or none if another edit replaces or erases a value on the path.
  /// `counts`: the parent may get more or fewer children.
  [[nodiscard]] std::uint32_t descend(std::span<const path_step> steps, edit_action action,
                                      std::uint32_t edit, bool counts) {
    std::uint32_t at = 0;
    for (const path_step& step : steps) {
      edit_node& node = nodes_[at];
      if (node.action != edit_node::none) return edit_node::none;
      note(node, action, edit);
      node.counts |= counts && &step == &steps.back();
      at = child(at, step, edit);
    }
    return at;
  }
  /// Adds an element to the list at `at`: before element `next`, or at the end.
  [[nodiscard]] errc add_element(std::uint32_t at, const path_step* next, std::uint32_t edit) {
    if (at == edit_node::none || nodes_[at].action != edit_node::none) return errc::edit_conflict;
    edit_node& list = nodes_[at];
    list.counts = true;
    list.any = edit;
    if (next != nullptr) {
      list.strict = true;
      more(at).inserts.emplace_back(next->first, edit);
    } else {
      list.makes = true;
      more(at).appends.push_back(edit);
    }
    return errc::ok;
  }
  static void note(edit_node& node, edit_action action, std::uint32_t edit) noexcept {
    node.any = edit;
    if (action == edit_action::create)
      node.makes = true;
    else if (action != edit_action::erase && action != edit_action::replace)
      node.strict = true;
  }
  [[nodiscard]] edit_extras& more(std::uint32_t at) {
    if (nodes_[at].more == 0) {
      nodes_[at].more = static_cast<std::uint32_t>(extras_.size());
      extras_.emplace_back();
    }
    return extras_[nodes_[at].more];
  }
  std::uint32_t child(std::uint32_t at, const path_step& step, std::uint32_t edit) {
    const bool many = step.kind == path_step::form::elements || step.kind == path_step::form::entries;
    const std::uint32_t node = many ? many_child(at, step) : steps_.child(at, step);
    if (node == nodes_.size()) nodes_.emplace_back().first = edit;
    return node;
  }
  std::uint32_t many_child(std::uint32_t at, const path_step& step) {
    std::vector<edit_extras::many>& known = more(at).many_children;
    for (const edit_extras::many& slice : known) {
      if (slice.first == step.first && slice.last == step.last) return slice.node;
    }
    return known.emplace_back(edit_extras::many{step.first, step.last, steps_.detached()}).node;
  }

  step_trie steps_;
  edit_keys keys_;
  std::vector<edit_node> nodes_;     // as many as steps_ has
  std::vector<edit_extras> extras_;  // the first is empty: of those who have none
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
