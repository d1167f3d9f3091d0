// edit_run: one pass that copies a value and applies a batch of edits on the way.
// In: a reader at the value, the edits as a tree, their values. Out: the changed value in a splicer.
// Never changes a byte that no edit names, but for Compact's field deltas and the sizes of containers.
#pragma once

#include <thriftlens/edit/edit_quick.hpp>
#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/edit/value_in.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/splice.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes a value in the place of an old one.
template <protocol P>
using replacement = std::function<errc(const view<P>&, buffer&)>;

/// Runs once. Nodes that apply to one value are a run in `stack_`: wildcards make several.
template <protocol P>
class edit_runner {
 public:
  using reader_type = typename P::reader;

  edit_runner(const view<P>& root, const edit_tree& tree, std::span<const edit_entry> edits, byte_view values,
              splicer& out, bool careful, std::span<const replacement<P>> replacements = {})
      : root_(root),
        tree_(tree),
        edits_(edits),
        values_(values),
        replacements_(replacements),
        out_(out),
        in_(root.whole()),
        image_(root.image()),
        careful_(careful) {}

  errc code = errc::ok;  ///< why run() answered false; ok if the reader knows, or after out_of_order
  std::uint32_t culprit = edit_node::none;  ///< the edit that failed
  std::size_t where = 0;                    ///< offset of the value it failed at
  bool out_of_order =
      false;  ///< a field made here stands further behind: run again, carefully; then it never is

  [[nodiscard]] const reader_type& reader() const noexcept { return in_; }

  [[nodiscard]] bool run() {
    in_.seek(root_.spot().at);
    copied_ = in_.at();
    stack_.push_back(0);
    if (!top({0, 1})) return false;
    flush(in_.at());
    return !out_.exceeds() || fail(errc::output_limit, tree_[0].any);
  }

 private:
  struct nodes {
    std::size_t begin, end;  // in stack_
  };
  struct wanted {
    std::uint32_t step;  // a node that its step leads to
    bool met = false;
    bool present = false;  // careful runs know it beforehand
    nodes at = {0, 0};
  };
  struct decision {
    std::uint32_t edit = edit_node::none;
    bool deeper = false;
    bool strict = false;
    bool makes = false;
    std::uint32_t any = edit_node::none;
  };

  // ---- small things ----

  bool fail(errc why, std::uint32_t edit) noexcept { return fail(why, edit, in_.at()); }
  bool fail(errc why, std::uint32_t edit, const std::uint8_t* at) noexcept {
    code = why;
    culprit = edit;
    where = static_cast<std::size_t>(at - in_.begin());
    return false;
  }
  void flush(const std::uint8_t* end) {
    if (end != copied_) out_.copy({copied_, static_cast<std::size_t>(end - copied_)});
    copied_ = end;
  }
  /// What the reader has just stepped over is not copied.
  void drop() noexcept { copied_ = in_.at(); }

  [[nodiscard]] edit_action action(std::uint32_t edit) const noexcept { return edits_[edit].action; }
  [[nodiscard]] bool decide(nodes at, decision& made) {
    if (out_.exceeds()) [[unlikely]]
      return fail(errc::output_limit, tree_[stack_[at.begin]].any, in_.at());
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const edit_node& node = tree_[stack_[i]];
      if (node.action != edit_node::none && (made.edit == edit_node::none || node.action > made.edit))
        made.edit = node.action;
      made.deeper |= tree_.goes_deeper(stack_[i]);
      made.strict |= node.strict;
      made.makes |= node.makes;
      made.any = node.any;
    }
    return made.edit == edit_node::none || !made.deeper || fail(errc::edit_conflict, made.edit);
  }
  [[nodiscard]] byte_view value(std::uint32_t edit) const noexcept {
    return byte_view(values_.data() + edits_[edit].value_at, edits_[edit].value_size);
  }
  /// The new value of an edit that is no erase; `old` is what stands there. Good until the next call.
  [[nodiscard]] bool new_value(std::uint32_t edit, const wire_spot& old, byte_view& bytes) {
    if (action(edit) != edit_action::replace) return bytes = value(edit), true;
    scratch_.clear();
    errc why = replacements_[edits_[edit].value_at](root_.child(old), scratch_);
    bytes = scratch_;
    if (why == errc::ok && !fits(bytes, old)) why = errc::depth_limit;
    out_.allow(bytes.size());
    return why == errc::ok || fail(why, edit, old.at.at);
  }
  /// The value is nested no deeper than one there may be.
  [[nodiscard]] bool fits(byte_view value, const wire_spot& old) const noexcept {
    if (old.wire != ttype::struct_ && !is_container(old.wire)) return true;
    reader_type in(value, {.depth = old.at.depth_left});
    return in.skip(old.wire);
  }
  void put_header(ttype wire, std::int16_t id, bool inline_true, std::int16_t& last) {
    std::uint8_t* at = out_.own().reserve(P::field_room);
    if (P::id == protocol_id::compact && wire == ttype::bool_)
      out_.own().commit(P::put_bool_field(at, id, inline_true, last));
    else
      out_.own().commit(P::put_field(at, wire, id, last));
  }
  void put_field(ttype wire, std::int16_t id, byte_view bytes, std::int16_t& last) {
    if (P::id == protocol_id::compact && wire == ttype::bool_)
      return put_header(wire, id, bytes[0] == 1, last);
    put_header(wire, id, false, last);
    out_.own().append(bytes);
  }
  [[nodiscard]] std::int16_t id(std::size_t at) const noexcept { return tree_.steps().id(wanted_[at].step); }
  [[nodiscard]] ttype wire_of(std::uint32_t type) const noexcept { return image_->types[type].wire; }

  // ---- the value itself ----

  /// The root may be replaced as a whole.
  bool top(nodes at) {
    decision made;
    if (!decide(at, made)) return false;
    if (made.edit == edit_node::none)
      return root_.spot().at.inline_bool < 0 ? value(at, root_.spot()) : inline_bool();
    if (action(made.edit) == edit_action::erase || action(made.edit) == edit_action::insert)
      return fail(errc::edit_conflict, made.edit);
    byte_view bytes;
    if (!new_value(made.edit, root_.spot(), bytes) || !in_.skip(root_.spot().wire)) return false;
    out_.own().append(bytes);
    drop();
    return true;
  }
  /// A bool in Compact's field header, as an element has it.
  bool inline_bool() {
    out_.own().commit(P::put_bool(out_.own().reserve(1), root_.spot().at.inline_bool == 1));
    return in_.skip(ttype::bool_);
  }
  bool value(nodes at, const wire_spot& spot) {
    if (spot.wire != ttype::struct_ && !is_container(spot.wire)) return in_.skip(spot.wire);
    std::size_t stack = stack_.size(), asked = wanted_.size();
    bool done = spot.wire == ttype::struct_ ? structure(at, spot)
                : spot.wire == ttype::map   ? mapping(at, spot)
                                            : sequence(at, spot);
    stack_.resize(stack);
    wanted_.resize(asked);
    return done;
  }
  /// Lists the exact children of all nodes, each once: those of one map in the order they were asked for,
  /// others in the order of steps. Returns where they begin in wanted_.
  std::size_t collect(nodes at, bool of_map) {
    const step_trie& steps = tree_.steps();
    const std::size_t begin = wanted_.size();
    if (at.end - at.begin == 1) {
      const step_trie::node& parent = steps[stack_[at.begin]];
      for (std::uint32_t each = parent.first_child; each != step_trie::none; each = steps[each].next)
        add_wanted(each);
      if (!of_map && !parent.ascending)
        std::sort(wanted_.begin() + offset(begin), wanted_.end(),
                  [&](const wanted& left, const wanted& right) { return steps.less(left.step, right.step); });
      return begin;
    }
    std::vector<std::uint32_t> all;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      for (std::uint32_t each = steps[stack_[i]].first_child; each != step_trie::none;
           each = steps[each].next)
        all.push_back(each);
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](std::uint32_t left, std::uint32_t right) { return steps.less(left, right); });
    for (std::uint32_t each : all) {
      if (wanted_.size() > begin && !steps.less(wanted_.back().step, each)) {
        stack_.push_back(each);
        ++wanted_.back().at.end;
      } else {
        add_wanted(each);
      }
    }
    return begin;
  }
  void add_wanted(std::uint32_t child) {
    wanted_.push_back({child, false, false, {stack_.size(), stack_.size() + 1}});
    stack_.push_back(child);
  }
  static std::ptrdiff_t offset(std::size_t at) noexcept { return static_cast<std::ptrdiff_t>(at); }
  /// Index in wanted_ of the first that is not `before`, among those from `begin` on, or `end`.
  template <class Before>
  [[nodiscard]] std::size_t first_not(std::size_t begin, std::size_t end, Before before) const noexcept {
    const auto place =
        std::partition_point(wanted_.begin() + offset(begin), wanted_.begin() + offset(end), before);
    return static_cast<std::size_t>(place - wanted_.begin());
  }
  /// Index in wanted_ of a field, or `end`.
  [[nodiscard]] std::size_t find_field(std::size_t begin, std::size_t end, std::int16_t id) const noexcept {
    const std::size_t at =
        first_not(begin, end, [&](const wanted& each) { return tree_.steps().id(each.step) < id; });
    return at != end && tree_.steps().id(wanted_[at].step) == id ? at : end;
  }
  /// Index in wanted_ of a key, or `end`.
  [[nodiscard]] std::size_t find_key(nodes at, std::size_t begin, std::size_t end,
                                     const map_key& key) const noexcept {
    const step_trie& steps = tree_.steps();
    if (begin == end) return end;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const std::uint32_t child = steps.find(stack_[i], key);
      if (child == step_trie::none) continue;
      if (at.end - at.begin == 1) return begin + steps[child].position;
      return first_not(begin, end, [&](const wanted& each) { return steps.less(each.step, child); });
    }
    return end;
  }

  // ---- structs ----

  struct struct_state {
    std::size_t begin = 0, end = 0;  // in wanted_
    std::size_t next = 0;
    const image::struct_node* node = nullptr;
    std::int16_t in_last = 0, out_last = 0;
    std::size_t sole = static_cast<std::size_t>(-1);  // unions: the member that is set, in wanted_
  };

  bool structure(nodes at, const wire_spot& spot) {
    struct_state state;
    state.begin = state.next = collect(at, false);
    state.end = wanted_.size();
    state.node = &image_->structs[image_->types[spot.type].first];
    if (image_->types[spot.type].kind == type_kind::union_ && !find_sole(state)) return false;
    const struct_mark outer = in_.begin_struct();
    const wire_position start = in_.here();
    if (careful_) look_ahead(state);
    id_set<P> ids(start);
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) {
        if (!make_until(state, state.end, begin)) return false;
        break;
      }
      if (!ids.add(header.id, in_, begin)) return in_.fail(errc::duplicate_field, begin);
      std::size_t below = state.next;
      while (below < state.end && id(below) < header.id) ++below;
      if (!make_until(state, below, begin) || !field(state, header, begin)) return false;
      state.in_last = header.id;
    }
    in_.end_struct(outer);
    return true;
  }
  /// Notes which fields are there, also the one at whose value the bytes are broken: the pass itself meets
  /// the fault there.
  void look_ahead(const struct_state& state) {
    reader_type ahead = in_;
    field_header header;
    while (ahead.read_field(header) && header.type != ttype::stop) {
      std::size_t at = find_field(state.begin, state.end, header.id);
      if (at != state.end) wanted_[at].present = true;
      if (!ahead.skip(header.type)) return;
    }
  }
  bool find_sole(struct_state& state) {
    std::uint32_t last = edit_node::none;
    for (std::size_t i = state.begin; i < state.end; ++i) {
      decision made;
      if (!decide(wanted_[i].at, made)) return false;
      if (made.edit == edit_node::none || action(made.edit) == edit_action::erase ||
          action(made.edit) == edit_action::replace)
        continue;
      if (last == edit_node::none || made.edit > last) last = made.edit, state.sole = i;
    }
    return true;
  }

  /// Makes the wanted fields in front of `end` that were not met, at `before` in the input.
  bool make_until(struct_state& state, std::size_t end, const std::uint8_t* before) {
    for (; state.next < end; ++state.next) {
      wanted& each = wanted_[state.next];
      if (each.met || each.present) continue;
      bool dropped = state.sole != static_cast<std::size_t>(-1) && state.sole != state.next;
      if (!dropped && !make_field(state.node, state.next, before, state.out_last)) return false;
    }
    return true;
  }
  bool make_field(const image::struct_node* in, std::size_t at, const std::uint8_t* before,
                  std::int16_t& last) {
    decision made;
    if (!decide(wanted_[at].at, made)) return false;
    const std::int16_t id = this->id(at);
    std::uint32_t type = image_->fields[image_->find_field(*in, id)].type;
    if (made.edit != edit_node::none) {
      if (action(made.edit) == edit_action::erase || action(made.edit) == edit_action::replace) return true;
      flush(before);
      put_field(wire_of(type), id, value(made.edit), last);
    } else if (made.makes) {
      flush(before);
      put_header(wire_of(type), id, false, last);
      if (!build(wanted_[at].at, type)) return false;
    } else {
      return !made.strict || fail(errc::absent, made.any, before);
    }
    wanted_[at].met = true;
    return true;
  }

  /// One field of the input.
  bool field(struct_state& state, const field_header& header, const std::uint8_t* begin) {
    std::size_t at = state.next < state.end && id(state.next) == header.id
                         ? state.next
                         : find_field(state.begin, state.end, header.id);
    bool has_sole = state.sole != static_cast<std::size_t>(-1);
    if (at == state.end || (has_sole && at != state.sole)) {
      if (has_sole) return erase_field(header, begin);
      return keep_header(state, header, begin) && in_.skip(header.type);
    }
    if (wanted_[at].met) {
      out_of_order = true;
      return false;
    }
    wanted_[at].met = true;
    decision made;
    if (!decide(wanted_[at].at, made)) return false;
    const image::field_node& node = image_->fields[image_->find_field(*state.node, header.id)];
    if (made.edit != edit_node::none && action(made.edit) == edit_action::erase)
      return erase_field(header, begin);
    wire_spot spot{in_.here(), node.type, header.type};
    bool reads_old = made.edit == edit_node::none || action(made.edit) == edit_action::replace;
    if (reads_old && header.type != node.wire) return in_.fail(errc::type_mismatch, begin);
    if (made.edit == edit_node::none) return keep_header(state, header, begin) && value(wanted_[at].at, spot);
    if (action(made.edit) == edit_action::insert) return fail(errc::already_there, made.edit, begin);
    byte_view bytes;
    if (!new_value(made.edit, spot, bytes)) return false;
    flush(begin);
    put_field(node.wire, header.id, bytes, state.out_last);
    if (!in_.skip(header.type)) return false;
    drop();
    return true;
  }
  bool erase_field(const field_header& header, const std::uint8_t* begin) {
    flush(begin);
    if (!in_.skip(header.type)) return false;
    drop();
    return true;
  }
  /// The header stays as it is, unless Compact counts it from a field that is gone or new.
  bool keep_header(struct_state& state, const field_header& header, const std::uint8_t* begin) {
    if (P::id == protocol_id::compact && state.out_last != state.in_last) {
      flush(begin);
      put_header(header.type, header.id, in_.here().inline_bool == 1, state.out_last);
      drop();
    }
    state.out_last = header.id;
    return true;
  }

  // ---- lists and sets ----

  struct list_event {
    std::int64_t index;
    std::uint32_t insert;  // the edit, or none for a child
    std::uint32_t node;
  };

  bool sequence(nodes at, const wire_spot& spot) {
    const std::uint8_t* begin = in_.at();
    list_header list;
    if (!(spot.wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    std::uint32_t type = image_->types[spot.type].first;
    if (list.size != 0 && list.element != wire_of(type)) return in_.fail(errc::type_mismatch, begin);
    const std::size_t events = events_.size();
    bool counts = false, many = false;
    std::vector<std::uint32_t> appends;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const edit_extras& extras = tree_.extras(tree_[stack_[i]]);
      counts |= tree_[stack_[i]].counts;
      many |= !extras.many_children.empty();
      appends.insert(appends.end(), extras.appends.begin(), extras.appends.end());
      if (!list_events(stack_[i], list.size)) return false;
    }
    const auto earlier = [](const list_event& left, const list_event& right) {
      if (left.index != right.index) return left.index < right.index;
      return left.insert < right.insert;  // children, which have none, last
    };
    const auto first_event = events_.begin() + offset(events);
    if (!std::is_sorted(first_event, events_.end(), earlier))
      std::stable_sort(first_event, events_.end(), earlier);
    std::sort(appends.begin(), appends.end());
    container_mark mark;
    const std::size_t header_size = static_cast<std::size_t>(in_.at() - begin);
    if (counts) mark.at = own_header(begin);
    std::int64_t count = list.size;
    if (!elements(at, {in_.here(), type, wire_of(type)}, list.size, events, many, count)) return false;
    events_.resize(events);
    for (std::uint32_t each : appends) insert_bytes(value(each)), ++count;
    in_.leave();
    if (count == std::int64_t{list.size}) return true;
    if (count > 0x7fffffff) return fail(errc::size_limit, tree_[stack_[at.begin]].any);
    std::uint8_t fresh[16];
    list_header changed{wire_of(type), static_cast<std::uint32_t>(count)};
    const std::uint8_t* end =
        spot.wire == ttype::set ? P::put_set(fresh, changed) : P::put_list(fresh, changed);
    out_.replace(mark.at, header_size, fresh, static_cast<std::size_t>(end - fresh));
    return true;
  }
  /// Copies a container's header to where it can be changed later; returns where that is.
  std::size_t own_header(const std::uint8_t* begin) {
    flush(begin);
    std::size_t position = out_.position();
    out_.own().append({begin, static_cast<std::size_t>(in_.at() - begin)});
    drop();
    return position;
  }
  void insert_bytes(byte_view bytes) {
    flush(in_.at());
    out_.own().append(bytes);
  }
  bool list_events(std::uint32_t at, std::uint32_t size) {
    const step_trie& steps = tree_.steps();
    for (std::uint32_t child = steps[at].first_child; child != step_trie::none; child = steps[child].next) {
      std::int64_t index = steps.index(child);
      if (index < 0) index += size;
      if (index >= 0 && index < size) {
        events_.push_back({index, edit_node::none, child});
        continue;
      }
      const edit_node& missing = tree_[child];
      bool silent = missing.action != edit_node::none ? action(missing.action) == edit_action::erase ||
                                                            action(missing.action) == edit_action::replace
                                                      : !missing.strict && !missing.makes;
      if (!silent) return fail(errc::bad_index, missing.any);
    }
    for (const auto& [asked, edit] : tree_.extras(tree_[at]).inserts) {
      std::int64_t index = asked < 0 ? asked + size : asked;
      if (index < 0 || index > size) return fail(errc::bad_index, edit);
      events_.push_back({index, edit, 0});
    }
    return true;
  }
  /// With the events from `next` on; those of containers inside come and go behind them.
  bool elements(nodes at, wire_spot spot, std::int64_t size, std::size_t next, bool many,
                std::int64_t& count) {
    const std::size_t end = events_.size();
    for (std::int64_t i = 0;; ++i) {
      if (!many) {
        std::int64_t jump = next < end ? std::min(events_[next].index, size) : size;
        if (!skip_many<P>(in_, spot.wire, static_cast<std::size_t>(jump - i))) return false;
        i = jump;
      }
      for (; next < end && events_[next].index == i && events_[next].insert != edit_node::none; ++next) {
        insert_bytes(value(events_[next].insert));
        ++count;
      }
      if (i == size) return true;
      nodes inside{stack_.size(), stack_.size()};
      for (; next < end && events_[next].index == i; ++next) stack_.push_back(events_[next].node);
      if (many) push_many(at, i, size);
      inside.end = stack_.size();
      spot.at = in_.here();
      bool done = inside.begin == inside.end ? in_.skip(spot.wire) : child(inside, spot, count);
      stack_.resize(inside.begin);
      if (!done) return false;
    }
  }
  void push_many(nodes at, std::int64_t index, std::int64_t size) {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      for (const edit_extras::many& each : tree_.extras(tree_[stack_[i]]).many_children) {
        std::int64_t first = each.first < 0 ? each.first + size : each.first;
        std::int64_t last = each.last < 0 ? each.last + size : each.last;
        if (index >= first && index < last) stack_.push_back(each.node);
      }
    }
  }
  /// An element, or the value of an entry whose key is copied or dropped by the caller.
  bool child(nodes inside, const wire_spot& spot, std::int64_t& count) {
    decision made;
    if (!decide(inside, made)) return false;
    if (made.edit == edit_node::none) return value(inside, spot);
    if (action(made.edit) == edit_action::erase) --count;
    return rewrite(made.edit, spot);
  }
  bool rewrite(std::uint32_t edit, const wire_spot& spot) {
    if (action(edit) == edit_action::insert) return fail(errc::already_there, edit);
    byte_view bytes;
    if (action(edit) != edit_action::erase && !new_value(edit, spot, bytes)) return false;
    flush(in_.at());
    if (!in_.skip(spot.wire)) return false;
    out_.own().append(bytes);
    drop();
    return true;
  }

  // ---- maps ----

  bool mapping(nodes at, const wire_spot& spot) {
    const std::uint8_t* begin = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    const image::type_node& self = image_->types[spot.type];
    if (map.size != 0 && (map.key != wire_of(self.first) || map.value != wire_of(self.second)))
      return in_.fail(errc::type_mismatch, begin);
    bool counts = false, wire_keys = false;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      counts |= tree_[stack_[i]].counts;
      wire_keys |= tree_.steps()[stack_[i]].wire_keys;
    }
    std::size_t first = collect(at, true), last = wanted_.size();
    std::size_t header_at = 0;
    const std::size_t header_size = static_cast<std::size_t>(in_.at() - begin);
    counts |= first != last;
    if (counts) header_at = own_header(begin);
    std::int64_t count = map.size;
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (!entry(at, first, last, map, self.second, wire_keys, count)) return false;
    }
    if (!make_entries(first, last, self, count, in_.at())) return false;
    in_.leave();
    if (count == std::int64_t{map.size}) return true;
    if (count > 0x7fffffff) return fail(errc::size_limit, tree_[stack_[at.begin]].any);
    std::uint8_t fresh[16];
    const std::uint8_t* end =
        P::put_map(fresh, {wire_of(self.first), wire_of(self.second), static_cast<std::uint32_t>(count)});
    out_.replace(header_at, header_size, fresh, static_cast<std::size_t>(end - fresh));
    return true;
  }
  bool entry(nodes at, std::size_t first, std::size_t last, const map_header& map, std::uint32_t value_type,
             bool wire_keys, std::int64_t& count) {
    const std::uint8_t* begin = in_.at();
    map_key key = 0;
    if (!read_key<P>(in_, map.key, key)) return false;
    std::size_t found = find_key(at, first, last, key);
    if (found == last && wire_keys)
      found = find_key(at, first, last, map_key::wire({begin, static_cast<std::size_t>(in_.at() - begin)}));
    nodes inside{stack_.size(), stack_.size()};
    if (found != last) {
      wanted_[found].met = true;
      for (std::size_t i = wanted_[found].at.begin; i < wanted_[found].at.end; ++i)
        stack_.push_back(std::uint32_t{stack_[i]});
    }
    push_many(at, 0, 1);
    inside.end = stack_.size();
    bool done = inside.begin == inside.end
                    ? in_.skip(map.value)
                    : entry_value(inside, begin, {in_.here(), value_type, map.value}, count);
    stack_.resize(inside.begin);
    return done;
  }
  bool entry_value(nodes inside, const std::uint8_t* key, const wire_spot& spot, std::int64_t& count) {
    decision made;
    if (!decide(inside, made)) return false;
    if (made.edit == edit_node::none) return value(inside, spot);
    if (action(made.edit) != edit_action::erase) return rewrite(made.edit, spot);
    flush(key);
    --count;
    if (!in_.skip(spot.wire)) return false;
    drop();
    return true;
  }
  /// The wanted entries that were not met, in the order they were asked for.
  bool make_entries(std::size_t begin, std::size_t end, const image::type_node& self, std::int64_t& count,
                    const std::uint8_t* before) {
    std::vector<std::pair<std::uint32_t, std::size_t>> unmet;
    for (std::size_t i = begin; i < end; ++i) {
      if (!wanted_[i].met) unmet.emplace_back(tree_[stack_[wanted_[i].at.begin]].first, i);
    }
    std::sort(unmet.begin(), unmet.end());
    for (const auto& [order, at] : unmet) {
      if (!make_entry(at, self, count, before)) return false;
    }
    return true;
  }
  bool make_entry(std::size_t at, const image::type_node& self, std::int64_t& count,
                  const std::uint8_t* before) {
    decision made;
    if (!decide(wanted_[at].at, made)) return false;
    if (made.edit != edit_node::none) {
      if (action(made.edit) == edit_action::erase || action(made.edit) == edit_action::replace) return true;
    } else if (!made.makes) {
      return !made.strict || fail(errc::absent, made.any, before);
    }
    flush(before);
    errc why = append_value<P>(out_.own(), {image_, self.first}, tree_.steps().key(wanted_[at].step));
    if (why != errc::ok) return fail(why, made.any);
    ++count;
    if (made.edit == edit_node::none) return build(wanted_[at].at, self.second);
    out_.own().append(value(made.edit));
    return true;
  }

  // ---- values that were not there ----

  /// Writes a value from edits alone.
  bool build(nodes at, std::uint32_t type) {
    std::size_t stack = stack_.size(), asked = wanted_.size();
    const image::type_node& self = image_->types[type];
    bool done = self.wire == ttype::struct_ ? build_struct(at, self)
                : self.wire == ttype::map   ? build_map(at, self)
                                            : build_list(at, self);
    stack_.resize(stack);
    wanted_.resize(asked);
    return done;
  }
  bool build_struct(nodes at, const image::type_node& self) {
    std::size_t begin = collect(at, false), end = wanted_.size();
    std::int16_t last = 0;
    const image::struct_node* structure = &image_->structs[self.first];
    for (std::size_t i = begin; i < end; ++i) {
      if (!make_field(structure, i, copied_, last)) return false;
    }
    out_.own().commit(P::put_stop(out_.own().reserve(1)));
    return true;
  }
  bool build_map(nodes at, const image::type_node& self) {
    std::size_t begin = collect(at, true), end = wanted_.size();
    std::size_t position = out_.position();
    std::int64_t count = 0;
    if (!make_entries(begin, end, self, count, copied_)) return false;
    std::uint8_t fresh[16];
    const std::uint8_t* header =
        P::put_map(fresh, {wire_of(self.first), wire_of(self.second), static_cast<std::uint32_t>(count)});
    out_.replace(position, 0, fresh, static_cast<std::size_t>(header - fresh));
    return true;
  }
  bool build_list(nodes at, const image::type_node& self) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const edit_extras& extras = tree_.extras(tree_[stack_[i]]);
      if (tree_.steps()[stack_[i]].children != 0 || !extras.inserts.empty())
        return fail(errc::bad_index, tree_[stack_[i]].any, copied_);
      values.insert(values.end(), extras.appends.begin(), extras.appends.end());
    }
    std::sort(values.begin(), values.end());
    list_header list{wire_of(self.first), static_cast<std::uint32_t>(values.size())};
    std::uint8_t* to = out_.own().reserve(P::list_room);
    out_.own().commit(self.wire == ttype::set ? P::put_set(to, list) : P::put_list(to, list));
    for (std::uint32_t each : values) out_.own().append(value(each));
    return true;
  }

  view<P> root_;
  const edit_tree& tree_;
  std::span<const edit_entry> edits_;
  byte_view values_;
  std::span<const replacement<P>> replacements_;
  splicer& out_;
  reader_type in_;
  const schema_image* image_;
  const std::uint8_t* copied_ = nullptr;
  std::vector<std::uint32_t> stack_;
  std::vector<wanted> wanted_;
  std::vector<list_event> events_;
  buffer scratch_;
  bool careful_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
