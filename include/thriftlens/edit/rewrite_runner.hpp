// rewrite_runner: one pass that copies a value and on the way leaves out what a selection drops, replaces
// what rules name, and applies edits. In: a view and a request. Out: the changed value in a splicer.
// Never changes a byte that nothing names, but for header deltas and the sizes of containers.
#pragma once

#include <thriftlens/edit/edit_guide.hpp>
#include <thriftlens/edit/mask_value.hpp>
#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/edit/value_in.hpp>
#include <thriftlens/edit/wire_copier.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes a value in the place of an old one.
template <protocol P>
using replacement = std::function<errc(const view<P>&, buffer&)>;

/// What one pass is asked for; whatever is null or empty asks for nothing. A later one sees what an earlier
/// one leaves: selection, rules, edits. What is named must outlive the pass.
template <protocol P>
struct rewrite_request {
  const selection* kept = nullptr;
  trim_options trimming = {};
  const rewrite_program* rules = nullptr;
  const edit_tree* edits = nullptr;
  std::span<const edit_entry> entries = {};
  byte_view values = {};
  std::span<const replacement<P>> replacements = {};
  bool two_pass = false;  ///< look at each struct's fields before its edits are made
};

/// Runs once.
template <protocol P>
class rewrite_runner : public wire_copier<P> {
 public:
  using base = wire_copier<P>;
  using typename base::reader_type;

  rewrite_runner(const view<P>& root, const rewrite_request<P>& what, splicer& out)
      : base(root.whole(), out),
        root_(root),
        image_(root.image()),
        what_(what),
        guide_(what.edits, what.entries, what.values) {}

  rewrite_report report;

  errc code = errc::ok;  ///< why an edit could not be made; ok where the reader knows, or after out_of_order
  std::uint32_t failing_edit = edit_node::none;
  std::size_t where = 0;  ///< offset of the value it failed at
  /// A field that was made stands further on: run again with two_pass; then it never is.
  bool out_of_order = false;

  /// Where the bytes are at fault.
  [[nodiscard]] fault why() const noexcept {
    fault made = in_.fault();
    made.field_id = field_id_;
    return made;
  }
  [[nodiscard]] bool run() {
    this->begin_at(root_.spot().at);
    place at;
    if (what_.kept != nullptr) at.kept = what_.kept->root();
    if (what_.rules != nullptr) at.hidden = what_.rules->root;
    if (guide_.has_edits()) at.edits = guide_.root();
    return run(at);
  }

 private:
  using base::copied_;
  using base::in_;
  using base::out_;
  using base::own;

  /// What applies to one value.
  struct place {
    std::uint32_t kept = selection_node::whole;
    redact_target hidden = {};
    edit_nodes edits = {};

    [[nodiscard]] bool is_plain() const noexcept {
      return kept == selection_node::whole && hidden.stays() && edits.empty();
    }
    [[nodiscard]] place without_edits() const noexcept { return {kept, hidden, {}}; }
  };
  static constexpr auto none = static_cast<std::size_t>(-1);

  // ---- failures ----

  bool fail(errc why, std::uint32_t edit, const std::uint8_t* at) noexcept {
    code = why;
    failing_edit = edit;
    where = static_cast<std::size_t>(at - in_.begin());
    return false;
  }
  bool fail(errc why, std::uint32_t edit) noexcept { return fail(why, edit, in_.at()); }
  bool fail_field(errc why, std::int16_t id, const std::uint8_t* at) noexcept {
    field_id_ = id;
    return in_.fail(why, at);
  }
  [[nodiscard]] bool decide(edit_nodes at, edit_decision& made) {
    if (out_->exceeds()) [[unlikely]]
      return fail(errc::output_limit, guide_.any(at));
    return guide_.decide(at, made) || fail(errc::edit_conflict, made.edit);
  }
  /// The output is within its bound.
  [[nodiscard]] bool fits(edit_nodes at = {}) noexcept {
    if (!out_->exceeds()) return true;
    return at.empty() ? in_.fail(errc::output_limit) : fail(errc::output_limit, guide_.any(at));
  }

  [[nodiscard]] ttype wire_of(std::uint32_t type) const noexcept { return image_->types[type].wire; }
  [[nodiscard]] const redact_node* rules_of(const redact_target& to) const noexcept {
    return to.node == redact_target::none ? nullptr : &what_.rules->nodes[to.node];
  }

  // ---- any value ----

  /// The root may be replaced as a whole.
  bool run(const place& at) {
    edit_decision made;
    if (!at.edits.empty() && !decide(at.edits, made)) return false;
    const bool done = made.edit == edit_node::none ? whole_value(at, root_.spot())
                                                   : replace_root(made.edit, at);
    if (!done) return false;
    this->flush(in_.at());
    return fits(at.edits);
  }
  bool replace_root(std::uint32_t edit, const place& at) {
    const edit_action action = guide_.action(edit);
    if (action == edit_action::erase || action == edit_action::insert)
      return fail(errc::edit_conflict, edit);
    byte_view bytes;
    if (!new_value(edit, at, root_.spot(), bytes) || !in_.skip(root_.spot().wire)) return false;
    own().append(bytes);
    this->leave_out();
    return true;
  }
  /// A bool that lies in its field's header, taken alone, is written as an element has it.
  bool whole_value(const place& at, const wire_spot& spot) {
    if (!value(at, spot)) return false;
    this->flush(in_.at());
    if (spot.at.inline_bool >= 0 && at.hidden.replacement == redact_target::none)
      this->put_inline_bool(spot.at.inline_bool);
    return true;
  }
  bool value(const place& at, const wire_spot& spot) {
    if (at.is_plain()) return in_.skip(spot.wire);
    if (at.edits.empty()) return at.hidden.replacement != redact_target::none ? mask(at.hidden, spot.wire)
                                                                               : inside(at, spot);
    if (spot.wire != ttype::struct_ && !is_container(spot.wire)) return in_.skip(spot.wire);
    if (needs_two_steps(at.hidden)) return edit_rewritten(at, spot);
    const edit_guide::marker mark = guide_.mark();
    const bool done = inside(at, spot);
    guide_.release(mark);
    return done;
  }
  bool inside(const place& at, const wire_spot& spot) {
    if (spot.wire == ttype::struct_) return structure(at, spot);
    return spot.wire == ttype::map ? mapping(at, spot) : sequence(at, spot);
  }
  /// Replaces a value by what rules say.
  bool mask(const redact_target& to, ttype wire) {
    const redact_replacement& by = what_.rules->replacements[to.replacement];
    this->flush(in_.at());
    ++report.replaced;
    if (!write_mask(by, wire)) return false;
    this->leave_out();
    return fits();
  }
  bool write_mask(const redact_replacement& by, ttype wire) {
    masker<P> mask(in_, own());
    if (by.kind == replacement_form::hash) return mask.hash(wire, what_.rules->hash);
    if (by.kind == replacement_form::keep_last) return mask.keep_last(wire, by.last);
    own().append(what_.rules->template bytes_of<P>(by));
    return in_.skip(wire);
  }

  // ---- edits of what rules change ----

  /// Whether edits inside must see what rules have left: their indices and keys are those of the result.
  [[nodiscard]] bool needs_two_steps(const redact_target& hidden) const noexcept {
    if (hidden.replacement != redact_target::none) return true;
    const redact_node* rules = rules_of(hidden);
    return rules != nullptr && (rules->drops || rules->merges());
  }
  /// What selection and rules leave of a value, elsewhere.
  bool rewrite_aside(const place& at, const wire_spot& spot, buffer& into) {
    splicer pieces(into, splicer::never);
    splicer* const outer = std::exchange(out_, &pieces);
    const std::uint8_t* const copied = std::exchange(copied_, in_.at());
    const bool done = whole_value(at.without_edits(), spot);
    out_ = outer;
    copied_ = copied;
    return done;
  }
  [[nodiscard]] view<P> view_of(byte_view bytes, const wire_spot& spot) const noexcept {
    limits bounds = root_.bounds();
    bounds.depth = spot.at.depth_left;
    return view<P>(bytes, type(image_, spot.type), bounds);
  }
  bool edit_rewritten(const place& at, const wire_spot& spot) {
    const std::uint8_t* const begin = in_.at();
    this->flush(begin);
    buffer left, edited;
    if (!rewrite_aside(at, spot, left)) return false;
    splicer pieces(edited, splicer::never);
    rewrite_request<P> what = what_;
    what.kept = nullptr;
    what.rules = nullptr;
    rewrite_runner pass(view_of(left, spot), what, pieces);
    if (!pass.run_from(guide_, at.edits)) return adopt_failure(pass, begin);
    own().append(edited);
    this->leave_out();
    return fits(at.edits);
  }
  bool run_from(const edit_guide& above, edit_nodes at) {
    this->begin_at(root_.spot().at);
    return run(place{.edits = guide_.root(above, at)});
  }
  bool adopt_failure(const rewrite_runner& pass, const std::uint8_t* at) noexcept {
    out_of_order = pass.out_of_order;
    if (out_of_order) return false;
    return pass.code != errc::ok ? fail(pass.code, pass.failing_edit, at) : in_.fail(pass.why().code, at);
  }

  /// The new value of an edit that is no erase; `old` is what stands there. Good until the next call.
  [[nodiscard]] bool new_value(std::uint32_t edit, const place& at, const wire_spot& old, byte_view& bytes) {
    if (guide_.action(edit) != edit_action::replace) {
      bytes = guide_.value(edit);
      return true;
    }
    scratch_.clear();
    buffer aside;
    view<P> seen = root_.child(old);
    if (!at.without_edits().is_plain()) {
      if (!rewrite_aside(at, old, aside)) return false;
      in_.seek(old.at);
      seen = view_of(aside, old);
    }
    errc why = what_.replacements[guide_.edits()[edit].value_at](seen, scratch_);
    bytes = scratch_;
    if (why == errc::ok && !fits_depth(bytes, old)) why = errc::depth_limit;
    out_->allow(bytes.size());
    return why == errc::ok || fail(why, edit, old.at.at);
  }
  /// The value is nested no deeper than one there may be.
  [[nodiscard]] bool fits_depth(byte_view value, const wire_spot& old) const noexcept {
    if (old.wire != ttype::struct_ && !is_container(old.wire)) return true;
    reader_type in(value, {.depth = old.at.depth_left});
    return in.skip(old.wire);
  }

  // ---- structs ----

  struct struct_state {
    const selection_node* kept = nullptr;
    const redact_node* rules = nullptr;
    const image::struct_node* node = nullptr;
    last_ids ids;
    std::size_t next_part = 0, next_edge = 0;
    std::uint32_t required = 0;
    std::vector<bool> seen_parts;             ///< where the selection has to know them
    std::size_t begin = 0, end = 0, next = 0;  ///< requests
    std::size_t active = none;                 ///< unions: the request for the member that is set
  };
  /// What becomes of one field before edits see it.
  struct field_fate {
    bool removed = false;
    std::uint32_t type = image::none;
    place at;
  };

  bool structure(const place& at, const wire_spot& spot) {
    struct_state state;
    if (!open_struct(state, at, spot)) return false;
    const struct_mark outer = in_.begin_struct();
    const wire_position start = in_.here();
    if (what_.two_pass && state.begin != state.end) look_ahead(state);
    id_set<P> ids(start);
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) {
        if (!finish(state, start, begin)) return false;
        break;
      }
      if (!ids.add(header.id, in_, begin)) return fail_field(errc::duplicate_field, header.id, begin);
      if (!field(state, header, begin)) return false;
      state.ids.in = header.id;
    }
    in_.end_struct(outer);
    return true;
  }
  bool open_struct(struct_state& state, const place& at, const wire_spot& spot) {
    if (at.kept != selection_node::whole) {
      state.kept = &what_.kept->nodes()[at.kept];
      if (tracks(*state.kept)) state.seen_parts.resize(state.kept->parts.size());
    }
    state.rules = rules_of(at.hidden);
    if (at.edits.empty()) return true;
    state.node = &image_->structs[image_->types[spot.type].first];
    state.begin = state.next = guide_.collect(at.edits, false);
    state.end = guide_.request_count();
    return image_->types[spot.type].kind != type_kind::union_ || find_active(state);
  }
  bool field(struct_state& state, const field_header& header, const std::uint8_t* begin) {
    field_fate fate;
    if (state.kept != nullptr && !ask_selection(state, header, begin, fate)) return false;
    if (state.rules != nullptr && !fate.removed && !ask_rules(state, header, begin, fate)) return false;
    if (fate.removed) return this->skip_without_copy(begin, header.type);
    if (state.begin == state.end && state.active == none) return keep_field(state, header, begin, fate);
    return edit_field(state, header, begin, fate);
  }
  bool keep_field(struct_state& state, const field_header& header, const std::uint8_t* begin,
                  const field_fate& fate) {
    if (P::traits.has_inline_bool && header.type == ttype::bool_ &&
        fate.at.hidden.replacement != redact_target::none)
      return mask_inline_bool(state, header, begin, fate.at.hidden);
    this->keep_header(state.ids, header, begin);
    return value(fate.at, {in_.here(), fate.type, header.type});
  }
  bool mask_inline_bool(struct_state& state, const field_header& header, const std::uint8_t* begin,
                        const redact_target& to) {
    this->flush(begin);
    ++report.replaced;
    const redact_replacement& by = what_.rules->replacements[to.replacement];
    this->put_field(header, what_.rules->template bytes_of<P>(by), state.ids.out);
    if (!in_.skip(header.type)) return false;
    this->leave_out();
    return true;
  }
  /// At the stop byte.
  bool finish(struct_state& state, const wire_position& start, const std::uint8_t* stop) {
    if (!state.seen_parts.empty() || (state.kept != nullptr && tracks(*state.kept))) {
      if (!finish_selection(state, stop)) return false;
    }
    if (!make_fields(state, state.end, stop)) return false;
    if (state.rules == nullptr || state.required == state.rules->required) return true;
    return missing_required(*state.rules, start, stop);
  }

  // ---- structs: the selection ----

  [[nodiscard]] bool writes_defaults() const noexcept {
    return what_.trimming.defaults == trim_options::default_values::write;
  }
  /// Whether it matters which parts were there.
  [[nodiscard]] bool tracks(const selection_node& node) const noexcept {
    return writes_defaults() || (node.target && node.target.structure().required_count != 0);
  }
  bool ask_selection(struct_state& state, const field_header& header, const std::uint8_t* begin,
                     field_fate& fate) {
    const selection_node& node = *state.kept;
    const selection_node::part* part = find_part(node, header.id, state.next_part);
    if (part == nullptr) {
      fate.removed = !keeps_unknown(node, header, begin);
      report.trimmed += fate.removed;
      return !in_.failed();
    }
    const image::field_node& field = image_->fields[part->field];
    if (field.wire != header.type) return fail_field(errc::type_mismatch, header.id, begin);
    fate.type = field.type;
    fate.at.kept = part->child;
    if (!state.seen_parts.empty()) state.seen_parts[static_cast<std::size_t>(part - node.parts.data())] = true;
    return true;
  }
  /// The part of that id; `next` follows ids that ascend.
  static const selection_node::part* find_part(const selection_node& node, std::int16_t id,
                                               std::size_t& next) noexcept {
    while (next < node.parts.size() && node.parts[next].id < id) ++next;
    if (next < node.parts.size() && node.parts[next].id == id) return &node.parts[next++];
    return next != 0 && node.parts[next - 1].id >= id ? node.find(id) : nullptr;
  }
  /// Of a field that is not in the selection: false where the IDL knows it.
  bool keeps_unknown(const selection_node& node, const field_header& header, const std::uint8_t* begin) {
    using choice = trim_options::unknown_fields;
    const choice unknown = what_.trimming.unknown;
    if (unknown == choice::drop || (unknown == choice::selected && !node.unknown)) return false;
    if (node.structure.field(header.id)) return false;
    return unknown != choice::error || fail_field(errc::unknown_field, header.id, begin);
  }
  /// Defaults are written; missing fields that the target requires are an error.
  bool finish_selection(struct_state& state, const std::uint8_t* stop) {
    const selection_node& node = *state.kept;
    for (std::size_t i = 0; writes_defaults() && i < node.parts.size(); ++i) {
      if (!state.seen_parts[i] && !write_default(default_of(node, node.parts[i]), stop, state.ids.out))
        return false;
    }
    if (!node.target) return true;
    for (field_info field : node.target.fields()) {
      const selection_node::part* part = field.required() ? node.find(field.id()) : nullptr;
      const bool there = part != nullptr && state.seen_parts[static_cast<std::size_t>(part - node.parts.data())];
      if (field.required() && !there) return fail_field(errc::missing_required, field.id(), stop);
    }
    return true;
  }
  bool write_default(const field_info& field, const std::uint8_t* stop, std::int16_t& last) {
    if (!field.has_default()) return true;
    this->flush(stop);
    const ttype wire = field.type().wire();
    this->put_field({wire, field.id()}, bytes_in<P>(field.defaults(), wire, scratch_), last);
    return fits();
  }
  [[nodiscard]] field_info default_of(const selection_node& node,
                                      const selection_node::part& part) const noexcept {
    return node.target ? node.target.field(part.id) : field_info(image_, part.field);
  }

  // ---- structs: the rules ----

  bool ask_rules(struct_state& state, const field_header& header, const std::uint8_t* begin,
                 field_fate& fate) {
    const redact_node& node = *state.rules;
    const redact_node::field_edge* edge = find_edge(node, header.id, state.next_edge);
    if (edge == nullptr) {
      if (!node.closed) return true;
      if (what_.rules->unknown == redact_unknown::error)
        return fail_field(errc::unknown_field, header.id, begin);
      ++report.unknown;
      fate.removed = true;
    } else {
      if (edge->wire != header.type) return fail_field(errc::type_mismatch, header.id, begin);
      state.required += edge->required;
      fate.type = edge->type;
      fate.at.hidden = edge->to;
      fate.removed = what_.rules->drops(edge->to);
    }
    report.dropped += fate.removed;
    return true;
  }
  /// The edge of that id; `next` follows ids that ascend.
  static const redact_node::field_edge* find_edge(const redact_node& node, std::int16_t id,
                                                  std::size_t& next) noexcept {
    const redact_node::field_edge* const edges = node.fields.data();
    const std::size_t size = node.fields.size();
    if (next < size && edges[next].id == id) [[likely]]
      return edges + next++;
    if (next != 0 && edges[next - 1].id >= id) next = 0;
    const auto less = [](const redact_node::field_edge& each, std::int16_t wanted) { return each.id < wanted; };
    next = static_cast<std::size_t>(std::lower_bound(edges + next, edges + size, id, less) - edges);
    return next < size && edges[next].id == id ? edges + next++ : nullptr;
  }
  /// The struct from `start` to `stop` lacks a required field: the first of them is named.
  THRIFTLENS_COLD bool missing_required(const redact_node& node, const wire_position& start,
                                        const std::uint8_t* stop) {
    std::set<std::int16_t> seen;
    reader_type again = in_;
    again.seek(start);
    field_header header;
    while (again.read_field(header) && header.type != ttype::stop) {
      seen.insert(header.id);
      if (!again.skip(header.type)) break;
    }
    const auto is_missing = [&](const redact_node::field_edge& each) {
      return each.required && !seen.contains(each.id);
    };
    const auto found = std::find_if(node.fields.begin(), node.fields.end(), is_missing);
    return fail_field(errc::missing_required, found == node.fields.end() ? std::int16_t{0} : found->id, stop);
  }

  // ---- structs: the edits ----

  /// Notes which requested fields are there, also the one at whose value the bytes are broken: the pass
  /// itself meets the fault there.
  void look_ahead(const struct_state& state) {
    reader_type ahead = in_;
    field_header header;
    while (ahead.read_field(header) && header.type != ttype::stop) {
      const std::size_t at = guide_.find_field(state.begin, state.end, header.id);
      if (at != state.end && !removes(state, header)) guide_.request(at).present = true;
      if (!ahead.skip(header.type)) return;
    }
  }
  /// Whether selection or rules leave the field out. Edits name fields that the IDL knows.
  [[nodiscard]] bool removes(const struct_state& state, const field_header& header) const noexcept {
    if (state.kept != nullptr && state.kept->find(header.id) == nullptr) return true;
    if (state.rules == nullptr) return false;
    std::size_t from = 0;
    const redact_node::field_edge* edge = find_edge(*state.rules, header.id, from);
    return edge != nullptr && what_.rules->drops(edge->to);
  }
  /// The member of a union that edits set: the others go.
  bool find_active(struct_state& state) {
    std::uint32_t last = edit_node::none;
    for (std::size_t i = state.begin; i < state.end; ++i) {
      edit_decision made;
      if (!decide(guide_.request(i).at, made)) return false;
      if (made.edit == edit_node::none || guide_.needs_old(made.edit)) continue;
      if (last != edit_node::none && made.edit < last) continue;
      last = made.edit;
      state.active = i;
    }
    return true;
  }
  /// Makes the requested fields in front of `end` that were not seen, before `before` in the input.
  bool make_fields(struct_state& state, std::size_t end, const std::uint8_t* before) {
    for (; state.next < end; ++state.next) {
      const edit_request& each = guide_.request(state.next);
      const bool is_other_member = state.active != none && state.active != state.next;
      if (each.seen || each.present || is_other_member) continue;
      if (!make_field(state.node, state.next, before, state.ids.out)) return false;
    }
    return true;
  }
  bool make_field(const image::struct_node* in, std::size_t at, const std::uint8_t* before,
                  std::int16_t& last) {
    edit_decision made;
    if (!decide(guide_.request(at).at, made)) return false;
    const std::int16_t id = guide_.id(at);
    const std::uint32_t type = image_->fields[image_->find_field(*in, id)].type;
    if (made.edit != edit_node::none) {
      if (guide_.needs_old(made.edit)) return true;
      this->flush(before);
      this->put_field({wire_of(type), id}, guide_.value(made.edit), last);
    } else if (made.makes) {
      this->flush(before);
      this->put_header({wire_of(type), id}, false, last);
      if (!build(guide_.request(at).at, type)) return false;
    } else {
      return !made.strict || fail(errc::absent, made.any, before);
    }
    guide_.request(at).seen = true;
    return true;
  }
  /// A field of the input that selection and rules leave.
  bool edit_field(struct_state& state, const field_header& header, const std::uint8_t* begin,
                  field_fate& fate) {
    std::size_t before = state.next;
    while (before < state.end && guide_.id(before) < header.id) ++before;
    if (!make_fields(state, before, begin)) return false;
    const bool is_next = state.next < state.end && guide_.id(state.next) == header.id;
    const std::size_t at = is_next ? state.next : guide_.find_field(state.begin, state.end, header.id);
    if (state.active != none && at != state.active) return this->skip_without_copy(begin, header.type);
    if (at == state.end) return keep_field(state, header, begin, fate);
    if (guide_.request(at).seen) {
      out_of_order = true;
      return false;
    }
    guide_.request(at).seen = true;
    return requested_field(state, header, begin, fate, guide_.request(at).at);
  }
  bool requested_field(struct_state& state, const field_header& header, const std::uint8_t* begin,
                       field_fate& fate, edit_nodes edits) {
    edit_decision made;
    if (!decide(edits, made)) return false;
    if (made.edit != edit_node::none && guide_.action(made.edit) == edit_action::erase)
      return this->skip_without_copy(begin, header.type);
    const image::field_node& node = image_->fields[image_->find_field(*state.node, header.id)];
    fate.type = node.type;
    const bool reads_old = made.edit == edit_node::none || guide_.action(made.edit) == edit_action::replace;
    if (reads_old && header.type != node.wire) return in_.fail(errc::type_mismatch, begin);
    if (made.edit == edit_node::none) {
      fate.at.edits = edits;
      this->keep_header(state.ids, header, begin);
      return value(fate.at, {in_.here(), node.type, header.type});
    }
    return replace_field(state, header, begin, fate, made.edit);
  }
  bool replace_field(struct_state& state, const field_header& header, const std::uint8_t* begin,
                     const field_fate& fate, std::uint32_t edit) {
    if (guide_.action(edit) == edit_action::insert) return fail(errc::already_there, edit, begin);
    byte_view bytes;
    if (!new_value(edit, fate.at, {in_.here(), fate.type, header.type}, bytes)) return false;
    this->flush(begin);
    this->put_field({wire_of(fate.type), header.id}, bytes, state.ids.out);
    if (!in_.skip(header.type)) return false;
    this->leave_out();
    return true;
  }

  // ---- lists and sets ----

  struct list_event {
    std::int64_t index;
    std::uint32_t insert;  // the edit, or none for a child
    std::uint32_t node;
  };
  /// A list, set or map that is passed through.
  struct container_state {
    const redact_node* rules = nullptr;
    place each;                     ///< what applies to elements or values that no edit names
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
    const bool done = at.edits.empty() ? copy_elements(state, list, begin)
                                       : edit_elements(state, at.edits, list, begin);
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
    if (!state.counts) return value(state.each, {in_.here(), state.type, state.wire});
    const std::size_t start = mark();
    if (!value(state.each, {in_.here(), state.type, state.wire})) return false;
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
      if (!value(state.each, {in_.here(), state.type, state.wire})) return false;
    }
    return true;
  }
  bool edit_element(container_state& state, edit_nodes inside) {
    const wire_spot spot{in_.here(), state.type, state.wire};
    place at = state.each;
    if (inside.empty()) return value(at, spot);
    edit_decision made;
    if (!decide(inside, made)) return false;
    if (made.edit != edit_node::none) {
      if (guide_.action(made.edit) == edit_action::erase) --state.count;
      return replace_value(made.edit, at, spot);
    }
    at.edits = inside;
    return value(at, spot);
  }
  bool replace_value(std::uint32_t edit, const place& at, const wire_spot& spot) {
    if (guide_.action(edit) == edit_action::insert) return fail(errc::already_there, edit);
    byte_view bytes;
    if (guide_.action(edit) != edit_action::erase && !new_value(edit, at, spot, bytes)) return false;
    if (!this->skip_without_copy(in_.at(), spot.wire)) return false;
    own().append(bytes);
    return true;
  }

  // ---- maps ----

  struct map_state : container_state {
    ttype key_wire = ttype::stop;
    place key;                        ///< what applies to each key
    bool reads_keys = false;          ///< some entry is named by its key
    bool by_bytes = false;            ///< some edit names one by the bytes of its key
    edit_nodes edits = {};
    std::size_t begin = 0, end = 0;  ///< requests
  };

  bool mapping(const place& at, const wire_spot& spot) {
    const wire_position whole = in_.here();
    const std::uint8_t* begin = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    const image::type_node& self = image_->types[spot.type];
    if (map.size != 0 && (map.key != wire_of(self.first) || map.value != wire_of(self.second)))
      return in_.fail(errc::type_mismatch, begin);
    map_state state;
    static_cast<container_state&>(state) = container(at, self.second, map.size);
    state.key_wire = wire_of(self.first);
    open_map(state, at);
    if (!state.reads_keys && !state.counts && state.key.is_plain() && state.each.is_plain() &&
        at.edits.empty())
      return skip_from(whole, ttype::map);
    if (state.counts) state.header = this->open(begin);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (!entry(state)) return false;
    }
    return finish_map(state, self, map.size);
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
  bool finish_map(map_state& state, const image::type_node& self, std::uint32_t size) {
    if (!make_entries(state.begin, state.end, self, state.count, in_.at())) return false;
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
      return in_.skip(state.key_wire) && value(at, {in_.here(), state.type, state.wire});
    }
    const std::size_t begin = mark();
    if (!value(state.key, {in_.here(), image::none, state.key_wire})) return false;
    if (is_new(state, begin)) return value(at, {in_.here(), state.type, state.wire});
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
    if (made.edit == edit_node::none) return value(at, spot);
    if (guide_.action(made.edit) != edit_action::erase)
      return replace_value(made.edit, at.without_edits(), spot);
    --state.count;
    return this->skip_without_copy(start.at, spot.wire);
  }
  /// The requested entries that were not seen, in the order they were asked for.
  bool make_entries(std::size_t begin, std::size_t end, const image::type_node& self, std::int64_t& count,
                    const std::uint8_t* before) {
    if (begin == end) return true;
    for (const std::size_t at : guide_.unseen(begin, end)) {
      if (!make_entry(at, self, count, before)) return false;
    }
    return true;
  }
  bool make_entry(std::size_t at, const image::type_node& self, std::int64_t& count,
                  const std::uint8_t* before) {
    edit_decision made;
    if (!decide(guide_.request(at).at, made)) return false;
    if (made.edit != edit_node::none && guide_.needs_old(made.edit)) return true;
    if (made.edit == edit_node::none && !made.makes)
      return !made.strict || fail(errc::absent, made.any, before);
    this->flush(before);
    const map_key key = guide_.tree().steps().key(guide_.request(at).step);
    const errc why = append_value<P>(own(), {image_, self.first}, key);
    if (why != errc::ok) return fail(why, made.any);
    ++count;
    if (made.edit == edit_node::none) return build(guide_.request(at).at, self.second);
    own().append(guide_.value(made.edit));
    return true;
  }

  // ---- values that were not there ----

  /// Writes a value from edits alone.
  bool build(edit_nodes at, std::uint32_t type) {
    const edit_guide::marker mark = guide_.mark();
    const image::type_node& self = image_->types[type];
    const bool done = self.wire == ttype::struct_ ? build_struct(at, self)
                      : self.wire == ttype::map   ? build_map(at, self)
                                                  : build_list(at, self);
    guide_.release(mark);
    return done;
  }
  bool build_struct(edit_nodes at, const image::type_node& self) {
    const std::size_t begin = guide_.collect(at, false), end = guide_.request_count();
    std::int16_t last = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!make_field(&image_->structs[self.first], i, copied_, last)) return false;
    }
    own().commit(P::put_stop(own().reserve(1)));
    return true;
  }
  bool build_map(edit_nodes at, const image::type_node& self) {
    const std::size_t begin = guide_.collect(at, true), end = guide_.request_count();
    const std::size_t position = out_->position();
    std::int64_t count = 0;
    if (!make_entries(begin, end, self, count, copied_)) return false;
    std::uint8_t fresh[P::map_room];
    const map_header header{wire_of(self.first), wire_of(self.second), static_cast<std::uint32_t>(count)};
    out_->replace(position, 0, fresh, static_cast<std::size_t>(P::put_map(fresh, header) - fresh));
    return true;
  }
  bool build_list(edit_nodes at, const image::type_node& self) {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      if (guide_.tree().steps()[guide_[i]].children != 0 || !guide_.extras(i).inserts.empty())
        return fail(errc::bad_index, guide_.node(i).any, copied_);
    }
    const std::vector<std::uint32_t> values = guide_.appends(at);
    const list_header list{wire_of(self.first), static_cast<std::uint32_t>(values.size())};
    std::uint8_t* to = own().reserve(P::list_room);
    own().commit(self.wire == ttype::set ? P::put_set(to, list) : P::put_list(to, list));
    for (const std::uint32_t each : values) own().append(guide_.value(each));
    return true;
  }

  view<P> root_;
  const schema_image* image_;
  const rewrite_request<P>& what_;
  edit_guide guide_;
  std::vector<list_event> events_;
  buffer scratch_;
  std::int16_t field_id_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
