// compact_skip: finds the end of a value in the Compact protocol without decoding it. Bounded by the end of
// the bytes and the depth limit; accepts exactly what the reader accepts.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/compact_header.hpp>
#include <thriftlens/protocol/compact_shape.hpp>
#include <thriftlens/simd/varint.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// By type nibble: header and value where the value's width is fixed, else 0.
inline constexpr std::uint8_t compact_field_jump[16] = {0, 1, 1, 2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 17, 0, 0};
// By type nibble: top bits of the bytes after the header, one of which must be clear for a varint that
// surely fits its type.
inline constexpr std::uint64_t compact_field_stops[16] = {
    0, 0, 0, 0, 0x8080, 0x80808080, 0x80808080808080, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/// One skip. After a nullptr, `code` and `at` have the reason.
class compact_skipper {
 public:
  explicit compact_skipper(byte_ptr end) noexcept : end_(end) {}

  errc code = errc::ok;
  byte_ptr at = nullptr;

  using row_shapes = compact_shapes;
  /// Shapes that rows of structs have in common, from one skip to the next. They must outlive it.
  void share(compact_shapes& shapes) noexcept { shapes_ = &shapes; }

  /// The end of the element of `type` at `from`; a bool has its own byte here. `depth_left` includes this
  /// value if it is a struct or container.
  [[nodiscard]] byte_ptr skip(byte_ptr from, ttype type, std::uint32_t depth_left) noexcept {
    if (const std::size_t width = compact_width(type))
      return remaining(from) < width ? stop(errc::truncated, from) : from + width;
    if (type == ttype::i32) return skip_number<std::uint32_t>(from);
    if (type == ttype::i64) return skip_number<std::uint64_t>(from);
    if (type == ttype::string) return skip_string(from);
    if (type == ttype::i16) return skip_i16(from);
    if (type == ttype::struct_) return skip_struct(from, depth_left);
    if (type == ttype::map) return skip_map(from, depth_left);
    if (type == ttype::list || type == ttype::set) return skip_list(from, depth_left);
    return stop(errc::bad_ttype, from);
  }

  /// As skip(), of a value that is no part of another skip: the rows inside have shapes in common.
  [[nodiscard]] byte_ptr skip_outermost(byte_ptr from, ttype type, std::uint32_t depth_left) noexcept {
    const bool may_have_rows = type == ttype::struct_ && remaining(from) >= min_shared_size;
    return may_have_rows ? skip_sharing(from, depth_left) : skip(from, type, depth_left);
  }

  /// The end of the struct whose first field header is at `from`.
  [[nodiscard]] byte_ptr skip_struct(byte_ptr from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    std::int16_t last_id = 0;
    for (;;) {
      from = skip_below(from, last_id, above_ids, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
      if (from != end_ && *from == 0) return from + 1;
      bool stopped = false;
      from = skip_any_field(from, last_id, depth_left, stopped);
      if (from == nullptr || stopped) return from;
    }
  }
  static constexpr int above_ids = (std::numeric_limits<std::int16_t>::max)() + 1;

  /// The position of the first header that is a stop, not a single byte, of an id from `id` on, or near the
  /// end; ids ascend to there. `depth_left` includes the struct.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr skip_below(byte_ptr from, std::int16_t& last_id, int id,
                                                      std::uint32_t depth_left) noexcept {
    // Header and value from one load, if both are short.
    while (remaining(from) >= short_reach) {
      const unsigned header = *from;
      const int next_id = last_id + static_cast<int>(header >> 4);
      if (header < 16 || next_id >= id) break;
      from = skip_short_field(from, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
      last_id = static_cast<std::int16_t>(next_id);
    }
    return from;
  }

  /// The end of the struct at `from` in a row. Requires shapes.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr skip_next(byte_ptr from, std::uint32_t depth_left,
                                                     compact_shapes::row& row) noexcept {
    byte_ptr next = shapes_->match(from, end_, depth_left);
    return next != nullptr ? next : skip_other(from, depth_left, row);
  }
  /// Whether matching shapes pays off for a row of that many structs.
  [[nodiscard]] bool is_row(std::size_t count) const noexcept {
    return count >= min_row || (shapes_ != nullptr && count >= 2 && !shapes_->is_empty());
  }

 private:
  // A struct with another layout than expected.
  THRIFTLENS_NOINLINE byte_ptr skip_other(byte_ptr from, std::uint32_t depth_left,
                                          compact_shapes::row& row) noexcept {
    byte_ptr next = skip_struct(from, depth_left);
    if (next != nullptr) shapes_->learn(from, next, row);
    return next;
  }
  // The field at `from`, whose header is one byte and has 16 bytes after it.
  THRIFTLENS_INLINE byte_ptr skip_short_field(byte_ptr from, std::uint32_t depth_left) noexcept {
    const auto front = load_le<std::uint64_t>(from);
    const auto nibble = static_cast<unsigned>(front & 15u);
    if (nibble == compact_nibble(ttype::string) && (front & 0x8000u) == 0) {
      const std::size_t size = (front >> 8) & 0x7fu;
      return size > remaining(from + 2) ? stop(errc::truncated, from + 1) : from + 2 + size;
    }
    if (const std::uint64_t stops = ~(front >> 8) & detail::compact_field_stops[nibble])
      return from + (std::countr_zero(stops) >> 3) + 2;
    if (const std::size_t jump = detail::compact_field_jump[nibble]) return from + jump;
    if (nibble == compact_nibble(ttype::i64)) return skip_long_i64(from);
    // The fifth byte of an i32 has four bits.
    if (nibble == compact_nibble(ttype::i32) && (front >> 40 & 0xf0u) == 0) return from + 6;
    return skip_field_value(from, nibble, depth_left);
  }
  // An i64 of at least eight bytes; the tenth has one bit.
  THRIFTLENS_INLINE byte_ptr skip_long_i64(byte_ptr from) noexcept {
    const auto back = load_le<std::uint64_t>(from + 8);
    if ((back & 0x8080u) != 0x8080u) return from + ((back & 0x80u) == 0 ? 9 : 10);
    return (back >> 16 & 0xfeu) == 0 ? from + 11 : skip_number<std::uint64_t>(from + 1);
  }
  // Any field, or the stop byte.
  byte_ptr skip_any_field(byte_ptr from, std::int16_t& last_id, std::uint32_t depth_left,
                          bool& stopped) noexcept {
    wire_field field;
    byte_ptr value = gets::get_field(from, end_, last_id, field, code);
    if (value == nullptr) [[unlikely]]
      return stop(code, from);
    stopped = field.header.type == ttype::stop;
    if (stopped || field.inline_bool >= 0) return value;
    return skip(value, field.header.type, depth_left - 1);
  }
  // The value after the one-byte header at `from`, of a type without a fast path.
  byte_ptr skip_field_value(byte_ptr from, unsigned nibble, std::uint32_t depth_left) noexcept {
    const ttype type = from_compact_nibble(nibble);
    if (type == ttype::stop) [[unlikely]]
      return stop(errc::bad_ttype, from);
    return skip(from + 1, type, depth_left - 1);
  }

  [[nodiscard]] std::size_t remaining(byte_ptr from) const noexcept {
    return static_cast<std::size_t>(end_ - from);
  }

  THRIFTLENS_COLD byte_ptr stop(errc reason, byte_ptr where) noexcept {
    code = reason;
    at = where;
    return nullptr;
  }

  template <class T>
  THRIFTLENS_INLINE byte_ptr skip_number(byte_ptr from) noexcept {
    byte_ptr next = skip_varint<T>(from, end_);
    if (next == nullptr) [[unlikely]]
      return stop(varint_fault<T>(from, end_), from);
    return next;
  }
  THRIFTLENS_INLINE byte_ptr skip_i16(byte_ptr from) noexcept {
    std::int16_t unused = 0;
    byte_ptr next = gets::get_number(from, end_, unused, code);
    return next != nullptr ? next : stop(code, from);
  }
  THRIFTLENS_INLINE byte_ptr skip_string(byte_ptr from) noexcept {
    byte_view unused;
    byte_ptr next = gets::get_bytes(from, end_, unlimited, unused, code);
    if (next == nullptr) [[unlikely]]
      return stop(code, from);
    return next;
  }

  byte_ptr skip_list(byte_ptr from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    list_header list;
    byte_ptr elements = gets::get_list(from, end_, unlimited, list, code);
    if (elements == nullptr) [[unlikely]]
      return stop(code, from);
    return skip_elements(elements, list.element, list.size, depth_left - 1);
  }

  byte_ptr skip_elements(byte_ptr from, ttype type, std::size_t count, std::uint32_t depth_left) noexcept {
    if (count == 0) return from;
    if (const std::size_t width = compact_width(type)) return from + count * width;
    if (type == ttype::i32) return skip_numbers<std::int32_t>(from, type, count);
    if (type == ttype::i64) return skip_numbers<std::int64_t>(from, type, count);
    if (type == ttype::i16) return skip_numbers<std::int16_t>(from, type, count);
    if (type == ttype::string) return skip_strings(from, count);
    if (type == ttype::struct_) return skip_structs(from, count, depth_left);
    return skip_each(from, type, count, depth_left);
  }
  byte_ptr skip_strings(byte_ptr from, std::size_t count) noexcept {
    for (; count != 0; --count) {
      from = skip_string(from);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  byte_ptr skip_structs(byte_ptr from, std::size_t count, std::uint32_t depth_left) noexcept {
    if (is_row(count)) {
      if (shapes_ != nullptr && !shapes_->is_empty()) return skip_alike(from, count, depth_left);
      byte_ptr second = skip_struct(from, depth_left);
      if (second == nullptr) [[unlikely]]
        return nullptr;
      const auto size = static_cast<std::size_t>(second - from);
      if (compact_shapes::is_worth_it(size, --count)) return skip_row(second, count, depth_left);
      from = second;
    }
    for (; count != 0; --count) {
      from = skip_struct(from, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  byte_ptr skip_row(byte_ptr from, std::size_t count, std::uint32_t depth_left) noexcept {
    return shapes_ != nullptr ? skip_alike(from, count, depth_left) : skip_alone(from, count, depth_left);
  }
  // An outermost row: only one set of shapes is on the stack.
  THRIFTLENS_NOINLINE byte_ptr skip_alone(byte_ptr from, std::size_t count,
                                          std::uint32_t depth_left) noexcept {
    compact_shapes shapes;
    shapes_ = &shapes;
    from = skip_alike(from, count, depth_left);
    shapes_ = nullptr;
    return from;
  }
  THRIFTLENS_NOINLINE byte_ptr skip_alike(byte_ptr from, std::size_t count,
                                          std::uint32_t depth_left) noexcept {
    for (compact_shapes::row row{count}; row.remaining != 0; --row.remaining) {
      from = skip_next(from, depth_left, row);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  byte_ptr skip_each(byte_ptr from, ttype type, std::size_t count, std::uint32_t depth_left) noexcept {
    for (; count != 0; --count) {
      from = skip(from, type, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  template <class T>
  byte_ptr skip_numbers(byte_ptr from, ttype type, std::size_t count) noexcept {
    byte_ptr next = simd::skip_varints<T>(from, end_, count);
    // A second pass finds the position of the error, which the bulk kernel does not report.
    if (next == nullptr) [[unlikely]]
      return skip_each(from, type, count, 0);
    return next;
  }

  byte_ptr skip_map(byte_ptr from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    map_header map;
    byte_ptr entries = gets::get_map(from, end_, unlimited, map, code);
    if (entries == nullptr) [[unlikely]]
      return stop(code, from);
    return skip_entries(entries, map, depth_left - 1);
  }
  THRIFTLENS_NOINLINE byte_ptr skip_sharing(byte_ptr from, std::uint32_t depth_left) noexcept {
    compact_shapes shapes;
    shapes_ = &shapes;
    from = skip_struct(from, depth_left);
    shapes_ = nullptr;
    return from;
  }
  // Values that are structs.
  THRIFTLENS_NOINLINE byte_ptr skip_row_of_entries(byte_ptr from, map_header map,
                                                   std::uint32_t depth_left) noexcept {
    for (compact_shapes::row row{map.size}; row.remaining != 0; --row.remaining) {
      if ((from = skip_one(from, map.key, depth_left)) == nullptr) [[unlikely]]
        return nullptr;
      if ((from = skip_next(from, depth_left, row)) == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  THRIFTLENS_INLINE byte_ptr skip_entries(byte_ptr from, map_header map, std::uint32_t depth_left) noexcept {
    if (map.key == ttype::string && map.value == ttype::string)
      return skip_strings(from, std::size_t{map.size} * 2);
    if (map.value == ttype::struct_ && shapes_ != nullptr && is_row(map.size))
      return skip_row_of_entries(from, map, depth_left);
    for (; from != nullptr && map.size != 0; --map.size) {
      if ((from = skip_one(from, map.key, depth_left)) != nullptr) [[likely]]
        from = skip_one(from, map.value, depth_left);
    }
    return from;
  }
  THRIFTLENS_INLINE byte_ptr skip_one(byte_ptr from, ttype type, std::uint32_t depth_left) noexcept {
    if (type == ttype::string) return skip_string(from);
    if (type == ttype::i64) return skip_number<std::uint64_t>(from);
    if (type == ttype::i32) return skip_number<std::uint32_t>(from);
    return type == ttype::struct_ ? skip_struct(from, depth_left) : skip(from, type, depth_left);
  }

  using gets = detail::compact_gets;
  static constexpr std::size_t short_reach = 17;
  static constexpr std::size_t min_row = 4;             // fewer structs do not form a row
  static constexpr std::size_t min_shared_size = 2048;  // shorter values have no rows worth learning
  static constexpr std::uint32_t unlimited = 0xffffffffu;

  byte_ptr end_;
  compact_shapes* shapes_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
