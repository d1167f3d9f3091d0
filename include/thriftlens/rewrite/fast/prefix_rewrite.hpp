// prefix_rewrite: selection, rules and edits of the fields of a struct of which its prefix template covers
// all, in one loop. Speculative: returns nothing to fall back, with the output unchanged.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/edit_tree.hpp>
#include <thriftlens/rewrite/fast/fast_pass.hpp>
#include <thriftlens/rewrite/fast/field_walk.hpp>
#include <thriftlens/rewrite/program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// One pass: rules that drop fields or replace numbers and strings by constants, edits that set fields.
/// `Trims`, `Redacts`, `Edits`: those that may be set. A local object, as prefix_trim.
template <protocol P, bool Trims, bool Redacts, bool Edits>
struct prefix_rewriter {
  const fast_request& request;
  buffer& out;
  byte_ptr end;
  byte_ptr copied;  ///< the end of the bytes that were written or left out
  std::uint8_t* to;
  std::span<const selection_node::cut> cuts = {};
  const redact_node* node = nullptr;
  std::span<const redact_node::prefix_edge> changes = {};
  std::span<const edit_entry> edits = {};
  rewrite_report report = {};

  THRIFTLENS_INLINE void follow(const fast_guides<Trims, Redacts, Edits>& guides,
                                std::span<const edit_entry> sorted_edits) {
    if (guides.selected != nullptr) cuts = guides.selected->cuts;
    if (guides.rules != nullptr) changes = guides.rules->prefix_edges;
    node = guides.rules;
    edits = sorted_edits;
  }
  /// The end of the struct at `at`, or nullptr to fall back.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr run(const shape_ref& prefix, std::uint32_t segments, byte_ptr at) {
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      const byte_ptr segment_end = after_segment(prefix, segment, at, end);
      if (segment_end == nullptr || !change_segment(segment, at, segment_end)) return nullptr;
      at = segment_end;
    }
    flush(at);
    return at;
  }

 private:
  static constexpr unsigned nowhere = 0x10000;  // above all offsets in a segment

  [[nodiscard]] THRIFTLENS_INLINE unsigned next_cut(std::uint32_t segment) const noexcept {
    return Trims && !cuts.empty() && cuts[0].segment == segment ? cuts[0].begin : nowhere;
  }
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_change(std::uint32_t segment) const noexcept {
    return Redacts && !changes.empty() && changes[0].segment == segment ? changes[0].at : nowhere;
  }
  [[nodiscard]] THRIFTLENS_INLINE unsigned next_edit(std::uint32_t segment) const noexcept {
    if (!Edits || edits.empty()) return nowhere;
    const image::prefix_position& place = edits[0].target_path.steps()[0].place;
    return place.segment == segment ? place.at : nowhere;
  }
  /// Changes the fields of one segment, [at, segment_end), in their order.
  [[nodiscard]] THRIFTLENS_INLINE bool change_segment(std::uint32_t segment, byte_ptr at,
                                                      byte_ptr segment_end) {
    for (;;) {
      const unsigned cut = next_cut(segment), change = next_change(segment), edit = next_edit(segment);
      const unsigned first = (std::min)({cut, change, edit});
      if (first == nowhere) return true;
      bool ok = false;
      if (Trims && cut == first)
        ok = cut_fields(segment, at, segment_end);
      else if (Edits && edit == first)
        ok = edit_field(at + first, segment_end, change == first);
      else
        ok = change_field(at + first, segment_end);
      if (!ok) return false;
    }
  }
  /// Leaves out adjacent fields. False if an edit sets one of them, which adds it again.
  [[nodiscard]] THRIFTLENS_INLINE bool cut_fields(std::uint32_t segment, byte_ptr at, byte_ptr segment_end) {
    const selection_node::cut& cut = cuts[0];
    flush(at + cut.begin);
    copied = cut.end == selection_node::cut::past_counted_end ? segment_end : at + cut.end;
    report.trimmed += cut.fields;
    while (next_change(segment) < cut.end) changes = changes.subspan(1);
    if (next_edit(segment) < cut.end) return false;
    cuts = cuts.subspan(1);
    return true;
  }
  /// Writes the value of an edit over that of a number or string. It hides that of a rule.
  [[nodiscard]] THRIFTLENS_INLINE bool edit_field(byte_ptr header, byte_ptr segment_end, bool has_rule) {
    const ttype wire = edits[0].target_path.steps()[0].wire;
    if (!is_leaf(wire)) return false;
    flush(header + 3);
    const byte_view value = edits[0].value_in(request.values);
    to = copy_run(to, value.data(), value.size(), request.values.end());
    copied = value_end(wire, header + 3, segment_end);
    edits = edits.subspan(1);
    if (has_rule) changes = changes.subspan(1);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool change_field(byte_ptr header, byte_ptr segment_end) {
    const redact_node::field_edge& edge = node->fields[changes[0].edge];
    changes = changes.subspan(1);
    if (edge.to.node != redact_target::none || !is_leaf(edge.wire)) return false;
    const redact_replacement& change = request.rules->replacements[edge.to.replacement];
    if (is_mask(change.kind)) return false;
    if (change.kind == replacement_form::drop) {
      flush(header);
      ++report.dropped;
    } else {
      flush(header + 3);
      put(change, edge.wire);
      ++report.replaced;
    }
    copied = value_end(edge.wire, header + 3, segment_end);
    return true;
  }
  [[nodiscard]] static bool is_leaf(ttype wire) noexcept {
    return fixed_width(wire) != 0 || wire == ttype::string;
  }
  /// A string is the last of its segment.
  [[nodiscard]] static byte_ptr value_end(ttype wire, byte_ptr value, byte_ptr segment_end) noexcept {
    const std::size_t width = fixed_width(wire);
    return width != 0 ? value + width : segment_end;
  }
  THRIFTLENS_INLINE void flush(byte_ptr until) noexcept {
    to = copy_run(to, copied, static_cast<std::size_t>(until - copied), end);
    copied = until;
  }
  THRIFTLENS_INLINE void put(const redact_replacement& change, ttype wire) {
    buffer spare;
    const byte_view bytes = request.rules->template bytes_of<P>(change, wire, spare);
    if (bytes.size() > 4) {
      const auto rest = static_cast<std::size_t>(end - copied) + request.values.size();
      to = out.prepare_after(to, bytes.size() + rest + 64);
    }
    copy_exactly(to, bytes.data(), bytes.size());
    to += bytes.size();
  }
};

/// Finds the rules and the selection of the root; false if the prefix rewriter does not support them.
template <bool Trims, bool Redacts, bool Edits>
[[nodiscard]] THRIFTLENS_INLINE bool find_prefix_guides(const fast_request& request,
                                                        fast_guides<Trims, Redacts, Edits>& guides) {
  if (Redacts && request.rules != nullptr) {
    const redact_target& root = request.rules->root;
    if (!request.rules->is_fast || root.node == redact_target::none ||
        root.replacement != redact_target::none)
      return false;
    guides.rules = &request.rules->nodes[root.node];
  }
  if (!Trims || request.selected == nullptr || request.selected->root() == selection_node::entire)
    return true;
  guides.selected = &request.selected->nodes()[request.selected->root()];
  return guides.rules == nullptr || guides.keeps_required();
}

/// Rewrites a struct with a prefix template. Appends nothing if it is declined.
template <protocol P, bool Trims, bool Redacts, bool Edits>
[[nodiscard]] THRIFTLENS_INLINE std::optional<rewrite_report> run_prefix(
    const view<P>& from, const fast_request& request, const fast_guides<Trims, Redacts, Edits>& guides,
    std::span<const edit_entry> edits, buffer& out) {
  const byte_ptr begin = from.location().at.at;
  const image::struct_node& self = from.image()->struct_of(from.location().type);
  const std::size_t size = from.whole().size() + request.values.size(), initial_size = out.size();
  prefix_rewriter<P, Trims, Redacts, Edits> pass{request, out, from.whole().end(), begin,
                                                 out.prepare(size + 64)};
  pass.follow(guides, edits);
  const byte_ptr end = pass.run(from.image()->prefix(self), self.prefix.segments.size, begin);
  if (end == nullptr || (from.is_root() && end != pass.end)) return std::nullopt;
  const auto written = static_cast<std::size_t>(pass.to - out.data()) - initial_size;
  if (written > from.bounds().max_output(size)) return std::nullopt;
  out.commit(pass.to);
  return pass.report;
}

/// Appends the result. `edits` replace those of the request: fields in the prefix template of the root, by
/// id.
template <protocol P, bool Trims, bool Redacts, bool Edits>
[[nodiscard]] THRIFTLENS_INLINE std::optional<rewrite_report> rewrite_prefix(
    const view<P>& from, const fast_request& request, std::span<const edit_entry> edits, buffer& out) {
  if (!P::traits.has_fixed_layout || from.wire() != ttype::struct_) return std::nullopt;
  const wire_location& location = from.location();
  const image::struct_node& self = from.image()->struct_of(location.type);
  if (!self.prefix.complete || self.prefix.levels > location.at.depth_left) return std::nullopt;
  fast_guides<Trims, Redacts, Edits> guides;
  if (!find_prefix_guides(request, guides)) return std::nullopt;
  return run_prefix<P>(from, request, guides, edits, out);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
