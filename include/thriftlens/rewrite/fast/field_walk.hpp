// field_walk: the state of a fast pass at a struct: selection, rules and edits of its fields, in the order of
// their ids.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/edit_order.hpp>
#include <thriftlens/rewrite/program.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The selection, rules and edits of one value. `Trims`, `Redacts`, `Edits`: those that may be set.
template <bool Trims, bool Redacts, bool Edits>
struct fast_guides {
  const selection_node* selected = nullptr;
  const redact_node* rules = nullptr;
  edit_group edits = {};

  [[nodiscard]] bool empty() const noexcept {
    return (!Trims || selected == nullptr) && (!Redacts || rules == nullptr) && (!Edits || edits.empty());
  }
  /// Whether the selection keeps all fields that the rules require.
  [[nodiscard]] bool keeps_required() const noexcept {
    if (rules->required == 0) return true;
    for (const redact_node::field_edge& field : rules->fields) {
      if (field.required && selected->find(field.id) == nullptr) return false;
    }
    return true;
  }
};

/// What happens to one field.
template <bool Trims, bool Redacts, bool Edits>
struct fast_field_plan {
  fast_guides<Trims, Redacts, Edits> inside;
  std::uint32_t replacement = redact_target::none;
  std::uint32_t type = image::none;
  bool removed = false;

  [[nodiscard]] bool stays() const noexcept { return inside.empty() && replacement == redact_target::none; }
};

/// A struct, and the selection, rules and edits of its fields from the current one on.
template <bool Trims, bool Redacts, bool Edits>
struct fast_field_walk {
  static constexpr std::int32_t no_edit = 0x8000;  ///< above all field ids
  static constexpr unsigned nowhere = 0x10000;     ///< above all offsets in a segment

  const fast_guides<Trims, Redacts, Edits>& by;
  std::uint32_t of;          ///< its type
  std::uint32_t depth_left;  ///< of its fields
  const selection_node::cut* cut = nullptr;
  const selection_node::cut* last_cut = nullptr;
  const selection_node::part* part = nullptr;
  const selection_node::part* last_part = nullptr;
  const redact_node::prefix_edge* change = nullptr;
  const redact_node::prefix_edge* last_change = nullptr;
  const redact_node::field_edge* edge = nullptr;
  const redact_node::field_edge* last_edge = nullptr;
  edit_group edits = {};
  std::int32_t next_edit = no_edit;  ///< id of the field that the first of `edits` names
  std::int32_t highest = -0x8001;
  std::uint32_t required = 0;
  bool complete = false;  ///< the prefix template was all of the struct
  last_ids ids = {};
  byte_ptr begin = nullptr;  ///< of the present field's header

  THRIFTLENS_INLINE void open_selection(const selection_node& selected) noexcept {
    cut = selected.cuts.data();
    last_cut = cut + selected.cuts.size();
    part = selected.parts.data();
    last_part = part + selected.parts.size();
  }
  THRIFTLENS_INLINE void open_rules(const redact_node& rules) noexcept {
    change = rules.prefix_edges.data();
    last_change = change + rules.prefix_edges.size();
    edge = rules.fields.data();
    last_edge = edge + rules.fields.size();
  }
  /// Whether all fields that the rules require occurred.
  [[nodiscard]] bool has_required() const noexcept {
    return !Redacts || by.rules == nullptr || required == by.rules->required;
  }
  /// Applies rules to a segment of the prefix template whose fields all occur.
  THRIFTLENS_INLINE void pass_rules(std::uint32_t segment) noexcept {
    const redact_node& rules = *by.rules;
    required += rules.prefix_segments[segment].required;
    edge = rules.fields.data() + rules.prefix_segments[segment].next_edge;
  }
  /// Offset of the next fields of the segment that the selection leaves out.
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_cut(std::uint8_t segment) const noexcept {
    if (!Trims || cut == last_cut) return nowhere;
    return cut->segment == segment ? cut->begin : nowhere;
  }
  /// Offset of the next field of the segment that has a rule.
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_change(std::uint8_t segment) const noexcept {
    if (!Redacts || change == last_change) return nowhere;
    return change->segment == segment ? change->at : nowhere;
  }
  /// Moves to the part of the selection with that id. Ids ascend.
  [[nodiscard]] THRIFTLENS_INLINE bool find_part(std::int16_t id) noexcept {
    while (part != last_part && part->id < id) ++part;
    return part != last_part && part->id == id;
  }
  /// Moves to the rules of the field with that id. Ids ascend.
  [[nodiscard]] THRIFTLENS_INLINE bool find_edge(std::int16_t id) noexcept {
    while (edge != last_edge && edge->id < id) ++edge;
    return edge != last_edge && edge->id == id;
  }
  /// Whether the rules know the field and keep it unchanged. Ids ascend.
  [[nodiscard]] THRIFTLENS_INLINE bool has_no_rule(std::int16_t id, ttype wire) noexcept {
    if (!find_edge(id)) return false;
    if (edge->wire != wire || !edge->to.stays()) return false;
    required += edge->required;
    return true;
  }
  /// Whether the selection leaves out an unselected field.
  [[nodiscard]] bool is_left_out(std::int16_t id) const noexcept {
    return !by.selected->unknown || static_cast<bool>(by.selected->structure.find_field(id));
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
