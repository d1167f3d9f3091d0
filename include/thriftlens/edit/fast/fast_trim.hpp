// fast_trim: a trim by prefix templates, or else by pointers, field by field.
// In: a view and a selection. Out: what it keeps, at the end of a buffer; or nothing.
// Speculates. Answers nothing to fall back; the output is then as it was before the call. Never explains.
#pragma once

#include <thriftlens/edit/fast/fast_rewrite.hpp>
#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A trim along the prefix template of one struct. In locals of its own: the output's bytes could be those of any
/// object that is reached by a pointer, which would be read again after each of them.
struct prefix_trim {
  const std::uint8_t* at;          ///< what is looked at
  const std::uint8_t* copied;      ///< what is not yet written begins there
  std::uint8_t* to;                ///< where it goes; there is room
  std::size_t dropped = 0;         ///< fields

  /// As far as the prefix template matches. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, const std::uint8_t* end) noexcept {
    const selection_node::cut* cut = node.cuts.data();
    const selection_node::cut* const last_cut = cut + node.cuts.size();
    const simd::masked_block* const blocks = node.lead.blocks;
    const shape_segment* part = node.lead.segments;
    for (std::uint32_t segment = 0, count = node.lead_size; segment < count; ++segment, ++part) {
      const std::uint8_t* const after = part->stands_at(at, end, blocks) ? part->behind(at, end) : nullptr;
      if (after == nullptr) [[unlikely]]
        return false;
      for (; cut != last_cut && cut->segment == segment; ++cut) {
        to = copy_run(to, copied, static_cast<std::size_t>(at + cut->begin - copied), end);
        copied = cut->end == selection_node::cut::behind ? after : at + cut->end;
        dropped += cut->fields;
      }
      at = after;
    }
    return node.lead_complete;
  }
};

/// Trims under the default options.
template <protocol P>
struct fast_trim {
  /// Without defaults no more is written than is there: only an output size that is asked for can be exceeded.
  [[nodiscard]] static bool serves(const selection& what, const trim_options& options) noexcept {
    trim_options known;
    known.bounds = options.bounds;
    known.bounds.output_size = limits::automatic;
    return options == known && !what.checks_required();
  }
  /// Appends what is kept; the fields that were dropped.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> run(const view<P>& from,
                                                                        const selection& what, buffer& out) {
    if (what.root() == selection_node::whole) return std::nullopt;
    const selection_node& node = what.nodes()[what.root()];
    const bool is_flat = P::traits.has_fixed_layout && node.lead_complete && from.wire() == ttype::struct_;
    if (is_flat && node.lead.levels <= from.spot().at.depth_left) {
      const std::uint8_t* const end = from.whole().end();
      prefix_trim now{from.spot().at.at, from.spot().at.at, out.reserve(from.whole().size() + 64)};
      if (now.run(node, end) && (!from.is_root() || now.at == end)) [[likely]] {
        out.commit(copy_run(now.to, now.copied, static_cast<std::size_t>(now.at - now.copied), end));
        return now.dropped;
      }
    }
    const fast_request asked{.kept = &what};
    fast_rewriter<P, true, false, false> pass(from, asked, out);
    if (!pass.run()) return std::nullopt;
    return pass.report.trimmed;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
