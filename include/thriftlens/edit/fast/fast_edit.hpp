// fast_edit: a few plain edits of leading fields of the root, along its prefix template: one copy, no
// tree.
#pragma once

#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/edit/fast/fast_pass.hpp>

#include <cstdint>
#include <cstring>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Set and create of fields that the struct of the root has in its prefix template, which is all of it.
template <protocol P>
class fast_prefix_editor {
 public:
  static constexpr std::size_t max_edits = edit_order::max_edits;

  fast_prefix_editor(const view<P>& root, std::span<const edit_entry> edits, byte_view values,
                     buffer& out) noexcept
      : end_(root.whole().end()), root_(root), edits_(edits), values_(values), out_(out) {}

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
    return way[0].prefix.complete && way[0].place && (before.empty() || before[0].id < way[0].id);
  }

  /// Appends the changed value, for edits that are all in_prefix() of a struct that is no union.
  [[nodiscard]] bool run() {
    const wire_location& location = root_.location();
    const shape_ref& prefix = edits_[0].way.steps()[0].prefix;
    if (prefix.levels > location.at.depth_left) [[unlikely]]
      return false;
    run_state now;
    now.copied = location.at.at;
    now.to = out_.reserve(root_.whole().size() + values_.size() + 64);
    now.next = now.patched = edits_.data();
    byte_ptr at = location.at.at;
    if (!edit_prefix(now, prefix, at) || (root_.is_root() && at != end_)) [[unlikely]]
      return false;
    flush(now, at);
    out_.commit(now.to);
    return true;
  }

 private:
  /// In locals of its own: the output's bytes could be those of any object that is reached by a pointer.
  struct run_state {
    byte_ptr copied = nullptr;
    std::uint8_t* to = nullptr;
    const edit_entry* next = nullptr;
    /// Those from here to `next` are of numbers: written over the run when it is copied.
    const edit_entry* patched = nullptr;
  };

  THRIFTLENS_INLINE void flush(run_state& now, byte_ptr until) const noexcept {
    std::uint8_t* const run = now.to;
    now.to = copy_run(now.to, now.copied, static_cast<std::size_t>(until - now.copied), end_);
    for (; now.patched != now.next; ++now.patched)
      put_number(run + patches_[now.patched - edits_.data()], *now.patched);
  }
  /// Along the prefix template, at which the whole struct has to stand.
  [[nodiscard]] THRIFTLENS_INLINE bool edit_prefix(run_state& now, const shape_ref& prefix,
                                                   byte_ptr& at) noexcept {
    for (std::size_t segment = 0;; ++segment) {
      const byte_ptr after = after_segment(prefix, segment, at, end_);
      if (after == nullptr) [[unlikely]]
        return false;
      edit_segment(now, segment, at, after);
      at = after;
      if (prefix.segments[segment].unit == 0) return true;
    }
  }
  /// The edits of the fields of one segment, [at, after).
  THRIFTLENS_INLINE void edit_segment(run_state& now, std::size_t segment, byte_ptr at,
                                      byte_ptr after) noexcept {
    const edit_entry* const last = edits_.data() + edits_.size();
    for (; now.next != last; ++now.next) {
      const path_step& step = now.next->way.steps()[0];
      if (step.place.segment != segment) break;
      edit_field(now, step.wire, at + step.place.at + 3, after);
    }
  }
  /// What has no width of its own is the last of its segment, which ends at `after`.
  THRIFTLENS_INLINE void edit_field(run_state& now, ttype wire, byte_ptr old, byte_ptr after) noexcept {
    if (fixed_width(wire) != 0) {
      patches_[now.next - edits_.data()] = static_cast<std::size_t>(old - now.copied);
      return;
    }
    flush(now, old);
    const byte_view value = now.next->value_in(values_);
    now.to = copy_run(now.to, value.data(), value.size(), values_.end());
    now.copied = after;
    now.patched = now.next + 1;
  }
  void put_number(std::uint8_t* to, const edit_entry& from) const noexcept {
    const byte_ptr bytes = values_.data() + from.value_at;
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

  byte_ptr end_;
  const view<P>& root_;
  std::span<const edit_entry> edits_;
  byte_view values_;
  buffer& out_;
  std::size_t patches_[max_edits];  // where numbers stand in the run that is copied next
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
