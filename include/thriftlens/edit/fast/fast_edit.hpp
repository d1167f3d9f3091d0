// fast_edit: a few plain edits of values that are there, by pointers: one scan, one copy, no tree.
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
class fast_prefix_editor {
 public:
  static constexpr std::size_t max_edits = edit_order::max_edits;

  fast_prefix_editor(const view<P>& root, std::span<const edit_entry> edits, byte_view values,
                     buffer& out) noexcept
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

/// Set and create of values that are there (where headers stand alone also of fields that are not, and erase
/// of fields), along single paths of which none leads into another, over ascending field ids. Where headers
/// stand alone nothing but such an edit changes a byte.
template <protocol P>
class fast_editor {
 public:
  fast_editor(const view<P>& root, const edit_order& edits, byte_view values, buffer& out) noexcept
      : in_(root.whole().end()),
        end_(root.whole().end()),
        root_(root),
        image_(root.image()),
        edits_(edits),
        values_(values),
        out_(out) {}

  /// Appends the changed value.
  [[nodiscard]] bool run() {
    const wire_spot& spot = root_.spot();
    if (spot.type == image::none || spot.at.inline_bool >= 0) return false;
    constexpr std::size_t headers = edit_order::max_edits * P::field_room;
    to_ = out_.reserve(root_.whole().size() + values_.size() + headers + 64);
    copied_ = spot.at.at;
    const std::uint8_t* end = value(spot.at.at, spot.type, spot.wire, spot.at.depth_left, edits_.all());
    if (end == nullptr || (root_.is_root() && end != end_)) return false;
    flush(end);
    out_.commit(to_);
    return true;
  }

 private:
  static constexpr bool headers_stand_alone = !P::traits.headers_are_deltas;

  [[nodiscard]] const path_step& next_step(const edit_group& in) const noexcept {
    return edits_.next_step(in);
  }
  THRIFTLENS_INLINE void flush(const std::uint8_t* until) noexcept {
    to_ = copy_run(to_, copied_, static_cast<std::size_t>(until - copied_), end_);
    copied_ = until;
  }
  THRIFTLENS_INLINE void put_value(const edit_group& of) noexcept {
    const edit_entry& from = edits_.entry(of);
    to_ = copy_run(to_, values_.data() + from.value_at, from.value_size, values_.end());
  }

  // Each answers the byte after its value, or nullptr. Groups by reference: in registers they would be put
  // together in memory.

  THRIFTLENS_INLINE const std::uint8_t* value(const std::uint8_t* at, std::uint32_t type, ttype wire,
                                              std::uint32_t depth_left, const edit_group& in) {
    if (depth_left == 0) [[unlikely]]
      return nullptr;
    if (wire == ttype::struct_) return structure(at, type, depth_left, in);
    return wire == ttype::map ? mapping(at, type, depth_left, in) : sequence(at, type, wire, depth_left, in);
  }
  /// The value at the end of a path, or one on the way there.
  THRIFTLENS_INLINE const std::uint8_t* child(const std::uint8_t* at, std::uint32_t type, ttype wire,
                                              std::uint32_t depth_left, const edit_group& found) {
    if (!edits_.is_leaf(found)) return value(at, type, wire, depth_left, found);
    flush(at);
    put_value(found);
    return skip_without_copy(at, type, wire, depth_left);
  }
  THRIFTLENS_INLINE const std::uint8_t* skip_without_copy(const std::uint8_t* at, std::uint32_t type,
                                                          ttype wire, std::uint32_t depth_left) {
    if (!in_.skip_known(at, wire, type, *image_, depth_left)) [[unlikely]]
      return nullptr;
    return copied_ = at;
  }

  const std::uint8_t* structure(const std::uint8_t* at, std::uint32_t type, std::uint32_t depth_left,
                                const edit_group& all) {
    edit_group in = all;
    const image::struct_node& self = image_->structs[image_->types[type].first];
    if (self.kind == type_kind::union_) return nullptr;
    std::int32_t highest = -0x8001;
    if (P::traits.has_fixed_layout && self.lead.levels <= depth_left) {
      if (prefix(self, at, in, depth_left, highest)) return at;
    }
    return at == nullptr ? nullptr : fields(at, type, depth_left - 1, in, highest);
  }
  /// Field by field, from the first with an id above `highest` on.
  THRIFTLENS_INLINE const std::uint8_t* fields(const std::uint8_t* at, std::uint32_t type,
                                               std::uint32_t depth_left, edit_group& in,
                                               std::int32_t highest) {
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      const std::uint8_t* const begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return nullptr;
      if (field.type == ttype::stop) return make_fields(begin, in, 0x8000) ? at : nullptr;
      if (field.id <= highest || !make_fields(begin, in, field.id)) [[unlikely]]
        return nullptr;
      highest = field.id;
      if (in.empty() || next_step(in).id != field.id) {
        if (!in_.skip_field(at, field, type, *image_, depth_left)) [[unlikely]]
          return nullptr;
        continue;
      }
      const edit_group found = edits_.same(in);
      in.begin = found.end;
      if ((at = edit_field(begin, at, field, found, depth_left)) == nullptr) return nullptr;
    }
  }
  /// Makes the fields with ids below `id`, which are not there.
  [[nodiscard]] THRIFTLENS_INLINE bool make_fields(const std::uint8_t* before, edit_group& in,
                                                   std::int32_t id) {
    while (!in.empty() && next_step(in).id < id) {
      if (!make_field(before, in)) return false;
    }
    return true;
  }
  THRIFTLENS_INLINE const std::uint8_t* edit_field(const std::uint8_t* begin, const std::uint8_t* at,
                                                   const scan_field& field, const edit_group& found,
                                                   std::uint32_t depth_left) {
    const path_step& taken = edits_.last_step(found);
    if (field.type != taken.wire || field.inline_bool >= 0) [[unlikely]]
      return nullptr;
    if (!edits_.erases(found)) return child(at, taken.type, taken.wire, depth_left, found);
    if (!headers_stand_alone) return nullptr;
    flush(begin);
    return skip_without_copy(at, taken.type, taken.wire, depth_left);
  }
  /// Goes along the prefix template of the struct at `at` as far as it matches. True: that was all of it.
  [[nodiscard]] THRIFTLENS_INLINE bool prefix(const image::struct_node& self, const std::uint8_t*& at,
                                              edit_group& in, std::uint32_t depth_left,
                                              std::int32_t& highest) {
    const shape_ref known = image_->lead(self);
    for (std::uint32_t segment = 0; segment < self.lead.segments.size; ++segment) {
      if (!in_.stands_at(at, known, segment)) return false;
      const shape_segment& part = known.segments[segment];
      const std::uint8_t* const after = part.behind(at, end_);
      if (after == nullptr) [[unlikely]]
        return false;
      while (!in.empty() && next_step(in).place.segment == segment) {
        if (!edit_prefix_field(at, in, depth_left)) {
          at = nullptr;
          return false;
        }
      }
      highest = part.last_id;
      at = after;
    }
    return self.lead.complete;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool edit_prefix_field(const std::uint8_t* segment, edit_group& in,
                                                         std::uint32_t depth_left) {
    const edit_group found = edits_.same(in);
    const path_step& taken = next_step(in);
    const std::uint8_t* const header = segment + taken.place.at;
    in.begin = found.end;
    return edit_field(header, header + 3, {taken.wire, taken.id, -1}, found, depth_left - 1) != nullptr;
  }
  /// The field that the next edits set is not there; `before` is where it would stand.
  [[nodiscard]] bool make_field(const std::uint8_t* before, edit_group& in) {
    const edit_group found = edits_.same(in);
    in.begin = found.end;
    if (!edits_.is_leaf(found) || !headers_stand_alone) return false;
    if (edits_.erases(found)) return true;
    const path_step& to = edits_.last_step(found);
    if (P::traits.has_inline_bool && to.wire == ttype::bool_) return false;
    flush(before);
    std::int16_t unused = 0;
    to_ = P::put_field(to_, to.wire, to.id, unused);
    put_value(found);
    return true;
  }

  /// Steps over the header, which is as the IDL says.
  [[nodiscard]] THRIFTLENS_INLINE bool open_list(const std::uint8_t*& at, std::uint32_t element, ttype wire,
                                                 list_header& list) const noexcept {
    typename P::reader reader(root_.whole());
    reader.seek(at);
    if (!(wire == ttype::set ? reader.read_set(list) : reader.read_list(list))) return false;
    at = reader.at();
    return list.size == 0 || image_->types[element].wire == list.element;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool open_map(const std::uint8_t*& at, const image::type_node& self,
                                                map_header& map) const noexcept {
    typename P::reader reader(root_.whole());
    reader.seek(at);
    if (!reader.read_map(map)) return false;
    at = reader.at();
    if (map.size == 0) return true;
    return image_->types[self.first].wire == map.key && image_->types[self.second].wire == map.value;
  }
  const std::uint8_t* sequence(const std::uint8_t* at, std::uint32_t type, ttype wire,
                               std::uint32_t depth_left, const edit_group& all) {
    edit_group in = all;
    list_header list;
    const std::uint32_t element = image_->types[type].first;
    if (!open_list(at, element, wire, list)) return nullptr;
    const bool from_end = next_step(in).first < 0;
    if (from_end && edits_.same(in).end != in.end) return nullptr;  // their order would have to be found anew
    std::int64_t next = 0;
    while (!in.empty()) {
      const edit_group found = edits_.same(in);
      const std::int64_t requested = next_step(in).first + (from_end ? list.size : 0);
      if (requested < next || requested >= std::int64_t{list.size}) return nullptr;
      if (!skip_elements(at, list.element, element, requested - next, depth_left - 1)) return nullptr;
      if ((at = child(at, element, list.element, depth_left - 1, found)) == nullptr) return nullptr;
      next = requested + 1;
      in.begin = found.end;
    }
    return skip_elements(at, list.element, element, list.size - next, depth_left - 1) ? at : nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool skip_elements(const std::uint8_t*& at, ttype wire, std::uint32_t type,
                                                     std::int64_t count, std::uint32_t depth_left) {
    return skip_row(in_, at, wire, type, *image_, static_cast<std::size_t>(count), depth_left);
  }
  const std::uint8_t* mapping(const std::uint8_t* at, std::uint32_t type, std::uint32_t depth_left,
                              const edit_group& in) {
    map_header map;
    const image::type_node& self = image_->types[type];
    if (!open_map(at, self, map)) return nullptr;
    typename scanner<P>::alike alike(in_, map.size, self.second, *image_);
    std::uint32_t seen = 0;  // a bit for each edit whose key was there
    for (std::uint32_t left = map.size; left != 0; --left) {
      edit_group found;
      if (!find_key(at, map.key, in, depth_left - 1, found)) [[unlikely]]
        return nullptr;
      if (found.end != 0) {
        if ((seen >> found.begin & 1) != 0) return nullptr;  // equal keys are edited all
        seen |= 1u << found.begin;
        if ((at = child(at, self.second, map.value, depth_left - 1, found)) == nullptr) return nullptr;
      } else if (!(map.value == ttype::struct_ ? alike.skip(in_, at, depth_left - 1)
                                               : in_.skip(at, map.value, depth_left - 1))) [[unlikely]] {
        return nullptr;
      }
    }
    return all_seen(in, seen) ? at : nullptr;
  }
  [[nodiscard]] bool all_seen(edit_group in, std::uint32_t seen) const noexcept {
    for (; !in.empty(); in.begin = edits_.same(in).end) {
      if ((seen >> in.begin & 1) == 0) return false;
    }
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool find_key(const std::uint8_t*& at, ttype wire, const edit_group& in,
                                                std::uint32_t depth_left, edit_group& found) noexcept {
    if (wire == ttype::string) return edits_.find_key(in_, at, wire, in, found);
    return edits_.find_any_key<P>(typename P::reader(root_.whole()), at, wire, depth_left, in, found);
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const view<P>& root_;
  const schema_image* image_;
  const edit_order& edits_;
  byte_view values_;
  buffer& out_;
  std::uint8_t* to_ = nullptr;
  const std::uint8_t* copied_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
