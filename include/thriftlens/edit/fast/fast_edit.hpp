// fast_edit: a few plain edits of values that are there, by pointers: one scan, one copy, no tree.
// In: a value, the edits, their new values. Out: the changed value at the end of a buffer; or false.
// Speculates. Returns false to fall back; the output is then as it was before the call. Never explains.
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

/// Set and create of values that are there (where headers stand alone also of fields that are not, and erase
/// of fields), along single paths of which none leads into another, over ascending field ids. Where headers
/// stand alone nothing but such an edit changes a byte.
template <protocol P>
class fast_editor : fast_pass<P> {
  using base = fast_pass<P>;

 public:
  fast_editor(const view<P>& root, const edit_order& edits, byte_view values, buffer& out) noexcept
      : base(root), edits_(edits), values_(values), out_(out) {}

  /// Appends the changed value.
  [[nodiscard]] bool run() {
    const wire_location& location = from_.location();
    if (location.type == image::none || location.at.inline_bool >= 0) return false;
    constexpr std::size_t headers = edit_order::max_edits * P::field_room;
    to_ = out_.reserve(from_.whole().size() + values_.size() + headers + 64);
    copied_ = location.at.at;
    const byte_ptr end = value(location.at.at, location.type, location.at.depth_left, edits_.all());
    if (!this->is_end(end)) return false;
    flush(end);
    out_.commit(to_);
    return true;
  }

 private:
  using base::end_;
  using base::from_;
  using base::image_;
  using base::in_;
  static constexpr bool headers_stand_alone = !P::traits.headers_are_deltas;

  [[nodiscard]] const path_step& next_step(const edit_group& in) const noexcept {
    return edits_.next_step(in);
  }
  THRIFTLENS_INLINE void flush(byte_ptr until) noexcept {
    to_ = copy_run(to_, copied_, static_cast<std::size_t>(until - copied_), end_);
    copied_ = until;
  }
  [[nodiscard]] byte_view value_of(const edit_group& group) const noexcept {
    return edits_.entry(group).value_in(values_);
  }

  // Each answers the byte after its value, or nullptr. Groups by reference: in registers they would be put
  // together in memory.

  THRIFTLENS_INLINE byte_ptr value(byte_ptr at, std::uint32_t type, std::uint32_t depth_left,
                                   const edit_group& in) {
    if (depth_left == 0) [[unlikely]]
      return nullptr;
    const image::type_node& self = image_->types[type];
    if (self.wire == ttype::struct_) return structure(at, type, depth_left, in);
    return self.wire == ttype::map ? mapping(at, self, depth_left, in) : sequence(at, self, depth_left, in);
  }
  /// The value at the end of a path, or one on the way there.
  THRIFTLENS_INLINE byte_ptr child(byte_ptr at, std::uint32_t type, std::uint32_t depth_left,
                                   const edit_group& found) {
    if (!edits_.is_leaf(found)) return value(at, type, depth_left, found);
    flush(at);
    const byte_view bytes = value_of(found);
    to_ = copy_run(to_, bytes.data(), bytes.size(), values_.end());
    return skip_without_copy(at, type, depth_left);
  }
  THRIFTLENS_INLINE byte_ptr skip_without_copy(byte_ptr at, std::uint32_t type, std::uint32_t depth_left) {
    if (!in_.skip_known(at, image_->types[type].wire, type, *image_, depth_left)) [[unlikely]]
      return nullptr;
    return copied_ = at;
  }

  byte_ptr structure(byte_ptr at, std::uint32_t type, std::uint32_t depth_left, const edit_group& all) {
    edit_group in = all;
    const image::struct_node& self = image_->structs[image_->types[type].first];
    if (self.kind == type_kind::union_) return nullptr;
    std::int32_t highest = -0x8001;
    if (P::traits.has_fixed_layout && self.prefix.levels <= depth_left) {
      if (prefix(self, at, in, depth_left, highest)) return at;
    }
    return at == nullptr ? nullptr : fields(at, type, depth_left - 1, in, highest);
  }
  /// Field by field, from the first with an id above `highest` on.
  THRIFTLENS_INLINE byte_ptr fields(byte_ptr at, std::uint32_t type, std::uint32_t depth_left, edit_group& in,
                                    std::int32_t highest) {
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      const byte_ptr begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return nullptr;
      if (field.type == ttype::stop) return make_fields(begin, in, 0x8000) ? at : nullptr;
      if (field.id <= highest || !make_fields(begin, in, field.id)) [[unlikely]]
        return nullptr;
      highest = field.id;
      if (in.empty() || next_step(in).id != field.id) {
        if (!in_.skip_field(at, field, type, *image_, depth_left)) [[unlikely]]
          return nullptr;
      } else if ((at = edit_field(begin, at, field, in, depth_left)) == nullptr) {
        return nullptr;
      }
    }
  }
  /// Makes the fields with ids below `id`, which are not there.
  [[nodiscard]] THRIFTLENS_INLINE bool make_fields(byte_ptr before, edit_group& in, std::int32_t id) {
    while (!in.empty() && next_step(in).id < id) {
      if (!make_field(before, in)) return false;
    }
    return true;
  }
  /// The field that the next edits of `in` name.
  THRIFTLENS_INLINE byte_ptr edit_field(byte_ptr begin, byte_ptr at, const scan_field& field, edit_group& in,
                                        std::uint32_t depth_left) {
    const edit_group found = edits_.same(in);
    in.begin = found.end;
    const path_step& taken = edits_.last_step(found);
    if (field.type != taken.wire || field.inline_bool >= 0) [[unlikely]]
      return nullptr;
    if (!edits_.erases(found)) return child(at, taken.type, depth_left, found);
    if (!headers_stand_alone) return nullptr;
    flush(begin);
    return skip_without_copy(at, taken.type, depth_left);
  }
  /// Goes along the prefix template of the struct at `at` as far as it matches. True: that was all of it.
  [[nodiscard]] THRIFTLENS_INLINE bool prefix(const image::struct_node& self, byte_ptr& at, edit_group& in,
                                              std::uint32_t depth_left, std::int32_t& highest) {
    const shape_ref known = image_->prefix(self);
    for (std::uint32_t segment = 0; segment < self.prefix.segments.size; ++segment) {
      const byte_ptr after = after_segment(known, segment, at, end_);
      if (after == nullptr) return false;
      if (!edit_segment(at, segment, in, depth_left)) {
        at = nullptr;
        return false;
      }
      highest = known.segments[segment].last_id;
      at = after;
    }
    return self.prefix.complete;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool edit_segment(byte_ptr at, std::uint32_t segment, edit_group& in,
                                                    std::uint32_t depth_left) {
    while (!in.empty() && next_step(in).place.segment == segment) {
      if (!edit_prefix_field(at, in, depth_left)) return false;
    }
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool edit_prefix_field(byte_ptr segment, edit_group& in,
                                                         std::uint32_t depth_left) {
    const path_step& taken = next_step(in);
    const byte_ptr header = segment + taken.place.at;
    return edit_field(header, header + 3, {taken.wire, taken.id, -1}, in, depth_left - 1) != nullptr;
  }
  /// The field that the next edits set is not there; `before` is where it would stand.
  [[nodiscard]] bool make_field(byte_ptr before, edit_group& in) {
    const edit_group found = edits_.same(in);
    in.begin = found.end;
    if (!edits_.is_leaf(found) || !headers_stand_alone) return false;
    if (edits_.erases(found)) return true;
    flush(before);
    const path_step& to = edits_.last_step(found);
    std::int16_t unused = 0;
    to_ = put_raw_field<P>(to_, {to.wire, to.id}, value_of(found), unused);
    return true;
  }

  byte_ptr sequence(byte_ptr at, const image::type_node& self, std::uint32_t depth_left,
                    const edit_group& in) {
    list_header list;
    if (!this->open_list(at, self, list)) return nullptr;
    const auto pass = [&](std::int64_t count) {
      return skip_row(in_, at, list.element, self.first, *image_, static_cast<std::size_t>(count),
                      depth_left - 1);
    };
    const auto change = [&](const edit_group& found) {
      return (at = child(at, self.first, depth_left - 1, found)) != nullptr;
    };
    return edits_.each_element(in, list.size, pass, change) ? at : nullptr;
  }
  byte_ptr mapping(byte_ptr at, const image::type_node& self, std::uint32_t depth_left,
                   const edit_group& in) {
    map_header map;
    if (!this->open_map(at, self, map)) return nullptr;
    typename scanner<P>::layout_predictor row(in_, map.size, self.second, *image_);
    std::uint32_t seen = 0;
    for (std::uint32_t left = map.size; left != 0; --left) {
      edit_group found;
      if (!this->find_key(edits_, in, at, map.key, depth_left - 1, found)) return nullptr;
      if (found.end != 0) {
        if (!edit_order::is_first(found, seen)) return nullptr;
        if ((at = child(at, self.second, depth_left - 1, found)) == nullptr) return nullptr;
      } else if (!row.skip(in_, at, map.value, depth_left - 1)) {
        return nullptr;
      }
    }
    return edits_.all_seen(in, seen) ? at : nullptr;
  }

  const edit_order& edits_;
  byte_view values_;
  buffer& out_;
  std::uint8_t* to_ = nullptr;
  byte_ptr copied_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
