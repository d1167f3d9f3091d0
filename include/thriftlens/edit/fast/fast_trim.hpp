// fast_trim: a trim along the prefix template of the root, or else by fast_rewriter. Answers nothing to
// fall back; the output is then as it was before the call.
#pragma once

#include <thriftlens/edit/fast/fast_rewrite.hpp>
#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/path/selection.hpp>

#include <cstddef>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Trims under the default options.
template <protocol P>
struct fast_trim {
  /// Without defaults no more is written than is there: only an output size that is asked for can be
  /// exceeded.
  [[nodiscard]] static bool serves(const selection& what, const trim_options& options) noexcept {
    trim_options known;
    known.limits = options.limits;
    known.limits.output_size = limits::automatic;
    return options == known && !what.checks_required();
  }
  /// Appends what is kept; the fields that were dropped.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> run(const view<P>& from,
                                                                        const selection& what, buffer& out) {
    if (what.root() == selection_node::whole) return std::nullopt;
    const byte_ptr begin = from.location().at.at, end = from.whole().end();
    prefix_trim now{begin, begin, out.reserve(from.whole().size() + 64)};
    if (!trim_prefix(from, what, now)) return trim_fields(from, what, out);
    if (from.is_root() && now.at != end) return std::nullopt;
    out.commit(copy_run(now.to, now.copied, static_cast<std::size_t>(now.at - now.copied), end));
    return now.dropped;
  }

 private:
  /// Where the prefix template does not match.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> trim_fields(const view<P>& from,
                                                                                const selection& what,
                                                                                buffer& out) {
    const fast_request asked{.kept = &what};
    fast_rewriter<P, true, false, false> pass(from, asked, out);
    if (!pass.run()) return std::nullopt;
    return pass.report.trimmed;
  }
  /// True: the prefix template was all of the value.
  [[nodiscard]] static THRIFTLENS_INLINE bool trim_prefix(const view<P>& from, const selection& what,
                                                          prefix_trim& now) noexcept {
    if (!P::traits.has_fixed_layout || from.wire() != ttype::struct_) return false;
    const selection_node& node = what.nodes()[what.root()];
    return node.prefix.levels <= from.location().at.depth_left && now.run(node, from.whole().end());
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
