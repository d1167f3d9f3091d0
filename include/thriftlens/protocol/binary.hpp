// binary: Thrift's Binary protocol, fixed-width big-endian numbers and 32-bit sizes.
// In: borrowed bytes, or values. Out: values that borrow from the bytes, or bytes at the end of a buffer.
// Never allocates for reading, never trusts a size, never checks types against a schema.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/binary_skip.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Tag of the Binary protocol: `view<binary>`, `from_json<binary>` … See concept.hpp for how reader and
/// writer are used.
struct binary {
  static constexpr protocol_id id = protocol_id::binary;
  static constexpr std::string_view name = "binary";
  static constexpr protocol_traits traits = {
      .has_fixed_layout = true,
      .integers = number_layout::big_endian,
      .doubles = number_layout::big_endian,
      .size_width = 4,
      .width = detail::ttype_width,
      .least = detail::binary_least_width,
  };

  class reader;
  class writer;

  /// Most bytes that put_field, put_list and put_set, put_map, put_size write.
  static constexpr std::size_t field_room = 3, list_room = 5, map_room = 6, size_room = 4;
  /// Most bytes that put of a number, a bool or a uuid writes.
  static constexpr std::size_t number_room = 8, uuid_room = 16;

  // Each writes at `to`, where the caller has made room, and returns the byte behind. `last_id` is Compact's
  // and not used.
  THRIFTLENS_INLINE static std::uint8_t* put_field(std::uint8_t* to, ttype type, std::int16_t field_id,
                                                   std::int16_t& /*last_id*/) noexcept {
    *to = static_cast<std::uint8_t>(type);
    store_be(to + 1, field_id);
    return to + 3;
  }
  THRIFTLENS_INLINE static std::uint8_t* put_bool_field(std::uint8_t* to, std::int16_t field_id, bool value,
                                                        std::int16_t& last_id) noexcept {
    return put_bool(put_field(to, ttype::bool_, field_id, last_id), value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_stop(std::uint8_t* to) noexcept { return *to = 0, to + 1; }
  /// A bool's byte: any but 0 is true.
  [[nodiscard]] static constexpr bool to_bool(std::uint8_t byte) noexcept { return byte != 0; }
  [[nodiscard]] static constexpr std::uint8_t bool_byte(bool value) noexcept { return value ? 1 : 0; }
  THRIFTLENS_INLINE static std::uint8_t* put_bool(std::uint8_t* to, bool value) noexcept {
    *to = bool_byte(value);
    return to + 1;
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i8(std::uint8_t* to, std::int8_t value) noexcept {
    return put(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i16(std::uint8_t* to, std::int16_t value) noexcept {
    return put(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i32(std::uint8_t* to, std::int32_t value) noexcept {
    return put(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_i64(std::uint8_t* to, std::int64_t value) noexcept {
    return put(to, value);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_double(std::uint8_t* to, double value) noexcept {
    return put(to, value);
  }
  /// The size in front of a string or binary.
  THRIFTLENS_INLINE static std::uint8_t* put_size(std::uint8_t* to, std::uint32_t size) noexcept {
    return put(to, size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_uuid(std::uint8_t* to, const uuid_bytes& value) noexcept {
    std::memcpy(to, value.data(), value.size());
    return to + value.size();
  }
  THRIFTLENS_INLINE static std::uint8_t* put_list(std::uint8_t* to, list_header list) noexcept {
    *to = static_cast<std::uint8_t>(list.element);
    return put(to + 1, list.size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_set(std::uint8_t* to, list_header set) noexcept {
    return put_list(to, set);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_map(std::uint8_t* to, map_header map) noexcept {
    to[0] = static_cast<std::uint8_t>(map.key);
    to[1] = static_cast<std::uint8_t>(map.value);
    return put(to + 2, map.size);
  }
  /// Whether a list, set or map without elements begins at `from`, before which `end` does not lie. False
  /// where its header is cut off.
  [[nodiscard]] static bool is_empty_container(const std::uint8_t* from, const std::uint8_t* end,
                                               ttype type) noexcept {
    const std::ptrdiff_t types = type == ttype::map ? 2 : 1;
    return end - from >= types + 4 && load_be<std::uint32_t>(from + types) == 0;
  }

 private:
  template <class T>
  THRIFTLENS_INLINE static std::uint8_t* put(std::uint8_t* to, T value) noexcept {
    store_be(to, value);
    return to + sizeof(T);
  }
};

/// Reads Binary primitives from borrowed bytes. 64 bytes, cheap to make and to copy; strings it hands out
/// borrow too.
class binary::reader : public wire_cursor {
 public:
  explicit reader(byte_view bytes, const limits& bounds = {}) noexcept : wire_cursor(bytes, bounds) {}

  [[nodiscard]] wire_position here() const noexcept { return {at_, depth_left_, 0, -1}; }
  /// Continues at a place inside the bytes. Does not undo a fault.
  void seek(const wire_position& place) noexcept {
    depth_left_ = place.depth_left;
    seek(place.at);
  }
  void seek(const std::uint8_t* place) noexcept {
    THRIFTLENS_ASSERT(in_range(place));
    if (!failed()) at_ = place;
  }

  struct_mark begin_struct() noexcept {
    static_cast<void>(enter());
    return {};
  }
  void end_struct(struct_mark) noexcept { leave(); }

  [[nodiscard]] THRIFTLENS_INLINE bool read_field(field_header& field) noexcept {
    if (remaining() < 3) [[unlikely]]
      return read_last_field(field);
    const std::uint8_t raw = *at_;
    if (raw == 0) {
      field = {};
      ++at_;
      return true;
    }
    if (!is_value_type(raw)) [[unlikely]]
      return fail(errc::bad_ttype);
    field = {static_cast<ttype>(raw), load_be<std::int16_t>(at_ + 1)};
    at_ += 3;
    return true;
  }

  /// Any byte but 0 is true.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bool(bool& value) noexcept {
    if (at_ == end_) [[unlikely]]
      return fail(errc::truncated);
    value = *at_++ != 0;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i8(std::int8_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i16(std::int16_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i32(std::int32_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_i64(std::int64_t& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_double(double& value) noexcept { return read_number(value); }
  [[nodiscard]] THRIFTLENS_INLINE bool read_uuid(uuid_bytes& value) noexcept {
    if (remaining() < value.size()) [[unlikely]]
      return fail(errc::truncated);
    std::memcpy(value.data(), at_, value.size());
    at_ += value.size();
    return true;
  }

  /// A string or binary, borrowed.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(byte_view& value) noexcept {
    if (remaining() < 4) [[unlikely]]
      return fail(errc::truncated);
    const auto size = load_be<std::uint32_t>(at_);
    if (size > remaining() - 4 || size > string_size_) [[unlikely]]
      return fail(size_fault(size, string_size_));
    value = byte_view(at_ + 4, size);
    at_ += 4 + std::size_t{size};
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
    if (remaining() < 5) [[unlikely]]
      return fail(errc::truncated);
    const std::uint8_t element = *at_;
    list.size = load_be<std::uint32_t>(at_ + 1);
    if (is_value_type(element)) [[likely]] {
      list.element = static_cast<ttype>(element);
      if (std::size_t{list.size} * detail::binary_least_width[element] > remaining() - 5 ||
          list.size > container_size_) [[unlikely]]
        return fail(size_fault(list.size, container_size_));
    } else {
      list.element = ttype::stop;
      if (list.size != 0) [[unlikely]]
        return fail(list.size > 0x7fffffffu ? errc::negative_size : errc::bad_ttype);
    }
    at_ += 5;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_set(list_header& set) noexcept { return read_list(set); }

  [[nodiscard]] THRIFTLENS_INLINE bool read_map(map_header& map) noexcept {
    if (remaining() < 6) [[unlikely]]
      return fail(errc::truncated);
    const std::uint8_t key = at_[0], value = at_[1];
    map.size = load_be<std::uint32_t>(at_ + 2);
    map.key = is_value_type(key) ? static_cast<ttype>(key) : ttype::stop;
    map.value = is_value_type(value) ? static_cast<ttype>(value) : ttype::stop;
    if (map.size != 0) {
      if (map.size > 0x7fffffffu) [[unlikely]]
        return fail(errc::negative_size);
      if (map.key == ttype::stop || map.value == ttype::stop) [[unlikely]]
        return fail(errc::bad_ttype);
      const std::size_t least =
          std::size_t{detail::binary_least_width[key]} + detail::binary_least_width[value];
      if (map.size * least > remaining() - 6 || map.size > container_size_) [[unlikely]]
        return fail(size_fault(map.size, container_size_));
    }
    at_ += 6;
    return true;
  }

  /// Steps over a value. Bounded by the bytes left and the depth limit; the size limits, which bound what is
  /// made, do not apply.
  [[nodiscard]] THRIFTLENS_INLINE bool skip(ttype type) noexcept {
    if (const std::size_t width = fixed_width(type)) {
      if (remaining() < width) [[unlikely]]
        return fail(errc::truncated);
      at_ += width;
      return true;
    }
    return skip_open(type);
  }

 private:
  template <class T>
  THRIFTLENS_INLINE bool read_number(T& value) noexcept {
    if (remaining() < sizeof(T)) [[unlikely]]
      return fail(errc::truncated);
    value = load_be<T>(at_);
    at_ += sizeof(T);
    return true;
  }
  THRIFTLENS_NOINLINE bool skip_open(ttype type) noexcept {
    binary_skipper skipper(end_);
    const std::uint8_t* behind = skipper.skip(at_, type, depth_left_);
    if (behind == nullptr) [[unlikely]]
      return fail(skipper.code, skipper.at);
    at_ = behind;
    return true;
  }
  // Fewer than three bytes are left: only a stop can stand here.
  THRIFTLENS_COLD bool read_last_field(field_header& field) noexcept {
    if (at_ == end_) return fail(errc::truncated);
    if (*at_ != 0) return fail(is_value_type(*at_) ? errc::truncated : errc::bad_ttype);
    field = {};
    ++at_;
    return true;
  }
  THRIFTLENS_COLD static errc size_fault(std::uint32_t size, std::uint32_t limit) noexcept {
    if (size > 0x7fffffffu) return errc::negative_size;
    return size > limit ? errc::size_limit : errc::truncated;
  }
};

/// Appends Binary primitives to a buffer it does not own.
class binary::writer {
 public:
  explicit writer(buffer& output) noexcept : output_(&output) {}
  [[nodiscard]] buffer& output() const noexcept { return *output_; }

  struct_mark begin_struct() noexcept { return {}; }
  void end_struct(struct_mark) noexcept {}

  THRIFTLENS_INLINE void write_field(ttype type, std::int16_t field_id) {
    std::int16_t unused = 0;
    output_->commit(put_field(output_->reserve(field_room), type, field_id, unused));
  }
  THRIFTLENS_INLINE void write_stop() { output_->push_back(0); }
  THRIFTLENS_INLINE void write_bool(bool value) { output_->push_back(value ? 1 : 0); }
  THRIFTLENS_INLINE void write_i8(std::int8_t value) { output_->push_back(static_cast<std::uint8_t>(value)); }
  THRIFTLENS_INLINE void write_i16(std::int16_t value) {
    output_->commit(put_i16(output_->reserve(2), value));
  }
  THRIFTLENS_INLINE void write_i32(std::int32_t value) {
    output_->commit(put_i32(output_->reserve(4), value));
  }
  THRIFTLENS_INLINE void write_i64(std::int64_t value) {
    output_->commit(put_i64(output_->reserve(8), value));
  }
  THRIFTLENS_INLINE void write_double(double value) {
    output_->commit(put_double(output_->reserve(8), value));
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

  /// Header of a list whose size is not known yet; end_list() fills it in. O(1) here.
  [[nodiscard]] container_mark begin_list(ttype element) {
    const container_mark mark{output_->size()};
    write_list({element, 0});
    return mark;
  }
  void end_list(container_mark mark, std::uint32_t size) noexcept {
    store_be(output_->data() + mark.at + 1, size);
  }
  [[nodiscard]] container_mark begin_set(ttype element) { return begin_list(element); }
  void end_set(container_mark mark, std::uint32_t size) noexcept { end_list(mark, size); }
  [[nodiscard]] container_mark begin_map(ttype key, ttype value) {
    const container_mark mark{output_->size()};
    write_map({key, value, 0});
    return mark;
  }
  void end_map(container_mark mark, std::uint32_t size) noexcept {
    store_be(output_->data() + mark.at + 2, size);
  }

 private:
  buffer* output_;
};

static_assert(protocol<binary>);

}  // namespace thriftlens::inline THRIFTLENS_ABI
