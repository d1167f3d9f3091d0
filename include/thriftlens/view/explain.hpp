// explain: from a fault, or from a place in wire bytes, to the words and the path a person needs.
// In: the bytes, their type, a fault or a place. Out: `expected i32, found string at $.user.ids (byte 118)`,
// or the path `$.user.ids[3]`. Never used on a path that succeeds; costs at most the bytes times the depth.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/view/walker.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Walks from the root towards a byte and writes down the way.
template <protocol P>
class tracer {
 public:
  using reader_type = typename P::reader;

  tracer(byte_view bytes, const schema_image* image, const limits& bounds)
      : in_(bytes, bounds), image_(image) {}

  std::string path = "$";
  std::string words;                      // what stands there, where that says more than the code
  std::uint32_t structure = image::none;  // the innermost struct on the way

  // Single steps of a walk that somebody else does, who cuts `path` back. `of`: the struct's type, or none.
  void step_to_field(std::uint32_t of, std::int16_t id) {
    structure = of != image::none && is_struct(image_->types[of].kind) ? of : image::none;
    std::uint32_t unused = image::none;
    append_field(id, unused);
  }
  void step_to_index(std::size_t index) { path += '[' + std::to_string(index) + ']'; }
  void step_to_key(const wire_spot& key) {
    in_.seek(key.at);
    if (in_.skip(key.wire)) append_key(key);
  }

  /// To a field that is not there.
  void to_missing(std::int16_t id) {
    std::uint32_t unused = image::none;
    append_field(id, unused);
  }
  /// To the innermost value that holds `offset`; says what contradicts the IDL on the way.
  void to_offset(const wire_spot& root, std::size_t offset, const fault* why) {
    target_ = in_.begin() + offset;
    why_ = why;
    in_.seek(root.at);
    trace({in_.here(), root.type, root.wire});
  }
  /// To the value at exactly that place.
  void to_place(const wire_spot& root, const wire_position& place) {
    target_ = place.at;
    place_ = &place;
    in_.seek(root.at);
    if (!arrived(root.at)) trace(root);
  }

 private:
  [[nodiscard]] bool arrived(const wire_position& at) const noexcept {
    return place_ != nullptr && at.at == place_->at && at.depth_left == place_->depth_left &&
           at.inline_bool == place_->inline_bool;
  }
  /// The value the reader is at neither is nor holds the target: the reader is now behind it.
  [[nodiscard]] bool passes(ttype wire) noexcept {
    reader_type probe = in_;
    if (!probe.skip(wire) || probe.at() > target_) return false;
    // A place can be that of the value behind a bool that lies in its header; an offset belongs to what
    // starts there.
    in_ = probe;
    return true;
  }

  void trace(wire_spot spot) {
    auto step = [&] {
      if (spot.wire == ttype::struct_) return in_struct(spot);
      if (spot.wire == ttype::map) return in_map(spot);
      return is_container(spot.wire) && in_list(spot);
    };
    while (step()) {
    }
  }

  /// Steps into the field that holds the target. False: it is this struct itself.
  bool in_struct(wire_spot& spot) {
    bool known = spot.type != image::none && is_struct(image_->types[spot.type].kind);
    structure = known ? spot.type : image::none;
    if (stays_at(spot)) return false;
    static_cast<void>(in_.begin_struct());
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (place_ == nullptr && begin > target_) return false;
      if (!in_.read_field(header) || header.type == ttype::stop) return false;
      wire_spot value{in_.here(), image::none, header.type};
      std::size_t before = path.size();
      append_field(header.id, value.type);
      if (arrived(value.at)) return false;
      if (place_ == nullptr && target_ < in_.at()) return mismatch(value), false;
      if (!passes(header.type)) return take(spot, value);
      path.resize(before);
    }
  }
  bool in_list(wire_spot& spot) {
    const std::uint8_t* begin = in_.at();
    list_header list;
    if (!(spot.wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    std::uint32_t type = spot.type == image::none ? image::none : image_->types[spot.type].first;
    if (place_ == nullptr && target_ < in_.at()) {
      if (target_ == begin && list.size != 0) mismatch_inside(spot, type, list.element);
      return false;
    }
    for (std::uint32_t i = 0; i < list.size; ++i) {
      wire_spot element{in_.here(), type, list.element};
      std::size_t before = path.size();
      path += '[' + std::to_string(i) + ']';
      if (arrived(element.at)) return false;
      if (!passes(list.element)) return take(spot, element);
      path.resize(before);
    }
    return false;
  }
  bool in_map(wire_spot& spot) {
    const std::uint8_t* begin = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    std::uint32_t key_type = image::none, value_type = image::none;
    if (spot.type != image::none) {
      key_type = image_->types[spot.type].first;
      value_type = image_->types[spot.type].second;
    }
    if (place_ == nullptr && target_ < in_.at()) {
      if (target_ == begin && map.size != 0 && !mismatch_inside(spot, key_type, map.key))
        mismatch_inside(spot, value_type, map.value);
      return false;
    }
    for (std::uint32_t i = 0; i < map.size; ++i) {
      wire_spot key{in_.here(), key_type, map.key};
      std::size_t before = path.size();
      if (arrived(key.at)) return path += "{key " + std::to_string(i) + '}', false;
      if (!passes(map.key)) {
        // One that stands twice, or collides, can be shown: it was read.
        const bool refused =
            why_ != nullptr && (why_->code == errc::duplicate_key || why_->code == errc::hash_flood);
        const bool twice = refused && key.at.at == target_;
        if (twice && map.key != ttype::struct_ && !is_container(map.key) && in_.skip(map.key))
          return append_key(key), false;
        path += "{key " + std::to_string(i) + '}';
        return take(spot, key);
      }
      append_key(key);
      wire_spot value{in_.here(), value_type, map.value};
      if (arrived(value.at)) return false;
      if (!passes(map.value)) return take(spot, value);
      path.resize(before);
    }
    return false;
  }

  bool take(wire_spot& spot, const wire_spot& next) noexcept {
    spot = next;
    return !in_.failed();
  }
  /// A missing field is reported at the start or at the stop byte of its struct.
  [[nodiscard]] bool stays_at(const wire_spot& spot) const noexcept {
    if (why_ == nullptr || why_->code != errc::missing_required || spot.at.at != target_ ||
        spot.type == image::none)
      return false;
    const image::type_node& node = image_->types[spot.type];
    if (!is_struct(node.kind)) return false;
    std::uint32_t field = image_->find_field(image_->structs[node.first], why_->field_id);
    return field != image::none && (image_->fields[field].flags & image::required) != 0;
  }

  void append_field(std::int16_t id, std::uint32_t& type) {
    if (structure != image::none) {
      std::uint32_t field = image_->find_field(image_->structs[image_->types[structure].first], id);
      if (field != image::none) {
        path += '.';
        path += image_->view(image_->field_texts[field].name);
        type = image_->fields[field].type;
        return;
      }
    }
    path += ".#" + std::to_string(id);
  }
  void append_key(const wire_spot& key) {
    reader_type at = in_;
    at.seek(key.at);
    std::string text;
    bool boolean = false;
    double real = 0;
    std::string_view bytes;
    if (key.wire == ttype::string) {
      if (at.read_bytes(bytes)) append_quoted(text, utf8_cut(bytes, 64));
      if (bytes.size() > 64) text += "…";
    } else if (key.wire == ttype::bool_) {
      if (at.read_bool(boolean)) text = boolean ? "true" : "false";
    } else if (key.wire == ttype::double_) {
      char digits[32];
      if (at.read_double(real)) text.assign(digits, std::to_chars(digits, digits + sizeof digits, real).ptr);
    } else if (key.wire == ttype::uuid) {
      char digits[uuid_text_size];
      uuid_bytes id;
      if (at.read_uuid(id)) append_quoted(text, {digits, put_uuid_text(digits, id.data())});
    } else if (!is_container(key.wire) && key.wire != ttype::struct_) {
      text = std::to_string(read_integer(at, key.wire));
    } else {
      append_hex(text, {key.at.at, static_cast<std::size_t>(in_.at() - key.at.at)});
    }
    path += '{' + text + '}';
  }
  static std::int64_t read_integer(reader_type& at, ttype wire) noexcept {
    std::int64_t wide = 0;
    std::int32_t i32 = 0;
    std::int16_t i16 = 0;
    std::int8_t i8 = 0;
    if (wire == ttype::i64) return at.read_i64(wide) ? wide : 0;
    if (wire == ttype::i32) return at.read_i32(i32) ? i32 : 0;
    if (wire == ttype::i16) return at.read_i16(i16) ? i16 : 0;
    return at.read_i8(i8) ? i8 : 0;
  }
  static void append_hex(std::string& text, byte_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    text += "x\"";
    for (std::size_t i = 0; i < bytes.size() && i < 32; ++i) {
      text += digits[bytes[i] >> 4];
      text += digits[bytes[i] & 15];
    }
    text += bytes.size() > 32 ? "…\"" : "\"";
  }

  void mismatch(const wire_spot& value) {
    if (value.type == image::none || image_->types[value.type].wire == value.wire) return;
    words = "expected " + type(image_, value.type).name() + ", found " + std::string(to_string(value.wire));
  }
  bool mismatch_inside(const wire_spot& container, std::uint32_t wanted, ttype found) {
    if (wanted == image::none || image_->types[wanted].wire == found) return false;
    words = "expected " + type(image_, container.type).name() + ", found " +
            std::string(to_string(container.wire)) + (container.wire == ttype::map ? " with " : " of ") +
            std::string(to_string(found));
    return true;
  }

  reader_type in_;
  const schema_image* image_;
  const std::uint8_t* target_ = nullptr;
  const wire_position* place_ = nullptr;
  const fault* why_ = nullptr;
};

template <protocol P>
[[nodiscard]] wire_spot root_spot(byte_view bytes, type of, const limits& bounds) noexcept {
  typename P::reader in(bytes, bounds);
  return {in.here(), of ? of.index() : image::none, of ? of.wire() : ttype::struct_};
}

}  // namespace detail

/// The path from the root of `bytes`, read as `of` (or as a struct without a schema), to the value at
/// `place`. Cold.
template <protocol P>
[[nodiscard]] std::string path_of(byte_view bytes, type of, const wire_position& place,
                                  const limits& bounds = {}) {
  detail::tracer<P> trace(bytes, of.image(), bounds);
  trace.to_place(detail::root_spot<P>(bytes, of, bounds), place);
  return std::move(trace.path);
}

/// The error for a fault that a reader of `bytes` as `of` met: its words, path and offset. Cold.
/// A contradiction between wire and IDL is explained where the offset is that of the field header or of the
/// container. Bytes that are no such value at all but look like something known are called so.
template <protocol P>
[[nodiscard]] error explain(byte_view bytes, type of, const fault& why, const limits& bounds = {}) {
  detail::tracer<P> trace(bytes, of.image(), bounds);
  std::size_t offset = why.offset <= bytes.size() ? why.offset : bytes.size();
  trace.to_offset(detail::root_spot<P>(bytes, of, bounds), offset, &why);
  if (why.code == errc::missing_required) trace.to_missing(why.field_id);
  std::string words = why.code == errc::type_mismatch ? std::move(trace.words) : std::string();
  words = words_with_looks(std::move(words), why.code, bytes, P::id, of ? of.wire() : ttype::struct_);
  return error(why.code, std::move(words), why.offset, std::move(trace.path));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
