// edit_quick: a few plain edits of values that are there, by pointers: one scan, one copy, no tree.
// In: a value, the edits, their new values. Out: the changed value at the end of a buffer; or no answer.
// Never explains a fault and never guesses: whatever is not plain is left to edit_run, which goes over the
// same bytes again.
#pragma once

#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Takes set and create of values that are there (in Binary also of fields that are not, and erase of
/// fields), along single paths of which none leads into another, over ascending field ids. In Binary nothing
/// but such an edit changes a byte.
template <protocol P>
class quick_editor {
 public:
  static constexpr std::size_t most_edits = 8;
  static constexpr bool is_binary = P::traits.has_fixed_layout;

  quick_editor(const view<P>& root, std::span<const edit_entry> edits, byte_view values, buffer& out) noexcept
      : in_(root.whole().end()),
        end_(root.whole().end()),
        root_(root),
        image_(root.image()),
        edits_(edits),
        values_(values),
        out_(out) {}

  /// Whether an edit is of this kind; others need not be tried.
  [[nodiscard]] static bool takes(edit_action action, const path& way) noexcept {
    if (way.empty() || !way.is_single()) return false;
    if (action == edit_action::set || action == edit_action::create) return true;
    return is_binary && action == edit_action::erase && way.steps().back().kind == path_step::form::field;
  }

  /// Whether the edit, behind another or none, is of a field that the struct of the root has in its lead,
  /// which is all of it.
  [[nodiscard]] static THRIFTLENS_INLINE bool in_lead(edit_action action, std::span<const path_step> way,
                                                      std::span<const path_step> before) noexcept {
    if (!is_binary || way.size() != 1 || (action != edit_action::set && action != edit_action::create))
      return false;
    return way[0].lead_complete && way[0].place && (before.empty() || before[0].id < way[0].id);
  }

  errc code = errc::ok;       ///< not ok: the batch fails, and why
  std::uint32_t culprit = 0;  ///< the edit that fails
  std::size_t where = 0;      ///< offset of the value it fails at

  /// Appends the changed value, for edits that are all in_lead() of a struct that is no union. False: nothing
  /// is said.
  [[nodiscard]] bool run_in_lead() {
    const wire_spot& spot = root_.spot();
    const shape_ref& lead = edits_[0].way.steps()[0].lead;
    if (lead.levels > spot.at.depth_left) [[unlikely]]
      return false;
    const std::uint8_t *at = spot.at.at, *copied = at;
    std::uint8_t* to = out_.reserve(root_.whole().size() + values_.size() + 64);
    const edit_entry* next = edits_.data();
    const edit_entry* const last = next + edits_.size();
    const edit_entry* patched =
        next;  // those from here to `next` are of numbers: written over the run when it is copied
    const auto flush = [&](const std::uint8_t* until) THRIFTLENS_INLINE_LAMBDA {
      std::uint8_t* const run = to;
      to = copy_run(to, copied, static_cast<std::size_t>(until - copied), end_);
      for (; patched != next; ++patched) put_number(run + patches_[patched - edits_.data()], *patched);
    };
    for (std::size_t segment = 0;; ++segment) {
      if (!in_.stands_at(at, lead, segment)) [[unlikely]]
        return false;
      const shape_segment& part = lead.segments[segment];
      const std::uint8_t* const behind = part.behind(at, end_);
      if (behind == nullptr) [[unlikely]]
        return false;
      for (; next != last; ++next) {
        const path_step& step = next->way.steps()[0];
        if (step.place.segment != segment) break;
        const std::uint8_t* const old = at + step.place.at + 3;
        if (fixed_width(step.wire) != 0) {
          patches_[next - edits_.data()] = static_cast<std::size_t>(old - copied);
          continue;
        }
        flush(old);
        to = copy_run(to, values_.data() + next->value_at, next->value_size, values_.end());
        copied = behind;  // what has no width of its own is the last of its segment
        patched = next + 1;
      }
      at = behind;
      if (part.unit == 0) break;
    }
    if (root_.is_root() && at != end_) [[unlikely]]
      return false;
    flush(at);
    out_.commit(to);
    return true;
  }

  /// Appends the changed value. False: `code` says why the batch fails; where that is ok nothing is said.
  /// Then `out` is as before.
  [[nodiscard]] bool run() {
    const wire_spot& spot = root_.spot();
    if (edits_.empty() || edits_.size() > most_edits || spot.type == image::none || spot.at.inline_bool >= 0)
      return false;
    if (!order()) return false;
    to_ = out_.reserve(root_.whole().size() + values_.size() + most_edits * P::field_room + 64);
    copied_ = spot.at.at;
    const group all{0, static_cast<std::uint32_t>(edits_.size()), 0};
    const std::uint8_t* end = value(spot.at.at, spot.type, spot.wire, spot.at.depth_left, all);
    if (end == nullptr || (root_.is_root() && end != end_)) return false;
    flush(end);
    out_.commit(to_);
    return true;
  }

 private:
  /// Edits [begin, end) of order_, which share their first `depth` steps.
  struct group {
    std::uint32_t begin, end, depth;
  };

  [[nodiscard]] const path_step& step(std::uint32_t at, std::uint32_t depth) const noexcept {
    return steps_[at][depth];
  }
  /// The edits of a group that take the same next step as its first one.
  [[nodiscard]] THRIFTLENS_INLINE group same(const group& in) const noexcept {
    group found{in.begin, in.begin + 1, in.depth + 1};
    while (found.end < in.end && !before(step(in.begin, in.depth), step(found.end, in.depth))) [[unlikely]]
      ++found.end;
    return found;
  }
  [[nodiscard]] bool is_leaf(const group& of) const noexcept { return sizes_[of.begin] == of.depth; }
  [[nodiscard]] const edit_entry& entry(const group& of) const noexcept { return edits_[order_[of.begin]]; }

  /// Siblings as a tree of edits has them.
  [[nodiscard]] static bool before(const path_step& left, const path_step& right) noexcept {
    if (left.kind == path_step::form::field) return left.id < right.id;
    if (left.kind == path_step::form::index) return left.first < right.first;
    return key_less(left.key, right.key);
  }
  /// Sorts the edits by their paths. False where one path is another or leads into it.
  [[nodiscard]] THRIFTLENS_INLINE bool order() noexcept {
    for (std::uint32_t i = 0; i < edits_.size(); ++i) {
      const std::span<const path_step> steps = edits_[i].way.steps();
      std::uint32_t at = i;
      for (; at > 0; --at) {
        const int found = compare(steps, {steps_[at - 1], sizes_[at - 1]});
        if (found == 0) return false;
        if (found > 0) break;
        steps_[at] = steps_[at - 1];
        sizes_[at] = sizes_[at - 1];
        order_[at] = order_[at - 1];
      }
      steps_[at] = steps.data();
      sizes_[at] = steps.size();
      order_[at] = i;
    }
    return true;
  }
  /// 0 where one is the front of the other.
  [[nodiscard]] static int compare(std::span<const path_step> left,
                                   std::span<const path_step> right) noexcept {
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
      if (before(left[i], right[i])) return -1;
      if (before(right[i], left[i])) return 1;
    }
    return 0;
  }

  THRIFTLENS_INLINE void flush(const std::uint8_t* until) noexcept {
    const auto size = static_cast<std::size_t>(until - copied_);
    to_ = copy_run(to_, copied_, size, end_);
    copied_ = until;
  }
  THRIFTLENS_INLINE void put_value(const group& of) noexcept {
    const edit_entry& from = entry(of);
    to_ = copy_run(to_, values_.data() + from.value_at, from.value_size, values_.end());
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

  // Each answers the byte behind its value, or nullptr. Groups by reference: in registers they would be put
  // together in memory.

  THRIFTLENS_INLINE const std::uint8_t* value(const std::uint8_t* at, std::uint32_t type, ttype wire,
                                              std::uint32_t depth_left, const group& in) {
    if (depth_left == 0) [[unlikely]]
      return nullptr;
    if (wire == ttype::struct_) return structure(at, type, depth_left, in);
    return wire == ttype::map ? mapping(at, type, depth_left, in) : sequence(at, type, wire, depth_left, in);
  }
  /// The value at the end of a path, or one on the way there.
  THRIFTLENS_INLINE const std::uint8_t* child(const std::uint8_t* at, std::uint32_t type, ttype wire,
                                              std::uint32_t depth_left, const group& at_edits) {
    if (!is_leaf(at_edits)) return value(at, type, wire, depth_left, at_edits);
    flush(at);
    put_value(at_edits);
    if (!in_.skip_known(at, wire, type, *image_, depth_left)) [[unlikely]]
      return nullptr;
    return copied_ = at;
  }

  const std::uint8_t* structure(const std::uint8_t* at, std::uint32_t type, std::uint32_t depth_left,
                                const group& all) {
    group in{all.begin, all.end, all.depth};
    const image::struct_node& self = image_->structs[image_->types[type].first];
    if (self.kind == type_kind::union_) return nullptr;
    std::int32_t highest = -0x8001;
    if (is_binary && self.lead.levels <= depth_left && lead(self, at, in, depth_left, highest)) return at;
    if (at == nullptr) [[unlikely]]
      return nullptr;
    std::int16_t last_id = 0;
    scan_field field;
    errc missing = errc::ok;
    for (;;) {
      const std::uint8_t* const begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return nullptr;
      const bool stops = field.type == ttype::stop;
      if (!stops && field.id <= highest) [[unlikely]]
        return nullptr;
      while (in.begin < in.end && (stops || step(in.begin, in.depth).id < field.id)) {
        if (missing == errc::ok && !absent_field(begin, in, missing)) return nullptr;
        in.begin = same(in).end;
      }
      if (stops) return finish(at, missing);
      highest = field.id;
      if (in.begin == in.end || step(in.begin, in.depth).id != field.id || missing != errc::ok) {
        if (!in_.skip_field(at, field, type, *image_, depth_left - 1)) [[unlikely]]
          return nullptr;
        continue;
      }
      const group found = same(in);
      in.begin = found.end;
      if ((at = met_field(begin, at, field, found, depth_left - 1)) == nullptr) return nullptr;
    }
  }
  /// What is missing fails the batch, but only where nothing out of order stood behind it.
  [[nodiscard]] const std::uint8_t* finish(const std::uint8_t* at, errc missing) noexcept {
    if (missing == errc::ok) return at;
    code = missing;
    return nullptr;
  }
  THRIFTLENS_INLINE const std::uint8_t* met_field(const std::uint8_t* begin, const std::uint8_t* at,
                                                  const scan_field& field, const group& found,
                                                  std::uint32_t depth_left) {
    const path_step& taken = step(found.begin, found.depth - 1);
    if (field.type != taken.wire || field.inline_bool >= 0) [[unlikely]]
      return nullptr;
    if (!is_leaf(found) || entry(found).action != edit_action::erase)
      return child(at, taken.type, taken.wire, depth_left, found);
    flush(begin);
    if (!in_.skip_known(at, taken.wire, taken.type, *image_, depth_left)) [[unlikely]]
      return nullptr;
    return copied_ = at;
  }
  /// Goes along the lead of the struct at `at` as far as it stands there. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool lead(const image::struct_node& self, const std::uint8_t*& at,
                                            group& in, std::uint32_t depth_left, std::int32_t& highest) {
    const shape_ref known = image_->lead(self);
    for (std::uint32_t segment = 0; segment < self.lead.segments.size; ++segment) {
      if (!in_.stands_at(at, known, segment)) return false;
      const shape_segment& part = known.segments[segment];
      const std::uint8_t* const behind = part.behind(at, end_);
      if (behind == nullptr) [[unlikely]]
        return false;
      while (in.begin < in.end && step(in.begin, in.depth).place.segment == segment) {
        const group found = same(in);
        const path_step& taken = step(in.begin, in.depth);
        const std::uint8_t* const header = at + taken.place.at;
        in.begin = found.end;
        if (met_field(header, header + 3, {taken.wire, taken.id, -1}, found, depth_left - 1) == nullptr)
          return at = nullptr, false;
      }
      highest = part.last_id;
      at = behind;
    }
    return self.lead.complete;
  }
  /// The first edit of a group leads to or through a field that is not there; `before` is where it would
  /// stand.
  [[nodiscard]] bool absent_field(const std::uint8_t* before, const group& in, errc& missing) {
    const group wanted = same(in);
    if (!is_leaf(wanted)) return absent(before, wanted, missing);
    if (!is_binary) return false;
    const edit_entry& asked = entry(wanted);
    if (asked.action == edit_action::erase) return true;
    const path_step& to = step(wanted.begin, in.depth);
    flush(before);
    std::int16_t unused = 0;
    to_ = P::put_field(to_, to.wire, to.id, unused);
    put_value(wanted);
    return true;
  }
  /// Notes that a value on the way of set edits is not there. False for other edits.
  [[nodiscard]] bool absent(const std::uint8_t* at, const group& wanted, errc& missing) noexcept {
    culprit = 0;
    for (std::uint32_t i = wanted.begin; i < wanted.end; ++i) {
      if (edits_[order_[i]].action != edit_action::set) return false;
      if (order_[i] > culprit) culprit = order_[i];
    }
    where = static_cast<std::size_t>(at - root_.whole().begin());
    missing = errc::absent;
    return true;
  }

  const std::uint8_t* sequence(const std::uint8_t* at, std::uint32_t type, ttype wire,
                               std::uint32_t depth_left, const group& all) {
    group in{all.begin, all.end, all.depth};
    typename P::reader reader(root_.whole());
    reader.seek(at);
    list_header list;
    if (!(wire == ttype::set ? reader.read_set(list) : reader.read_list(list))) return nullptr;
    const std::uint32_t element = image_->types[type].first;
    if (list.size != 0 && image_->types[element].wire != list.element) return nullptr;
    at = reader.at();
    const bool from_end = step(in.begin, in.depth).first < 0;
    if (from_end && same(in).end != in.end) return nullptr;  // their order would have to be found anew
    if (!from_end && step(in.end - 1, in.depth).first >= std::int64_t{list.size})
      return nullptr;  // told before what is inside the others
    std::int64_t next = 0;
    while (in.begin != in.end) {
      const group found = same(in);
      std::int64_t wanted = step(in.begin, in.depth).first;
      if (from_end) wanted += list.size;
      if (wanted < next || wanted >= std::int64_t{list.size}) return nullptr;
      if (!skip_row(in_, at, list.element, element, *image_, static_cast<std::size_t>(wanted - next),
                    depth_left - 1))
        return nullptr;
      if ((at = child(at, element, list.element, depth_left - 1, found)) == nullptr) return nullptr;
      next = wanted + 1;
      in.begin = found.end;
    }
    return skip_row(in_, at, list.element, element, *image_,
                    static_cast<std::size_t>(std::int64_t{list.size} - next), depth_left - 1)
               ? at
               : nullptr;
  }
  const std::uint8_t* mapping(const std::uint8_t* at, std::uint32_t type, std::uint32_t depth_left,
                              const group& in) {
    typename P::reader reader(root_.whole());
    reader.seek(at);
    map_header map;
    if (!reader.read_map(map)) return nullptr;
    const image::type_node& self = image_->types[type];
    if (map.size != 0 &&
        (image_->types[self.first].wire != map.key || image_->types[self.second].wire != map.value))
      return nullptr;
    at = reader.at();
    typename scanner<P>::alike alike(in_, map.size, self.second, *image_);
    std::uint32_t met = 0;  // a bit for each edit whose key was there
    for (std::uint32_t left = map.size; left != 0; --left) {
      group found{0, 0, 0};
      if (!key(at, map.key, in, depth_left - 1, found)) [[unlikely]]
        return nullptr;
      if (found.end != 0) {
        if ((met >> found.begin & 1) != 0) return nullptr;  // equal keys are edited all
        met |= 1u << found.begin;
        if ((at = child(at, self.second, map.value, depth_left - 1, found)) == nullptr) return nullptr;
      } else if (!(map.value == ttype::struct_ ? alike.skip(in_, at, depth_left - 1)
                                               : in_.skip(at, map.value, depth_left - 1))) [[unlikely]] {
        return nullptr;
      }
    }
    errc missing = errc::ok;
    for (group rest = in; rest.begin < rest.end; rest.begin = same(rest).end) {
      if ((met >> rest.begin & 1) != 0) continue;
      if (is_leaf(same(rest)) || missing != errc::ok || !absent(at, same(rest), missing)) return nullptr;
    }
    return finish(at, missing);
  }
  /// Steps over the key at `at` and finds the edits that mean it.
  [[nodiscard]] THRIFTLENS_INLINE bool key(const std::uint8_t*& at, ttype wire, const group& in,
                                           std::uint32_t depth_left, group& found) noexcept {
    if (wire == ttype::string) {
      byte_view text;
      if (!in_.text(at, text)) [[unlikely]]
        return false;
      for (group rest = in; rest.begin < rest.end; rest.begin = same(rest).end) {
        const map_key& wanted = step(rest.begin, rest.depth).key;
        if (wanted.kind() != map_key::form::text) [[unlikely]]
          return false;
        if (same_text(wanted.bytes(), text)) found = same(rest);
      }
      return true;
    }
    return any_key(at, wire, in, depth_left, found);
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool any_key(const std::uint8_t*& at, ttype wire, const group& in,
                                                 std::uint32_t depth_left, group& found) noexcept {
    typename P::reader reader(root_.whole());
    for (group rest = in; rest.begin < rest.end; rest.begin = same(rest).end) {
      const map_key& wanted = step(rest.begin, rest.depth).key;
      bool equal = false;
      reader.seek(wire_position{at, depth_left, 0, -1});
      if (wanted.kind() == map_key::form::wire || !match_key<P>(reader, wire, wanted, equal)) return false;
      if (equal) found = same(rest);
    }
    at = reader.at();
    return true;
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const view<P>& root_;
  const schema_image* image_;
  std::span<const edit_entry> edits_;
  byte_view values_;
  buffer& out_;
  std::uint8_t* to_ = nullptr;
  const std::uint8_t* copied_ = nullptr;
  // Of the edits in the order of their paths; as many as there are edits.
  std::uint32_t order_[most_edits];
  std::size_t sizes_[most_edits];
  std::size_t patches_[most_edits];  // run_in_lead(): where numbers stand in the run that is copied next
  const path_step* steps_[most_edits];
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
