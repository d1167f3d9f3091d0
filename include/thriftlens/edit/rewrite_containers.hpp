// rewrite_containers: what a rewrite does to elements and entries: selection, rules and edits in this order.
// In: a reader at a list, set or map. Out: the changed container in a splicer. Never changes a byte that
// nothing names, but for sizes.
#pragma once

#include <thriftlens/edit/rewrite_structs.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/walker.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
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
  using base::fail;
  using base::guide_;
  using base::image_;
  using base::in_;
  using base::make_entries;
  using base::out_;
  using base::own;
  using base::report;
  using base::rules_of;
  using base::self;
  using base::what_;
  using base::wire_of;
  using typename base::place;

  struct list_event {
    std::int64_t index;
    std::uint32_t insert;  // the edit, or none for a child
    std::uint32_t node;
  };
  /// A list, set or map that is passed through.
  struct container_state {
    const redact_node* rules = nullptr;
    place each;                        ///< what applies to elements or values that no edit names
    std::uint32_t type = image::none;  ///< of elements or values
    ttype wire = ttype::stop;
    std::int64_t count = 0;  ///< elements or entries of the result
    bool counts = false;     ///< that may differ from the input's
    open_header header = {};
    std::set<std::string> merged = {};  ///< keys or elements of the result, where equal ones are merged
  };

  bool sequence(const place& at, const wire_spot& spot) {
    const wire_position whole = in_.here();
    const std::uint8_t* begin = in_.at();
    list_header list;
    if (!this->read_list(spot.wire, list) || !in_.enter()) return false;
    container_state state = container(at, image_->types[spot.type].first, list.size);
    if (list.size != 0 && list.element != state.wire) return in_.fail(errc::type_mismatch, begin);
    if (at.edits.empty() && state.each.is_plain()) return skip_from(whole, spot.wire);
    const bool done =
        at.edits.empty() ? copy_elements(state, list, begin) : edit_elements(state, at.edits, list, begin);
    if (!done) return false;
    in_.leave();
    if (state.count == std::int64_t{list.size}) return true;
    if (state.count > 0x7fffffff) return fail(errc::size_limit, guide_.any(at.edits));
    this->close(state.header, spot.wire, {state.wire, static_cast<std::uint32_t>(state.count)});
    return true;
  }
  [[nodiscard]] container_state container(const place& at, std::uint32_t type, std::uint32_t size) const {
    container_state state;
    state.rules = rules_of(at.hidden);
    state.each.kept = at.kept;
    if (state.rules != nullptr) {
      state.each.hidden = state.rules->value;
      state.counts = state.rules->drops || state.rules->merges();
    }
    for (std::size_t i = at.edits.begin; i < at.edits.end; ++i) state.counts |= guide_.node(i).counts;
    state.type = type;
    state.wire = wire_of(type);
    state.count = size;
    return state;
  }
  /// The whole value at once, whose header is known to be as the IDL says.
  bool skip_from(const wire_position& start, ttype wire) {
    in_.seek(start);
    return in_.skip(wire);
  }
  bool copy_elements(container_state& state, const list_header& list, const std::uint8_t* begin) {
    if (state.counts) state.header = this->open(begin);
    const bool drops = state.rules != nullptr && state.rules->drops;
    for (std::uint32_t i = 0; i < list.size; ++i) {
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
    if (!state.counts) return self().value(state.each, {in_.here(), state.type, state.wire});
    const std::size_t start = mark();
    if (!self().value(state.each, {in_.here(), state.type, state.wire})) return false;
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

  bool edit_elements(container_state& state, edit_nodes at, const list_header& list,
                     const std::uint8_t* begin) {
    const std::size_t events = events_.size();
    bool has_slices = false;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      has_slices |= !guide_.extras(i).many_children.empty();
      if (!add_events(guide_[i], list.size)) return false;
    }
    sort_events(events);
    if (state.counts) state.header = this->open(begin);
    if (!run_events(state, at, list.size, events, has_slices)) return false;
    events_.resize(events);
    for (std::uint32_t each : guide_.appends(at)) {
      this->insert(guide_.value(each));
      ++state.count;
    }
    return true;
  }
  bool add_events(std::uint32_t at, std::uint32_t size) {
    const step_trie& steps = guide_.tree().steps();
    for (std::uint32_t child = steps[at].first_child; child != step_trie::none; child = steps[child].next) {
      std::int64_t index = steps.index(child);
      if (index < 0) index += size;
      if (index >= 0 && index < size)
        events_.push_back({index, edit_node::none, child});
      else if (const edit_node& missing = guide_.tree()[child]; !may_be_absent(missing))
        return fail(errc::bad_index, missing.any);
    }
    for (const auto& [asked, edit] : guide_.tree().extras(guide_.tree()[at]).inserts) {
      const std::int64_t index = asked < 0 ? asked + size : asked;
      if (index < 0 || index > size) return fail(errc::bad_index, edit);
      events_.push_back({index, edit, 0});
    }
    return true;
  }
  [[nodiscard]] bool may_be_absent(const edit_node& node) const noexcept {
    if (node.action != edit_node::none) return guide_.needs_old(node.action);
    return !node.strict && !node.makes;
  }
  void sort_events(std::size_t begin) {
    const auto earlier = [](const list_event& left, const list_event& right) {
      if (left.index != right.index) return left.index < right.index;
      return left.insert < right.insert;  // children, which have none, last
    };
    const auto first = events_.begin() + static_cast<std::ptrdiff_t>(begin);
    if (!std::is_sorted(first, events_.end(), earlier)) std::stable_sort(first, events_.end(), earlier);
  }
  /// With the events from `next` on; those of containers inside come and go after them.
  bool run_events(container_state& state, edit_nodes at, std::int64_t size, std::size_t next,
                  bool has_slices) {
    const std::size_t end = events_.size();
    for (std::int64_t i = 0;; ++i) {
      if (!has_slices) {
        const std::int64_t jump = next < end ? std::min(events_[next].index, size) : size;
        if (!pass_elements(state, jump - i)) return false;
        i = jump;
      }
      for (; next < end && events_[next].index == i && events_[next].insert != edit_node::none; ++next) {
        this->insert(guide_.value(events_[next].insert));
        ++state.count;
      }
      if (i == size) return true;
      edit_nodes inside{guide_.top(), 0};
      for (; next < end && events_[next].index == i; ++next) guide_.push(events_[next].node);
      if (has_slices) guide_.push_slices(at, i, size);
      inside.end = guide_.top();
      const bool done = edit_element(state, inside);
      guide_.pop_to(inside.begin);
      if (!done) return false;
    }
  }
  bool pass_elements(const container_state& state, std::int64_t count) {
    if (state.each.is_plain()) return skip_many<P>(in_, state.wire, static_cast<std::size_t>(count));
    for (; count != 0; --count) {
      if (!self().value(state.each, {in_.here(), state.type, state.wire})) return false;
    }
    return true;
  }
  bool edit_element(container_state& state, edit_nodes inside) {
    const wire_spot spot{in_.here(), state.type, state.wire};
    place at = state.each;
    if (inside.empty()) return self().value(at, spot);
    edit_decision made;
    if (!decide(inside, made)) return false;
    if (made.edit != edit_node::none) {
      if (guide_.action(made.edit) == edit_action::erase) --state.count;
      return replace_value(made.edit, at, spot);
    }
    at.edits = inside;
    return self().value(at, spot);
  }
  bool replace_value(std::uint32_t edit, const place& at, const wire_spot& spot) {
    if (guide_.action(edit) == edit_action::insert) return fail(errc::already_there, edit);
    byte_view bytes;
    if (guide_.action(edit) != edit_action::erase && !self().new_value(edit, at, spot, bytes)) return false;
    if (!this->skip_without_copy(in_.at(), spot.wire)) return false;
    own().append(bytes);
    return true;
  }

  // ---- maps ----

  struct map_state : container_state {
    std::uint32_t key_type = image::none;
    ttype key_wire = ttype::stop;
    place key;                ///< what applies to each key
    bool reads_keys = false;  ///< some entry is named by its key
    bool by_bytes = false;    ///< some edit names one by the bytes of its key
    edit_nodes edits = {};
    std::size_t begin = 0, end = 0;  ///< requests
  };

  bool mapping(const place& at, const wire_spot& spot) {
    const wire_position whole = in_.here();
    const std::uint8_t* begin = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    const image::type_node& node = image_->types[spot.type];
    if (map.size != 0 && (map.key != wire_of(node.first) || map.value != wire_of(node.second)))
      return in_.fail(errc::type_mismatch, begin);
    map_state state;
    static_cast<container_state&>(state) = container(at, node.second, map.size);
    state.key_type = node.first;
    state.key_wire = wire_of(node.first);
    open_map(state, at);
    if (!state.reads_keys && !state.counts && state.key.is_plain() && state.each.is_plain() &&
        at.edits.empty())
      return skip_from(whole, ttype::map);
    if (state.counts) state.header = this->open(begin);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (!entry(state)) return false;
    }
    return finish_map(state, node, map.size);
  }
  void open_map(map_state& state, const place& at) {
    if (state.rules != nullptr) {
      state.key.hidden = state.rules->key;
      state.reads_keys = !state.rules->keyed.empty();
    }
    if (at.edits.empty()) return;
    state.edits = at.edits;
    state.reads_keys = true;
    for (std::size_t i = at.edits.begin; i < at.edits.end; ++i)
      state.by_bytes |= guide_.tree().steps()[guide_[i]].wire_keys;
    state.begin = guide_.collect(at.edits, true);
    state.end = guide_.request_count();
    state.counts |= state.begin != state.end;
  }
  bool finish_map(map_state& state, const image::type_node& node, std::uint32_t size) {
    if (!make_entries(state.begin, state.end, node, state.count, in_.at())) return false;
    in_.leave();
    if (state.count == std::int64_t{size}) return true;
    if (state.count > 0x7fffffff) return fail(errc::size_limit, guide_.any(state.edits));
    this->close(state.header, {state.key_wire, state.wire, static_cast<std::uint32_t>(state.count)});
    return true;
  }
  bool entry(map_state& state) {
    const wire_position start = in_.here();
    place at = state.each;
    const edit_nodes inside{guide_.top(), guide_.top()};
    if (!state.reads_keys) return copy_entry(state, at, start);
    map_key key = 0;
    if (!read_key<P>(in_, state.key_wire, key)) return false;
    if (state.rules != nullptr) find_rule(*state.rules, key, at.hidden);
    if (state.edits.empty()) return copy_entry(state, at, start);
    push_entry_edits(state, key, start.at);
    at.edits = {inside.begin, guide_.top()};
    const bool done = edit_entry_value(state, at, start);
    guide_.pop_to(inside.begin);
    return done;
  }
  static void find_rule(const redact_node& node, const map_key& key, redact_target& to) noexcept {
    const auto less = [](const redact_node::key_edge& each, const map_key& wanted) {
      return key_less(each.key, wanted);
    };
    const auto found = std::lower_bound(node.keyed.begin(), node.keyed.end(), key, less);
    if (found != node.keyed.end() && !key_less(key, found->key)) to = found->to;
  }
  /// From `start`, the key's place.
  bool copy_entry(map_state& state, const place& at, const wire_position& start) {
    in_.seek(start);
    if (state.rules != nullptr && what_.rules->drops(at.hidden)) return drop_entry(state, start.at);
    if (state.key.is_plain()) {
      return in_.skip(state.key_wire) && self().value(at, {in_.here(), state.type, state.wire});
    }
    const std::size_t begin = mark();
    if (!self().value(state.key, {in_.here(), state.key_type, state.key_wire})) return false;
    if (is_new(state, begin)) return self().value(at, {in_.here(), state.type, state.wire});
    --state.count;
    if (!in_.skip(state.wire)) return false;
    this->leave_out();
    return true;
  }
  bool drop_entry(map_state& state, const std::uint8_t* begin) {
    ++report.dropped;
    --state.count;
    return in_.skip(state.key_wire) && this->skip_without_copy(begin, state.wire);
  }
  void push_entry_edits(const map_state& state, const map_key& key, const std::uint8_t* begin) {
    std::size_t found = guide_.find_key(state.edits, state.begin, state.end, key);
    if (found == state.end && state.by_bytes) {
      const map_key bytes = map_key::wire({begin, static_cast<std::size_t>(in_.at() - begin)});
      found = guide_.find_key(state.edits, state.begin, state.end, bytes);
    }
    if (found != state.end) {
      guide_.request(found).seen = true;
      guide_.push(guide_.request(found).at);
    }
    guide_.push_slices(state.edits, 0, 1);
  }
  /// After the key, which begins at `start`.
  bool edit_entry_value(map_state& state, const place& at, const wire_position& start) {
    const wire_spot spot{in_.here(), state.type, state.wire};
    edit_decision made;
    if (!at.edits.empty() && !decide(at.edits, made)) return false;
    if (made.edit == edit_node::none) return self().value(at, spot);
    if (guide_.action(made.edit) != edit_action::erase)
      return replace_value(made.edit, at.without_edits(), spot);
    --state.count;
    return this->skip_without_copy(start.at, spot.wire);
  }

  std::vector<list_event> events_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
