// walker: steps from a value to a value inside it. Never allocates or goes back, and does not compute the end
// of the final value.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/wire_key.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Position and type of a value. `type` is image::none without a schema.
struct wire_location {
  wire_position at;
  std::uint32_t type = image::none;
  ttype wire = ttype::stop;
};

/// The location of `bytes` as a value of type `of`, or as a struct without a schema.
template <protocol P>
[[nodiscard]] wire_location root_location(byte_view bytes, type of, const limits& bounds) noexcept {
  typename P::reader in(bytes, bounds);
  return {in.here(), of ? of.index() : image::none, of ? of.wire() : ttype::struct_};
}

/// Copies member by member: a wide copy of a location that was just written in parts would stall on
/// store forwarding.
[[nodiscard]] THRIFTLENS_INLINE wire_location by_members(const wire_location& of) noexcept {
  return {{of.at.at, of.at.depth_left, of.at.last_id, of.at.inline_bool}, of.type, of.wire};
}

/// Skips `count` values. False: the reader has a fault.
template <protocol P>
[[nodiscard]] bool skip_many(typename P::reader& in, ttype type, std::size_t count) noexcept {
  if (std::size_t width = element_width<P>(type)) {
    byte_view unused;
    return in.read_raw(width * count, unused);  // sizes were checked against the bytes left: no overflow
  }
  for (; count != 0; --count) {
    if (!in.skip(type)) return false;
  }
  return true;
}

/// Skips `count` entries of a map. False: the reader has a fault.
template <class Reader>
[[nodiscard]] bool skip_entries(Reader& in, const map_header& map, std::size_t count) noexcept {
  for (; count != 0; --count)
    if (!in.skip(map.key) || !in.skip(map.value)) return false;
  return true;
}

/// Reads the number of elements, entries or bytes. False: the reader has a fault, or the value has no size.
template <class Reader>
[[nodiscard]] bool read_size(Reader& in, ttype wire, std::size_t& size) noexcept {
  list_header list;
  map_header map;
  byte_view bytes;
  bool ok = false;
  if (is_sequence(wire)) ok = in.read_list(list);
  if (wire == ttype::map) ok = in.read_map(map);
  if (wire == ttype::string) ok = in.read_bytes(bytes);
  size = list.size + map.size + bytes.size();  // at most one is not 0
  return ok;
}

/// The type of a field; none for none.
[[nodiscard]] inline std::uint32_t type_of_field(const schema_types& types, std::uint32_t field) noexcept {
  return field == image::none ? image::none : types.field_type(field);
}
/// Whether the wire type of a value matches the IDL.
[[nodiscard]] inline bool fits(const schema_types& types, std::uint32_t type, ttype wire) noexcept {
  return type == image::none || types.wire(type) == wire;
}
/// Whether the element types of a container match the IDL; an empty one always does.
[[nodiscard]] inline bool fits(const schema_types& types, std::uint32_t type,
                               const list_header& list) noexcept {
  return type == image::none || list.size == 0 || types.wire(types.first(type)) == list.element;
}
[[nodiscard]] inline bool fits(const schema_types& types, std::uint32_t type,
                               const map_header& map) noexcept {
  if (type == image::none || map.size == 0) return true;
  return types.wire(types.first(type)) == map.key && types.wire(types.second(type)) == map.value;
}

/// The code for something missing in a value that begins at `begin` and was read to its end. At the root,
/// absence requires that the bytes end there; bytes after an inner value belong to its siblings.
template <class Reader>
[[nodiscard]] errc absence(const Reader& in, const std::uint8_t* begin, bool required) noexcept {
  if (begin != in.begin()) return errc::absent;
  if (!in.at_end()) return errc::trailing_bytes;
  return required ? errc::missing_required : errc::absent;
}

/// Moves from one value to values inside it. Unusable after a step that does not return ok; broken_at() is
/// then the value that the step started from for absent, bad_index and wrong_type, else the position for
/// explain(). For missing_required its last_id is the field's id.
template <protocol P>
class walker {
 public:
  using reader_type = typename P::reader;

  walker(byte_view bytes, const schema_image* image, const wire_location& location) noexcept
      : in_(bytes), types_(image), type_(location.type), wire_(location.wire) {
    in_.seek(location.at);
    origin_ = location.at;
  }

  [[nodiscard]] wire_location location() const noexcept { return {in_.here(), type_, wire_}; }
  [[nodiscard]] wire_position broken_at() const noexcept {
    wire_position position = origin_;
    if (in_.failed()) position.at = in_.begin() + in_.fault().offset;
    return position;
  }
  [[nodiscard]] reader_type& reader() noexcept { return in_; }
  [[nodiscard]] ttype wire() const noexcept { return wire_; }
  [[nodiscard]] std::uint32_t type() const noexcept { return type_; }

  /// To the first field with that id; `field` is its node, or none without a schema. ok, absent, wrong_type,
  /// type_mismatch or a fault. Reads no further than the field. Absent at the root means that the bytes end
  /// there: else it is trailing_bytes, and missing_required for a field that the IDL requires.
  [[nodiscard]] errc field(std::int16_t id, std::uint32_t field) noexcept {
    origin_ = in_.here();
    if (wire_ != ttype::struct_) return errc::wrong_type;
    in_.begin_struct();
    field_header header;
    auto begin = in_.at();
    for (; in_.read_field(header); begin = in_.at()) {
      if (header.type == ttype::stop) return absent(field);
      if (header.id == id) return at_field(header.type, field, begin);
      if (!in_.skip(header.type)) break;
    }
    return failure();
  }
  /// Into a list or set; `size` elements follow, the first at location().
  [[nodiscard]] errc open_list(std::uint32_t& size) noexcept {
    origin_ = in_.here();
    if (!is_sequence(wire_)) return errc::wrong_type;
    list_header header;
    if (!detail::open_sequence(in_, wire_, header)) return failure();
    const bool fits = detail::fits(types_, type_, header);
    size = header.size;
    wire_ = header.element;
    type_ = types_.first(type_);
    return fits ? errc::ok : errc::type_mismatch;
  }
  /// Into a map; `size` pairs of key and value follow.
  [[nodiscard]] errc open_map(map_header& header) noexcept {
    origin_ = in_.here();
    if (wire_ != ttype::map) return errc::wrong_type;
    if (!detail::open_map(in_, header)) return failure();
    const bool fits = detail::fits(types_, type_, header);
    wire_ = header.value;
    type_ = types_.second(type_);
    return fits ? errc::ok : errc::type_mismatch;
  }

  /// To an element; negative counts from the end. ok, bad_index, wrong_type, type_mismatch or a fault.
  [[nodiscard]] errc index(std::int64_t index) noexcept {
    std::uint32_t size = 0;
    if (errc code = open_list(size); code != errc::ok) return code;
    if (index < 0) index += size;
    if (index < 0 || index >= std::int64_t{size}) return errc::bad_index;
    return detail::skip_many<P>(in_, wire_, static_cast<std::size_t>(index)) ? errc::ok : failure();
  }
  /// To the value of the first entry with that key, which must be of the key type. ok, absent, wrong_type,
  /// type_mismatch or a fault.
  [[nodiscard]] errc key(const map_key& key) noexcept {
    map_header header;
    if (errc code = open_map(header); code != errc::ok) return code;
    for (; header.size != 0; --header.size) {
      bool equal = false;
      if (!detail::match_key<P>(in_, header.key, key, equal)) break;
      if (equal) return errc::ok;
      if (!in_.skip(header.value)) break;
    }
    return in_.failed() ? failure() : absent(image::none);
  }
  /// To the key of the entry with that index. ok, bad_index, wrong_type, type_mismatch or a fault.
  [[nodiscard]] errc key_at(std::int64_t entry) noexcept {
    map_header header;
    const std::uint32_t key_type = types_.first(type_);
    if (errc code = open_map(header); code != errc::ok) return code;
    if (entry >= std::int64_t{header.size}) return errc::bad_index;
    if (!detail::skip_entries(in_, header, static_cast<std::size_t>(entry))) return failure();
    wire_ = header.key;
    type_ = key_type;
    return errc::ok;
  }
  /// One step of a path; wrong_type if it selects several values.
  [[nodiscard]] errc step(const path_step& step) noexcept {
    switch (step.kind) {
      case path_step::form::field:
        return field(step.id, type_ == image::none ? image::none : step.field);
      case path_step::form::index:
        return index(step.first);
      case path_step::form::key:
        return key(step.key);
      case path_step::form::key_at:
        return key_at(step.first);
      default:
        origin_ = in_.here();
        return errc::wrong_type;
    }
  }

 private:
  /// Moves to the value of the field whose header begins at `begin`.
  [[nodiscard]] THRIFTLENS_INLINE errc at_field(ttype wire, std::uint32_t field,
                                                const std::uint8_t* begin) noexcept {
    wire_ = wire;
    type_ = detail::type_of_field(types_, field);
    if (detail::fits(types_, type_, wire)) [[likely]]
      return errc::ok;
    origin_.at = begin;
    return errc::type_mismatch;
  }
  /// The code of a step after its starting value was read to the end.
  [[nodiscard]] THRIFTLENS_COLD errc absent(std::uint32_t field) noexcept {
    const image::field_node* known = field == image::none ? nullptr : &types_.image()->fields[field];
    const bool required = known != nullptr && (known->flags & image::required) != 0;
    const errc code = detail::absence(in_, origin_.at, required);
    if (code == errc::missing_required) origin_.last_id = known->id;
    if (code != errc::absent)
      static_cast<void>(in_.reject(code, in_.at() - (code == errc::missing_required)));  // its stop
    return code;
  }

  [[nodiscard]] errc failure() const noexcept { return in_.fault().code; }

  reader_type in_;
  detail::schema_types types_;
  wire_position origin_;
  std::uint32_t type_;
  ttype wire_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
