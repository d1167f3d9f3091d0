// fast_locate: follows the steps of a path by pointers: fields, elements, and keys. Speculative:
// returns false to fall back to generic_locate, and `to` is then unspecified.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The result of locate(). After an error `location.at` is its position, as walker::broken_at(). The members
/// of `location` are written and read separately, see by_members().
struct located {
  wire_location location;
  const path_step* last = nullptr;  ///< the step taken last
  errc code = errc::ok;
};

/// The value of a field in the prefix template of the Binary struct at `at`, or nullptr if the struct does
/// not match.
[[nodiscard]] THRIFTLENS_NOINLINE inline const std::uint8_t* any_prefix_value(
    const path_step& step, const std::uint8_t* at, const std::uint8_t* end) noexcept {
  const shape_segment* part = step.prefix.segments;
  for (std::size_t remaining = step.place.segment;; --remaining, ++part) {
    if (!part->is_at(at, end, step.prefix.blocks)) [[unlikely]]
      return nullptr;
    if (remaining == 0) return at + step.place.at + 3;
    if ((at = part->after(at, end)) == nullptr) [[unlikely]]
      return nullptr;
  }
}
/// As above, without function calls in the loop, so that no register has to be saved.
[[nodiscard]] THRIFTLENS_NOINLINE inline const std::uint8_t* prefix_value(const path_step& step,
                                                                          const std::uint8_t* from,
                                                                          const std::uint8_t* end) noexcept {
  const shape_segment* part = step.prefix.segments;
  const std::uint8_t* at = from;
  for (std::size_t remaining = step.place.segment;; --remaining, ++part) {
    if (end - at < part->reach) [[unlikely]]
      return any_prefix_value(step, from, end);
    if (!part->matches_unchecked(at, step.prefix.blocks)) [[unlikely]]
      return nullptr;
    if (remaining == 0) return at + step.place.at + 3;
    if (part->unit != 1) [[unlikely]]
      return any_prefix_value(step, from, end);
    const auto size = static_cast<std::uint64_t>(std::int64_t{load_be<std::int32_t>(at + part->length - 4)});
    at += part->length;
    if (size > static_cast<std::uint64_t>(end - at)) [[unlikely]]
      return nullptr;
    at += size;
  }
}

/// The contents of the container at `location`; nullptr if its header does not match the IDL.
template <protocol P, class Header>
[[nodiscard]] const std::uint8_t* contents(byte_view source, const schema_image* image,
                                           const wire_location& location, Header& header) noexcept {
  typename P::reader in(source);
  in.seek(location.at.at);
  bool ok = false;
  if constexpr (std::is_same_v<Header, map_header>)
    ok = in.read_map(header);
  else
    ok = in.read_list(header);
  return ok && fits(image, location.type, header) ? in.at() : nullptr;
}

/// The common steps by pointers.
template <protocol P>
class fast_locator {
 public:
  fast_locator(byte_view bytes, const schema_image* image) noexcept
      : in_(bytes.end()), bytes_(bytes), image_(image) {}

  // The position is kept in locals while the path passes structs: members of this object would be stored in
  // memory.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const wire_location& from, std::span<const path_step> steps,
                                           located& to) noexcept {
    wire_location current{{from.at.at, from.at.depth_left, 0, -1}, from.type, from.wire};
    if (from.type == image::none || from.at.inline_bool >= 0) [[unlikely]]
      return false;
    for (const path_step& step : steps) {
      if (current.at.depth_left == 0) [[unlikely]]
        return false;
      to.last = &step;
      const std::uint8_t* const begin = current.at.at;
      const bool ok = step.kind == path_step::form::field ? field(step, current) : child(step, current);
      if (!ok) [[unlikely]]
        return is_absent(step, begin, current.at.at) &&
               report(to, errc::absent, {{begin, current.at.depth_left, 0, -1}, current.type, current.wire});
      --current.at.depth_left;
    }
    return report(to, errc::ok, current);
  }

 private:
  // These move `current` to the target of a step. False with absent_ set: a value that was read to its end
  // lacks the target.

  [[nodiscard]] THRIFTLENS_INLINE bool field(const path_step& step, wire_location& current) noexcept {
    if (in_prefix(step, current.at.at, current.at.depth_left)) [[likely]] {
      current.type = step.type;
      return true;
    }
    const image::field_node& node = image_->fields[step.field];
    scan_field header;
    current.at.last_id = 0;
    if (!pass_before(node, current.at) || !find_field(node, current, header)) [[unlikely]]
      return false;
    current.at.inline_bool = header.inline_bool;
    current.type = node.type;
    return true;
  }
  /// Steps over fields before that one.
  [[nodiscard]] THRIFTLENS_INLINE bool pass_before(const image::field_node& field,
                                                   wire_position& at) noexcept {
    return in_.pass_below(at.at, at.last_id, field.id, at.depth_left);
  }
  /// Moves to the value of that field. False also for another wire type.
  [[nodiscard]] THRIFTLENS_INLINE bool find_field(const image::field_node& field, wire_location& current,
                                                  scan_field& header) noexcept {
    for (;;) {
      if (!in_.next(current.at.at, header, current.at.last_id)) [[unlikely]]
        return false;
      if (header.type == ttype::stop) return not_there();
      if (header.id == field.id) return header.type == field.wire;
      if (!in_.skip_field(current.at.at, header, current.type, *image_, current.at.depth_left - 1))
          [[unlikely]]
        return false;
    }
  }
  /// Moves `at` to the value of a field in the prefix template. False: the struct differs, and `at` is where.
  [[nodiscard]] THRIFTLENS_INLINE bool in_prefix(const path_step& step, const std::uint8_t*& at,
                                                 std::uint32_t depth) noexcept {
    if (!P::traits.has_fixed_layout || step.prefix.levels > depth ||
        !in_.pass(at, step.prefix, step.place ? step.place.segment : step.prefix.size))
      return false;
    if (!step.place || !in_.is_at(at, step.prefix, step.place.segment)) return false;
    at += step.place.at + 3;
    return true;
  }
  /// A step in a list, set or map. Not inlined into the loop over structs, which stays in registers.
  [[nodiscard]] THRIFTLENS_INLINE bool child(const path_step& step, wire_location& current) noexcept {
    here_ = by_members(current);
    const bool ok = step.kind == path_step::form::key
                        ? key(step.key)
                        : step.kind == path_step::form::index && element(step.first);
    current.at = {here_.at.at, current.at.depth_left, 0, -1};
    current.type = here_.type;
    return ok;
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
  [[nodiscard]] bool key(const map_key& requested) noexcept {
    map_header map;
    if (!open(map)) return false;
    const std::uint32_t type = image_->types[here_.type].second, depth_left = here_.at.depth_left - 1;
    const bool is_text = map.key == ttype::string && requested.kind() == map_key::form::text;
    typename scanner<P>::layout_predictor row(in_, map.size, type, *image_, depth_left);
    for (; map.size != 0; --map.size) {
      bool equal = false;
      if (!(is_text ? text_key(requested.bytes(), equal) : any_key(requested, map.key, equal))) [[unlikely]]
        return false;
      if (equal) return arrive(type);
      if (!row.skip(in_, here_.at.at, map.value, depth_left)) [[unlikely]]
        return false;
    }
    return not_there();
  }
  [[nodiscard]] THRIFTLENS_INLINE bool text_key(byte_view requested, bool& equal) noexcept {
    byte_view text;
    if (!in_.text(here_.at.at, text)) [[unlikely]]
      return false;
    equal = same_text(text, requested);
    return true;
  }
  [[nodiscard]] bool any_key(const map_key& requested, ttype wire, bool& equal) noexcept {
    typename P::reader in(bytes_);
    in.seek(wire_position{here_.at.at, here_.at.depth_left - 1, 0, -1});
    if (!match_key<P>(in, wire, requested, equal)) return false;
    here_.at.at = in.at();
    return true;
  }
  /// Moves to the contents of the container.
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

  /// Whether the value at `begin`, which ends at `end`, certainly lacks the target of the step. Absent at the
  /// root requires that the bytes end there.
  [[nodiscard]] bool is_absent(const path_step& step, const std::uint8_t* begin,
                               const std::uint8_t* end) const noexcept {
    if (!absent_ || begin != bytes_.begin()) return absent_;
    return end == bytes_.end() &&
           (step.kind != path_step::form::field || (image_->fields[step.field].flags & image::required) == 0);
  }
  THRIFTLENS_INLINE bool report(located& to, errc code, const wire_location& current) const noexcept {
    to.location = by_members(current);
    to.location.wire = image_->types[current.type].wire;
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
