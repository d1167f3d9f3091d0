// rewrite_structs: what a rewrite does to the fields of a struct: selection, rules and edits in this
// order. Never changes a byte that nothing names, but for header deltas.
#pragma once

#include <thriftlens/edit/rewrite_base.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/id_set.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `Self` does what is inside: value() and new_value().
template <protocol P, class Self>
class struct_rewriter : public rewrite_base<P> {
 public:
  using base = rewrite_base<P>;
  using base::base;

 protected:
  using base::decide;
  using base::fail_field;
  using base::fits;
  using base::guide_;
  using base::image_;
  using base::in_;
  using base::is_guess;
  using base::make_field;
  using base::out_of_order;
  using base::reject;
  using base::report;
  using base::rules_of;
  using base::scratch_;
  using base::what_;
  using base::wire_of;
  using typename base::place;
  using typename base::reader_type;
  static constexpr auto none = static_cast<std::size_t>(-1);

  [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }

  struct struct_state {
    const selection_node* kept = nullptr;
    const redact_node* rules = nullptr;
    const image::struct_node* node = nullptr;
    wire_position start;
    last_ids ids;
    const selection_node::part* next_part = nullptr;
    const redact_node::field_edge* next_edge = nullptr;
    std::uint32_t required = 0;
    std::vector<bool> seen_parts;  ///< where the selection has to know them
    edit_requests asked;
    std::size_t next = 0;       ///< the first request that is not decided
    std::size_t active = none;  ///< unions: the request for the member that is set
  };
  /// A field of the input, and what becomes of it before edits see it.
  struct input_field {
    field_header header;
    byte_ptr begin = nullptr;
    bool removed = false;
    std::uint32_t type = image::none;
    place at = {};
  };

  bool structure(const place& at, const wire_location& location) {
    struct_state state;
    if (!open_struct(state, at, location)) return false;
    const struct_mark outer = in_.begin_struct();
    state.start = in_.here();
    if (what_.two_pass && !state.asked.empty()) look_ahead(state);
    if (!fields(state)) return false;
    in_.end_struct(outer);
    return true;
  }
  bool open_struct(struct_state& state, const place& at, const wire_location& location) {
    if (at.kept != selection_node::whole) open_selection(state, what_.kept->nodes()[at.kept]);
    state.rules = rules_of(at.hidden);
    return at.edits.empty() || open_edits(state, at.edits, location.type);
  }
  bool open_edits(struct_state& state, edit_nodes edits, std::uint32_t type) {
    state.node = &image_->structs[image_->types[type].first];
    state.asked = guide_.collect(edits, false);
    state.next = state.asked.begin;
    return state.node->kind != type_kind::union_ || find_active(state);
  }
  void open_selection(struct_state& state, const selection_node& node) const {
    state.kept = &node;
    if (tracks(node)) state.seen_parts.resize(node.parts.size());
  }
  bool fields(struct_state& state) {
    id_set<P> ids(state.start);
    while (true) {
      input_field field{{}, in_.at()};
      if (!in_.read_field(field.header)) return false;
      if (field.header.type == ttype::stop) return finish(state, field.begin);
      if (!ids.add(field.header.id, in_, field.begin)) return fail_at(errc::duplicate_field, field);
      if (!one_field(state, field)) return false;
      state.ids.in = field.header.id;
    }
  }
  bool one_field(struct_state& state, input_field& field) {
    if (state.kept != nullptr && !ask_selection(state, field)) return false;
    if (state.rules != nullptr && !field.removed && !ask_rules(state, field)) return false;
    if (field.removed) return leave_out_field(field);
    const bool has_edits = !state.asked.empty() || state.active != none;
    return has_edits ? edit_field(state, field) : keep_field(state, field);
  }
  bool fail_at(errc why, const input_field& field) noexcept {
    return fail_field(why, field.header.id, field.begin);
  }
  bool leave_out_field(const input_field& field) {
    return this->skip_without_copy(field.begin, field.header.type);
  }
  bool keep_field(struct_state& state, const input_field& field) {
    if (is_inline_bool(field) && field.at.hidden.replacement != redact_target::none)
      return mask_inline_bool(state, field);
    return keep_value(state, field);
  }
  bool keep_value(struct_state& state, const input_field& field) {
    this->keep_header(state.ids, field.header, field.begin);
    return self().value(field.at, spot_of(field));
  }
  [[nodiscard]] static bool is_inline_bool(const input_field& field) noexcept {
    return P::traits.has_inline_bool && field.header.type == ttype::bool_;
  }
  /// Where the value is, after its header was read.
  [[nodiscard]] wire_location spot_of(const input_field& field) const noexcept {
    return {in_.here(), field.type, field.header.type};
  }
  bool mask_inline_bool(struct_state& state, const input_field& field) {
    ++report.replaced;
    const redact_replacement& by = what_.rules->replacements[field.at.hidden.replacement];
    write_field(state, field, what_.rules->template bytes_of<P>(by, ttype::bool_, scratch_));
    return skip_old(field);
  }
  /// The field with another value, behind a header of its own.
  void write_field(struct_state& state, const input_field& field, byte_view bytes) {
    this->flush(field.begin);
    this->put_field({wire_of(field.type), field.header.id}, bytes, state.ids.out);
  }
  bool skip_old(const input_field& field) {
    if (!in_.skip(field.header.type)) return false;
    this->leave_out();
    return true;
  }
  /// At the stop byte.
  bool finish(struct_state& state, byte_ptr stop) {
    if (state.kept != nullptr && tracks(*state.kept) && !finish_selection(state, stop)) return false;
    if (!make_fields(state, 0x8000, stop)) return false;
    if (state.rules == nullptr || state.required == state.rules->required) return true;
    return missing_required(state, stop);
  }
  static constexpr auto by_id = [](const auto& each, std::int16_t id) { return each.id < id; };
  /// The one of that id in a list by ids; `next` follows ids that ascend.
  template <class Item>
  [[nodiscard]] static const Item* find_id(const std::vector<Item>& all, std::int16_t id,
                                           const Item*& next) noexcept {
    const Item *const begin = all.data(), *const end = begin + all.size();
    if (next == nullptr || (next != begin && next[-1].id >= id)) next = begin;
    if (next == end || next->id != id) next = std::lower_bound(next, end, id, by_id);
    return next != end && next->id == id ? next++ : nullptr;
  }

  // ---- structs: the selection ----

  [[nodiscard]] bool writes_defaults() const noexcept { return what_.trimming.defaults == on_absent::write; }
  /// Whether it matters which parts were there.
  [[nodiscard]] bool tracks(const selection_node& node) const noexcept {
    return writes_defaults() || (node.target && node.target.structure().required_count != 0);
  }
  bool ask_selection(struct_state& state, input_field& field) {
    const selection_node::part* part = find_id(state.kept->parts, field.header.id, state.next_part);
    if (part == nullptr) return ask_unselected(*state.kept, field);
    note_part(state, part);
    const image::field_node& known = image_->fields[part->field];
    field.type = known.type;
    field.at.kept = part->child;
    return known.wire == field.header.type || fail_at(errc::type_mismatch, field);
  }
  [[nodiscard]] static std::size_t number_of(const selection_node& node,
                                             const selection_node::part* part) noexcept {
    return static_cast<std::size_t>(part - node.parts.data());
  }
  static void note_part(struct_state& state, const selection_node::part* part) {
    if (!state.seen_parts.empty()) state.seen_parts[number_of(*state.kept, part)] = true;
  }
  /// A field that is not in the selection.
  bool ask_unselected(const selection_node& node, input_field& field) {
    field.removed = !keeps_unknown(node, field);
    report.trimmed += field.removed;
    return !in_.failed();
  }
  /// False where the IDL knows the field.
  bool keeps_unknown(const selection_node& node, const input_field& field) {
    const on_unknown unknown = what_.trimming.unknown;
    if (unknown == on_unknown::drop || (unknown == on_unknown::selected && !node.unknown)) return false;
    if (node.structure.find_field(field.header.id)) return false;
    return unknown != on_unknown::error || fail_at(errc::unknown_field, field);
  }
  /// Defaults are written; missing fields that the target requires are an error.
  bool finish_selection(struct_state& state, byte_ptr stop) {
    if (writes_defaults() && !write_defaults(state, stop)) return false;
    if (!state.kept->target) return true;
    for (const field_info field : state.kept->target.fields()) {
      if (field.required() && !was_seen(state, field.id()))
        return fail_field(errc::missing_required, field.id(), stop);
    }
    return true;
  }
  [[nodiscard]] static bool was_seen(const struct_state& state, std::int16_t id) noexcept {
    const selection_node::part* part = state.kept->find(id);
    return part != nullptr && state.seen_parts[number_of(*state.kept, part)];
  }
  bool write_defaults(struct_state& state, byte_ptr stop) {
    const selection_node& node = *state.kept;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      if (!state.seen_parts[i] && !write_default(default_of(node, node.parts[i]), stop, state.ids.out))
        return false;
    }
    return true;
  }
  bool write_default(const field_info& field, byte_ptr stop, std::int16_t& last) {
    if (!field.has_default()) return true;
    this->flush(stop);
    const ttype wire = field.type().wire();
    this->put_field({wire, field.id()}, bytes_in<P>(field.defaults(), wire, scratch_), last);
    return fits();
  }
  [[nodiscard]] field_info default_of(const selection_node& node,
                                      const selection_node::part& part) const noexcept {
    return node.target ? node.target.find_field(part.id) : field_info(image_, part.field);
  }

  // ---- structs: the rules ----

  bool ask_rules(struct_state& state, input_field& field) {
    const redact_node::field_edge* edge = find_id(state.rules->fields, field.header.id, state.next_edge);
    if (edge == nullptr) return ask_unknown(*state.rules, field);
    state.required += edge->required;
    field.type = edge->type;
    field.at.hidden = edge->to;
    field.removed = what_.rules->drops(edge->to);
    report.dropped += field.removed;
    return edge->wire == field.header.type || fail_at(errc::type_mismatch, field);
  }
  /// A field that the rules do not know.
  bool ask_unknown(const redact_node& node, input_field& field) {
    if (!node.closed) return true;
    if (what_.rules->unknown == on_unknown::error) return fail_at(errc::unknown_field, field);
    field.removed = true;
    ++report.unknown;
    ++report.dropped;
    return true;
  }
  /// The struct lacks a required field, or the selection drops it: the first of them is named.
  THRIFTLENS_COLD bool missing_required(const struct_state& state, byte_ptr stop) {
    std::set<std::int16_t> seen;
    reader_type again = in_;
    again.seek(state.start);
    each_header(again, [&](const field_header& header) { seen.insert(header.id); });
    for (const redact_node::field_edge& each : state.rules->fields) {
      const bool is_there = seen.contains(each.id) && (state.kept == nullptr || state.kept->find(each.id));
      if (each.required && !is_there) return fail_field(errc::missing_required, each.id, stop);
    }
    return fail_field(errc::missing_required, 0, stop);
  }
  /// The headers from where the reader is on; the last is the one at whose value the bytes are broken.
  template <class Visit>
  static void each_header(reader_type ahead, Visit visit) {
    field_header header;
    while (ahead.read_field(header) && header.type != ttype::stop) {
      visit(header);
      if (!ahead.skip(header.type)) return;
    }
  }

  // ---- structs: the edits ----

  /// Notes which requested fields are there, also one with a broken value: the pass itself meets the fault
  /// there.
  void look_ahead(const struct_state& state) {
    each_header(in_, [&](const field_header& header) {
      const std::size_t at = guide_.find_field(state.asked, header.id);
      if (at != state.asked.end && !removes(state, header)) guide_.request(at).present = true;
    });
  }
  /// Whether selection or rules leave the field out. Edits name fields that the IDL knows.
  [[nodiscard]] bool removes(const struct_state& state, const field_header& header) const noexcept {
    if (state.kept != nullptr && state.kept->find(header.id) == nullptr) return true;
    if (state.rules == nullptr) return false;
    const redact_node::field_edge* from = nullptr;
    const redact_node::field_edge* edge = find_id(state.rules->fields, header.id, from);
    return edge != nullptr && what_.rules->drops(edge->to);
  }
  /// The member of a union that edits set: the others go.
  bool find_active(struct_state& state) {
    std::uint32_t last = edit_node::none;
    for (std::size_t i = state.asked.begin; i < state.asked.end; ++i) {
      edit_decision made;
      if (!decide(guide_.request(i).at, made)) return false;
      if (made.edit == edit_node::none || guide_.needs_old(made.edit)) continue;
      if (last != edit_node::none && made.edit < last) continue;
      last = made.edit;
      state.active = i;
    }
    return true;
  }
  /// Makes the requested fields with ids below `id` that were not seen, before `before` in the input.
  bool make_fields(struct_state& state, std::int32_t id, byte_ptr before) {
    for (; state.next < state.asked.end && guide_.id(state.next) < id; ++state.next) {
      const edit_request& each = guide_.request(state.next);
      const bool is_other_member = state.active != none && state.active != state.next;
      if (each.seen || each.present || is_other_member) continue;
      if (!make_field(state.node, state.next, before, state.ids.out)) return false;
    }
    return true;
  }
  /// A field of the input that selection and rules leave.
  bool edit_field(struct_state& state, input_field& field) {
    is_guess = !make_fields(state, field.header.id, field.begin);
    if (is_guess) return false;
    const std::size_t at = find_request(state, field.header.id);
    if (state.active != none && at != state.active) return leave_out_field(field);
    if (at == state.asked.end) return keep_field(state, field);
    edit_request& asked = guide_.request(at);
    out_of_order = asked.seen;
    if (out_of_order) return false;
    asked.seen = true;
    return requested_field(state, field, asked.at);
  }
  [[nodiscard]] std::size_t find_request(const struct_state& state, std::int16_t id) const noexcept {
    const bool is_next = state.next < state.asked.end && guide_.id(state.next) == id;
    return is_next ? state.next : guide_.find_field(state.asked, id);
  }
  bool requested_field(struct_state& state, input_field& field, edit_nodes edits) {
    edit_decision made;
    if (!decide(edits, made)) return false;
    if (guide_.erases(made)) return leave_out_field(field);
    take_type(state, field);
    if (!has_type(field) && guide_.reads_old(made)) return in_.reject(errc::type_mismatch, field.begin);
    if (made.edit != edit_node::none) return replace_field(state, field, made.edit);
    field.at.edits = edits;
    return keep_value(state, field);
  }
  /// The type that the IDL gives the field.
  void take_type(const struct_state& state, input_field& field) const noexcept {
    field.type = this->field_of(*state.node, field.header.id).type;
  }
  [[nodiscard]] bool has_type(const input_field& field) const noexcept {
    return wire_of(field.type) == field.header.type;
  }
  /// The header stays as it is where the value's type does.
  bool replace_field(struct_state& state, const input_field& field, std::uint32_t edit) {
    if (guide_.inserts(edit)) return reject(errc::already_there, edit, field.begin);
    byte_view bytes;
    if (!self().new_value(edit, field.at, spot_of(field), bytes)) return false;
    if (has_type(field) && !is_inline_bool(field)) {
      this->keep_header(state.ids, field.header, field.begin);
      this->insert(bytes);
    } else {
      write_field(state, field, bytes);
    }
    return skip_old(field);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
