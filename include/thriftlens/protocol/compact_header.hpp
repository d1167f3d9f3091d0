// compact_header: reads and writes field, list and map headers and sizes of the Compact protocol; shared by
// reader, skipper and writer.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/protocol/header.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// Type nibble -> ttype; stop marks what Compact does not define. 1 and 2 are the bools true and false.
inline constexpr ttype compact_ttype[16] = {ttype::stop,    ttype::bool_, ttype::bool_, ttype::i8,
                                            ttype::i16,     ttype::i32,   ttype::i64,   ttype::double_,
                                            ttype::string,  ttype::list,  ttype::set,   ttype::map,
                                            ttype::struct_, ttype::uuid,  ttype::stop,  ttype::stop};
inline constexpr std::uint8_t compact_nibble_of[17] = {0, 0, 1, 3, 7, 0, 4, 0, 5, 0, 6, 8, 12, 11, 10, 9, 13};
// Size of an element if fixed; a bool in a container has one byte.
inline constexpr ttype_table compact_width_of = {0, 0, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16};
// Minimum size of an element.
inline constexpr ttype_table compact_least_of = {0, 0, 1, 1, 8, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 16};

/// The nibble of a value type in field and container headers; bool's is that of true.
[[nodiscard]] constexpr std::uint8_t compact_nibble(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::compact_nibble_of[raw] : std::uint8_t{0};
}
/// The value type of a nibble, or stop for what Compact does not define.
[[nodiscard]] constexpr ttype from_compact_nibble(unsigned nibble) noexcept {
  return detail::compact_ttype[nibble & 15u];
}
/// Size of a container element; 0 if it varies.
[[nodiscard]] constexpr std::size_t compact_width(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::compact_width_of[raw] : std::uint8_t{0};
}
/// Minimum size of a container element.
[[nodiscard]] constexpr std::size_t compact_least(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::compact_least_of[raw] : std::uint8_t{0};
}

/// Base of the tag `compact`. Functions read at `from` and return the end, or nullptr with `code`.
struct compact_gets {
  /// `last_id` is the id of the previous field, 0 for the first; updated unless this is a stop.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_field(byte_ptr from, byte_ptr end,
                                                            std::int16_t& last_id, wire_field& field,
                                                            errc& code) noexcept {
    if (from == end) [[unlikely]]
      return failed(errc::truncated, code);
    const unsigned byte = *from++;
    const unsigned nibble = byte & 15u;
    field.header.type = from_compact_nibble(nibble);
    if (field.header.type == ttype::stop) [[unlikely]] {
      // Only a zero byte ends a struct: 0x10 is a delta without a type.
      if (byte != 0) return failed(errc::bad_ttype, code);
      field = {};
      return from;
    }
    field.inline_bool = nibble <= 2 ? static_cast<std::int8_t>(2 - nibble) : std::int8_t{-1};
    std::int32_t id = last_id + static_cast<std::int32_t>(byte >> 4);
    if (byte < 16) [[unlikely]] {
      from = get_varying(from, end, id, code);
      if (from == nullptr) return nullptr;
    }
    last_id = field.header.id = static_cast<std::int16_t>(id);
    if (id != last_id) [[unlikely]]
      return failed(errc::bad_field_id, code);
    return from;
  }
  template <class Number>
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_number(byte_ptr from, byte_ptr end, Number& value,
                                                             errc& code) noexcept {
    if constexpr (sizeof(Number) == 1 || std::is_same_v<Number, double>) {
      if (static_cast<std::size_t>(end - from) < sizeof(Number)) [[unlikely]]
        return failed(errc::truncated, code);
      value = load_le<Number>(from);
      return from + sizeof(Number);
    } else {
      return get_varying(from, end, value, code);
    }
  }
  /// The size prefix of a string or of elements.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_size(byte_ptr from, byte_ptr end, std::uint32_t& size,
                                                           errc& code) noexcept {
    byte_ptr next = get_varint(from, end, size);
    if (next == nullptr) [[unlikely]]
      return failed(varint_fault<std::uint32_t>(from, end), code);
    if (size > 0x7fffffffu) [[unlikely]]
      return failed(errc::negative_size, code);
    return next;
  }
  /// A string or binary of at most `limit` bytes.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_bytes(byte_ptr from, byte_ptr end, std::uint32_t limit,
                                                            byte_view& value, errc& code) noexcept {
    std::uint32_t size = 0;
    from = get_size(from, end, size, code);
    if (from == nullptr) [[unlikely]]
      return nullptr;
    if (size > limit) [[unlikely]]
      return failed(errc::size_limit, code);
    if (size > static_cast<std::size_t>(end - from)) [[unlikely]]
      return failed(errc::truncated, code);
    value = byte_view(from, size);
    return from + size;
  }
  /// The header of a list or set; its elements may extend beyond `end`.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_list_header(byte_ptr from, byte_ptr end,
                                                                  list_header& list, errc& code) noexcept {
    if (from == end) [[unlikely]]
      return failed(errc::truncated, code);
    const unsigned byte = *from++;
    list = {from_compact_nibble(byte), byte >> 4};
    if (list.size == 15) {
      from = get_size(from, end, list.size, code);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    // The type of an empty map may be omitted, but not be undefined.
    if (list.element == ttype::stop && (list.size != 0 || (byte & 15u) != 0)) [[unlikely]]
      return failed(errc::bad_ttype, code);
    return from;
  }
  /// The same of a map.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_map_header(byte_ptr from, byte_ptr end, map_header& map,
                                                                 errc& code) noexcept {
    map = {};
    from = get_size(from, end, map.size, code);
    if (from == nullptr) [[unlikely]]
      return nullptr;
    if (map.size == 0) return from;
    if (from == end) [[unlikely]]
      return failed(errc::truncated, code);
    map.key = from_compact_nibble(*from >> 4);
    map.value = from_compact_nibble(*from);
    if (map.key == ttype::stop || map.value == ttype::stop) [[unlikely]]
      return failed(errc::bad_ttype, code);
    return from + 1;
  }
  /// A list or set of at most `limit` elements, which fit into the bytes left.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_list(byte_ptr from, byte_ptr end, std::uint32_t limit,
                                                           list_header& list, errc& code) noexcept {
    from = get_list_header(from, end, list, code);
    if (from == nullptr || list.size == 0) return from;
    return elements(from, end, std::uint64_t{list.size} * compact_least(list.element), list.size > limit,
                    code);
  }
  /// A map of at most `limit` entries, which fit into the bytes left.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_map(byte_ptr from, byte_ptr end, std::uint32_t limit,
                                                          map_header& map, errc& code) noexcept {
    from = get_map_header(from, end, map, code);
    if (from == nullptr || map.size == 0) return from;
    const std::size_t least = compact_least(map.key) + compact_least(map.value);
    return elements(from, end, std::uint64_t{map.size} * least, map.size > limit, code);
  }
  /// Whether an empty list, set or map begins at `from`. False if its header is truncated.
  [[nodiscard]] static bool is_empty_container(byte_ptr from, byte_ptr end, ttype type) noexcept {
    if (from == end) return false;
    return type == ttype::map ? *from == 0 : *from < 16;
  }

 private:
  THRIFTLENS_INLINE static byte_ptr failed(errc reason, errc& code) noexcept {
    code = reason;
    return nullptr;
  }
  // The first of the elements, of which `least` bytes must be left.
  THRIFTLENS_INLINE static byte_ptr elements(byte_ptr first, byte_ptr end, std::uint64_t least,
                                             bool beyond_limit, errc& code) noexcept {
    if (least > static_cast<std::size_t>(end - first)) [[unlikely]]
      return failed(errc::truncated, code);
    if (beyond_limit) [[unlikely]]
      return failed(errc::size_limit, code);
    return first;
  }
  // A zigzag varint.
  template <class Number>
  THRIFTLENS_INLINE static byte_ptr get_varying(byte_ptr from, byte_ptr end, Number& value,
                                                errc& code) noexcept {
    using raw_type = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
    raw_type raw = 0;
    byte_ptr next = get_varint(from, end, raw);
    if (next == nullptr) [[unlikely]]
      return failed(varint_fault<raw_type>(from, end), code);
    if (sizeof(Number) == 2 && raw > 0xffffu) [[unlikely]]
      return failed(errc::bad_varint, code);
    value = static_cast<Number>(from_zigzag(raw));
    return next;
  }
};

/// Writes a field header with the given type nibble; at most 4 bytes.
THRIFTLENS_INLINE std::uint8_t* put_compact_field(std::uint8_t* to, std::uint8_t nibble, std::int16_t id,
                                                  std::int16_t& last_id) noexcept {
  const int delta = id - last_id;
  last_id = id;
  if (delta > 0 && delta <= 15) [[likely]] {
    *to = static_cast<std::uint8_t>(delta << 4 | nibble);
    return to + 1;
  }
  *to = nibble;
  return put_varint(to + 1, to_zigzag(std::int32_t{id}));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
