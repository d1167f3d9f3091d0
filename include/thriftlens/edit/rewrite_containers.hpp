// rewrite_containers: what a rewrite does to elements and entries: selection, rules and edits in this
// order. Never changes a byte that nothing names, but for sizes.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/edit/rewrite_structs.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/walker.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `Self` does what is inside: value() and new_value().
template <protocol P, class Self>
class container_rewriter : public struct_rewriter<P, Self> {
 public:
  using base = struct_rewriter<P, Self>;
  using base::base;

 protected:
  using base::decide;
  using base::guide_;
  using base::image_;
  using base::in_;
  using base::make_entries;
  using base::out_;
  using base::own;
  using base::reject;
  using base::report;
  using base::rules_of;
  using base::self;
  using base::what_;
  using base::wire_of;
  using typename base::place;

  /// What happens in front of or at an element.
  struct list_event {
    std::int64_t index;
    std::uint32_t insert;  // the edit, or none for a child
    std::uint32_t node;
  };
  /// The events of one list, those of lists inside come and go after them; and where the pass is in it.
  struct event_run {
    std::size_t next = 0, end = 0;
    std::int64_t index = 0;
    bool has_slices = false;
  };
  /// A list, set or map that is passed through.
  struct container_state {
    const redact_node* rules = nullptr;
    place each = {};                   ///< what applies to elements or values that no edit names
    edit_nodes edits = {};             ///< of the container
    std::uint32_t type = image::none;  ///< of elements or values
    ttype wire = ttype::stop;
    std::int64_t size = 0;   ///< elements or entries of the input
    std::int64_t count = 0;  ///< and of the result
    bool counts = false;     ///< they may differ
    open_header header = {};
    std::set<std::string> merged = {};  ///< keys or elements of the result, where equal ones are merged
  };

  bool sequence(const place& at, const wire_location& location) {
    const wire_position whole = in_.here();
    list_header list;
    if (!this->read_list(location.wire, list) || !in_.enter()) return false;
    container_state state;
    open_container(state, at, image_->types[location.type].first, list.size);
    if (list.size != 0 && list.element != state.wire) return in_.reject(errc::type_mismatch, whole.at);
    if (state.edits.empty() && state.each.is_plain()) return skip_from(whole, location.wire);
    if (state.counts) state.header = this->open(whole.at);
    if (!(state.edits.empty() ? copy_elements(state) : edit_elements(state))) return false;
    if (!leave(state)) return false;
    if (state.count != state.size) this->close(state.header, location.wire, {state.wire, count_of(state)});
    return true;
  }
  void open_container(container_state& state, const place& at, std::uint32_t type, std::uint32_t size) const {
    state.type = type;
    state.wire = wire_of(type);
    state.count = state.size = size;
    state.each.kept = at.kept;
    if (const redact_node* rules = rules_of(at.hidden)) open_rules(state, *rules);
    state.edits = at.edits;
    for (std::size_t i = at.edits.begin; i < at.edits.end; ++i) state.counts |= guide_.node(i).counts;
  }
  static void open_rules(container_state& state, const redact_node& rules) noexcept {
    state.rules = &rules;
    state.each.hidden = rules.value;
    state.counts = rules.drops || rules.merges();
  }
  bool leave(const container_state& state) {
    in_.leave();
    return state.count <= 0x7fffffff || reject(errc::size_limit, guide_.any(state.edits));
  }
  [[nodiscard]] static std::uint32_t count_of(const container_state& state) noexcept {
    return static_cast<std::uint32_t>(state.count);
  }
  /// The whole value at once, whose header is known to be as the IDL says.
  bool skip_from(const wire_position& start, ttype wire) {
    in_.seek(start);
    return in_.skip(wire);
  }
  /// The element or value at which the reader is.
  bool next_value(const container_state& state, const place& at) {
    return self().value(at, {in_.here(), state.type, state.wire});
  }
  bool copy_elements(container_state& state) {
    const bool drops = state.rules != nullptr && state.rules->drops;
    for (std::int64_t i = 0; i < state.size; ++i) {
      if (drops ? !drop_element(state) : !copy_element(state)) return false;
    }
    return true;
  }
  bool drop_element(container_state& state) {
    --state.count;
    ++report.dropped;
    return this->skip_without_copy(in_.at(), state.wire);
  }
  bool copy_element(container_state& state) {
    if (!state.counts) return next_value(state, state.each);
    const std::size_t start = mark();
    const splicer::copying all(*out_);
    if (!next_value(state, state.each)) return false;
    if (!is_new(state, start)) --state.count;
    return true;
  }
  /// Where in the output the next value begins.
  [[nodiscard]] std::size_t mark() {
    this->flush(in_.at());
    return out_->position();
  }
  /// What was written since the mark is no key or element that was there before; else it is taken back.
  [[nodiscard]] bool is_new(container_state& state, std::size_t start) {
    this->flush(in_.at());
    if (state.merged.emplace(own().text().substr(start)).second) return true;
    own().truncate(start);
    ++report.dropped;
    return false;
  }

  bool edit_elements(container_state& state) {
    event_run run{.next = events_.size()};
    const std::size_t begin = run.next;
    if (!open_run(state, run) || !run_events(state, run)) return false;
    events_.resize(begin);
    for (const std::uint32_t each : guide_.appends(state.edits)) insert_element(state, each);
    return true;
  }
  bool open_run(const container_state& state, event_run& run) {
    for (std::size_t i = state.edits.begin; i < state.edits.end; ++i) {
      run.has_slices |= !guide_.extras(i).many_children.empty();
      if (!add_events(guide_[i], state.size)) return false;
    }
    sort_events(run.next);
    run.end = events_.size();
    return true;
  }
  void insert_element(container_state& state, std::uint32_t edit) {
    this->insert(guide_.value(edit));
    ++state.count;
  }
  bool add_events(std::uint32_t at, std::int64_t size) {
    const step_trie& steps = guide_.steps();
    for (std::uint32_t child = steps[at].first_child; child != step_trie::none; child = steps[child].next) {
      if (!add_event({steps.index(child), edit_node::none, child}, size, size - 1) && !may_be_absent(child))
        return false;
    }
    return add_inserts(at, size);
  }
  bool add_inserts(std::uint32_t at, std::int64_t size) {
    for (const auto& [index, edit] : guide_.tree().extras(guide_.tree()[at]).inserts) {
      if (!add_event({index, edit, 0}, size, size)) return reject(errc::bad_index, edit);
    }
    return true;
  }
  /// False where the index, which may count from the end, is not within 0 and `last`.
  bool add_event(list_event event, std::int64_t size, std::int64_t last) {
    if (event.index < 0) event.index += size;
    if (event.index < 0 || event.index > last) return false;
    events_.push_back(event);
    return true;
  }
  bool may_be_absent(std::uint32_t at) noexcept {
    const edit_node& node = guide_.tree()[at];
    const bool is_edited = node.action != edit_node::none;
    const bool may_be = is_edited ? guide_.needs_old(node.action) : !node.strict && !node.makes;
    return may_be || reject(errc::bad_index, node.any);
  }
  void sort_events(std::size_t begin) {
    const auto earlier = [](const list_event& left, const list_event& right) {
      if (left.index != right.index) return left.index < right.index;
      return left.insert < right.insert;  // children, which have none, last
    };
    const auto first = events_.begin() + static_cast<std::ptrdiff_t>(begin);
    if (!std::is_sorted(first, events_.end(), earlier)) std::stable_sort(first, events_.end(), earlier);
  }
  bool run_events(container_state& state, event_run& run) {
    for (;; ++run.index) {
      if (!run.has_slices && !pass_elements(state, run)) return false;
      for (; at_event(run) && events_[run.next].insert != edit_node::none; ++run.next)
        insert_element(state, events_[run.next].insert);
      if (run.index == state.size) return true;
      if (!next_element(state, run)) return false;
    }
  }
  [[nodiscard]] bool at_event(const event_run& run) const noexcept {
    return run.next < run.end && events_[run.next].index == run.index;
  }
  /// Up to the next event.
  bool pass_elements(const container_state& state, event_run& run) {
    const std::int64_t to = run.next < run.end ? least(events_[run.next].index, state.size) : state.size;
    std::int64_t at = std::exchange(run.index, to);
    if (state.each.is_plain()) return skip_many<P>(in_, state.wire, static_cast<std::size_t>(to - at));
    for (; at != to; ++at) {
      if (!next_value(state, state.each)) return false;
    }
    return true;
  }
  bool next_element(container_state& state, event_run& run) {
    place at = state.each;
    at.edits.begin = guide_.top();
    for (; at_event(run); ++run.next) guide_.push(events_[run.next].node);
    if (run.has_slices) guide_.push_slices(state.edits, run.index, state.size);
    at.edits.end = guide_.top();
    const bool done = edit_value(state, at, in_.at());
    guide_.pop_to(at.edits.begin);
    return done;
  }
  /// An element or the value of an entry; what goes where it is erased begins at `begin`.
  bool edit_value(container_state& state, const place& at, byte_ptr begin) {
    edit_decision made;
    if (!at.edits.empty() && !decide(at.edits, made)) return false;
    if (made.edit == edit_node::none) return next_value(state, at);
    if (!guide_.erases(made))
      return replace_value(made.edit, at.without_edits(), {in_.here(), state.type, state.wire});
    --state.count;
    return this->skip_without_copy(begin, state.wire);
  }
  bool replace_value(std::uint32_t edit, const place& at, const wire_location& location) {
    if (guide_.inserts(edit)) return reject(errc::already_there, edit);
    byte_view bytes;
    if (!self().new_value(edit, at, location, bytes)) return false;
    if (!this->skip_without_copy(in_.at(), location.wire)) return false;
    own().append(bytes);
    return true;
  }

  // ---- maps ----

  struct map_state : container_state {
    const image::type_node* node = nullptr;
    ttype key_wire = ttype::stop;
    place key = {};           ///< what applies to each key
    bool reads_keys = false;  ///< some entry is named by its key
    bool by_bytes = false;    ///< some edit names one by the bytes of its key
    edit_requests asked = {};

    [[nodiscard]] bool fits(const map_header& map) const noexcept {
      return map.key == key_wire && map.value == this->wire;
    }
    [[nodiscard]] bool is_plain() const noexcept {
      return !reads_keys && !this->counts && key.is_plain() && this->each.is_plain() && this->edits.empty();
    }
  };

  bool mapping(const place& at, const wire_location& location) {
    const wire_position whole = in_.here();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    map_state state;
    open_map(state, at, image_->types[location.type], map.size);
    if (map.size != 0 && !state.fits(map)) return in_.reject(errc::type_mismatch, whole.at);
    if (state.is_plain()) return skip_from(whole, ttype::map);
    if (state.counts) state.header = this->open(whole.at);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (!entry(state)) return false;
    }
    return finish_map(state);
  }
  void open_map(map_state& state, const place& at, const image::type_node& node, std::uint32_t size) {
    open_container(state, at, node.second, size);
    state.node = &node;
    state.key_wire = wire_of(node.first);
    if (state.rules != nullptr) {
      state.key.hidden = state.rules->key;
      state.reads_keys = !state.rules->keyed.empty();
    }
    if (!at.edits.empty()) open_entries(state);
  }
  void open_entries(map_state& state) {
    state.reads_keys = true;
    for (std::size_t i = state.edits.begin; i < state.edits.end; ++i)
      state.by_bytes |= guide_.steps()[guide_[i]].wire_keys;
    state.asked = guide_.collect(state.edits, true);
    state.counts |= !state.asked.empty();
  }
  bool finish_map(map_state& state) {
    if (!make_entries(state.asked, *state.node, state.count, in_.at()) || !leave(state)) return false;
    if (state.count != state.size)
      this->close(state.header, {state.key_wire, state.wire, this->count_of(state)});
    return true;
  }
  bool entry(map_state& state) {
    const wire_position start = in_.here();
    place at = state.each;
    if (!state.reads_keys) return copy_entry(state, at, start);
    map_key key = 0;
    if (!read_key<P>(in_, state.key_wire, key)) return false;
    if (state.rules != nullptr) find_rule(*state.rules, key, at.hidden);
    return state.edits.empty() ? copy_entry(state, at, start) : edit_entry(state, at, key, start.at);
  }
  /// `begin`: of the key, which was read.
  bool edit_entry(map_state& state, place& at, const map_key& key, byte_ptr begin) {
    at.edits.begin = guide_.top();
    push_entry_edits(state, find_entry(state, key, begin));
    at.edits.end = guide_.top();
    const bool done = edit_value(state, at, begin);
    guide_.pop_to(at.edits.begin);
    return done;
  }
  static void find_rule(const redact_node& node, const map_key& key, redact_target& to) noexcept {
    const auto less = [](const redact_node::key_edge& each, const map_key& requested) {
      return key_less(each.key, requested);
    };
    const auto found = std::lower_bound(node.keyed.begin(), node.keyed.end(), key, less);
    if (found != node.keyed.end() && !key_less(key, found->key)) to = found->to;
  }
  /// From `start`, the key's place.
  bool copy_entry(map_state& state, const place& at, const wire_position& start) {
    in_.seek(start);
    if (state.rules != nullptr && what_.rules->drops(at.hidden)) return drop_entry(state, start.at);
    if (!state.key.is_plain()) return change_key(state, at);
    return in_.skip(state.key_wire) && next_value(state, at);
  }
  bool change_key(map_state& state, const place& at) {
    const std::size_t begin = mark();
    bool is_new_key = false;
    {
      const splicer::copying all(*out_);
      if (!self().value(state.key, {in_.here(), state.node->first, state.key_wire})) return false;
      is_new_key = is_new(state, begin);
    }
    if (is_new_key) return next_value(state, at);
    --state.count;
    return this->skip_without_copy(in_.at(), state.wire);
  }
  bool drop_entry(map_state& state, byte_ptr begin) {
    ++report.dropped;
    --state.count;
    return in_.skip(state.key_wire) && this->skip_without_copy(begin, state.wire);
  }
  /// The request for the entry, or the end.
  [[nodiscard]] std::size_t find_entry(const map_state& state, const map_key& key, byte_ptr begin) const {
    const std::size_t found = guide_.find_key(state.edits, state.asked, key);
    if (found != state.asked.end || !state.by_bytes) return found;
    const byte_view bytes(begin, static_cast<std::size_t>(in_.at() - begin));
    return guide_.find_bytes(state.edits, state.asked,
                             [&](byte_view edit) { return equal_keys<P>(edit, bytes, state.key_wire); });
  }
  void push_entry_edits(const map_state& state, std::size_t found) {
    if (found != state.asked.end) {
      guide_.request(found).seen = true;
      guide_.push(guide_.request(found).at);
    }
    guide_.push_slices(state.edits, 0, 1);
  }

  std::vector<list_event> events_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
