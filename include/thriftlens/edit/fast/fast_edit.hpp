// fast_edit: a few edits of leading fields of a struct, by its prefix template: no scan, one copy.
// In: a value, the edits, their new values. Out: the changed value at the end of a buffer; or false.
// Speculates. Returns false to fall back; the output is then as it was before the call. Never explains.
#pragma once

#include <thriftlens/edit/edit_order.hpp>
#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <cstring>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Set and create of fields that the struct of the root has in its prefix template, which is all of it.
template <protocol P>
class fast_editor {
 public:
  static constexpr std::size_t max_edits = edit_order::max_edits;

  fast_editor(const view<P>& root, std::span<const edit_entry> edits, byte_view values, buffer& out) noexcept
      : in_(root.whole().end()),
        end_(root.whole().end()),
        root_(root),
        edits_(edits),
        values_(values),
        out_(out) {}

  /// Whether fast_rewriter can make the edit; others need not be tried.
  [[nodiscard]] static bool takes(edit_action action, const path& way) noexcept {
    if (way.empty() || !way.is_single()) return false;
    if (action == edit_action::set || action == edit_action::create) return true;
    return action == edit_action::erase && way.steps().back().kind == path_step::form::field;
  }
  /// Whether the edit, after another or none, is of a field that the struct of the root has in its prefix
  /// template, which is all of it.
  [[nodiscard]] static THRIFTLENS_INLINE bool in_prefix(edit_action action, std::span<const path_step> way,
                                                        std::span<const path_step> before) noexcept {
    if (!P::traits.has_fixed_layout || way.size() != 1) return false;
    if (action != edit_action::set && action != edit_action::create) return false;
    return way[0].lead_complete && way[0].place && (before.empty() || before[0].id < way[0].id);
  }

  /// Appends the changed value, for edits that are all in_prefix() of a struct that is no union.
  [[nodiscard]] bool run() {
    const wire_spot& spot = root_.spot();
    const shape_ref& prefix = edits_[0].way.steps()[0].lead;
    if (prefix.levels > spot.at.depth_left) [[unlikely]]
      return false;
    run_state now;
    now.copied = spot.at.at;
    now.to = out_.reserve(root_.whole().size() + values_.size() + 64);
    now.next = now.patched = edits_.data();
    const std::uint8_t* at = spot.at.at;
    for (std::size_t segment = 0;; ++segment) {
      if (!in_.stands_at(at, prefix, segment)) [[unlikely]]
        return false;
      const shape_segment& part = prefix.segments[segment];
      const std::uint8_t* const after = part.behind(at, end_);
      if (after == nullptr) [[unlikely]]
        return false;
      edit_segment(now, segment, at, after);
      at = after;
      if (part.unit == 0) break;
    }
    if (root_.is_root() && at != end_) [[unlikely]]
      return false;
    flush(now, at);
    out_.commit(now.to);
    return true;
  }

 private:
  /// In locals of its own: the output's bytes could be those of any object that is reached by a pointer.
  struct run_state {
    const std::uint8_t* copied = nullptr;
    std::uint8_t* to = nullptr;
    const edit_entry* next = nullptr;
    /// Those from here to `next` are of numbers: written over the run when it is copied.
    const edit_entry* patched = nullptr;
  };

  THRIFTLENS_INLINE void flush(run_state& now, const std::uint8_t* until) const noexcept {
    std::uint8_t* const run = now.to;
    now.to = copy_run(now.to, now.copied, static_cast<std::size_t>(until - now.copied), end_);
    for (; now.patched != now.next; ++now.patched)
      put_number(run + patches_[now.patched - edits_.data()], *now.patched);
  }
  /// The edits of the fields of one segment, [at, after).
  THRIFTLENS_INLINE void edit_segment(run_state& now, std::size_t segment, const std::uint8_t* at,
                                      const std::uint8_t* after) noexcept {
    const edit_entry* const last = edits_.data() + edits_.size();
    for (; now.next != last; ++now.next) {
      const path_step& step = now.next->way.steps()[0];
      if (step.place.segment != segment) break;
      const std::uint8_t* const old = at + step.place.at + 3;
      if (fixed_width(step.wire) != 0) {
        patches_[now.next - edits_.data()] = static_cast<std::size_t>(old - now.copied);
        continue;
      }
      flush(now, old);
      const std::uint8_t* const value = values_.data() + now.next->value_at;
      now.to = copy_run(now.to, value, now.next->value_size, values_.end());
      now.copied = after;  // what has no width of its own is the last of its segment
      now.patched = now.next + 1;
    }
  }
  void put_number(std::uint8_t* to, const edit_entry& from) const noexcept {
    const std::uint8_t* const bytes = values_.data() + from.value_at;
    switch (from.value_size) {
      case 1:
        *to = *bytes;
        break;
      case 4:
        copy_block<4>(to, bytes);
        break;
      case 8:
        copy_block<8>(to, bytes);
        break;
      default:
        std::memcpy(to, bytes, from.value_size);
    }
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const view<P>& root_;
  std::span<const edit_entry> edits_;
  byte_view values_;
  buffer& out_;
  std::size_t patches_[max_edits];  // where numbers stand in the run that is copied next
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
