// fast_edit: a few edits of leading fields of the root, along its prefix template: one copy, no tree.
#pragma once

#include <thriftlens/rewrite/edit_tree.hpp>
#include <thriftlens/rewrite/fast/fast_pass.hpp>

#include <cstdint>
#include <cstring>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Set and create of fields of the root struct, whose prefix template covers all of it.
template <protocol P>
class fast_prefix_editor {
 public:
  static constexpr std::size_t max_edits = edit_order::max_edits;

  fast_prefix_editor(const view<P>& root, std::span<const edit_entry> edits, byte_view values,
                     buffer& out) noexcept
      : end_(root.whole().end()), root_(root), edits_(edits), values_(values), out_(out) {}

  /// Whether fast_rewriter may be able to make the edit.
  [[nodiscard]] static bool takes(edit_action action, const path& target) noexcept {
    if (target.empty() || !target.is_single()) return false;
    if (action == edit_action::set || action == edit_action::create) return true;
    return action == edit_action::erase && target.steps().back().kind == path_step::form::field;
  }
  /// Whether the edit, after another or none, is of a field of the root struct, whose prefix template covers
  /// all of it.
  [[nodiscard]] static THRIFTLENS_INLINE bool in_prefix(edit_action action, std::span<const path_step> steps,
                                                        std::span<const path_step> previous) noexcept {
    if (!P::traits.has_fixed_layout || steps.size() != 1) return false;
    if (action != edit_action::set && action != edit_action::create) return false;
    return steps[0].prefix.complete && steps[0].place && (previous.empty() || previous[0].id < steps[0].id);
  }

  /// Appends the changed value, for edits that are all in_prefix() of a struct that is not a union.
  [[nodiscard]] bool run() {
    const wire_location& location = root_.location();
    const shape_ref& prefix = edits_[0].target_path.steps()[0].prefix;
    if (prefix.levels > location.at.depth_left) [[unlikely]]
      return false;
    run_state state;
    state.copied = location.at.at;
    state.to = out_.prepare(root_.whole().size() + values_.size() + 64);
    state.next = state.patched = edits_.data();
    byte_ptr at = location.at.at;
    if (!edit_prefix(state, prefix, at) || (root_.is_root() && at != end_)) [[unlikely]]
      return false;
    flush(state, at);
    out_.commit(state.to);
    return true;
  }

 private:
  /// A local object: the output's bytes may alias any object that is reached by a pointer.
  struct run_state {
    byte_ptr copied = nullptr;
    std::uint8_t* to = nullptr;
    const edit_entry* next = nullptr;
    /// Edits from here to `next` are numbers: written over the run when it is copied.
    const edit_entry* patched = nullptr;
  };

  THRIFTLENS_INLINE void flush(run_state& state, byte_ptr until) const noexcept {
    std::uint8_t* const run = state.to;
    state.to = copy_run(state.to, state.copied, static_cast<std::size_t>(until - state.copied), end_);
    for (; state.patched != state.next; ++state.patched)
      put_number(run + patches_[state.patched - edits_.data()], *state.patched);
  }
  /// Follows the prefix template, which must match the whole struct.
  [[nodiscard]] THRIFTLENS_INLINE bool edit_prefix(run_state& state, const shape_ref& prefix,
                                                   byte_ptr& at) noexcept {
    for (std::size_t segment = 0;; ++segment) {
      const byte_ptr segment_end = after_segment(prefix, segment, at, end_);
      if (segment_end == nullptr) [[unlikely]]
        return false;
      edit_segment(state, segment, at, segment_end);
      at = segment_end;
      if (prefix.segments[segment].unit == 0) return true;
    }
  }
  /// The edits of the fields of one segment, [at, after).
  THRIFTLENS_INLINE void edit_segment(run_state& state, std::size_t segment, byte_ptr at,
                                      byte_ptr segment_end) noexcept {
    const edit_entry* const last = edits_.data() + edits_.size();
    for (; state.next != last; ++state.next) {
      const path_step& step = state.next->target_path.steps()[0];
      if (step.place.segment != segment) break;
      edit_field(state, step.wire, at + step.place.at + 3, segment_end);
    }
  }
  /// A value without fixed width is the last of its segment, which ends at `segment_end`.
  THRIFTLENS_INLINE void edit_field(run_state& state, ttype wire, byte_ptr old,
                                    byte_ptr segment_end) noexcept {
    if (fixed_width(wire) != 0) {
      patches_[state.next - edits_.data()] = static_cast<std::size_t>(old - state.copied);
      return;
    }
    flush(state, old);
    const byte_view value = state.next->value_in(values_);
    state.to = copy_run(state.to, value.data(), value.size(), values_.end());
    state.copied = segment_end;
    state.patched = state.next + 1;
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
  std::size_t patches_[max_edits];  // offsets of numbers in the next run
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
