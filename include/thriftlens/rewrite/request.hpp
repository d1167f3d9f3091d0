// request: the input of one pass over a value: a selection, rules, edits.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/edit_tree.hpp>
#include <thriftlens/rewrite/program.hpp>
#include <thriftlens/view/view.hpp>

#include <functional>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether a value is nested no deeper than `levels`.
template <protocol P>
[[nodiscard]] bool fits_depth(byte_view value, ttype wire, std::uint32_t levels) noexcept {
  if (wire != ttype::struct_ && !is_container(wire)) [[likely]]
    return true;
  typename P::reader in(value, {.depth = levels});
  return in.skip(wire);
}

/// Writes the replacement of a value.
template <protocol P>
using replacement = std::function<errc(const view<P>&, buffer&)>;

/// The input of one pass; null or empty members have no effect. Selection, rules and edits apply in this
/// order, each to the result of the one before. Everything referenced must outlive the pass.
template <protocol P>
struct rewrite_request {
  const selection* selected = nullptr;
  trim_options trimming = {};
  const rewrite_program* rules = nullptr;
  const edit_tree* edits = nullptr;
  std::span<const edit_entry> entries = {};
  byte_view values = {};
  std::span<const replacement<P>> replacements = {};
  bool two_pass = false;  ///< read the field ids of a struct before its edits

  /// Its edits alone.
  [[nodiscard]] rewrite_request without_policy() const noexcept {
    rewrite_request result = *this;
    result.selected = nullptr;
    result.rules = nullptr;
    return result;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
