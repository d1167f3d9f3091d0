// structs: applies selection, rules and edits, in this order, to the fields of a struct. Bytes that
// none of them matches are copied unchanged, except header deltas.
#pragma once

#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/rewrite/absent.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Copies a struct and applies the selection, rules and edits of its fields.
template <protocol P>
class struct_rewriter {
  using context = rewrite_state<P>;
  using actions = typename context::actions;
  using reader_type = typename P::reader;

 public:
  struct_rewriter(context& pass, value_rewriter<P>& values) noexcept
      : pass_(pass), guide_(pass.guide), values_(values), absent_(pass) {}

  bool structure(const actions& at, const wire_location& location) {
    struct_state state;
    if (!open_struct(state, at, location)) return false;
    const struct_mark outer = pass_.in.begin_struct();
    state.start = pass_.in.here();
    if (pass_.request.two_pass && !state.requests.empty()) look_ahead(state);
    if (!fields(state)) return false;
    pass_.in.end_struct(outer);
    return true;
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  struct struct_state {
    const selection_node* selected = nullptr;
    const redact_node* rules = nullptr;
    const image::struct_node* node = nullptr;
    wire_position start;
    last_ids ids;
    const selection_node::part* next_part = nullptr;
    const redact_node::field_edge* next_edge = nullptr;
    std::uint32_t required = 0;
    std::vector<bool> seen_parts;  ///< if the selection needs them
    edit_requests requests;
    std::size_t next = 0;       ///< the first request that is not decided
    std::size_t active = none;  ///< unions: the request for the member that is set
  };
  /// A field of the input, and the selection's and rules' decision about it.
  struct input_field {
    field_header header;
    byte_ptr begin = nullptr;
    bool removed = false;
    std::uint32_t type = image::none;
    actions at = {};
  };

  bool open_struct(struct_state& state, const actions& at, const wire_location& location) {
    if (at.selected != selection_node::entire)
      open_selection(state, pass_.request.selected->nodes()[at.selected]);
    state.rules = pass_.rules_of(at.hidden);
    return at.edits.empty() || open_edits(state, at.edits, location.type);
  }
  bool open_edits(struct_state& state, edit_nodes edits, std::uint32_t type) {
    state.node = &pass_.schema->struct_of(type);
    state.requests = guide_.collect(edits, false);
    state.next = state.requests.begin;
    return state.node->kind != type_kind::union_ || find_active(state);
  }
  void open_selection(struct_state& state, const selection_node& node) const {
    state.selected = &node;
    if (tracks(node)) state.seen_parts.resize(node.parts.size());
  }
  bool fields(struct_state& state) {
    id_set<P> ids(state.start);
    while (true) {
      input_field field{{}, pass_.in.at()};
      if (!pass_.in.read_field(field.header)) return false;
      if (field.header.type == ttype::stop) return finish(state, field.begin);
      if (!ids.add(field.header.id, pass_.in, field.begin)) return fail_at(errc::duplicate_field, field);
      if (!one_field(state, field)) return false;
      state.ids.in = field.header.id;
    }
  }
  bool one_field(struct_state& state, input_field& field) {
    if (state.selected != nullptr && !apply_selection(state, field)) return false;
    if (state.rules != nullptr && !field.removed && !apply_rules(state, field)) return false;
    if (field.removed) return leave_out_field(field);
    const bool has_edits = !state.requests.empty() || state.active != none;
    return has_edits ? edit_field(state, field) : keep_field(state, field);
  }
  bool fail_at(errc reason, const input_field& field) noexcept {
    return pass_.fail_field(reason, field.header.id, field.begin);
  }
  bool leave_out_field(const input_field& field) {
    return pass_.skip_without_copy(field.begin, field.header.type);
  }
  bool keep_field(struct_state& state, const input_field& field) {
    if (is_inline_bool(field) && field.at.hidden.replacement != redact_target::none)
      return mask_inline_bool(state, field);
    return keep_value(state, field);
  }
  bool keep_value(struct_state& state, const input_field& field) {
    pass_.keep_header(state.ids, field.header, field.begin);
    return values_.value(field.at, location_of(field));
  }
  [[nodiscard]] static bool is_inline_bool(const input_field& field) noexcept {
    return P::traits.has_inline_bool && field.header.type == ttype::bool_;
  }
  /// The location of the value, after its header was read.
  [[nodiscard]] wire_location location_of(const input_field& field) const noexcept {
    return {pass_.in.here(), field.type, field.header.type};
  }
  bool mask_inline_bool(struct_state& state, const input_field& field) {
    ++pass_.report.replaced;
    const redact_replacement& by = pass_.request.rules->replacements[field.at.hidden.replacement];
    write_field(state, field, pass_.request.rules->template bytes_of<P>(by, ttype::bool_, pass_.scratch));
    return skip_old(field);
  }
  void write_field(struct_state& state, const input_field& field, byte_view bytes) {
    pass_.flush(field.begin);
    pass_.put_field({pass_.wire_of(field.type), field.header.id}, bytes, state.ids.out);
  }
  bool skip_old(const input_field& field) {
    if (!pass_.in.skip(field.header.type)) return false;
    pass_.leave_out();
    return true;
  }
  bool finish(struct_state& state, byte_ptr stop) {
    if (state.selected != nullptr && tracks(*state.selected) && !finish_selection(state, stop)) return false;
    if (!make_fields(state, 0x8000, stop)) return false;
    if (state.rules == nullptr || state.required == state.rules->required) return true;
    return missing_required(state, stop);
  }
  static constexpr auto by_id = [](const auto& item, std::int16_t id) { return item.id < id; };
  /// The item with that id in a list sorted by id; `next` is the expected one if ids ascend.
  template <class Item>
  [[nodiscard]] static const Item* find_id(const auto& items, std::int16_t id, const Item*& next) noexcept {
    const Item *const begin = items.data(), *const end = begin + items.size();
    if (next == nullptr || (next != begin && next[-1].id >= id)) next = begin;
    if (next == end || next->id != id) next = std::lower_bound(next, end, id, by_id);
    return next != end && next->id == id ? next++ : nullptr;
  }

  [[nodiscard]] bool writes_defaults() const noexcept {
    return pass_.request.trimming.defaults == on_absent::write;
  }
  /// Whether the parts that occur must be tracked.
  [[nodiscard]] bool tracks(const selection_node& node) const noexcept {
    return writes_defaults() || (node.target && node.target.structure().required_count != 0);
  }
  bool apply_selection(struct_state& state, input_field& field) {
    const selection_node::part* part = find_id(state.selected->parts, field.header.id, state.next_part);
    if (part == nullptr) return apply_unselected(*state.selected, field);
    note_part(state, part);
    const image::field_node& known = pass_.schema->fields[part->field];
    field.type = known.type;
    field.at.selected = part->child;
    return known.wire == field.header.type || fail_at(errc::type_mismatch, field);
  }
  [[nodiscard]] static std::size_t number_of(const selection_node& node,
                                             const selection_node::part* part) noexcept {
    return static_cast<std::size_t>(part - node.parts.data());
  }
  static void note_part(struct_state& state, const selection_node::part* part) {
    if (!state.seen_parts.empty()) state.seen_parts[number_of(*state.selected, part)] = true;
  }
  /// A field that is not in the selection.
  bool apply_unselected(const selection_node& node, input_field& field) {
    field.removed = !keeps_unknown(node, field);
    pass_.report.trimmed += field.removed;
    return !pass_.in.failed();
  }
  /// False where the IDL knows the field.
  bool keeps_unknown(const selection_node& node, const input_field& field) {
    const on_unknown unknown = pass_.request.trimming.unknown;
    if (unknown == on_unknown::drop || (unknown == on_unknown::selected && !node.unknown)) return false;
    if (node.structure.find_field(field.header.id)) return false;
    return unknown != on_unknown::error || fail_at(errc::unknown_field, field);
  }
  /// Writes defaults; a missing field that the target requires is an error.
  bool finish_selection(struct_state& state, byte_ptr stop) {
    if (writes_defaults() && !write_defaults(state, stop)) return false;
    if (!state.selected->target) return true;
    for (const field_info field : state.selected->target.fields()) {
      if (field.required() && !was_seen(state, field.id()))
        return pass_.fail_field(errc::missing_required, field.id(), stop);
    }
    return true;
  }
  [[nodiscard]] static bool was_seen(const struct_state& state, std::int16_t id) noexcept {
    const selection_node::part* part = state.selected->find(id);
    return part != nullptr && state.seen_parts[number_of(*state.selected, part)];
  }
  bool write_defaults(struct_state& state, byte_ptr stop) {
    const selection_node& node = *state.selected;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      if (!state.seen_parts[i] && !write_default(default_of(node, node.parts[i]), stop, state.ids.out))
        return false;
    }
    return true;
  }
  bool write_default(const field_info& field, byte_ptr stop, std::int16_t& last) {
    if (!field.has_default()) return true;
    pass_.flush(stop);
    const ttype wire = field.type().wire();
    pass_.put_field({wire, field.id()}, bytes_in<P>(field.defaults(), wire, pass_.scratch), last);
    return pass_.fits();
  }
  [[nodiscard]] field_info default_of(const selection_node& node,
                                      const selection_node::part& part) const noexcept {
    return node.target ? node.target.find_field(part.id) : field_info(pass_.schema, part.field);
  }

  bool apply_rules(struct_state& state, input_field& field) {
    const redact_node::field_edge* edge = find_id(state.rules->fields, field.header.id, state.next_edge);
    if (edge == nullptr) return apply_unknown(*state.rules, field);
    state.required += edge->required;
    field.type = edge->type;
    field.at.hidden = edge->to;
    field.removed = pass_.request.rules->drops(edge->to);
    pass_.report.dropped += field.removed;
    return edge->wire == field.header.type || fail_at(errc::type_mismatch, field);
  }
  /// A field that the rules do not know.
  bool apply_unknown(const redact_node& node, input_field& field) {
    if (!node.closed) return true;
    if (pass_.request.rules->unknown == on_unknown::error) return fail_at(errc::unknown_field, field);
    field.removed = true;
    ++pass_.report.unknown;
    ++pass_.report.dropped;
    return true;
  }
  /// A required field is missing, or dropped by the selection: reports the first.
  THRIFTLENS_COLD bool missing_required(const struct_state& state, byte_ptr stop) {
    id_bits seen;
    reader_type headers = pass_.in;
    headers.seek(state.start);
    each_header(headers, [&](const field_header& header) { static_cast<void>(seen.add(header.id)); });
    for (const redact_node::field_edge& field : state.rules->fields) {
      const bool is_there =
          !seen.add(field.id) && (state.selected == nullptr || state.selected->find(field.id));
      if (field.required && !is_there) return pass_.fail_field(errc::missing_required, field.id, stop);
    }
    return pass_.fail_field(errc::missing_required, 0, stop);
  }
  /// Visits the headers from the reader's position on; the last is that of a broken value, if any.
  template <class Visit>
  static void each_header(reader_type ahead, Visit visit) {
    field_header header;
    while (ahead.read_field(header) && header.type != ttype::stop) {
      visit(header);
      if (!ahead.skip(header.type)) return;
    }
  }

  /// Marks the requested fields that occur, also one with a broken value: the pass itself reports that fault.
  void look_ahead(const struct_state& state) {
    each_header(pass_.in, [&](const field_header& header) {
      const std::size_t at = guide_.find_field(state.requests, header.id);
      if (at != state.requests.end && !removes(state, header)) guide_.request(at).present = true;
    });
  }
  /// Whether selection or rules leave the field out. Edits name fields that the IDL knows.
  [[nodiscard]] bool removes(const struct_state& state, const field_header& header) const noexcept {
    if (state.selected != nullptr && state.selected->find(header.id) == nullptr) return true;
    if (state.rules == nullptr) return false;
    const redact_node::field_edge* from = nullptr;
    const redact_node::field_edge* edge = find_id(state.rules->fields, header.id, from);
    return edge != nullptr && pass_.request.rules->drops(edge->to);
  }
  /// Finds the union member that edits set: the others are erased.
  bool find_active(struct_state& state) {
    std::uint32_t last = edit_node::none;
    for (std::size_t i = state.requests.begin; i < state.requests.end; ++i) {
      edit_decision decision;
      if (!pass_.decide(guide_.request(i).at, decision)) return false;
      if (decision.edit == edit_node::none || guide_.needs_old(decision.edit)) continue;
      if (last != edit_node::none && decision.edit < last) continue;
      last = decision.edit;
      state.active = i;
    }
    return true;
  }
  /// Creates the requested fields with ids below `id` that were not seen, at `position` in the input.
  bool make_fields(struct_state& state, std::int32_t id, byte_ptr position) {
    for (; state.next < state.requests.end && guide_.id(state.next) < id; ++state.next) {
      const edit_request& requested = guide_.request(state.next);
      const bool is_other_member = state.active != none && state.active != state.next;
      if (requested.seen || requested.present || is_other_member) continue;
      if (!absent_.make_field(state.node, state.next, position, state.ids.out)) return false;
    }
    return true;
  }
  /// A field of the input that selection and rules keep.
  bool edit_field(struct_state& state, input_field& field) {
    pass_.is_guess = !make_fields(state, field.header.id, field.begin);
    if (pass_.is_guess) return false;
    const std::size_t at = find_request(state, field.header.id);
    if (state.active != none && at != state.active) return leave_out_member(state, field);
    if (at == state.requests.end) return keep_field(state, field);
    edit_request& requested = guide_.request(at);
    pass_.out_of_order = requested.seen;
    if (pass_.out_of_order) return false;
    requested.seen = true;
    return requested_field(state, field, requested.at);
  }
  /// A member of a union in which edits set another one.
  bool leave_out_member(const struct_state& state, const input_field& field) {
    const std::uint32_t known = pass_.schema->find_field(*state.node, field.header.id);
    if (known != image::none && pass_.schema->fields[known].wire != field.header.type)
      return fail_at(errc::type_mismatch, field);
    return leave_out_field(field);
  }
  [[nodiscard]] std::size_t find_request(const struct_state& state, std::int16_t id) const noexcept {
    const bool is_next = state.next < state.requests.end && guide_.id(state.next) == id;
    return is_next ? state.next : guide_.find_field(state.requests, id);
  }
  bool requested_field(struct_state& state, input_field& field, edit_nodes edits) {
    edit_decision decision;
    take_type(state, field);
    if (!has_type(field)) return fail_at(errc::type_mismatch, field);
    if (!pass_.decide(edits, decision)) return false;
    if (guide_.erases(decision)) return leave_out_field(field);
    if (decision.edit != edit_node::none) return replace_field(state, field, decision.edit);
    field.at.edits = edits;
    return keep_value(state, field);
  }
  void take_type(const struct_state& state, input_field& field) const noexcept {
    field.type = pass_.field_of(*state.node, field.header.id).type;
  }
  [[nodiscard]] bool has_type(const input_field& field) const noexcept {
    return pass_.wire_of(field.type) == field.header.type;
  }
  bool replace_field(struct_state& state, const input_field& field, std::uint32_t edit) {
    if (guide_.inserts(edit)) return pass_.reject(errc::already_there, edit, field.begin);
    byte_view bytes;
    if (!values_.new_value(edit, field.at, location_of(field), bytes)) return false;
    if (!is_inline_bool(field)) {
      pass_.keep_header(state.ids, field.header, field.begin);
      pass_.insert(bytes);
    } else {
      write_field(state, field, bytes);
    }
    return skip_old(field);
  }

  context& pass_;
  edit_guide& guide_;
  value_rewriter<P>& values_;
  absent_writer<P> absent_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
