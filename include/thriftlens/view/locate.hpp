// locate: from a value along the steps of a path to one value inside it.
// In: bytes, a spot, steps. Out: the spot at the end of the path, or why there is none and where.
// Never allocates; reads no further than the value it finds.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// What locate() found. After an error `at` is where to point, as walker::broken_at().
/// Plain members, each written and read alone: a struct copied as a whole right after it was written stalls
/// on the store.
struct located {
  const std::uint8_t* at = nullptr;
  const path_step* last = nullptr;  ///< the step taken last
  std::uint32_t depth_left = 0;
  std::uint32_t type = image::none;
  std::int16_t last_id = 0;
  std::int8_t inline_bool = -1;
  ttype wire = ttype::stop;
  errc code = errc::ok;

  void set(const wire_spot& spot) noexcept {
    at = spot.at.at;
    depth_left = spot.at.depth_left;
    last_id = spot.at.last_id;
    inline_bool = spot.at.inline_bool;
    type = spot.type;
    wire = spot.wire;
  }
};

/// The value of a field in the lead of the Binary struct at `at`, or nullptr where the struct begins in
/// another way.
[[nodiscard]] THRIFTLENS_NOINLINE inline const std::uint8_t* any_lead_value(
    const path_step& step, const std::uint8_t* at, const std::uint8_t* end) noexcept {
  const shape_segment* part = step.lead.segments;
  for (std::size_t left = step.place.segment;; --left, ++part) {
    if (!part->stands_at(at, end, step.lead.blocks)) [[unlikely]]
      return nullptr;
    if (left == 0) return at + step.place.at + 3;
    if ((at = part->behind(at, end)) == nullptr) [[unlikely]]
      return nullptr;
  }
}
/// The same; without calls on the way, so that no register has to be saved.
[[nodiscard]] THRIFTLENS_NOINLINE inline const std::uint8_t* lead_value(const path_step& step,
                                                                        const std::uint8_t* from,
                                                                        const std::uint8_t* end) noexcept {
  const shape_segment* part = step.lead.segments;
  const std::uint8_t* at = from;
  for (std::size_t left = step.place.segment;; --left, ++part) {
    if (end - at < part->reach) [[unlikely]]
      return any_lead_value(step, from, end);
    if (!part->stands_far(at, step.lead.blocks)) [[unlikely]]
      return nullptr;
    if (left == 0) return at + step.place.at + 3;
    if (part->unit != 1) [[unlikely]]
      return any_lead_value(step, from, end);
    const auto size = static_cast<std::uint64_t>(std::int64_t{load_be<std::int32_t>(at + part->length - 4)});
    at += part->length;
    if (size > static_cast<std::uint64_t>(end - at)) [[unlikely]]
      return nullptr;
    at += size;
  }
}

/// Step by step with a reader: for every kind of step, and for the words when something is wrong.
template <protocol P>
THRIFTLENS_NOINLINE void locate_slowly(byte_view bytes, const schema_image* image, const wire_spot& from,
                                       std::span<const path_step> steps, located& to) noexcept {
  walker<P> at(bytes, image, from);
  to.set(from);
  to.code = errc::ok;
  for (const path_step& each : steps) {
    to.last = &each;
    to.code = at.step(each);
    if (to.code != errc::ok) {
      to.set({at.broken_at(), from.type, from.wire});
      return;
    }
  }
  to.set(at.spot());
}

/// The common steps by pointers: fields, elements, and text keys. False: nothing is said, go slowly.
template <protocol P>
class quick_locator {
 public:
  quick_locator(byte_view bytes, const schema_image* image) noexcept
      : in_(bytes.end()), bytes_(bytes), image_(image) {}

  // The place is kept in locals while the way leads through structs: members of this object would go through
  // memory.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const wire_spot& from, std::span<const path_step> steps,
                                           located& to) noexcept {
    const std::uint8_t* at = from.at.at;
    std::uint32_t depth = from.at.depth_left, type = from.type;
    std::int16_t last_id = 0;
    scan_field header;
    if (type == image::none || from.at.inline_bool >= 0) [[unlikely]]
      return false;
    for (const path_step& each : steps) {
      if (depth == 0) [[unlikely]]
        return false;
      to.last = &each;
      const std::uint8_t* const container = at;
      if (each.kind == path_step::form::field) [[likely]] {
        if (in_lead(each, at, depth)) [[likely]] {
          type = each.type;
          --depth;
          continue;
        }
        const image::field_node& node = image_->fields[each.field];
        for (last_id = 0;;) {
          if (!in_.next(at, header, last_id)) [[unlikely]]
            return false;
          if (header.id == node.id && header.type != ttype::stop) break;
          if (header.type == ttype::stop) [[unlikely]] {
            const bool required = (node.flags & image::required) != 0;
            if (at_root(container) && (at != bytes_.end() || required)) return false;
            return tell(to, errc::absent, container, depth, type, 0, -1);
          }
          if (!in_.skip_field(at, header, type, *image_, depth - 1)) [[unlikely]]
            return false;
        }
        if (header.type != node.wire) [[unlikely]]
          return false;
        type = node.type;
      } else {
        at_ = at;
        depth_ = depth;
        type_ = type;
        if (!(each.kind == path_step::form::key ? key(each.key) : element(each.first))) {
          if (at_root(container) && at_ != bytes_.end()) return false;
          return absent_ && tell(to, errc::absent, container, depth, type, 0, -1);
        }
        at = at_;
        type = type_;
        last_id = 0;
        header.inline_bool = -1;
      }
      --depth;
    }
    return tell(to, errc::ok, at, depth, type, last_id, header.inline_bool);
  }

 private:
  /// Absent there is only what is so to the end of the bytes.
  [[nodiscard]] bool at_root(const std::uint8_t* value) const noexcept { return value == bytes_.begin(); }
  /// Follows the lead of the struct at `at`: to the field's value, or as far as the lead goes, then false.
  [[nodiscard]] THRIFTLENS_INLINE bool in_lead(const path_step& step, const std::uint8_t*& at,
                                               std::uint32_t depth) noexcept {
    if (!P::traits.has_fixed_layout || step.lead.levels > depth ||
        !in_.pass(at, step.lead, step.place ? step.place.segment : step.lead_size))
      return false;
    if (!step.place || !in_.stands_at(at, step.lead, step.place.segment)) return false;
    return at += step.place.at + 3, true;
  }
  /// Any list or set.
  [[nodiscard]] bool element(std::int64_t index) noexcept {
    const image::type_node& self = image_->types[type_];
    typename P::reader in(bytes_);
    in.seek(at_);
    list_header list;
    if (!in.read_list(list)) return false;
    if (index < 0) index += list.size;
    if (index < 0 || index >= std::int64_t{list.size} || image_->types[self.first].wire != list.element)
      return false;
    at_ = in.at();
    auto count = static_cast<std::size_t>(index);
    if (std::size_t width = element_width<P>(list.element)) {
      at_ += width * count;  // the header's size was checked against the bytes left
    } else if (list.element == ttype::struct_) {
      typename scanner<P>::alike same(in_, count, self.first, *image_);
      for (; count != 0; --count) {
        if (!same.skip(in_, at_, depth_ - 1)) return false;
      }
    } else {
      for (; count != 0; --count) {
        if (!in_.skip(at_, list.element, depth_ - 1)) return false;
      }
    }
    return arrive(self.first);
  }
  [[nodiscard]] bool key(const map_key& wanted) noexcept {
    const image::type_node& self = image_->types[type_];
    typename P::reader in(bytes_);
    in.seek(at_);
    map_header map;
    if (!in.read_map(map)) return false;
    if (map.size == 0) return absent_ = true, false;
    if (image_->types[self.first].wire != map.key || image_->types[self.second].wire != map.value)
      return false;
    at_ = in.at();
    if (map.key != ttype::string || wanted.kind() != map_key::form::text)
      return any_key(wanted, map, self.second);
    const byte_view text = wanted.bytes();
    typename scanner<P>::alike same(in_, map.size, self.second, *image_);
    for (std::uint32_t left = map.size; left != 0; --left) {
      byte_view found;
      if (!in_.text(at_, found)) [[unlikely]]
        return false;
      if (same_text(found, text)) return arrive(self.second);
      if (!(map.value == ttype::struct_ ? same.skip(in_, at_, depth_ - 1)
                                        : in_.skip(at_, map.value, depth_ - 1))) [[unlikely]]
        return false;
    }
    return absent_ = true, false;
  }
  [[nodiscard]] bool any_key(const map_key& wanted, const map_header& map, std::uint32_t type) noexcept {
    typename P::reader in(bytes_);
    in.seek(wire_position{at_, depth_ - 1, 0, -1});
    for (std::uint32_t left = map.size; left != 0; --left) {
      bool equal = false;
      if (!match_key<P>(in, map.key, wanted, equal)) return false;
      at_ = in.at();
      if (equal) return arrive(type);
      if (!in_.skip(at_, map.value, depth_ - 1)) return false;
      in.seek(at_);
    }
    return absent_ = true, false;
  }
  THRIFTLENS_INLINE bool tell(located& to, errc code, const std::uint8_t* at, std::uint32_t depth,
                              std::uint32_t type, std::int16_t last_id,
                              std::int8_t inline_bool) const noexcept {
    to.at = at;
    to.depth_left = depth;
    to.type = type;
    to.last_id = last_id;
    to.inline_bool = inline_bool;
    to.wire = image_->types[type].wire;
    to.code = code;
    return true;
  }
  bool arrive(std::uint32_t type) noexcept {
    type_ = type;
    return true;
  }

  scanner<P> in_;
  byte_view bytes_;
  const schema_image* image_;
  const std::uint8_t* at_ = nullptr;
  std::uint32_t depth_ = 0;
  std::uint32_t type_ = image::none;
  bool absent_ = false;
};

/// Follows the steps. Fields stop at the first of their id, keys at the first that is equal.
template <protocol P>
THRIFTLENS_NOINLINE void locate(byte_view bytes, const schema_image* image, const wire_spot& from,
                                std::span<const path_step> steps, located& to) noexcept {
  quick_locator<P> quick(bytes, image);
  if (!quick.run(from, steps, to)) [[unlikely]]
    locate_slowly<P>(bytes, image, from, steps, to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
