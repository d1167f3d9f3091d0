// stream_frame: a struct or container that a stream trimmer is inside of, and the path through them. Memory
// is bounded: the first bytes of a key, ids up to 16 KiB.
#pragma once

#include <thriftlens/core/utf8.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>
#include <thriftlens/schema/field_step.hpp>
#include <thriftlens/schema/walk_types.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Detects duplicate ids without the struct's bytes.
class stream_ids {
 public:
  void clear() noexcept {
    low_ = 0;
    highest_ = 63;
    ascending_.clear();
    any_ = id_bits();
  }
  /// False if it was added before.
  [[nodiscard]] THRIFTLENS_INLINE bool add(std::int16_t id) {
    if (id < 0 || id >= 64) [[unlikely]]
      return add_other(id);
    const std::uint64_t bit = std::uint64_t{1} << id;
    const bool is_new = (low_ & bit) == 0;
    low_ |= bit;
    return is_new;
  }

 private:
  static constexpr std::size_t max_ascending = 2048;

  bool add_other(std::int16_t id) {
    if (any_.empty() && id > highest_ && ascending_.size() < max_ascending) {
      highest_ = id;
      ascending_.push_back(id);
      return true;
    }
    if (any_.empty()) {
      for (const std::int16_t known : ascending_) static_cast<void>(any_.add(known));
    }
    return any_.add(id);
  }

  std::uint64_t low_ = 0;  // ids from 0 to 63
  std::int32_t highest_ = 63;
  std::vector<std::int16_t> ascending_;  // of the others, until one does not ascend
  id_bits any_;
};

/// Whether text that comes in pieces is UTF-8.
class stream_utf8 {
 public:
  void clear() noexcept { *this = stream_utf8(); }
  void add(byte_view piece) noexcept {
    for (const std::uint8_t byte : piece) add(byte);
  }
  [[nodiscard]] bool is_valid() const noexcept { return valid_ && remaining_ == 0; }

 private:
  void add(std::uint8_t byte) noexcept {
    if (remaining_ == 0) {
      valid_ = valid_ && (byte < 0x80 || (byte >= 0xc2 && byte <= 0xf4));
      first_ = byte;
      remaining_ = utf8_size(byte) - 1;
      return;
    }
    valid_ = valid_ && utf8_follows(first_, byte);
    first_ = 0;
    --remaining_;
  }

  bool valid_ = true;
  unsigned first_ = 0;  // of a sequence whose second byte comes next; else 0
  std::size_t remaining_ = 0;
};

/// The part of a map key that a path needs.
class stream_key {
 public:
  void clear() noexcept {
    size_ = 0;
    text_.clear();
  }
  /// More of its bytes on the wire.
  void add(byte_ptr from, byte_ptr end) noexcept {
    const auto size = static_cast<std::size_t>(end - from);
    if (size_ < sizeof bytes_ && size != 0)
      std::memcpy(bytes_ + size_, from, (std::min)(size, sizeof bytes_ - size_));
    size_ += size;
  }
  /// More of its text, where it is a string.
  void add_text(byte_view piece) noexcept { text_.add(piece); }

  template <protocol P>
  void add_step(path_builder& path, ttype wire) const {
    const byte_view shown(bytes_, (std::min)(size_, sizeof bytes_));
    if (size_ <= sizeof bytes_) {
      static_cast<void>(add_key_step<P>(path, shown, wire));
      return;
    }
    if (wire != ttype::string || !text_.is_valid()) {
      static_cast<void>(path.wire_key(shown));
      return;
    }
    errc code = errc::ok;
    std::uint32_t size = 0;
    const byte_ptr text = P::get_size(shown.begin(), shown.end(), size, code);
    const byte_view begin(text, static_cast<std::size_t>(shown.end() - text));
    static_cast<void>(path.text_key(utf8_begin(begin.text())));
  }

 private:
  std::uint8_t bytes_[path_builder::max_key_size + 32];  // the first of them
  std::size_t size_ = 0;
  stream_utf8 text_;
};

/// How a value is handled.
enum class stream_mode : std::uint8_t { trimmed, copied, dropped };

/// A struct, list, set or map whose end has not been seen.
struct stream_frame {
  ttype wire = ttype::stop;
  stream_mode mode = stream_mode::trimmed;
  std::uint32_t type = image::none;  ///< in the IDL, where it is trimmed
  std::uint32_t selected = selection_node::entire;

  // structs
  std::int16_t id = 0;  ///< of the present field
  last_ids ids = {};
  const selection_node::part* next_part = nullptr;
  stream_ids seen;
  std::vector<bool> seen_parts;  ///< if the selection needs them

  // containers
  ttype key_wire = ttype::stop;
  ttype value_wire = ttype::stop;
  bool in_key = false;
  std::uint32_t size = 0;
  std::uint32_t index = 0;
  std::size_t header_at = 0;  ///< offsets in the input
  std::size_t body_at = 0;
  std::size_t element_at = 0;
  std::size_t charge = 0;       ///< bytes that a failed attempt at the present element is counted for
  byte_ptr key_from = nullptr;  ///< what was not yet added to `key` begins there
  stream_key key;

  [[nodiscard]] bool is_map() const noexcept { return wire == ttype::map; }
  /// Average size of the elements before the offset `here`; 0: there are none.
  [[nodiscard]] std::size_t average_size(std::size_t here) const noexcept {
    return index == 0 ? 0 : (here - body_at) / index;
  }
};

/// Lower bound of the size of an element or entry.
template <protocol P>
[[nodiscard]] std::size_t least_element(const stream_frame& of) noexcept {
  const std::size_t value = least_width<P>(of.value_wire);
  return of.is_map() ? value + least_width<P>(of.key_wire) : value;
}
/// Lower bound of the bytes of a frame after its current value.
template <protocol P>
[[nodiscard]] std::uint64_t least_inside(const stream_frame& of) noexcept {
  if (of.wire == ttype::struct_) return 1;
  return of.index == of.size ? 0 : std::uint64_t{of.size - of.index - 1} * least_element<P>(of);
}
/// Whether a container's header declares more bytes than an input of that size has.
template <protocol P>
[[nodiscard]] bool lacks_bytes(const stream_frame& of, std::size_t size) noexcept {
  if (of.wire == ttype::struct_) return false;
  return std::uint64_t{of.size} * least_element<P>(of) > size - of.body_at;
}

/// The path through frames, and the types along it.
template <protocol P>
class stream_path {
 public:
  stream_path(const schema_image* image, std::uint32_t root) noexcept : types_(image), type_(root) {}

  /// Adds the steps from the frames to the current value.
  void add(std::span<const stream_frame> frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      enter(frames[i]);
      step(frames[i]);
    }
  }
  /// Adds an absent field of the struct at the path.
  void add_missing(std::int16_t id) { add_field_step(path_, types_.image(), type_, id); }
  [[nodiscard]] std::string text() const { return path_.text(); }

 private:
  /// Forgets a type that contradicts the wire.
  void enter(const stream_frame& frame) noexcept {
    if (type_ != image::none && types_.wire(type_) != frame.wire) type_ = image::none;
  }
  void step(const stream_frame& frame) {
    if (frame.wire == ttype::struct_) return step_field(frame);
    std::uint32_t key = types_.first(type_), value = frame.is_map() ? types_.second(type_) : key;
    if (!fits(frame, key, value)) key = value = image::none;
    type_ = frame.in_key ? key : value;
    if (!frame.is_map())
      path_.index(frame.index);
    else if (frame.in_key)
      path_.key_at(frame.index);
    else
      frame.key.template add_step<P>(path_, frame.key_wire);
  }
  void step_field(const stream_frame& frame) {
    add_field_step(path_, types_.image(), type_, frame.id);
    const std::uint32_t field = types_.find(types_.structure(type_), frame.id);
    type_ = field == image::none ? image::none : types_.field_type(field);
  }
  [[nodiscard]] bool fits(const stream_frame& frame, std::uint32_t key, std::uint32_t value) const noexcept {
    if (key == image::none) return false;
    if (frame.is_map() && types_.wire(key) != frame.key_wire) return false;
    return types_.wire(value) == frame.value_wire;
  }

  schema_types types_;
  std::uint32_t type_;
  path_builder path_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
