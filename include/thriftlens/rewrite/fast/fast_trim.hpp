// fast_trim: a trim along the prefix template of the root, or else by fast_rewriter. Returns nothing to fall
// back; the output is then as it was before the call.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/fast/flat_trim.hpp>
#include <thriftlens/rewrite/program.hpp>

#include <cstddef>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Trims under the default options.
template <protocol P>
struct fast_trim {
  /// Without defaults the output is never larger than the input: only an explicit output size can be
  /// exceeded.
  [[nodiscard]] static bool serves(const selection& selected, const trim_options& options) noexcept {
    trim_options known;
    known.limits = options.limits;
    known.limits.output_size = limits::automatic;
    return options == known && !selected.checks_required();
  }
  /// Appends the selected parts; returns the number of dropped fields.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> run(const view<P>& from,
                                                                        const selection& selected,
                                                                        buffer& out) {
    if (selected.root() == selection_node::entire) return std::nullopt;
    const selection_node& node = selected.nodes()[selected.root()];
    const bool is_struct = from.wire() == ttype::struct_ && from.location().at.depth_left != 0;
    if (!P::traits.has_fixed_layout && is_struct && flat_trim<P>::knows(node))
      return trim_flat(from, selected, out);
    const byte_ptr begin = from.location().at.at, end = from.whole().end();
    prefix_trim state{begin, begin, out.prepare(from.whole().size() + 64)};
    if (!trim_prefix(from, node, state)) return trim_fields(from, selected, out);
    if (from.is_root() && state.at != end) return std::nullopt;
    out.commit(copy_run(state.to, state.copied, static_cast<std::size_t>(state.at - state.copied), end));
    return state.dropped;
  }

 private:
  /// A struct of numbers and strings in a protocol without prefix templates.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> trim_flat(const view<P>& from,
                                                                              const selection& selected,
                                                                              buffer& out) {
    flat_trim<P> state{{from.location().at.at, out.prepare(from.whole().size() + 64)}};
    const byte_ptr end = from.whole().end();
    if (!state.run(selected.nodes()[selected.root()], end)) return trim_fields(from, selected, out);
    if (from.is_root() && state.at != end) return std::nullopt;
    out.commit(state.to);
    return state.dropped;
  }
  /// Where the prefix template does not match.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> trim_fields(const view<P>& from,
                                                                                const selection& selected,
                                                                                buffer& out) {
    const fast_request request{.selected = &selected};
    fast_rewriter<P, true, false, false> pass(from, request, out);
    if (!pass.run()) return std::nullopt;
    return pass.report.trimmed;
  }
  /// True: the prefix template was all of the value.
  [[nodiscard]] static THRIFTLENS_INLINE bool trim_prefix(const view<P>& from, const selection_node& node,
                                                          prefix_trim& state) noexcept {
    if (!P::traits.has_fixed_layout || from.wire() != ttype::struct_) return false;
    return node.prefix.levels <= from.location().at.depth_left && state.run(node, from.whole().end());
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
