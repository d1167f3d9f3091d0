// fast_rewrite: selection, rules and a few edits in one scan and one copy, by pointers.
// In: a view and what applies to it. Out: the changed value at the end of a buffer; or false.
// Speculates. Returns false to fall back; the output is then as it was before the call. Never explains.
#pragma once

#include <thriftlens/edit/edit_order.hpp>
#include <thriftlens/edit/mask_value.hpp>
#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/edit/wire_copier.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// What a fast pass is asked for; what is null is not asked. Edits are sorted, along single paths, no appends
/// or inserts.
struct fast_request {
  const selection* kept = nullptr;
  const rewrite_program* rules = nullptr;
  const edit_order* edits = nullptr;
  byte_view values = {};
};

/// The plain case: ascending ids, wire types as in the IDL, rules that merge nothing, edits of values that
/// are there and of fields. `Trims`, `Redacts`, `Edits`: what may be asked for.
template <protocol P, bool Trims, bool Redacts, bool Edits>
class fast_rewriter {
 public:
  fast_rewriter(const view<P>& from, const fast_request& what, buffer& out) noexcept
      : in_(from.whole().end()),
        end_(from.whole().end()),
        from_(from),
        image_(from.image()),
        what_(what),
        out_(out) {}

  rewrite_report report;

  /// Appends the result.
  [[nodiscard]] bool run() {
    const wire_spot& spot = from_.spot();
    guides all;
    if (spot.type == image::none || spot.at.inline_bool >= 0 || !open_root(all)) return false;
    const std::size_t before = out_.size();
    max_size_ = output_end(before, from_.bounds().max_output(from_.whole().size() + what_.values.size()));
    to_ = out_.reserve(from_.whole().size() + 64);
    copied_ = spot.at.at;
    const std::uint8_t* end = value(spot.at.at, all, spot.type, spot.wire, spot.at.depth_left);
    if (end == nullptr || (from_.is_root() && end != end_)) {
      out_.truncate(before);
      return false;
    }
    flush(end);
    out_.commit(to_);
    return true;
  }

 private:
  static constexpr bool has_prefixes = P::traits.has_fixed_layout;
  static constexpr std::uint32_t none = redact_target::none;

  /// What applies to one value.
  struct guides {
    const selection_node* kept = nullptr;
    const redact_node* rules = nullptr;
    edit_group edits = {};

    [[nodiscard]] bool empty() const noexcept {
      return (!Trims || kept == nullptr) && (!Redacts || rules == nullptr) && (!Edits || edits.empty());
    }
  };
  /// What applies to the fields of a struct from the present one on.
  struct field_walk {
    const selection_node::cut* cut = nullptr;
    const selection_node::cut* last_cut = nullptr;
    const selection_node::part* part = nullptr;
    const selection_node::part* last_part = nullptr;
    const redact_node::prefix_edge* change = nullptr;
    const redact_node::prefix_edge* last_change = nullptr;
    const redact_node::field_edge* edge = nullptr;
    const redact_node::field_edge* last_edge = nullptr;
    edit_group edits = {};
    std::int32_t highest = -0x8001;
    std::uint32_t required = 0;
    bool complete = false;  ///< the prefix template was all of the struct
  };
  /// What becomes of one field.
  struct field_fate {
    guides inside;
    std::uint32_t replacement = none;
    std::uint32_t type = image::none;
    bool removed = false;
  };

  // ---- output ----

  THRIFTLENS_INLINE void flush(const std::uint8_t* until) {
    const auto size = static_cast<std::size_t>(until - copied_);
    to_ = copy_run(out_.reserve_after(to_, size + 64), copied_, size, end_);
    copied_ = until;
  }
  void put(byte_view bytes) {
    to_ = out_.reserve_after(to_, bytes.size() + 64);
    if (!bytes.empty()) std::memcpy(to_, bytes.data(), bytes.size());
    to_ += bytes.size();
  }
  void put_field(field_header header, byte_view bytes, std::int16_t& last) {
    to_ = out_.reserve_after(to_, P::field_room + bytes.size() + 64);
    to_ = put_raw_field<P>(to_, header, bytes, last);
  }
  [[nodiscard]] byte_view edit_value(const edit_group& of) const noexcept {
    const edit_entry& entry = what_.edits->entry(of);
    return {what_.values.data() + entry.value_at, entry.value_size};
  }
  /// Nothing from `begin` on is copied up to the end of the value at `at`.
  [[nodiscard]] bool leave_out(const std::uint8_t* begin, const std::uint8_t*& at, const scan_field& field,
                               std::uint32_t of, std::uint32_t depth_left) {
    flush(begin);
    if (!in_.skip_field(at, field, of, *image_, depth_left)) [[unlikely]]
      return false;
    copied_ = at;
    return true;
  }

  // ---- any value; each answers the byte after it, or nullptr ----

  [[nodiscard]] bool open_root(guides& all) const noexcept {
    if (Trims && what_.kept != nullptr && what_.kept->root() != selection_node::whole)
      all.kept = &what_.kept->nodes()[what_.kept->root()];
    if (Redacts && what_.rules != nullptr) {
      if (!what_.rules->is_fast || what_.rules->root.replacement != none) return false;
      all.rules = node_of(what_.rules->root);
    }
    if (Edits && what_.edits != nullptr) all.edits = what_.edits->all();
    return !all.empty();
  }
  [[nodiscard]] const redact_node* node_of(const redact_target& to) const noexcept {
    return to.node == none ? nullptr : &what_.rules->nodes[to.node];
  }
  const std::uint8_t* value(const std::uint8_t* at, const guides& by, std::uint32_t type, ttype wire,
                            std::uint32_t depth_left) {
    if (depth_left == 0) [[unlikely]]
      return nullptr;
    if (wire == ttype::struct_) return structure(at, by, type, depth_left);
    if (wire == ttype::map) return mapping(at, by, type, depth_left);
    return is_container(wire) ? sequence(at, by, type, wire, depth_left) : nullptr;
  }
  /// A value that no edit names.
  THRIFTLENS_INLINE const std::uint8_t* element(const std::uint8_t* at, const field_fate& by, ttype wire,
                                                std::uint32_t depth_left) {
    if (Redacts && by.replacement != none) return mask(at, by.replacement, by.type, wire, depth_left);
    if (!by.inside.empty()) return value(at, by.inside, by.type, wire, depth_left);
    return in_.skip_known(at, wire, by.type, *image_, depth_left) ? at : nullptr;
  }
  /// An element or value that edits name.
  const std::uint8_t* edited(const std::uint8_t* at, field_fate by, const edit_group& found, ttype wire,
                             std::uint32_t depth_left) {
    if (!what_.edits->is_leaf(found)) {
      by.inside.edits = found;
      return by.replacement == none ? value(at, by.inside, by.type, wire, depth_left) : nullptr;
    }
    flush(at);
    put(edit_value(found));
    if (!in_.skip_known(at, wire, by.type, *image_, depth_left)) [[unlikely]]
      return nullptr;
    copied_ = at;
    return at;
  }
  /// Replaces the value at `at` by what rules say.
  const std::uint8_t* mask(const std::uint8_t* at, std::uint32_t by, std::uint32_t type, ttype wire,
                           std::uint32_t depth_left) {
    const redact_replacement& how = what_.rules->replacements[by];
    flush(at);
    ++report.replaced;
    if (how.kind == replacement_form::hash || how.kind == replacement_form::keep_last) {
      if ((at = masked(at, how, wire, depth_left)) == nullptr) return nullptr;
    } else {
      put(what_.rules->template bytes_of<P>(how));
      if (!in_.skip_known(at, wire, type, *image_, depth_left)) [[unlikely]]
        return nullptr;
    }
    copied_ = at;
    return static_cast<std::size_t>(to_ - out_.data()) <= max_size_ ? at : nullptr;
  }
  THRIFTLENS_NOINLINE const std::uint8_t* masked(const std::uint8_t* at, const redact_replacement& how,
                                                 ttype wire, std::uint32_t depth_left) {
    typename P::reader reader(from_.whole());
    reader.seek(wire_position{at, depth_left, 0, -1});
    out_.commit(to_);
    masker<P> mask(reader, out_);
    const bool done = how.kind == replacement_form::hash ? mask.hash(wire, what_.rules->hash)
                                                         : mask.keep_last(wire, how.last);
    to_ = out_.end();
    return done ? reader.at() : nullptr;
  }

  // ---- structs ----

  const std::uint8_t* structure(const std::uint8_t* at, const guides& by, std::uint32_t type,
                                std::uint32_t depth_left) {
    const image::struct_node& self = image_->structs[image_->types[type].first];
    field_walk walk;
    if (!open_struct(walk, by, self)) return nullptr;
    if (has_prefixes && self.lead.levels <= depth_left) {
      if (!along_prefix(walk, by, at, self, depth_left - 1)) return nullptr;
      if (walk.complete) return has_required(walk, by) ? at : nullptr;
    }
    return fields(walk, by, at, type, depth_left - 1);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool open_struct(field_walk& walk, const guides& by,
                                                   const image::struct_node& self) const noexcept {
    if (Trims && by.kept != nullptr) {
      walk.cut = by.kept->cuts.data();
      walk.last_cut = walk.cut + by.kept->cuts.size();
      walk.part = by.kept->parts.data();
      walk.last_part = walk.part + by.kept->parts.size();
      if (Redacts && by.rules != nullptr && by.rules->required != 0 && !keeps_required(by)) return false;
    }
    if (Redacts && by.rules != nullptr) {
      walk.change = by.rules->prefix_edges.data();
      walk.last_change = walk.change + by.rules->prefix_edges.size();
      walk.edge = by.rules->fields.data();
      walk.last_edge = walk.edge + by.rules->fields.size();
    }
    if (Edits) walk.edits = by.edits;
    return !Edits || by.edits.empty() || self.kind != type_kind::union_;
  }
  /// The selection keeps all fields that must be there.
  [[nodiscard]] static bool keeps_required(const guides& by) noexcept {
    for (const redact_node::field_edge& each : by.rules->fields) {
      if (each.required && by.kept->find(each.id) == nullptr) return false;
    }
    return true;
  }
  [[nodiscard]] static bool has_required(const field_walk& walk, const guides& by) noexcept {
    return !Redacts || by.rules == nullptr || walk.required == by.rules->required;
  }

  // ---- structs: the prefix template ----

  /// As far as the prefix template matches.
  [[nodiscard]] THRIFTLENS_INLINE bool along_prefix(field_walk& walk, const guides& by,
                                                    const std::uint8_t*& at, const image::struct_node& self,
                                                    std::uint32_t depth_left) {
    const shape_ref known = image_->lead(self);
    const std::uint32_t count = self.lead.segments.size;
    for (std::uint32_t segment = 0; segment < count; ++segment) {
      const shape_segment& part = known.segments[segment];
      if (!part.stands_at(at, end_, known.blocks)) return true;
      const std::uint8_t* const after = part.behind(at, end_);
      if (after == nullptr) [[unlikely]]
        return false;
      if (Redacts && by.rules != nullptr) {
        const redact_node::prefix_segment& counted = by.rules->prefix_segments[segment];
        walk.required += counted.required;
        walk.edge = by.rules->fields.data() + counted.next_edge;
      }
      if (!change_segment(walk, by, static_cast<std::uint8_t>(segment), at, after, depth_left)) [[unlikely]]
        return false;
      walk.highest = part.last_id;
      at = after;
    }
    walk.complete = self.lead.complete;
    if (Edits && walk.complete) return walk.edits.empty();
    return true;
  }
  static constexpr unsigned nowhere = 0x10000;
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_cut(const field_walk& walk,
                                                    std::uint8_t segment) const noexcept {
    if (!Trims || walk.cut == walk.last_cut) return nowhere;
    return walk.cut->segment == segment ? walk.cut->begin : nowhere;
  }
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_change(const field_walk& walk,
                                                       std::uint8_t segment) const noexcept {
    if (!Redacts || walk.change == walk.last_change) return nowhere;
    return walk.change->segment == segment ? walk.change->at : nowhere;
  }
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_edit(const field_walk& walk,
                                                     std::uint8_t segment) const noexcept {
    if (!Edits || walk.edits.empty()) return nowhere;
    const image::lead_place& place = what_.edits->next_step(walk.edits).place;
    return place.segment == segment ? place.at : nowhere;
  }
  /// Changes the fields of one segment, [at, after), in their order.
  [[nodiscard]] THRIFTLENS_INLINE bool change_segment(field_walk& walk, const guides& by,
                                                      std::uint8_t segment, const std::uint8_t* at,
                                                      const std::uint8_t* after, std::uint32_t depth_left) {
    for (;;) {
      const unsigned cut = next_cut(walk, segment), change = next_change(walk, segment),
                     edit = next_edit(walk, segment);
      const unsigned first = std::min({cut, change, edit});
      if (first == nowhere) return true;
      bool done = false;
      if (Trims && cut == first)
        done = cut_fields(walk, segment, at, after);
      else if (Edits && edit == first)
        done = edit_prefix_field(walk, by, at + first, change == first, depth_left);
      else
        done = change_prefix_field(walk, by, at + first, depth_left);
      if (!done) return false;
    }
  }
  /// Leaves out fields next to each other; those that edits set there are written instead.
  [[nodiscard]] bool cut_fields(field_walk& walk, std::uint8_t segment, const std::uint8_t* at,
                                const std::uint8_t* after) {
    const selection_node::cut& cut = *walk.cut++;
    flush(at + cut.begin);
    while (next_change(walk, segment) < cut.end) ++walk.change;
    std::int16_t unused = 0;
    while (next_edit(walk, segment) < cut.end) {
      if (!make_field(walk, unused)) return false;
    }
    copied_ = cut.end == selection_node::cut::behind ? after : at + cut.end;
    report.trimmed += cut.fields;
    return true;
  }
  /// Writes the field that the next edit sets, which is not there.
  [[nodiscard]] bool make_field(field_walk& walk, std::int16_t& last) {
    const edit_group found = what_.edits->same(walk.edits);
    walk.edits.begin = found.end;
    if (!what_.edits->is_leaf(found)) return false;
    if (what_.edits->erases(found)) return true;
    const path_step& step = what_.edits->last_step(found);
    put_field({step.wire, step.id}, edit_value(found), last);
    return true;
  }
  [[nodiscard]] bool change_prefix_field(field_walk& walk, const guides& by, const std::uint8_t* header,
                                         std::uint32_t depth_left) {
    const redact_node::field_edge& edge = by.rules->fields[walk.change++->edge];
    const std::uint8_t* at = header + 3;
    if (what_.rules->drops(edge.to)) {
      ++report.dropped;
      return leave_out(header, at, {edge.wire, edge.id, -1}, by.rules->of.index(), depth_left);
    }
    const field_fate fate{{nullptr, node_of(edge.to), {}}, edge.to.replacement, edge.type};
    return element(at, fate, edge.wire, depth_left) != nullptr;
  }
  [[nodiscard]] bool edit_prefix_field(field_walk& walk, const guides& by, const std::uint8_t* header,
                                       bool has_rule, std::uint32_t depth_left) {
    const edit_group found = what_.edits->same(walk.edits);
    const path_step& step = what_.edits->last_step(found);
    walk.edits.begin = found.end;
    field_fate fate{{}, none, step.type};
    if (has_rule) {
      const redact_target& to = by.rules->fields[walk.change++->edge].to;
      if (what_.rules->drops(to) && !what_.edits->is_leaf(found)) return false;
      fate.inside.rules = node_of(to);
      fate.replacement = to.replacement;
    }
    const std::uint8_t* at = header + 3;
    if (!what_.edits->is_leaf(found) || !what_.edits->erases(found))
      return edited(at, fate, found, step.wire, depth_left) != nullptr;
    flush(header);
    if (!in_.skip_known(at, step.wire, step.type, *image_, depth_left)) return false;
    copied_ = at;
    return true;
  }

  // ---- structs: field by field ----

  [[nodiscard]] THRIFTLENS_NOINLINE const std::uint8_t* fields(field_walk& walk, const guides& by,
                                                               const std::uint8_t* at, std::uint32_t type,
                                                               std::uint32_t depth_left) {
    last_ids ids;
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      const std::uint8_t* const begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return nullptr;
      const bool stops = field.type == ttype::stop;
      if constexpr (Edits) {
        if (!make_fields(walk, stops ? 0x8000 : field.id, begin, ids.out)) return nullptr;
      }
      if (stops) return has_required(walk, by) ? at : nullptr;
      if (field.id <= walk.highest) [[unlikely]]
        return nullptr;
      walk.highest = field.id;
      if (ids.in == ids.out && stays(walk, by, field)) [[likely]] {
        if (!in_.skip_field(at, field, type, *image_, depth_left)) [[unlikely]]
          return nullptr;
        ids.in = ids.out = field.id;
        continue;
      }
      if ((at = change_field(walk, by, begin, at, field, ids, type, depth_left)) == nullptr) [[unlikely]]
        return nullptr;
      ids.in = field.id;
    }
  }
  /// A field at which something is asked for.
  THRIFTLENS_INLINE const std::uint8_t* change_field(field_walk& walk, const guides& by,
                                                     const std::uint8_t* begin, const std::uint8_t* at,
                                                     const scan_field& field, last_ids& ids, std::uint32_t of,
                                                     std::uint32_t depth_left) {
    field_fate fate;
    if (!decide(walk, by, field, fate)) [[unlikely]]
      return nullptr;
    if (fate.removed) return leave_out(begin, at, field, of, depth_left) ? at : nullptr;
    return kept_field(walk, begin, at, field, fate, ids, of, depth_left);
  }
  /// Whether nothing is asked for at the field or inside it.
  [[nodiscard]] THRIFTLENS_INLINE bool stays(field_walk& walk, const guides& by,
                                             const scan_field& field) const noexcept {
    if (Edits && !walk.edits.empty() && what_.edits->next_step(walk.edits).id == field.id) return false;
    if (Trims && by.kept != nullptr && !is_kept_whole(walk, field)) return false;
    return !Redacts || by.rules == nullptr || has_no_rule(walk, field);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_kept_whole(field_walk& walk,
                                                     const scan_field& field) const noexcept {
    if (!find_part(walk, field.id) || walk.part->child != selection_node::whole) return false;
    return image_->fields[walk.part->field].wire == field.type;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool has_no_rule(field_walk& walk, const scan_field& field) const noexcept {
    if (!find_edge(walk, field.id)) return false;
    if (walk.edge->wire != field.type || !walk.edge->to.stays()) return false;
    walk.required += walk.edge->required;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE static bool find_part(field_walk& walk, std::int16_t id) noexcept {
    while (walk.part != walk.last_part && walk.part->id < id) ++walk.part;
    return walk.part != walk.last_part && walk.part->id == id;
  }
  [[nodiscard]] THRIFTLENS_INLINE static bool find_edge(field_walk& walk, std::int16_t id) noexcept {
    while (walk.edge != walk.last_edge && walk.edge->id < id) ++walk.edge;
    return walk.edge != walk.last_edge && walk.edge->id == id;
  }
  /// Writes the fields that edits set with ids below `id`, which are not there.
  [[nodiscard]] bool make_fields(field_walk& walk, std::int32_t id, const std::uint8_t* before,
                                 std::int16_t& last) {
    while (!walk.edits.empty() && what_.edits->next_step(walk.edits).id < id) {
      flush(before);
      if (!make_field(walk, last)) return false;
    }
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool decide(field_walk& walk, const guides& by, const scan_field& field,
                                              field_fate& fate) {
    if (Trims && by.kept != nullptr && !ask_selection(walk, *by.kept, field, fate)) return false;
    return !Redacts || by.rules == nullptr || fate.removed || ask_rules(walk, *by.rules, field, fate);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool ask_selection(field_walk& walk, const selection_node& node,
                                                     const scan_field& field, field_fate& fate) {
    if (!find_part(walk, field.id)) {
      fate.removed = !node.unknown || static_cast<bool>(node.structure.field(field.id));
      report.trimmed += fate.removed;
      return true;
    }
    const image::field_node& known = image_->fields[walk.part->field];
    if (walk.part->child != selection_node::whole) fate.inside.kept = &what_.kept->nodes()[walk.part->child];
    fate.type = known.type;
    return known.wire == field.type;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool ask_rules(field_walk& walk, const redact_node& node,
                                                 const scan_field& field, field_fate& fate) {
    if (!find_edge(walk, field.id)) [[unlikely]] {
      if (!node.closed) return true;
      fate.removed = true;
      ++report.unknown;
      ++report.dropped;
      return what_.rules->unknown != redact_unknown::error;
    }
    const redact_node::field_edge& edge = *walk.edge;
    walk.required += edge.required;
    fate.type = edge.type;
    fate.inside.rules = node_of(edge.to);
    fate.replacement = edge.to.replacement;
    fate.removed = what_.rules->drops(edge.to);
    report.dropped += fate.removed;
    return edge.wire == field.type;
  }
  THRIFTLENS_INLINE const std::uint8_t* kept_field(field_walk& walk, const std::uint8_t* begin,
                                                   const std::uint8_t* at, const scan_field& field,
                                                   const field_fate& fate, last_ids& ids, std::uint32_t of,
                                                   std::uint32_t depth_left) {
    if constexpr (Edits) {
      if (!walk.edits.empty() && what_.edits->next_step(walk.edits).id == field.id)
        return edit_field(walk, begin, at, field, fate, ids, of, depth_left);
    }
    if (Redacts && field.inline_bool >= 0 && fate.replacement != none) {
      flush(begin);
      ++report.replaced;
      const redact_replacement& how = what_.rules->replacements[fate.replacement];
      put_field({field.type, field.id}, what_.rules->template bytes_of<P>(how), ids.out);
      return copied_ = at;
    }
    keep_header(ids, field, begin, at);
    if (fate.inside.empty() && fate.replacement == none)
      return in_.skip_field(at, field, of, *image_, depth_left) ? at : nullptr;
    return element(at, fate, field.type, depth_left);
  }
  THRIFTLENS_INLINE void keep_header(last_ids& ids, const scan_field& field, const std::uint8_t* begin,
                                     const std::uint8_t* at) {
    if (P::traits.headers_are_deltas && ids.in != ids.out) {
      flush(begin);
      to_ = out_.reserve_after(to_, P::field_room + 64);
      to_ = put_header<P>(to_, {field.type, field.id}, field.inline_bool == 1, ids.out);
      copied_ = at;
    }
    ids.out = field.id;
  }
  /// A field that edits name.
  const std::uint8_t* edit_field(field_walk& walk, const std::uint8_t* begin, const std::uint8_t* at,
                                 const scan_field& field, const field_fate& fate, last_ids& ids,
                                 std::uint32_t of, std::uint32_t depth_left) {
    const edit_group found = what_.edits->same(walk.edits);
    const path_step& step = what_.edits->last_step(found);
    walk.edits.begin = found.end;
    if (step.wire != field.type) return nullptr;
    if (!what_.edits->is_leaf(found)) {
      keep_header(ids, field, begin, at);
      field_fate known = fate;
      known.type = step.type;
      return edited(at, known, found, field.type, depth_left);
    }
    if (!leave_out(begin, at, field, of, depth_left)) return nullptr;
    if (!what_.edits->erases(found)) put_field({step.wire, step.id}, edit_value(found), ids.out);
    return at;
  }

  // ---- containers ----

  const std::uint8_t* sequence(const std::uint8_t* at, const guides& by, std::uint32_t type, ttype wire,
                               std::uint32_t depth_left) {
    typename P::reader reader(from_.whole());
    reader.seek(at);
    list_header list;
    if (!(wire == ttype::set ? reader.read_set(list) : reader.read_list(list))) return nullptr;
    const std::uint32_t of = image_->types[type].first;
    const ttype element_wire = image_->types[of].wire;
    // A learned layout has the type of an empty container in it.
    if (list.element != element_wire && (has_prefixes || list.size != 0)) return nullptr;
    const field_fate each = inside_container(by, of);
    if constexpr (Edits) {
      if (!by.edits.empty())
        return edit_elements(reader.at(), by.edits, each, element_wire, list.size, depth_left - 1);
    }
    return elements(reader.at(), each, element_wire, list.size, depth_left - 1);
  }
  [[nodiscard]] field_fate inside_container(const guides& by, std::uint32_t type) const noexcept {
    field_fate each;
    each.type = type;
    each.inside.kept = by.kept;
    if (!Redacts || by.rules == nullptr) return each;
    each.inside.rules = node_of(by.rules->value);
    each.replacement = by.rules->value.replacement;
    return each;
  }
  const std::uint8_t* elements(const std::uint8_t* at, const field_fate& each, ttype wire, std::size_t count,
                               std::uint32_t depth_left) {
    if (each.inside.empty() && each.replacement == none)
      return skip_row(in_, at, wire, each.type, *image_, count, depth_left) ? at : nullptr;
    if (wire == ttype::struct_ && each.replacement == none) {
      struct_row row(*this, each, count);
      while (count-- != 0 && at != nullptr) at = row.next(at, depth_left);
      return at;
    }
    while (count-- != 0 && at != nullptr) at = element(at, each, wire, depth_left);
    return at;
  }
  const std::uint8_t* edit_elements(const std::uint8_t* at, edit_group in, const field_fate& each, ttype wire,
                                    std::uint32_t count, std::uint32_t depth_left) {
    const edit_order& order = *what_.edits;
    const bool from_end = order.next_step(in).first < 0;
    if (from_end && order.same(in).end != in.end) return nullptr;  // their order would have to be found anew
    std::int64_t next = 0;
    for (; !in.empty() && at != nullptr; ++next) {
      const edit_group found = order.same(in);
      std::int64_t requested = order.next_step(in).first;
      if (from_end) requested += count;
      if (requested < next || requested >= std::int64_t{count}) return nullptr;
      at = elements(at, each, wire, static_cast<std::size_t>(requested - next), depth_left);
      if (at != nullptr) at = edited(at, each, found, wire, depth_left);
      next = requested;
      in.begin = found.end;
    }
    if (at == nullptr) return nullptr;
    return elements(at, each, wire, static_cast<std::size_t>(std::int64_t{count} - next), depth_left);
  }

  /// Structs in a row, or the values of a map. Where nothing in them can act but fields that the IDL does not
  /// know, one that looks like another that was gone through is passed by comparing headers.
  class struct_row {
   public:
    struct_row(fast_rewriter& in, const field_fate& each, std::size_t count) noexcept : in_(in), each_(each) {
      if (!has_prefixes || !Redacts || (Trims && each.inside.kept != nullptr)) return;
      if (each.inside.rules == nullptr || !each.inside.rules->passive) return;
      lessons_ = count >= 4 ? 3 : 0;
      known_ = in.image_->shape_inside(each.type);
    }
    THRIFTLENS_INLINE const std::uint8_t* next(const std::uint8_t* at, std::uint32_t depth_left) {
      if (const std::uint8_t* after = match(learned_, at, depth_left)) return after;
      if (const std::uint8_t* after = match(known_, at, depth_left)) return after;
      return rescan(at, depth_left);
    }

   private:
    THRIFTLENS_INLINE const std::uint8_t* match(const shape_ref& layout, const std::uint8_t* at,
                                                std::uint32_t depth_left) const noexcept {
      return layout && layout.levels <= depth_left ? layout.match(at, in_.end_) : nullptr;
    }
    THRIFTLENS_NOINLINE const std::uint8_t* rescan(const std::uint8_t* at, std::uint32_t depth_left) {
      const std::size_t dropped = in_.report.dropped;
      const std::uint8_t* const after = in_.value(at, each_.inside, each_.type, ttype::struct_, depth_left);
      // What was learned before may have been overwritten by a row inside.
      learned_ = {};
      if (lessons_ == 0 || after == nullptr) return after;
      --lessons_;
      if (in_.report.dropped == dropped && in_.learned_.learn(at))
        learned_ = in_.learned_.ref();
      else
        lessons_ = 0;
      return after;
    }

    fast_rewriter& in_;
    const field_fate& each_;
    shape_ref known_;    // as the IDL has it, with all fields
    shape_ref learned_;  // of one that was gone through
    int lessons_ = 0;
  };

  const std::uint8_t* mapping(const std::uint8_t* at, const guides& by, std::uint32_t type,
                              std::uint32_t depth_left) {
    typename P::reader reader(from_.whole());
    reader.seek(at);
    map_header map;
    if (!reader.read_map(map)) return nullptr;
    const image::type_node& self = image_->types[type];
    const bool as_known =
        image_->types[self.first].wire == map.key && image_->types[self.second].wire == map.value;
    if (!as_known && (has_prefixes || map.size != 0)) return nullptr;
    const field_fate each = inside_container(by, self.second);
    if constexpr (Edits) {
      if (!by.edits.empty()) return edit_entries(reader.at(), by.edits, each, map, depth_left - 1);
    }
    if (each.inside.empty() && each.replacement == none)
      return in_.skip_known(at, ttype::map, type, *image_, depth_left) ? at : nullptr;
    return entries(reader.at(), each, map, depth_left - 1);
  }
  const std::uint8_t* entries(const std::uint8_t* at, const field_fate& each, const map_header& map,
                              std::uint32_t depth_left) {
    const bool of_structs = map.value == ttype::struct_ && each.replacement == none;
    struct_row row(*this, each, of_structs ? map.size : 0);
    for (std::uint32_t left = map.size; left != 0; --left) {
      if (!in_.skip(at, map.key, depth_left)) [[unlikely]]
        return nullptr;
      at = of_structs ? row.next(at, depth_left) : element(at, each, map.value, depth_left);
      if (at == nullptr) [[unlikely]]
        return nullptr;
    }
    return at;
  }
  const std::uint8_t* edit_entries(const std::uint8_t* at, const edit_group& in, const field_fate& each,
                                   const map_header& map, std::uint32_t depth_left) {
    std::uint32_t seen = 0, expected = 0;  // a bit for each edit whose key was there
    for (edit_group rest = in; !rest.empty(); rest.begin = what_.edits->same(rest).end)
      expected |= 1u << rest.begin;
    for (std::uint32_t left = map.size; left != 0; --left) {
      edit_group found;
      if (!find_key(at, map.key, in, depth_left, found)) [[unlikely]]
        return nullptr;
      if (found.end == 0) {
        at = element(at, each, map.value, depth_left);
      } else {
        if ((seen >> found.begin & 1) != 0) return nullptr;  // equal keys are edited all
        seen |= 1u << found.begin;
        at = edited(at, each, found, map.value, depth_left);
      }
      if (at == nullptr) [[unlikely]]
        return nullptr;
    }
    return seen == expected ? at : nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool find_key(const std::uint8_t*& at, ttype wire, const edit_group& in,
                                                std::uint32_t depth_left, edit_group& found) noexcept {
    if (wire == ttype::string) return what_.edits->find_key(in_, at, wire, in, found);
    return what_.edits->template find_any_key<P>(typename P::reader(from_.whole()), at, wire, depth_left, in,
                                                 found);
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const view<P>& from_;
  const schema_image* image_;
  const fast_request& what_;
  buffer& out_;
  std::size_t max_size_ = 0;
  std::uint8_t* to_ = nullptr;  // where the output goes on; what is not committed is not counted
  const std::uint8_t* copied_ = nullptr;
  binary_shape learned_;  // of a struct_row
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
