// fast_locate: from a value along the steps of a path by pointers: fields, elements, and keys. Speculates:
// returns false to fall back to generic_locate, and `to` is then unspecified.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// What locate() found. After an error `location.at` is where to point, as walker::broken_at().
/// The members of `location` are written and read one by one, see by_members().
struct located {
  wire_location location;
  const path_step* last = nullptr;  ///< the step taken last
  errc code = errc::ok;
};

/// The value of a field in the prefix template of the Binary struct at `at`, or nullptr where the struct
/// begins in another way.
[[nodiscard]] THRIFTLENS_NOINLINE inline const std::uint8_t* any_prefix_value(
    const path_step& step, const std::uint8_t* at, const std::uint8_t* end) noexcept {
  const shape_segment* part = step.prefix.segments;
  for (std::size_t left = step.place.segment;; --left, ++part) {
    if (!part->is_at(at, end, step.prefix.blocks)) [[unlikely]]
      return nullptr;
    if (left == 0) return at + step.place.at + 3;
    if ((at = part->after(at, end)) == nullptr) [[unlikely]]
      return nullptr;
  }
}
/// The same; without calls on the way, so that no register has to be saved.
[[nodiscard]] THRIFTLENS_NOINLINE inline const std::uint8_t* prefix_value(const path_step& step,
                                                                          const std::uint8_t* from,
                                                                          const std::uint8_t* end) noexcept {
  const shape_segment* part = step.prefix.segments;
  const std::uint8_t* at = from;
  for (std::size_t left = step.place.segment;; --left, ++part) {
    if (end - at < part->reach) [[unlikely]]
      return any_prefix_value(step, from, end);
    if (!part->stands_far(at, step.prefix.blocks)) [[unlikely]]
      return nullptr;
    if (left == 0) return at + step.place.at + 3;
    if (part->unit != 1) [[unlikely]]
      return any_prefix_value(step, from, end);
    const auto size = static_cast<std::uint64_t>(std::int64_t{load_be<std::int32_t>(at + part->length - 4)});
    at += part->length;
    if (size > static_cast<std::uint64_t>(end - at)) [[unlikely]]
      return nullptr;
    at += size;
  }
}

/// Where the contents of the container at `location` begin; nullptr where its header is not what the IDL
/// says.
template <protocol P, class Header>
[[nodiscard]] const std::uint8_t* contents(byte_view whole, const schema_image* image,
                                           const wire_location& location, Header& header) noexcept {
  typename P::reader in(whole);
  in.seek(location.at.at);
  bool done = false;
  if constexpr (std::is_same_v<Header, map_header>)
    done = in.read_map(header);
  else
    done = in.read_list(header);
  return done && fits(image, location.type, header) ? in.at() : nullptr;
}

/// The common steps by pointers.
template <protocol P>
class fast_locator {
 public:
  fast_locator(byte_view bytes, const schema_image* image) noexcept
      : in_(bytes.end()), bytes_(bytes), image_(image) {}

  // The position is kept in locals while the path leads through structs: members of this object would go
  // through memory.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const wire_location& from, std::span<const path_step> steps,
                                           located& to) noexcept {
    wire_location now{{from.at.at, from.at.depth_left, 0, -1}, from.type, from.wire};
    if (from.type == image::none || from.at.inline_bool >= 0) [[unlikely]]
      return false;
    for (const path_step& each : steps) {
      if (now.at.depth_left == 0) [[unlikely]]
        return false;
      to.last = &each;
      const std::uint8_t* const begin = now.at.at;
      const bool found = each.kind == path_step::form::field ? field(each, now) : child(each, now);
      if (!found) [[unlikely]]
        return is_absent(each, begin, now.at.at) &&
               report(to, errc::absent, {{begin, now.at.depth_left, 0, -1}, now.type, now.wire});
      --now.at.depth_left;
    }
    return report(to, errc::ok, now);
  }

 private:
  // Each moves `now` to what a step leads to. False with absent_ set: a value that was read to its end lacks
  // it.

  [[nodiscard]] THRIFTLENS_INLINE bool field(const path_step& step, wire_location& now) noexcept {
    if (in_prefix(step, now.at.at, now.at.depth_left)) [[likely]] {
      now.type = step.type;
      return true;
    }
    const image::field_node& node = image_->fields[step.field];
    scan_field header;
    now.at.last_id = 0;
    if (!find_field(node, now, header)) [[unlikely]]
      return false;
    now.at.inline_bool = header.inline_bool;
    now.type = node.type;
    return true;
  }
  /// To the value of that field. False where it is of another type, too.
  [[nodiscard]] THRIFTLENS_INLINE bool find_field(const image::field_node& field, wire_location& now,
                                                  scan_field& header) noexcept {
    for (;;) {
      if (!in_.next(now.at.at, header, now.at.last_id)) [[unlikely]]
        return false;
      if (header.type == ttype::stop) return not_there();
      if (header.id == field.id) return header.type == field.wire;
      if (!in_.skip_field(now.at.at, header, now.type, *image_, now.at.depth_left - 1)) [[unlikely]]
        return false;
    }
  }
  /// Follows the prefix template of the struct at `at`: to the field's value, or as far as it goes, then
  /// false.
  [[nodiscard]] THRIFTLENS_INLINE bool in_prefix(const path_step& step, const std::uint8_t*& at,
                                                 std::uint32_t depth) noexcept {
    if (!P::traits.has_fixed_layout || step.prefix.levels > depth ||
        !in_.pass(at, step.prefix, step.place ? step.place.segment : step.prefix.size))
      return false;
    if (!step.place || !in_.is_at(at, step.prefix, step.place.segment)) return false;
    at += step.place.at + 3;
    return true;
  }
  /// Of a list, set or map. Not inlined into the way through structs, which stays in registers.
  [[nodiscard]] THRIFTLENS_INLINE bool child(const path_step& step, wire_location& now) noexcept {
    here_ = by_members(now);
    const bool found = step.kind == path_step::form::key
                           ? key(step.key)
                           : step.kind == path_step::form::index && element(step.first);
    now.at = {here_.at.at, now.at.depth_left, 0, -1};
    now.type = here_.type;
    return found;
  }
  [[nodiscard]] bool element(std::int64_t index) noexcept {
    list_header list;
    if (!open(list)) return false;
    if (index < 0) index += list.size;
    if (index < 0 || index >= std::int64_t{list.size}) return false;
    const std::uint32_t type = image_->types[here_.type].first;
    // The header's size was checked against the bytes left.
    return skip_row(in_, here_.at.at, list.element, type, *image_, static_cast<std::size_t>(index),
                    here_.at.depth_left - 1) &&
           arrive(type);
  }
  [[nodiscard]] bool key(const map_key& wanted) noexcept {
    map_header map;
    if (!open(map)) return false;
    const std::uint32_t type = image_->types[here_.type].second, depth_left = here_.at.depth_left - 1;
    const bool is_text = map.key == ttype::string && wanted.kind() == map_key::form::text;
    typename scanner<P>::layout_predictor row(in_, map.size, type, *image_, depth_left);
    for (; map.size != 0; --map.size) {
      bool equal = false;
      if (!(is_text ? text_key(wanted.bytes(), equal) : any_key(wanted, map.key, equal))) [[unlikely]]
        return false;
      if (equal) return arrive(type);
      if (!row.skip(in_, here_.at.at, map.value, depth_left)) [[unlikely]]
        return false;
    }
    return not_there();
  }
  [[nodiscard]] THRIFTLENS_INLINE bool text_key(byte_view wanted, bool& equal) noexcept {
    byte_view found;
    if (!in_.text(here_.at.at, found)) [[unlikely]]
      return false;
    equal = same_text(found, wanted);
    return true;
  }
  [[nodiscard]] bool any_key(const map_key& wanted, ttype wire, bool& equal) noexcept {
    typename P::reader in(bytes_);
    in.seek(wire_position{here_.at.at, here_.at.depth_left - 1, 0, -1});
    if (!match_key<P>(in, wire, wanted, equal)) return false;
    here_.at.at = in.at();
    return true;
  }
  /// To the contents of the container.
  template <class Header>
  [[nodiscard]] bool open(Header& header) noexcept {
    return (here_.at.at = contents<P>(bytes_, image_, here_, header)) != nullptr;
  }
  bool arrive(std::uint32_t type) noexcept {
    here_.type = type;
    return true;
  }
  bool not_there() noexcept {
    absent_ = true;
    return false;
  }

  /// The value at `begin`, which ends at `end`, lacks what was asked for, and nothing more is to be said of
  /// that. Absent at the root is what the bytes lack to their end.
  [[nodiscard]] bool is_absent(const path_step& step, const std::uint8_t* begin,
                               const std::uint8_t* end) const noexcept {
    if (!absent_ || begin != bytes_.begin()) return absent_;
    return end == bytes_.end() &&
           (step.kind != path_step::form::field || (image_->fields[step.field].flags & image::required) == 0);
  }
  THRIFTLENS_INLINE bool report(located& to, errc code, const wire_location& now) const noexcept {
    to.location = by_members(now);
    to.location.wire = image_->types[now.type].wire;
    to.code = code;
    return true;
  }

  scanner<P> in_;
  byte_view bytes_;
  const schema_image* image_;
  wire_location here_;  // in a container
  bool absent_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
