// walker: one step at a time from a value to a value inside it.
// In: bytes, a spot, and a field id, index or key. Out: the next spot, or why there is none.
// Never allocates, never goes back, never computes how far the value reaches that it stops at.
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

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Where a value stands and what it is. `type` is image::none where no schema says.
struct wire_spot {
  wire_position at;
  std::uint32_t type = image::none;
  ttype wire = ttype::stop;
};

namespace detail {

/// Steps over `count` values. False: the reader says why.
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

/// Whether a key is meant that is given by its bytes, or a uuid by its text.
[[nodiscard]] inline bool is_spelled(byte_view bytes, ttype wire, const map_key& key) noexcept {
  if (key.kind() == map_key::form::wire) return bytes == key.bytes();
  uuid_bytes id{};
  return wire == ttype::uuid && key.kind() == map_key::form::text && parse_uuid(key.text(), id) &&
         bytes == byte_view(id.data(), id.size());
}

/// By value, or by its bits: NaN is the same NaN.
[[nodiscard]] inline bool operator==(double found, const map_key& key) noexcept {
  return found == key.real() || std::bit_cast<std::int64_t>(found) == key.integer();
}
/// Reads a value and says whether it is the one meant. False: the reader failed.
template <class Found, class Reader, class Read, class Meant>
[[nodiscard]] THRIFTLENS_INLINE bool match_value(Reader& in, Read read, const Meant& meant,
                                                 bool& equal) noexcept {
  Found found{};
  if (!(in.*read)(found)) return false;
  equal = found == meant;
  return true;
}
/// Reads a key of wire type `wire` and says whether it is the one meant. False: the reader failed.
/// A key of another form than the wire type is never equal.
template <protocol P>
[[nodiscard]] bool match_key(typename P::reader& in, ttype wire, const map_key& key, bool& equal) noexcept {
  using form = map_key::form;
  using reader = typename P::reader;
  const form kind = key.kind();
  equal = false;
  if (wire == ttype::string && kind == form::text) {
    std::string_view found;
    if (!in.read_bytes(found)) return false;
    equal = found == key.text();
    return true;
  }
  if (is_integer(wire) && kind == form::integer) {
    std::int64_t found = 0;
    if (!read_integer(in, wire, found)) return false;
    equal = found == key.integer();
    return true;
  }
  if (wire == ttype::bool_ && kind == form::boolean)
    return match_value<bool>(in, &reader::read_bool, key.boolean(), equal);
  if (wire == ttype::double_ && kind == form::real)
    return match_value<double>(in, &reader::read_double, key, equal);
  const std::uint8_t* const begin = in.at();
  if (!in.skip(wire)) return false;
  equal = is_spelled({begin, static_cast<std::size_t>(in.at() - begin)}, wire, key);
  return true;
}

}  // namespace detail

/// Stands at one value and steps into it. After a step that does not answer ok it is of no more use:
/// broken_at() is the value stepped from for absent, bad_index and wrong_type, else the place in the bytes
/// that explain() takes; for missing_required its last_id is the field's id.
template <protocol P>
class walker {
 public:
  using reader_type = typename P::reader;

  walker(byte_view bytes, const schema_image* image, const wire_spot& spot) noexcept
      : in_(bytes), image_(image), type_(spot.type), wire_(spot.wire) {
    in_.seek(spot.at);
    before_ = spot.at;
  }

  [[nodiscard]] wire_spot spot() const noexcept { return {in_.here(), type_, wire_}; }
  [[nodiscard]] wire_position broken_at() const noexcept {
    wire_position place = before_;
    if (in_.failed()) place.at = in_.begin() + in_.fault().offset;
    return place;
  }
  [[nodiscard]] reader_type& reader() noexcept { return in_; }
  [[nodiscard]] ttype wire() const noexcept { return wire_; }
  [[nodiscard]] std::uint32_t type() const noexcept { return type_; }

  /// To the first field with that id; `field` is its node, or none without a schema. ok, absent, wrong_type,
  /// type_mismatch or a fault. Reads no further than the field. Absent at the root means that the bytes end
  /// there: else it is trailing_bytes, and missing_required for a field that the IDL requires.
  [[nodiscard]] errc field(std::int16_t id, std::uint32_t field) noexcept {
    if (wire_ != ttype::struct_) return errc::wrong_type;
    before_ = in_.here();
    static_cast<void>(in_.begin_struct());
    field_header header;
    const std::uint8_t* begin;
    for (;;) {
      begin = in_.at();
      if (!in_.read_field(header)) [[unlikely]]
        return in_.fault().code;
      if (header.type == ttype::stop) return absent(field);
      if (header.id == id) break;
      if (!in_.skip(header.type)) [[unlikely]]
        return in_.fault().code;
    }
    wire_ = header.type;
    if (field == image::none) return type_ = image::none, errc::ok;
    const image::field_node& node = image_->fields[field];
    type_ = node.type;
    if (node.wire == header.type) [[likely]]
      return errc::ok;
    before_.at = begin;
    return errc::type_mismatch;
  }

  /// Into a list or set; then `size` elements follow, each of them at spot() in turn.
  [[nodiscard]] errc open_list(std::uint32_t& size) noexcept {
    if (wire_ != ttype::list && wire_ != ttype::set) return errc::wrong_type;
    before_ = in_.here();
    list_header header;
    if (!detail::open_sequence(in_, wire_, header)) return in_.fault().code;
    size = header.size;
    wire_ = header.element;
    if (type_ == image::none) return errc::ok;
    type_ = image_->types[type_].first;
    return size == 0 || image_->types[type_].wire == wire_ ? errc::ok : errc::type_mismatch;
  }
  /// Into a map; then `size` times a key and a value.
  [[nodiscard]] errc open_map(map_header& header, std::uint32_t& key_type) noexcept {
    if (wire_ != ttype::map) return errc::wrong_type;
    before_ = in_.here();
    if (!detail::open_map(in_, header)) return in_.fault().code;
    wire_ = header.value;
    key_type = image::none;
    if (type_ == image::none) return errc::ok;
    const image::type_node& node = image_->types[type_];
    key_type = node.first;
    type_ = node.second;
    if (header.size == 0) return errc::ok;
    return image_->types[key_type].wire == header.key && image_->types[type_].wire == header.value
               ? errc::ok
               : errc::type_mismatch;
  }

  /// To an element; negative counts from the end. ok, bad_index, wrong_type, type_mismatch or a fault.
  [[nodiscard]] errc index(std::int64_t index) noexcept {
    std::uint32_t size = 0;
    if (errc code = open_list(size); code != errc::ok) return code;
    if (index < 0) index += size;
    if (index < 0 || index >= std::int64_t{size}) return errc::bad_index;
    return detail::skip_many<P>(in_, wire_, static_cast<std::size_t>(index)) ? errc::ok : in_.fault().code;
  }
  /// To the value of the first entry with that key, which fits the key type. ok, absent, wrong_type,
  /// type_mismatch or a fault.
  [[nodiscard]] errc key(const map_key& key) noexcept {
    map_header header;
    std::uint32_t key_type = image::none;
    if (errc code = open_map(header, key_type); code != errc::ok) return code;
    for (std::uint32_t left = header.size; left != 0; --left) {
      bool equal = false;
      if (!detail::match_key<P>(in_, header.key, key, equal)) [[unlikely]]
        return in_.fault().code;
      if (equal) return errc::ok;
      if (!in_.skip(header.value)) [[unlikely]]
        return in_.fault().code;
    }
    return absent(image::none);
  }
  /// To the key of the entry with that number. ok, bad_index, wrong_type, type_mismatch or a fault.
  [[nodiscard]] errc key_at(std::int64_t entry) noexcept {
    map_header header;
    std::uint32_t key_type = image::none;
    if (errc code = open_map(header, key_type); code != errc::ok) return code;
    if (entry >= std::int64_t{header.size}) return errc::bad_index;
    for (; entry != 0; --entry)
      if (!in_.skip(header.key) || !in_.skip(header.value)) return in_.fault().code;
    wire_ = header.key;
    type_ = key_type;
    return errc::ok;
  }
  /// One step of a path that leads to one value.
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
        return errc::wrong_type;
    }
  }

 private:
  /// The answer where the reader stands behind all that the value stepped from holds.
  [[nodiscard]] THRIFTLENS_COLD errc absent(std::uint32_t field) noexcept {
    if (before_.at != in_.begin()) return errc::absent;  // what stands behind it is its neighbours'
    errc code = errc::absent;
    const std::uint8_t* where = in_.at();
    if (!in_.at_end()) {
      code = errc::trailing_bytes;
    } else if (field != image::none && (image_->fields[field].flags & image::required) != 0) {
      code = errc::missing_required;
      --where;  // the stop
      before_.last_id = image_->fields[field].id;
    }
    if (code != errc::absent) static_cast<void>(in_.fail(code, where));
    return code;
  }

  reader_type in_;
  const schema_image* image_;
  wire_position before_;
  std::uint32_t type_;
  ttype wire_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
