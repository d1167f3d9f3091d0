// fast_rewrite: selection, rules and a few edits in one scan and one copy, by pointers.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/fast/fast_pass.hpp>
#include <thriftlens/rewrite/fast/field_walk.hpp>
#include <thriftlens/rewrite/fast/flat_trim.hpp>
#include <thriftlens/rewrite/fast/prefix_trim.hpp>
#include <thriftlens/rewrite/mask_value.hpp>
#include <thriftlens/rewrite/program.hpp>

#include <algorithm>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The plain case: ascending ids, wire types as in the IDL, rules that merge nothing, edits of existing
/// values and of fields. `Trims`, `Redacts`, `Edits`: the members of the request that may be set.
template <protocol P, bool Trims, bool Redacts, bool Edits>
class fast_rewriter : fast_pass<P> {
  using base = fast_pass<P>;
  template <class, class>
  friend class passive_row;

 public:
  fast_rewriter(const view<P>& from, const fast_request& request, buffer& out) noexcept
      : base(from), request_(request), out_(out) {}

  rewrite_report report;
  /// After false: the value is well-formed and lacks the parent that the only edit needs.
  bool absent = false;

  /// Appends the result.
  [[nodiscard]] bool run() {
    const wire_location& location = from_.location();
    guides root;
    if (location.type == image::none || location.at.inline_bool >= 0 || !open_root(root)) return false;
    const std::size_t initial_size = out_.size(), size = from_.whole().size();
    max_size_ = output_end(initial_size, from_.bounds().max_output(size + request_.values.size()));
    to_ = out_.prepare(size + request_.values.size() + edit_order::max_edits * P::max_field_header + 64);
    copied_ = location.at.at;
    const byte_ptr end = value(location.at.at, root, location.type, location.at.depth_left);
    const bool ended = this->is_end(end);
    if (!ended || (Edits && absent)) {
      absent = absent && ended;
      out_.truncate(initial_size);
      return false;
    }
    flush(end);
    out_.commit(to_);
    return true;
  }

 protected:
  using base::end_, base::from_, base::image_, base::in_;
  static constexpr bool has_prefixes = P::traits.has_fixed_layout;
  /// Only edits increase the size, so the initial reserve suffices.
  static constexpr bool has_capacity = !Redacts && !(Trims && P::traits.headers_are_deltas);
  static constexpr bool only_trims = Trims && !Redacts && !Edits;
  static constexpr std::uint32_t none = redact_target::none;
  using guides = fast_guides<Trims, Redacts, Edits>;
  using field_plan = fast_field_plan<Trims, Redacts, Edits>;
  using field_walk = fast_field_walk<Trims, Redacts, Edits>;
  static constexpr std::int32_t no_edit = field_walk::no_edit;
  static constexpr unsigned nowhere = field_walk::nowhere;

  // ---- output ----

  THRIFTLENS_INLINE void flush(byte_ptr until) {
    const auto size = static_cast<std::size_t>(until - copied_);
    ensure_capacity(size);
    to_ = copy_run(to_, copied_, size, end_);
    copied_ = until;
  }
  THRIFTLENS_INLINE void ensure_capacity(std::size_t size) {
    if (!has_capacity) to_ = out_.prepare_after(to_, size + 64);
  }
  THRIFTLENS_INLINE void put(byte_view bytes) {
    ensure_capacity(bytes.size());
    copy_exactly(to_, bytes.data(), bytes.size());
    to_ += bytes.size();
  }
  void put_field(field_header header, byte_view bytes, std::int16_t& last) {
    ensure_capacity(P::max_field_header + bytes.size());
    to_ = put_raw_field<P>(to_, header, bytes, last);
  }
  [[nodiscard]] byte_view value_of(const edit_group& group) const noexcept {
    return request_.edits->entry(group).value_in(request_.values);
  }
  /// Nothing from `begin` on is copied up to the end of the field's value at `at`.
  [[nodiscard]] THRIFTLENS_INLINE bool leave_out(const field_walk& walk, byte_ptr begin, byte_ptr& at,
                                                 scan_field field) {
    flush(begin);
    if (!in_.skip_field(at, field, walk.of, *image_, walk.depth_left)) [[unlikely]]
      return false;
    copied_ = at;
    return true;
  }

  // ---- any value; functions return the byte after it, or nullptr ----

  [[nodiscard]] bool open_root(guides& root) const noexcept {
    if (Trims && request_.selected != nullptr) root.selected = selected_node(request_.selected->root());
    if (Redacts && request_.rules != nullptr) {
      if (!request_.rules->is_fast || request_.rules->root.replacement != none) return false;
      root.rules = node_of(request_.rules->root);
    }
    if (Edits && request_.edits != nullptr) root.edits = request_.edits->root_group();
    return !root.empty();
  }
  [[nodiscard]] const selection_node* selected_node(std::uint32_t at) const noexcept {
    return at == selection_node::entire ? nullptr : &request_.selected->nodes()[at];
  }
  [[nodiscard]] const redact_node* node_of(const redact_target& to) const noexcept {
    return to.node == none ? nullptr : &request_.rules->nodes[to.node];
  }
  THRIFTLENS_INLINE byte_ptr value(byte_ptr at, const guides& by, std::uint32_t type,
                                   std::uint32_t depth_left) {
    if (depth_left == 0) [[unlikely]]
      return nullptr;
    const ttype wire = image_->types[type].wire;
    if (wire == ttype::struct_) return structure(at, by, type, depth_left);
    if (wire == ttype::map) return mapping(at, by, type, depth_left);
    return is_container(wire) ? sequence(at, by, type, depth_left) : nullptr;
  }
  /// A value that no edit names.
  THRIFTLENS_INLINE byte_ptr element(byte_ptr at, const field_plan& by, ttype wire,
                                     std::uint32_t depth_left) {
    if (Redacts && by.replacement != none) return mask(at, by, wire, depth_left);
    if (!by.inside.empty()) return value(at, by.inside, by.type, depth_left);
    return in_.skip_known(at, wire, by.type, *image_, depth_left) ? at : nullptr;
  }
  /// A value that edits name.
  THRIFTLENS_INLINE byte_ptr edited(byte_ptr at, const field_plan& by, std::uint32_t type,
                                    const edit_group& group, std::uint32_t depth_left) {
    if (request_.edits->is_leaf(group)) {
      flush(at);
      put(value_of(group));
      return skip_without_copy(at, type, depth_left);
    }
    guides inside = by.inside;
    inside.edits = group;
    return by.replacement == none ? value(at, inside, type, depth_left) : nullptr;
  }
  THRIFTLENS_INLINE byte_ptr skip_without_copy(byte_ptr at, std::uint32_t type,
                                               std::uint32_t depth_left) noexcept {
    if (!in_.skip_known(at, image_->types[type].wire, type, *image_, depth_left)) [[unlikely]]
      return nullptr;
    return copied_ = at;
  }
  /// Replaces the value at `at` as the rules say.
  byte_ptr mask(byte_ptr at, const field_plan& by, ttype wire, std::uint32_t depth_left) {
    const redact_replacement& mask_rule = request_.rules->replacements[by.replacement];
    flush(at);
    ++report.replaced;
    if (is_mask(mask_rule.kind)) {
      at = copied_ = masked(at, mask_rule, wire, depth_left);
    } else {
      buffer spare;
      put(request_.rules->template bytes_of<P>(mask_rule, wire, spare));
      at = skip_without_copy(at, by.type, depth_left);
    }
    return static_cast<std::size_t>(to_ - out_.data()) <= max_size_ ? at : nullptr;
  }
  THRIFTLENS_NOINLINE byte_ptr masked(byte_ptr at, const redact_replacement& mask_rule, ttype wire,
                                      std::uint32_t depth_left) {
    typename P::reader reader(from_.whole());
    reader.seek(wire_position{at, depth_left, 0, -1});
    out_.commit(to_);
    const bool ok = masker<P>(reader, out_).apply(mask_rule, wire, request_.rules->hash);
    to_ = out_.end();
    return ok ? reader.at() : nullptr;
  }

  // ---- structs ----

  THRIFTLENS_INLINE byte_ptr structure(byte_ptr at, const guides& by, std::uint32_t type,
                                       std::uint32_t depth_left) {
    std::int32_t highest = -0x8001;
    if constexpr (only_trims && (has_prefixes || flat_trim<P>::exists)) {
      const selection_node& selected = *by.selected;
      const byte_ptr begin = at;
      if (has_prefixes && (flat_left_ == 0 || !flat_trim<P>::knows(selected)) &&
          selected.prefix.levels <= depth_left && trim_prefix(at, selected, highest))
        return at;
      const byte_ptr end = flat_trim<P>::knows(selected) ? trim_flat(begin, selected) : nullptr;
      if (end != nullptr) return end;
    }
    return structure_from(at, by, type, depth_left, highest);
  }
  /// structure() after the part of the prefix template that was trimmed.
  THRIFTLENS_NOINLINE byte_ptr structure_from(byte_ptr at, const guides& by, std::uint32_t type,
                                              std::uint32_t depth_left, std::int32_t highest) {
    const image::struct_node& self = image_->struct_of(type);
    field_walk walk{by, type, depth_left - 1};
    walk.highest = highest;
    if (!open_struct(walk, self)) return nullptr;
    if (has_prefixes && !only_trims && self.prefix.levels <= depth_left) {
      if (!along_prefix(walk, at, self)) return nullptr;
      if (walk.complete) return walk.has_required() ? at : nullptr;
    }
    return fields(walk, at);
  }
  /// A struct of numbers and strings that lacks some of them, as the next ones will.
  [[nodiscard]] THRIFTLENS_NOINLINE byte_ptr trim_flat(byte_ptr at, const selection_node& selected) {
    flat_left_ = flat_left_ == 0 ? 15 : flat_left_ - 1;
    if (copied_ < at) flush(at);
    ensure_capacity(static_cast<std::size_t>(end_ - at));
    flat_trim<P> state{{at, to_}};
    if (!state.run(selected, end_)) [[unlikely]]
      return nullptr;
    copied_ = state.at;
    to_ = state.to;
    report.trimmed += state.dropped;
    return copied_;
  }
  /// Handles the part that matches the prefix template, or all of a struct that trim_flat() supports. True:
  /// that was the complete struct.
  [[nodiscard]] THRIFTLENS_INLINE bool trim_prefix(byte_ptr& at, const selection_node& selected,
                                                   std::int32_t& highest) noexcept {
    prefix_trim state{at, copied_, to_};
    const bool complete = state.run(selected, end_);
    if (!complete && flat_trim<P>::knows(selected)) return false;
    at = state.at;
    copied_ = state.copied;
    to_ = state.to;
    report.trimmed += state.dropped;
    highest = state.highest;
    return complete;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool open_struct(field_walk& walk,
                                                   const image::struct_node& self) const noexcept {
    const guides& by = walk.by;
    if (Trims && by.selected != nullptr) walk.open_selection(*by.selected);
    if (Redacts && by.rules != nullptr) {
      if (Trims && by.selected != nullptr && !by.keeps_required()) return false;
      walk.open_rules(*by.rules);
    }
    if (Edits) await_edits(walk, by.edits);
    return !Edits || by.edits.empty() || self.kind != type_kind::union_;
  }
  THRIFTLENS_INLINE void await_edits(field_walk& walk, const edit_group& edits) const noexcept {
    walk.edits = edits;
    walk.next_edit = edits.empty() ? no_edit : request_.edits->next_step(edits).id;
  }

  /// Handles the part that matches the prefix template.
  [[nodiscard]] THRIFTLENS_INLINE bool along_prefix(field_walk& walk, byte_ptr& at,
                                                    const image::struct_node& self) {
    const shape_ref known = image_->prefix(self);
    const std::uint32_t count = self.prefix.segments.size;
    for (std::uint32_t segment = 0; segment < count; ++segment) {
      const byte_ptr segment_end = after_segment(known, segment, at, end_);
      if (segment_end == nullptr) return true;
      if (Redacts && walk.by.rules != nullptr) walk.pass_rules(segment);
      if (!change_segment(walk, static_cast<std::uint8_t>(segment), at, segment_end)) [[unlikely]]
        return false;
      walk.highest = known.segments[segment].last_id;
      at = segment_end;
    }
    walk.complete = self.prefix.complete;
    return !Edits || !walk.complete || walk.edits.empty();
  }
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_edit(const field_walk& walk,
                                                     std::uint8_t segment) const noexcept {
    if (!Edits || walk.edits.empty()) return nowhere;
    const image::prefix_position& position = request_.edits->next_step(walk.edits).place;
    return position.segment == segment ? position.at : nowhere;
  }
  /// Changes the fields of one segment, [at, after), in their order.
  [[nodiscard]] THRIFTLENS_INLINE bool change_segment(field_walk& walk, std::uint8_t segment, byte_ptr at,
                                                      byte_ptr segment_end) {
    for (;;) {
      const unsigned cut = walk.next_cut(segment), change = walk.next_change(segment),
                     edit = next_edit(walk, segment);
      const unsigned first = (std::min)({cut, change, edit});
      if (first == nowhere) return true;
      bool ok = false;
      if (Trims && cut == first)
        ok = cut_fields(walk, segment, at, segment_end);
      else if (Edits && edit == first)
        ok = edit_prefix_field(walk, at + first, change == first);
      else
        ok = change_prefix_field(walk, at + first);
      if (!ok) return false;
    }
  }
  /// Leaves out adjacent fields; fields that edits set there are written instead.
  [[nodiscard]] bool cut_fields(field_walk& walk, std::uint8_t segment, byte_ptr at, byte_ptr segment_end) {
    const selection_node::cut& cut = *walk.cut++;
    flush(at + cut.begin);
    while (walk.next_change(segment) < cut.end) ++walk.change;
    while (next_edit(walk, segment) < cut.end) {
      if (!make_field(walk)) return false;
    }
    copied_ = cut.end == selection_node::cut::past_counted_end ? segment_end : at + cut.end;
    report.trimmed += cut.fields;
    return true;
  }
  /// The next edits, of one field.
  [[nodiscard]] edit_group take_edit(field_walk& walk) const noexcept {
    const edit_group group = request_.edits->same(walk.edits);
    await_edits(walk, {group.end, walk.edits.end, walk.edits.depth});
    return group;
  }
  /// Whether the pass goes on although the parent of a target is absent: to see that the value is
  /// well-formed.
  [[nodiscard]] bool lacks_parent() noexcept {
    absent = request_.strict;
    return absent;
  }
  /// Writes the field that the next edit sets, which is absent.
  [[nodiscard]] bool make_field(field_walk& walk) {
    const edit_group group = take_edit(walk);
    if (!request_.edits->is_leaf(group)) return lacks_parent();
    if (request_.edits->erases(group)) return true;
    const path_step& step = request_.edits->last_step(group);
    put_field({step.wire, step.id}, value_of(group), walk.ids.out);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool change_prefix_field(field_walk& walk, byte_ptr header) {
    const auto& edge = walk.by.rules->fields[walk.change++->edge];
    byte_ptr at = header + 3;
    if (request_.rules->drops(edge.to)) {
      ++report.dropped;
      return leave_out(walk, header, at, {edge.wire, edge.id, -1});
    }
    const field_plan plan{{nullptr, node_of(edge.to), {}}, edge.to.replacement, edge.type};
    return element(at, plan, edge.wire, walk.depth_left) != nullptr;
  }
  [[nodiscard]] bool edit_prefix_field(field_walk& walk, byte_ptr header, bool has_rule) {
    const edit_group group = take_edit(walk);
    const path_step& step = request_.edits->last_step(group);
    field_plan plan{{}, none, step.type};
    if (has_rule && !take_rule(walk, group, plan)) return false;
    byte_ptr at = header + 3;
    if (request_.edits->erases(group)) return leave_out(walk, header, at, {step.wire, step.id, -1});
    return edited(at, plan, plan.type, group, walk.depth_left) != nullptr;
  }
  /// The rule for a field that edits name, too.
  [[nodiscard]] bool take_rule(field_walk& walk, const edit_group& group, field_plan& plan) const noexcept {
    const redact_target& to = walk.by.rules->fields[walk.change++->edge].to;
    plan.inside.rules = node_of(to);
    plan.replacement = to.replacement;
    return request_.edits->is_leaf(group) || !request_.rules->drops(to);
  }

  // ---- structs: field by field ----

  [[nodiscard]] THRIFTLENS_INLINE byte_ptr fields(field_walk& walk, byte_ptr at) {
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      if (!pass_unedited(walk, at, last_id)) [[unlikely]]
        return nullptr;
      walk.begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return nullptr;
      const bool stops = field.type == ttype::stop;
      if (Edits && !make_fields(walk, stops ? no_edit : field.id)) return nullptr;
      if (stops) return walk.has_required() ? at : nullptr;
      if (field.id <= walk.highest) [[unlikely]]
        return nullptr;
      walk.highest = field.id;
      if ((at = one_field(walk, at, field)) == nullptr) [[unlikely]]
        return nullptr;
      walk.ids.in = field.id;
    }
  }
  /// Steps over fields that stay, before the next edit, where nothing else changes.
  [[nodiscard]] THRIFTLENS_INLINE bool pass_unedited(field_walk& walk, byte_ptr& at,
                                                     std::int16_t& last_id) noexcept {
    if (Trims || Redacts || P::traits.has_fixed_layout || walk.ids.in != walk.ids.out) return true;
    const byte_ptr begin = at;
    if (!in_.pass_below(at, last_id, walk.next_edit, walk.depth_left + 1)) [[unlikely]]
      return false;
    if (at != begin) walk.highest = walk.ids.in = walk.ids.out = last_id;
    return true;
  }
  THRIFTLENS_INLINE byte_ptr one_field(field_walk& walk, byte_ptr at, scan_field field) {
    if (Trims && walk.by.selected != nullptr && !walk.find_part(field.id) && walk.is_left_out(field.id)) {
      ++report.trimmed;
      return leave_out(walk, walk.begin, at, field) ? at : nullptr;
    }
    const bool counts_anew = P::traits.headers_are_deltas && walk.ids.in != walk.ids.out;
    if (counts_anew || !stays(walk, field)) return change_field(walk, at, field);
    if (!in_.skip_field(at, field, walk.of, *image_, walk.depth_left)) [[unlikely]]
      return nullptr;
    walk.ids.out = field.id;
    return at;
  }
  /// A field with a selection, rule or edit.
  THRIFTLENS_INLINE byte_ptr change_field(field_walk& walk, byte_ptr at, scan_field field) {
    field_plan plan;
    if (!decide(walk, field, plan)) [[unlikely]]
      return nullptr;
    if (plan.removed) return leave_out(walk, walk.begin, at, field) ? at : nullptr;
    return copy_field(walk, at, field, plan);
  }
  [[nodiscard]] static bool has_edit(const field_walk& walk, scan_field field) noexcept {
    return Edits && walk.next_edit == field.id;
  }
  /// Whether the field is copied unchanged.
  [[nodiscard]] THRIFTLENS_INLINE bool stays(field_walk& walk, scan_field field) const noexcept {
    if (has_edit(walk, field)) return false;
    if (Trims && walk.by.selected != nullptr && !is_fully_selected(walk, field)) return false;
    return !Redacts || walk.by.rules == nullptr || walk.has_no_rule(field.id, field.type);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_fully_selected(field_walk& walk, scan_field field) const noexcept {
    if (!walk.find_part(field.id) || walk.part->child != selection_node::entire) return false;
    return image_->fields[walk.part->field].wire == field.type;
  }
  /// Writes the fields that edits set with ids below `id`, which are not there.
  [[nodiscard]] THRIFTLENS_INLINE bool make_fields(field_walk& walk, std::int32_t id) {
    while (walk.next_edit < id) [[unlikely]] {
      flush(walk.begin);
      if (!make_field(walk)) return false;
    }
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool decide(field_walk& walk, scan_field field, field_plan& plan) {
    if (Trims && walk.by.selected != nullptr && !apply_selection(walk, field, plan)) return false;
    return !Redacts || walk.by.rules == nullptr || apply_rules(walk, field, plan);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool apply_selection(field_walk& walk, scan_field field, field_plan& plan) {
    if (!walk.find_part(field.id)) return true;
    plan.inside.selected = selected_node(walk.part->child);
    const image::field_node& known = image_->fields[walk.part->field];
    plan.type = known.type;
    return known.wire == field.type;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool apply_rules(field_walk& walk, scan_field field, field_plan& plan) {
    if (!walk.find_edge(field.id)) [[unlikely]]
      return !walk.by.rules->closed || drop_unknown(plan);
    const auto& edge = *walk.edge;
    walk.required += edge.required;
    plan.type = edge.type;
    plan.inside.rules = node_of(edge.to);
    plan.replacement = edge.to.replacement;
    plan.removed = request_.rules->drops(edge.to);
    report.dropped += plan.removed;
    return edge.wire == field.type;
  }
  [[nodiscard]] bool drop_unknown(field_plan& plan) noexcept {
    plan.removed = true;
    ++report.unknown;
    ++report.dropped;
    return request_.rules->unknown != on_unknown::error;
  }
  THRIFTLENS_INLINE byte_ptr copy_field(field_walk& walk, byte_ptr at, scan_field field,
                                        const field_plan& plan) {
    if (has_edit(walk, field)) return edit_field(walk, at, field, plan);
    if (Redacts && field.inline_bool >= 0 && plan.replacement != none)
      return mask_inline_bool(walk, at, field, plan);
    keep_header(walk, at, field);
    if (!plan.stays()) return element(at, plan, field.type, walk.depth_left);
    return in_.skip_field(at, field, walk.of, *image_, walk.depth_left) ? at : nullptr;
  }
  byte_ptr mask_inline_bool(field_walk& walk, byte_ptr at, scan_field field, const field_plan& plan) {
    ++report.replaced;
    const redact_replacement& mask_rule = request_.rules->replacements[plan.replacement];
    buffer spare;
    return put_inline_bool(walk, at, field,
                           request_.rules->template bytes_of<P>(mask_rule, field.type, spare));
  }
  byte_ptr put_inline_bool(field_walk& walk, byte_ptr at, scan_field field, byte_view value) {
    flush(walk.begin);
    put_field({field.type, field.id}, value, walk.ids.out);
    return copied_ = at;
  }
  THRIFTLENS_INLINE void keep_header(field_walk& walk, byte_ptr at, scan_field field) {
    if (P::traits.headers_are_deltas && walk.ids.in != walk.ids.out) {
      flush(walk.begin);
      ensure_capacity(P::max_field_header);
      to_ = put_header<P>(to_, {field.type, field.id}, field.inline_bool == 1, walk.ids.out);
      copied_ = at;
    }
    walk.ids.out = field.id;
  }
  /// A field that edits name.
  byte_ptr edit_field(field_walk& walk, byte_ptr at, scan_field field, const field_plan& plan) {
    const edit_group group = take_edit(walk);
    const path_step& step = request_.edits->last_step(group);
    if (step.wire != field.type) return nullptr;
    if (request_.edits->erases(group)) return leave_out(walk, walk.begin, at, field) ? at : nullptr;
    if (field.inline_bool >= 0) return put_inline_bool(walk, at, field, value_of(group));
    keep_header(walk, at, field);
    return edited(at, plan, step.type, group, walk.depth_left);
  }

  // ---- containers ----

  byte_ptr sequence(byte_ptr at, const guides& by, std::uint32_t type, std::uint32_t depth_left) {
    list_header list;
    const image::type_node& self = image_->types[type];
    // A learned layout has the type of an empty container in it.
    if (!this->open_list(at, self, list, has_prefixes)) return nullptr;
    const field_plan inner = inside_container(by, self.first);
    if constexpr (Edits) {
      if (!by.edits.empty() && self.wire == ttype::set) return nullptr;  // elements have to stay unique
      if (!by.edits.empty()) return edit_elements(at, by.edits, inner, list.size, depth_left - 1);
    }
    return elements(at, inner, list.size, depth_left - 1);
  }
  [[nodiscard]] field_plan inside_container(const guides& by, std::uint32_t type) const noexcept {
    field_plan inner;
    inner.type = type;
    inner.inside.selected = by.selected;
    if (!Redacts || by.rules == nullptr) return inner;
    inner.inside.rules = node_of(by.rules->value);
    inner.replacement = by.rules->value.replacement;
    return inner;
  }
  byte_ptr elements(byte_ptr at, const field_plan& inner, std::size_t count, std::uint32_t depth_left) {
    const ttype wire = image_->types[inner.type].wire;
    if (inner.stays()) return skip_row(in_, at, wire, inner.type, *image_, count, depth_left) ? at : nullptr;
    if (has_passive_structs(inner)) {
      passive_row<fast_rewriter, field_plan> row(*this, inner, count);
      while (count-- != 0 && at != nullptr) at = row.next(at, depth_left);
      return at;
    }
    while (count-- != 0 && at != nullptr) at = element(at, inner, wire, depth_left);
    return at;
  }
  byte_ptr edit_elements(byte_ptr at, const edit_group& in, const field_plan& inner, std::uint32_t count,
                         std::uint32_t depth_left) {
    const auto pass = [&](std::int64_t size) {
      return (at = elements(at, inner, static_cast<std::size_t>(size), depth_left)) != nullptr;
    };
    const auto change = [&](const edit_group& group) {
      return (at = edited(at, inner, inner.type, group, depth_left)) != nullptr;
    };
    return request_.edits->each_element(in, count, pass, change) ? at : nullptr;
  }

  /// Whether the values are structs in which rules only affect fields that the IDL does not know.
  [[nodiscard]] bool has_passive_structs(const field_plan& inner) const noexcept {
    if (!has_prefixes || !Redacts || (Trims && inner.inside.selected != nullptr)) return false;
    return image_->types[inner.type].wire == ttype::struct_ && inner.replacement == none &&
           inner.inside.rules != nullptr && inner.inside.rules->passive;
  }
  byte_ptr mapping(byte_ptr at, const guides& by, std::uint32_t type, std::uint32_t depth_left) {
    map_header map;
    byte_ptr begin = at;
    const image::type_node& self = image_->types[type];
    if (!this->open_map(at, self, map, has_prefixes)) return nullptr;
    const field_plan inner = inside_container(by, self.second);
    if constexpr (Edits) {
      if (!by.edits.empty()) return edit_entries(at, by.edits, inner, map, depth_left - 1);
    }
    if (!inner.stays()) return entries(at, inner, map, depth_left - 1);
    return in_.skip_known(begin, ttype::map, type, *image_, depth_left) ? begin : nullptr;
  }
  byte_ptr entries(byte_ptr at, const field_plan& inner, const map_header& map, std::uint32_t depth_left) {
    if (has_passive_structs(inner)) return passive_entries(at, inner, map, depth_left);
    for (auto remaining = map.size; remaining != 0 && at != nullptr; --remaining) {
      if (!in_.skip(at, map.key, depth_left)) return nullptr;
      at = element(at, inner, map.value, depth_left);
    }
    return at;
  }
  byte_ptr passive_entries(byte_ptr at, const field_plan& inner, map_header map, std::uint32_t depth_left) {
    passive_row<fast_rewriter, field_plan> row(*this, inner, map.size);
    for (auto remaining = map.size; remaining != 0 && at != nullptr; --remaining) {
      if (!in_.skip(at, map.key, depth_left)) return nullptr;
      at = row.next(at, depth_left);
    }
    return at;
  }
  byte_ptr edit_entries(byte_ptr at, const edit_group& in, const field_plan& inner, const map_header& map,
                        std::uint32_t depth_left) {
    typename scanner<P>::layout_predictor row(in_, map.size, inner.type, *image_, depth_left);
    const bool others_stay = inner.stays();
    std::uint32_t seen = 0;
    for (std::uint32_t remaining = map.size; remaining != 0; --remaining) {
      edit_group group;
      if (!this->find_key(*request_.edits, in, at, map.key, depth_left, group)) return nullptr;
      if (group.end != 0 && !edit_order::is_first(group, seen)) return nullptr;
      if (group.end == 0 && others_stay) {
        if (!row.skip(in_, at, map.value, depth_left)) return nullptr;
        continue;
      }
      at = group.end != 0 ? edited(at, inner, inner.type, group, depth_left)
                          : element(at, inner, map.value, depth_left);
      if (at == nullptr) return nullptr;
    }
    if (request_.edits->all_seen(in, seen)) return at;
    return !request_.edits->is_leaf(request_.edits->same(in)) && lacks_parent() ? at : nullptr;
  }

  const fast_request& request_;
  buffer& out_;
  std::size_t max_size_ = 0;
  std::uint8_t* to_ = nullptr;  // end of the output; uncommitted bytes are not counted
  byte_ptr copied_ = nullptr;
  std::uint32_t flat_left_ = 0;  // structs until the prefix template is tried again
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
