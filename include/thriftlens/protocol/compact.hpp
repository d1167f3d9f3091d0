// compact: Thrift's Compact protocol, varint numbers and sizes, field ids as deltas, bools in their field
// header. In: borrowed bytes, or values. Out: values that borrow from the bytes, or bytes at the end of a
// buffer. Never allocates for reading, never trusts a size, never checks types against a schema.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/compact_header.hpp>
#include <thriftlens/protocol/compact_skip.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Tag of the Compact protocol: `view<compact>`, `from_json<compact>` … See concept.hpp for how reader and
/// writer are used.
struct compact {
  static constexpr protocol_id id = protocol_id::compact;
  static constexpr std::string_view name = "compact";
  static constexpr protocol_traits traits = {
      .has_inline_bool = true,
      .headers_are_deltas = true,
      .integers = number_layout::varint,
      .doubles = number_layout::little_endian,
      .width = detail::compact_width_of,
      .least = detail::compact_least_of,
  };

  class reader;
  class writer;

  /// Most bytes that put_field, put_list and put_set, put_map, put_size write.
  static constexpr std::size_t field_room = 4, list_room = 6, map_room = 6, size_room = 5;
  /// Most bytes that put of a number, a bool or a uuid writes.
  static constexpr std::size_t number_room = 10, uuid_room = 16;

  // Each writes at `to`, where the caller has made room, and returns the byte behind.
  /// `last_id` is the id of the struct's field before, 0 for its first; it is moved on. Not for bools: their
  /// value is in the header.
  THRIFTLENS_INLINE static std::uint8_t* put_field(std::uint8_t* to, ttype type, std::int16_t field_id,
                                                   std::int16_t& last_id) noexcept {
    return put_compact_field(to, compact_nibble(type), field_id, last_id);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_bool_field(std::uint8_t* to, std::int16_t field_id, bool value,
                                                        std::int16_t& last_id) noexcept {
    return put_compact_field(to, value ? 1 : 2, field_id, last_id);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_stop(std::uint8_t* to) noexcept { return *to = 0, to + 1; }
  /// The byte of a bool in a container: 1 is true, 2 and 0 are false; any other is true, as in Binary.
  [[nodiscard]] static constexpr bool to_bool(std::uint8_t byte) noexcept { return (byte & ~2u) != 0; }
  [[nodiscard]] static constexpr std::uint8_t bool_byte(bool value) noexcept { return value ? 1 : 2; }
  /// An element of a container.
  THRIFTLENS_INLINE static std::uint8_t* put_bool(std::uint8_t* to, bool value) noexcept {
    *to = bool_byte(value);
    return to + 1;
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i8(std::uint8_t* to, std::int8_t value) noexcept {
    return *to = static_cast<std::uint8_t>(value), to + 1;
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i16(std::uint8_t* to, std::int16_t value) noexcept {
    return put_i32(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i32(std::uint8_t* to, std::int32_t value) noexcept {
    return put_varint(to, to_zigzag(value));
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i64(std::uint8_t* to, std::int64_t value) noexcept {
    return put_varint(to, to_zigzag(value));
  }
  THRIFTLENS_INLINE static std::uint8_t* put_double(std::uint8_t* to, double value) noexcept {
    store_le(to, value);
    return to + 8;
  }
  /// The size in front of a string or binary.
  THRIFTLENS_INLINE static std::uint8_t* put_size(std::uint8_t* to, std::uint32_t size) noexcept {
    return put_varint(to, size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_uuid(std::uint8_t* to, const uuid_bytes& value) noexcept {
    std::memcpy(to, value.data(), value.size());
    return to + value.size();
  }
  THRIFTLENS_INLINE static std::uint8_t* put_list(std::uint8_t* to, list_header list) noexcept {
    const std::uint8_t nibble = compact_nibble(list.element);
    if (list.size < 15) [[likely]]
      return *to = static_cast<std::uint8_t>(list.size << 4 | nibble), to + 1;
    *to = static_cast<std::uint8_t>(0xf0u | nibble);
    return put_varint(to + 1, list.size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_set(std::uint8_t* to, list_header set) noexcept {
    return put_list(to, set);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_map(std::uint8_t* to, map_header map) noexcept {
    to = put_varint(to, map.size);
    if (map.size == 0) return to;
    *to = static_cast<std::uint8_t>(compact_nibble(map.key) << 4 | compact_nibble(map.value));
    return to + 1;
  }
  /// Whether a list, set or map without elements begins at `from`, before which `end` does not lie. False
  /// where its header is cut off.
  [[nodiscard]] static bool is_empty_container(const std::uint8_t* from, const std::uint8_t* end,
                                               ttype type) noexcept {
    if (from == end) return false;
    return type == ttype::map ? *from == 0 : *from < 16;
  }
};

/// Reads Compact primitives from borrowed bytes. 64 bytes, cheap to make and to copy; strings it hands out
/// borrow too. A bool field's value stands in its header: read_bool() and skip() right after read_field()
/// take it from there.
class compact::reader : public wire_cursor {
 public:
  explicit reader(byte_view bytes, const limits& bounds = {}) noexcept : wire_cursor(bytes, bounds) {}

  [[nodiscard]] wire_position here() const noexcept { return {at_, depth_left_, last_id_, inline_bool_}; }
  /// Continues at a place of these bytes. Does not undo a fault.
  void seek(const wire_position& place) noexcept {
    seek(place.at);
    depth_left_ = place.depth_left;
    last_id_ = place.last_id;
    inline_bool_ = place.inline_bool;
  }
  /// Continues at an element or at the first field header of a struct (not at a bool field: its value is
  /// before `place`).
  void seek(const std::uint8_t* place) noexcept {
    THRIFTLENS_ASSERT(in_range(place));
    if (failed()) return;
    at_ = place;
    last_id_ = 0;
    inline_bool_ = -1;
  }

  struct_mark begin_struct() noexcept {
    static_cast<void>(enter());
    const struct_mark outer{last_id_};
    last_id_ = 0;
    return outer;
  }
  void end_struct(struct_mark outer) noexcept {
    leave();
    last_id_ = outer.last_id;
  }

  [[nodiscard]] THRIFTLENS_INLINE bool read_field(field_header& field) noexcept {
    compact_field found;
    errc code = errc::ok;
    const std::uint8_t* behind = get_compact_field(at_, end_, last_id_, found, code);
    if (behind == nullptr) [[unlikely]]
      return fail(code);
    field = found.header;
    inline_bool_ = found.inline_bool;
    at_ = behind;
    return true;
  }

  /// An element's byte 1 is true, 2 and 0 are false; any other is true, as in Binary.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bool(bool& value) noexcept {
    if (inline_bool_ >= 0) {
      value = inline_bool_ != 0;
      inline_bool_ = -1;
      return !failed();
    }
    if (at_ == end_) [[unlikely]]
      return fail(errc::truncated);
    value = (*at_ & ~2u) != 0;
    ++at_;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i8(std::int8_t& value) noexcept {
    if (at_ == end_) [[unlikely]]
      return fail(errc::truncated);
    value = static_cast<std::int8_t>(*at_++);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i16(std::int16_t& value) noexcept {
    std::uint32_t raw = 0;
    const std::uint8_t* behind = get_varint(at_, end_, raw);
    if (behind == nullptr) [[unlikely]]
      return fail(varint_fault<std::uint32_t>(at_, end_));
    if (raw > 0xffffu) [[unlikely]]
      return fail(errc::bad_varint);
    value = static_cast<std::int16_t>(from_zigzag(raw));
    at_ = behind;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i32(std::int32_t& value) noexcept {
    return read_number<std::uint32_t>(value);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i64(std::int64_t& value) noexcept {
    return read_number<std::uint64_t>(value);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_double(double& value) noexcept {
    if (remaining() < 8) [[unlikely]]
      return fail(errc::truncated);
    value = load_le<double>(at_);
    at_ += 8;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_uuid(uuid_bytes& value) noexcept {
    if (remaining() < value.size()) [[unlikely]]
      return fail(errc::truncated);
    std::memcpy(value.data(), at_, value.size());
    at_ += value.size();
    return true;
  }

  /// A string or binary, borrowed.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(byte_view& value) noexcept {
    std::uint32_t size = 0;
    errc code = errc::ok;
    const std::uint8_t* behind = get_compact_size(at_, end_, size, code);
    if (behind == nullptr) [[unlikely]]
      return fail(code);
    if (size > string_size_) [[unlikely]]
      return fail(errc::size_limit);
    if (size > static_cast<std::size_t>(end_ - behind)) [[unlikely]]
      return fail(errc::truncated);
    value = byte_view(behind, size);
    at_ = behind + size;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(std::string_view& value) noexcept {
    byte_view bytes;
    if (!read_bytes(bytes)) [[unlikely]]
      return false;
    value = bytes.text();
    return true;
  }

  [[nodiscard]] THRIFTLENS_INLINE bool read_list(list_header& list) noexcept {
    errc code = errc::ok;
    const std::uint8_t* behind = get_compact_list(at_, end_, list, code);
    if (behind == nullptr) [[unlikely]]
      return fail(code);
    if (list.size > container_size_) [[unlikely]]
      return fail(errc::size_limit);
    at_ = behind;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_set(list_header& set) noexcept { return read_list(set); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_map(map_header& map) noexcept {
    errc code = errc::ok;
    const std::uint8_t* behind = get_compact_map(at_, end_, map, code);
    if (behind == nullptr) [[unlikely]]
      return fail(code);
    if (map.size > container_size_) [[unlikely]]
      return fail(errc::size_limit);
    at_ = behind;
    return true;
  }

  /// Steps over a value. Bounded by the bytes left and the depth limit; the size limits, which bound what is
  /// made, do not apply.
  [[nodiscard]] THRIFTLENS_NOINLINE bool skip(ttype type) noexcept {
    if (inline_bool_ >= 0) {
      inline_bool_ = -1;
      return !failed();
    }
    compact_skipper skipper(end_);
    const std::uint8_t* behind = skipper.skip(at_, type, depth_left_);
    if (behind == nullptr) [[unlikely]]
      return fail(skipper.code, skipper.at);
    at_ = behind;
    return true;
  }

 private:
  template <class Raw, class T>
  THRIFTLENS_INLINE bool read_number(T& value) noexcept {
    Raw raw = 0;
    const std::uint8_t* behind = get_varint(at_, end_, raw);
    if (behind == nullptr) [[unlikely]]
      return fail(varint_fault<Raw>(at_, end_));
    value = from_zigzag(raw);
    at_ = behind;
    return true;
  }
};

/// Appends Compact primitives to a buffer it does not own.
class compact::writer {
 public:
  explicit writer(buffer& output) noexcept : output_(&output) {}
  [[nodiscard]] buffer& output() const noexcept { return *output_; }

  struct_mark begin_struct() noexcept {
    const struct_mark outer{last_id_};
    last_id_ = 0;
    return outer;
  }
  void end_struct(struct_mark outer) noexcept { last_id_ = outer.last_id; }

  /// A bool field's header is completed by the write_bool() that follows.
  THRIFTLENS_INLINE void write_field(ttype type, std::int16_t field_id) {
    if (type == ttype::bool_) open_bool_ = output_->size();
    output_->commit(put_field(output_->reserve(field_room), type, field_id, last_id_));
  }
  THRIFTLENS_INLINE void write_stop() { output_->push_back(0); }
  THRIFTLENS_INLINE void write_bool(bool value) {
    if (open_bool_ == no_bool) return output_->push_back(value ? 1 : 2);
    // The header was written with the nibble of true, 1; false is 2.
    if (!value) output_->data()[open_bool_] = static_cast<std::uint8_t>(output_->data()[open_bool_] + 1);
    open_bool_ = no_bool;
  }
  THRIFTLENS_INLINE void write_i8(std::int8_t value) { output_->push_back(static_cast<std::uint8_t>(value)); }
  THRIFTLENS_INLINE void write_i16(std::int16_t value) {
    output_->commit(put_i16(output_->reserve(number_room), value));
  }
  THRIFTLENS_INLINE void write_i32(std::int32_t value) {
    output_->commit(put_i32(output_->reserve(number_room), value));
  }
  THRIFTLENS_INLINE void write_i64(std::int64_t value) {
    output_->commit(put_i64(output_->reserve(number_room), value));
  }
  THRIFTLENS_INLINE void write_double(double value) {
    output_->commit(put_double(output_->reserve(number_room), value));
  }
  THRIFTLENS_INLINE void write_uuid(const uuid_bytes& value) {
    output_->commit(put_uuid(output_->reserve(uuid_room), value));
  }
  /// A string or binary of at most 2^31 - 1 bytes.
  void write_bytes(byte_view value) {
    THRIFTLENS_ASSERT(value.size() <= 0x7fffffffu);
    std::uint8_t* to =
        put_size(output_->reserve(size_room + value.size()), static_cast<std::uint32_t>(value.size()));
    if (!value.empty()) std::memcpy(to, value.data(), value.size());
    output_->commit(to + value.size());
  }

  THRIFTLENS_INLINE void write_list(list_header list) {
    output_->commit(put_list(output_->reserve(list_room), list));
  }
  THRIFTLENS_INLINE void write_set(list_header set) { write_list(set); }
  THRIFTLENS_INLINE void write_map(map_header map) {
    output_->commit(put_map(output_->reserve(map_room), map));
  }

  /// Header of a list whose size is not known yet. end_list() fills it in and, where the size takes more
  /// bytes than were kept free, moves the elements by up to 5 bytes: linear in their bytes from 15 elements
  /// on.
  [[nodiscard]] container_mark begin_list(ttype element) {
    const container_mark mark{output_->size()};
    write_list({element, 0});
    return mark;
  }
  void end_list(container_mark mark, std::uint32_t size) {
    const ttype element = from_compact_nibble(output_->data()[mark.at]);
    if (size >= 15) widen(mark.at + 1, varint_size(size));
    put_list(output_->data() + mark.at, {element, size});
  }
  [[nodiscard]] container_mark begin_set(ttype element) { return begin_list(element); }
  void end_set(container_mark mark, std::uint32_t size) { end_list(mark, size); }

  /// As begin_list(), for a map; end_map() moves the entries from 128 on.
  [[nodiscard]] container_mark begin_map(ttype key, ttype value) {
    const container_mark mark{output_->size()};
    write_map({key, value, 1});
    return mark;
  }
  void end_map(container_mark mark, std::uint32_t size) {
    if (size == 0) {
      output_->data()[mark.at] = 0;
      return output_->truncate(mark.at + 1);
    }
    if (size >= 0x80) widen(mark.at + 1, varint_size(size) - 1);
    put_varint(output_->data() + mark.at, size);
  }

 private:
  static constexpr std::size_t no_bool = static_cast<std::size_t>(-1);

  // Moves everything from `from` on by `count` bytes.
  THRIFTLENS_NOINLINE void widen(std::size_t from, std::size_t count) {
    std::uint8_t* end = output_->reserve(count);
    std::memmove(output_->data() + from + count, output_->data() + from, output_->size() - from);
    output_->commit(end + count);
  }

  buffer* output_;
  std::size_t open_bool_ = no_bool;
  std::int16_t last_id_ = 0;
};

static_assert(protocol<compact>);

}  // namespace thriftlens::inline THRIFTLENS_ABI
