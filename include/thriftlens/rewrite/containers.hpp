// containers: applies selection, rules and edits, in this order, to elements and entries. Bytes that
// none of them matches are copied unchanged, except sizes.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/rewrite/absent.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/walker.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Copies a list, set or map and applies the rules and edits of its elements or entries.
template <protocol P>
class container_rewriter {
  using context = rewrite_state<P>;
  using actions = typename context::actions;

 public:
  container_rewriter(context& pass, value_rewriter<P>& values) noexcept
      : pass_(pass), guide_(pass.guide), values_(values), absent_(pass) {}

  bool sequence(const actions& at, const wire_location& location) {
    const wire_position start = pass_.in.here();
    list_header list;
    if (!pass_.read_list(location.wire, list) || !pass_.in.enter()) return false;
    container_state state;
    open_container(state, at, pass_.schema->types[location.type].first, list.size);
    if (list.size != 0 && list.element != state.wire) return pass_.in.reject(errc::type_mismatch, start.at);
    if (state.edits.empty() && state.inner.is_plain()) return skip_from(start, location.wire);
    if (state.counts) state.header = pass_.open(start.at);
    if (!change_elements(state, location.wire)) return false;
    if (!leave(state)) return false;
    if (state.count != state.size) pass_.close(state.header, location.wire, {state.wire, count_of(state)});
    return true;
  }
  bool mapping(const actions& at, const wire_location& location) {
    const wire_position start = pass_.in.here();
    map_header map;
    if (!pass_.in.read_map(map) || !pass_.in.enter()) return false;
    map_state state;
    open_map(state, at, pass_.schema->types[location.type], map.size);
    if (map.size != 0 && !state.fits(map)) return pass_.in.reject(errc::type_mismatch, start.at);
    if (state.is_plain()) return skip_from(start, ttype::map);
    if (state.counts) state.header = pass_.open(start.at);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (!entry(state)) return false;
    }
    return finish_map(state);
  }
  bool replace_value(std::uint32_t edit, const actions& at, const wire_location& location) {
    if (guide_.inserts(edit)) return pass_.reject(errc::already_there, edit);
    byte_view bytes;
    if (!values_.new_value(edit, at, location, bytes)) return false;
    if (!pass_.skip_without_copy(pass_.in.at(), location.wire)) return false;
    pass_.own().append(bytes);
    return true;
  }

 private:
  /// The events of one list (those of nested lists are pushed and popped after them), and the position in it.
  struct event_run {
    std::size_t next = 0, end = 0;
    std::int64_t index = 0;
    bool has_slices = false;
  };
  /// A list, set or map that is being copied.
  struct container_state {
    const redact_node* rules = nullptr;
    actions inner = {};                ///< actions of elements or values that no edit names
    edit_nodes edits = {};             ///< of the container
    std::uint32_t type = image::none;  ///< of elements or values
    ttype wire = ttype::stop;
    std::int64_t size = 0;   ///< elements or entries of the input
    std::int64_t count = 0;  ///< and of the result
    bool counts = false;     ///< they may differ
    open_header header = {};
    std::set<std::string> merged = {};  ///< keys or elements of the result, where equal ones are merged
  };

  void open_container(container_state& state, const actions& at, std::uint32_t type,
                      std::uint32_t size) const {
    state.type = type;
    state.wire = pass_.wire_of(type);
    state.count = state.size = size;
    state.inner.selected = at.selected;
    if (const redact_node* rules = pass_.rules_of(at.hidden)) open_rules(state, *rules);
    state.edits = at.edits;
    for (std::size_t i = at.edits.begin; i < at.edits.end; ++i) state.counts |= guide_.node(i).counts;
  }
  static void open_rules(container_state& state, const redact_node& rules) noexcept {
    state.rules = &rules;
    state.inner.hidden = rules.value;
    state.counts = rules.drops || rules.merges();
  }
  bool leave(const container_state& state) {
    pass_.in.leave();
    return state.count <= 0x7fffffff || pass_.reject(errc::size_limit, guide_.any(state.edits));
  }
  [[nodiscard]] static std::uint32_t count_of(const container_state& state) noexcept {
    return static_cast<std::uint32_t>(state.count);
  }
  /// Skips a whole value whose header matches the IDL.
  bool skip_from(const wire_position& start, ttype wire) {
    pass_.in.seek(start);
    return pass_.in.skip(wire);
  }
  /// The element or value at which the reader is.
  bool next_value(const container_state& state, const actions& at) {
    return values_.value(at, {pass_.in.here(), state.type, state.wire});
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
    ++pass_.report.dropped;
    return pass_.skip_without_copy(pass_.in.at(), state.wire);
  }
  bool copy_element(container_state& state) {
    if (!state.counts) return next_value(state, state.inner);
    const std::size_t start = mark();
    const splicer::copying scope(*pass_.out);
    if (!next_value(state, state.inner)) return false;
    if (!is_new(state, start, state.wire)) --state.count;
    return true;
  }
  /// Where in the output the next value begins.
  [[nodiscard]] std::size_t mark() {
    pass_.flush(pass_.in.at());
    return pass_.out->position();
  }
  /// Whether the key or element written since the mark is new; otherwise it is removed.
  [[nodiscard]] bool is_new(container_state& state, std::size_t start, ttype wire) {
    pass_.flush(pass_.in.at());
    buffer key;
    typename P::reader in(byte_view(pass_.own().text().substr(start)), key_limits);
    static_cast<void>(append_canonical_key<P>(in, key, wire));
    if (state.merged.emplace(key.text()).second) return true;
    pass_.own().truncate(start);
    ++pass_.report.dropped;
    return false;
  }

  bool change_elements(container_state& state, ttype wire) {
    if (state.edits.empty()) return copy_elements(state);
    if (wire == ttype::list) return edit_elements(state);
    const std::size_t begin = mark();
    const splicer::copying scope(*pass_.out);
    if (!edit_elements(state)) return false;
    pass_.flush(pass_.in.at());
    return pass_.are_unique(begin, state.wire, count_of(state), guide_.any(state.edits));
  }
  bool edit_elements(container_state& state) {
    event_run run{.next = pass_.events.size()};
    const std::size_t begin = run.next;
    if (!open_run(state, run) || !run_events(state, run)) return false;
    pass_.events.resize(begin);
    for (const std::uint32_t edit : guide_.appends(state.edits)) insert_element(state, edit);
    return true;
  }
  bool open_run(const container_state& state, event_run& run) {
    for (std::size_t i = state.edits.begin; i < state.edits.end; ++i) {
      run.has_slices |= !guide_.extras(i).many_children.empty();
      if (!add_events(guide_[i], state.size)) return false;
    }
    sort_events(run.next);
    run.end = pass_.events.size();
    return true;
  }
  void insert_element(container_state& state, std::uint32_t edit) {
    pass_.insert(guide_.value(edit));
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
      if (!add_event({index, edit, 0}, size, size)) return pass_.reject(errc::bad_index, edit);
    }
    return true;
  }
  /// False where the index, which may count from the end, is not within 0 and `last`.
  bool add_event(list_event event, std::int64_t size, std::int64_t last) {
    if (event.index < 0) event.index += size;
    if (event.index < 0 || event.index > last) return false;
    pass_.events.push_back(event);
    return true;
  }
  bool may_be_absent(std::uint32_t at) noexcept {
    const edit_node& node = guide_.tree()[at];
    const bool is_edited = node.action != edit_node::none;
    const bool may_be = is_edited ? guide_.needs_old(node.action) : !node.strict && !node.makes;
    return may_be || pass_.reject(errc::bad_index, node.any);
  }
  void sort_events(std::size_t begin) {
    const auto earlier = [](const list_event& lhs, const list_event& rhs) {
      if (lhs.index != rhs.index) return lhs.index < rhs.index;
      return lhs.insert < rhs.insert;  // children, which have none, last
    };
    const auto first = pass_.events.begin() + static_cast<std::ptrdiff_t>(begin);
    if (!std::is_sorted(first, pass_.events.end(), earlier))
      sort_stably(pass_.events.data() + begin, pass_.events.size() - begin, earlier);
  }
  bool run_events(container_state& state, event_run& run) {
    for (;; ++run.index) {
      if (!run.has_slices && !pass_elements(state, run)) return false;
      for (; at_event(run) && event(run).insert != edit_node::none; ++run.next)
        insert_element(state, event(run).insert);
      if (run.index == state.size) return true;
      if (!next_element(state, run)) return false;
    }
  }
  [[nodiscard]] const list_event& event(const event_run& run) const noexcept {
    return pass_.events[run.next];
  }
  [[nodiscard]] bool at_event(const event_run& run) const noexcept {
    return run.next < run.end && event(run).index == run.index;
  }
  bool pass_elements(const container_state& state, event_run& run) {
    const std::int64_t to = run.next < run.end ? least(event(run).index, state.size) : state.size;
    std::int64_t at = std::exchange(run.index, to);
    if (state.inner.is_plain()) return skip_many<P>(pass_.in, state.wire, static_cast<std::size_t>(to - at));
    for (; at != to; ++at) {
      if (!next_value(state, state.inner)) return false;
    }
    return true;
  }
  bool next_element(container_state& state, event_run& run) {
    actions at = state.inner;
    at.edits.begin = guide_.top();
    for (; at_event(run); ++run.next) guide_.push(event(run).node);
    if (run.has_slices) guide_.push_slices(state.edits, run.index, state.size);
    at.edits.end = guide_.top();
    const bool ok = edit_value(state, at, pass_.in.at());
    guide_.pop_to(at.edits.begin);
    return ok;
  }
  /// An element or the value of an entry; if it is erased, the bytes from `begin` on are.
  bool edit_value(container_state& state, const actions& at, byte_ptr begin) {
    edit_decision decision;
    if (!at.edits.empty() && !pass_.decide(at.edits, decision)) return false;
    if (decision.edit == edit_node::none) return next_value(state, at);
    if (!guide_.erases(decision))
      return replace_value(decision.edit, at.without_edits(), {pass_.in.here(), state.type, state.wire});
    --state.count;
    return pass_.skip_without_copy(begin, state.wire);
  }

  // ---- maps ----

  struct map_state : container_state {
    const image::type_node* node = nullptr;
    ttype key_wire = ttype::stop;
    actions key = {};         ///< actions of the keys
    bool reads_keys = false;  ///< some entry is named by its key
    edit_requests requests = {};

    [[nodiscard]] bool fits(const map_header& map) const noexcept {
      return map.key == key_wire && map.value == this->wire;
    }
    [[nodiscard]] bool is_plain() const noexcept {
      return !reads_keys && !this->counts && key.is_plain() && this->inner.is_plain() && this->edits.empty();
    }
  };

  void open_map(map_state& state, const actions& at, const image::type_node& node, std::uint32_t size) {
    open_container(state, at, node.second, size);
    state.node = &node;
    state.key_wire = pass_.wire_of(node.first);
    if (state.rules != nullptr) {
      state.key.hidden = state.rules->key;
      state.reads_keys = !state.rules->keyed.empty();
    }
    if (!at.edits.empty()) open_entries(state);
  }
  void open_entries(map_state& state) {
    state.reads_keys = true;
    state.requests = guide_.collect(state.edits, true);
    state.counts |= !state.requests.empty();
  }
  bool finish_map(map_state& state) {
    if (!absent_.make_entries(state.requests, *state.node, state.count, pass_.in.at()) || !leave(state))
      return false;
    if (state.count != state.size) pass_.close(state.header, {state.key_wire, state.wire, count_of(state)});
    return true;
  }
  bool entry(map_state& state) {
    const wire_position start = pass_.in.here();
    actions at = state.inner;
    if (!state.reads_keys) return copy_entry(state, at, start);
    map_key key = 0;
    if (!read_key<P>(pass_.in, state.key_wire, key)) return false;
    if (state.rules != nullptr) find_rule(*state.rules, key, at.hidden);
    return state.edits.empty() ? copy_entry(state, at, start) : edit_entry(state, at, key, start.at);
  }
  /// `begin`: of the key.
  bool edit_entry(map_state& state, actions& at, const map_key& key, byte_ptr begin) {
    at.edits.begin = guide_.top();
    const map_key requested = guide_.tree().keys().template find<P>(key, state.key_wire);
    push_entry_edits(state, guide_.find_key(state.edits, state.requests, requested));
    at.edits.end = guide_.top();
    const bool ok = edit_value(state, at, begin);
    guide_.pop_to(at.edits.begin);
    return ok;
  }
  static void find_rule(const redact_node& node, const map_key& key, redact_target& to) noexcept {
    const auto less = [](const redact_node::key_edge& edge, const map_key& requested) {
      return key_less(edge.key, requested);
    };
    const auto edge = std::lower_bound(node.keyed.begin(), node.keyed.end(), key, less);
    if (edge != node.keyed.end() && !key_less(key, edge->key)) to = edge->to;
  }
  /// `start`: the position of the key.
  bool copy_entry(map_state& state, const actions& at, const wire_position& start) {
    pass_.in.seek(start);
    if (state.rules != nullptr && pass_.request.rules->drops(at.hidden)) return drop_entry(state, start.at);
    if (!state.key.is_plain()) return change_key(state, at);
    return pass_.in.skip(state.key_wire) && next_value(state, at);
  }
  bool change_key(map_state& state, const actions& at) {
    const std::size_t begin = mark();
    bool is_new_key = false;
    {
      const splicer::copying scope(*pass_.out);
      if (!values_.value(state.key, {pass_.in.here(), state.node->first, state.key_wire})) return false;
      is_new_key = is_new(state, begin, state.key_wire);
    }
    if (is_new_key) return next_value(state, at);
    --state.count;
    return pass_.skip_without_copy(pass_.in.at(), state.wire);
  }
  bool drop_entry(map_state& state, byte_ptr begin) {
    ++pass_.report.dropped;
    --state.count;
    return pass_.in.skip(state.key_wire) && pass_.skip_without_copy(begin, state.wire);
  }
  void push_entry_edits(const map_state& state, std::size_t index) {
    if (index != state.requests.end) {
      guide_.request(index).seen = true;
      guide_.push(guide_.request(index).at);
    }
    guide_.push_slices(state.edits, 0, 1);
  }

  context& pass_;
  edit_guide& guide_;
  value_rewriter<P>& values_;
  absent_writer<P> absent_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
