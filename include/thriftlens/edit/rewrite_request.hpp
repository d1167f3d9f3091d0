// rewrite_request: what one pass over a value is asked for: a selection, rules, edits.
#pragma once

#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/view/view.hpp>

#include <functional>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether a value is nested no deeper than so many levels.
template <protocol P>
[[nodiscard]] bool fits_depth(byte_view value, ttype wire, std::uint32_t levels) noexcept {
  if (wire != ttype::struct_ && !is_container(wire)) [[likely]]
    return true;
  typename P::reader in(value, {.depth = levels});
  return in.skip(wire);
}

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

  /// Its edits alone.
  [[nodiscard]] rewrite_request without_policy() const noexcept {
    rewrite_request made = *this;
    made.kept = nullptr;
    made.rules = nullptr;
    return made;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
