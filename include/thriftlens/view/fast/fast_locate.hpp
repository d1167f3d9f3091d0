// fast_locate: from a value along the steps of a path by pointers: fields, elements, and keys.
// In: bytes, a spot, steps. Out: the spot at the end of the path. Speculates: returns false to fall back to
// generic_locate, and `to` is then unspecified. Never explains a fault.
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

/// The common steps by pointers.
template <protocol P>
class fast_locator {
 public:
  fast_locator(byte_view bytes, const schema_image* image) noexcept
      : in_(bytes.end()), bytes_(bytes), image_(image) {}

  // The position is kept in locals while the path leads through structs: members of this object would go
  // through memory.
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
        last_id = 0;
        if (!find_field(node, at, header, last_id, type, depth)) [[unlikely]]
          return false;
        if (header.type == ttype::stop) [[unlikely]]
          return ends_without(node, container, at) && tell(to, errc::absent, container, depth, type, 0, -1);
        type = node.type;
      } else {
        if (!child(each, at, depth, type))
          return ends_without_key(container) && tell(to, errc::absent, container, depth, type, 0, -1);
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
  /// A struct that ends at `at` lacks the field, and nothing more is to be said of that.
  [[nodiscard]] bool ends_without(const image::field_node& field, const std::uint8_t* structure,
                                  const std::uint8_t* at) const noexcept {
    if (!at_root(structure)) return true;
    return at == bytes_.end() && (field.flags & image::required) == 0;
  }
  /// A map that was read has no such entry, and nothing more is to be said of that.
  [[nodiscard]] bool ends_without_key(const std::uint8_t* map) const noexcept {
    return absent_ && (!at_root(map) || at_ == bytes_.end());
  }
  /// To the value of that field, or behind the stop. False where it is of another type, too.
  [[nodiscard]] THRIFTLENS_INLINE bool find_field(const image::field_node& field, const std::uint8_t*& at,
                                                  scan_field& header, std::int16_t& last_id,
                                                  std::uint32_t type, std::uint32_t depth) noexcept {
    for (;;) {
      if (!in_.next(at, header, last_id)) [[unlikely]]
        return false;
      if (header.type == ttype::stop) return true;
      if (header.id == field.id) return header.type == field.wire;
      if (!in_.skip_field(at, header, type, *image_, depth - 1)) [[unlikely]]
        return false;
    }
  }
  /// Follows the prefix template of the struct at `at`: to the field's value, or as far as it goes, then
  /// false.
  [[nodiscard]] THRIFTLENS_INLINE bool in_lead(const path_step& step, const std::uint8_t*& at,
                                               std::uint32_t depth) noexcept {
    if (!P::traits.has_fixed_layout || step.lead.levels > depth ||
        !in_.pass(at, step.lead, step.place ? step.place.segment : step.lead_size))
      return false;
    if (!step.place || !in_.stands_at(at, step.lead, step.place.segment)) return false;
    at += step.place.at + 3;
    return true;
  }
  /// Any list, set or map.
  [[nodiscard]] THRIFTLENS_INLINE bool child(const path_step& step, const std::uint8_t*& at,
                                             std::uint32_t depth, std::uint32_t& type) noexcept {
    at_ = at;
    depth_ = depth;
    type_ = type;
    if (!(step.kind == path_step::form::key ? key(step.key)
                                            : step.kind == path_step::form::index && element(step.first)))
      return false;
    at = at_;
    type = type_;
    return true;
  }
  [[nodiscard]] bool element(std::int64_t index) noexcept {
    const std::uint32_t type = image_->types[type_].first;
    typename P::reader in(bytes_);
    in.seek(at_);
    list_header list;
    if (!in.read_list(list)) return false;
    if (index < 0) index += list.size;
    if (index < 0 || index >= std::int64_t{list.size} || image_->types[type].wire != list.element)
      return false;
    at_ = in.at();
    // The header's size was checked against the bytes left.
    return skip_row(in_, at_, list.element, type, *image_, static_cast<std::size_t>(index), depth_ - 1) &&
           arrive(type);
  }
  [[nodiscard]] bool key(const map_key& wanted) noexcept {
    const image::type_node& self = image_->types[type_];
    typename P::reader in(bytes_);
    in.seek(at_);
    map_header map;
    if (!in.read_map(map)) return false;
    if (map.size == 0) return not_there();
    if (image_->types[self.first].wire != map.key || image_->types[self.second].wire != map.value)
      return false;
    at_ = in.at();
    const bool is_text = map.key == ttype::string && wanted.kind() == map_key::form::text;
    return is_text ? text_key(wanted.bytes(), map, self.second) : any_key(wanted, map, self.second);
  }
  [[nodiscard]] bool text_key(byte_view wanted, const map_header& map, std::uint32_t type) noexcept {
    typename scanner<P>::alike same(in_, map.size, type, *image_);
    for (std::uint32_t left = map.size; left != 0; --left) {
      byte_view found;
      if (!in_.text(at_, found)) [[unlikely]]
        return false;
      if (same_text(found, wanted)) return arrive(type);
      if (!(map.value == ttype::struct_ ? same.skip(in_, at_, depth_ - 1)
                                        : in_.skip(at_, map.value, depth_ - 1))) [[unlikely]]
        return false;
    }
    return not_there();
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
    return not_there();
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
  bool not_there() noexcept {
    absent_ = true;
    return false;
  }

  scanner<P> in_;
  byte_view bytes_;
  const schema_image* image_;
  const std::uint8_t* at_ = nullptr;
  std::uint32_t depth_ = 0;
  std::uint32_t type_ = image::none;
  bool absent_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
