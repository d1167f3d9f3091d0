// rewrite_structs: what a rewrite does to the fields of a struct: selection, rules and edits in this order.
// In: a reader at a struct. Out: the changed struct in a splicer. Never changes a byte that nothing names,
// but for header deltas.
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
  using base::fail;
  using base::fail_field;
  using base::fits;
  using base::guide_;
  using base::image_;
  using base::in_;
  using base::make_field;
  using base::out_of_order;
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
    last_ids ids;
    std::size_t next_part = 0, next_edge = 0;
    std::uint32_t required = 0;
    std::vector<bool> seen_parts;              ///< where the selection has to know them
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
    return self().value(fate.at, {in_.here(), fate.type, header.type});
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
    if (!state.seen_parts.empty())
      state.seen_parts[static_cast<std::size_t>(part - node.parts.data())] = true;
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
      const bool there =
          part != nullptr && state.seen_parts[static_cast<std::size_t>(part - node.parts.data())];
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
    const auto less = [](const redact_node::field_edge& each, std::int16_t wanted) {
      return each.id < wanted;
    };
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
      return self().value(fate.at, {in_.here(), node.type, header.type});
    }
    return replace_field(state, header, begin, fate, made.edit);
  }
  bool replace_field(struct_state& state, const field_header& header, const std::uint8_t* begin,
                     const field_fate& fate, std::uint32_t edit) {
    if (guide_.action(edit) == edit_action::insert) return fail(errc::already_there, edit, begin);
    byte_view bytes;
    if (!self().new_value(edit, fate.at, {in_.here(), fate.type, header.type}, bytes)) return false;
    this->flush(begin);
    this->put_field({wire_of(fate.type), header.id}, bytes, state.ids.out);
    if (!in_.skip(header.type)) return false;
    this->leave_out();
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
