// compact_header: the Compact protocol's field, list and map headers and sizes, from and to bytes.
// In: a pointer and the end of the bytes, or a header. Out: the header and the byte after it, or a reason
// why not. Never reads a value; reader, skipper and writer share this so that they cannot disagree.
#pragma once

#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/protocol/header.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

// Type nibble -> ttype; stop marks what Compact does not define. 1 and 2 are the bools true and false.
inline constexpr ttype compact_ttype[16] = {ttype::stop,    ttype::bool_, ttype::bool_, ttype::i8,
                                            ttype::i16,     ttype::i32,   ttype::i64,   ttype::double_,
                                            ttype::string,  ttype::list,  ttype::set,   ttype::map,
                                            ttype::struct_, ttype::uuid,  ttype::stop,  ttype::stop};
inline constexpr std::uint8_t compact_nibble_of[17] = {0, 0, 1, 3, 7, 0, 4, 0, 5, 0, 6, 8, 12, 11, 10, 9, 13};
// Bytes of an element where they do not vary; a bool in a container takes one.
inline constexpr ttype_table compact_width_of = {0, 0, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16};
// Least bytes of an element.
inline constexpr ttype_table compact_least_of = {0, 0, 1, 1, 8, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 16};

}  // namespace detail

/// The nibble of a value type in field and container headers; bool's is that of true.
[[nodiscard]] constexpr std::uint8_t compact_nibble(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::compact_nibble_of[raw] : std::uint8_t{0};
}
/// The value type of a nibble, or stop for what Compact does not define.
[[nodiscard]] constexpr ttype from_compact_nibble(unsigned nibble) noexcept {
  return detail::compact_ttype[nibble & 15u];
}
/// Bytes of an element of a container, 0 where they vary.
[[nodiscard]] constexpr std::size_t compact_width(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::compact_width_of[raw] : std::uint8_t{0};
}
/// Least bytes of an element of a container.
[[nodiscard]] constexpr std::size_t compact_least(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::compact_least_of[raw] : std::uint8_t{0};
}

using compact_field = wire_field;

namespace detail {
THRIFTLENS_INLINE const std::uint8_t* compact_failed(errc reason, errc& code) noexcept {
  code = reason;
  return nullptr;
}
// An id that is not a delta.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* get_compact_id(const std::uint8_t* from,
                                                                   const std::uint8_t* end, std::int32_t& id,
                                                                   errc& code) noexcept {
  std::uint32_t raw = 0;
  const std::uint8_t* after = get_varint(from, end, raw);
  if (after == nullptr) return compact_failed(varint_fault<std::uint32_t>(from, end), code);
  id = from_zigzag(raw);
  return after;
}
}  // namespace detail

/// After the field header at `from`, or nullptr with `code`. `last_id` is the id before and, if not a stop,
/// becomes the new one.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* get_compact_field(const std::uint8_t* from,
                                                                      const std::uint8_t* end,
                                                                      std::int16_t& last_id,
                                                                      compact_field& field,
                                                                      errc& code) noexcept {
  if (from == end) [[unlikely]]
    return detail::compact_failed(errc::truncated, code);
  const unsigned byte = *from++;
  const unsigned nibble = byte & 15u;
  field.header.type = from_compact_nibble(nibble);
  if (field.header.type == ttype::stop) [[unlikely]] {
    // Only a zero byte ends a struct: 0x10 is a delta without a type.
    if (byte != 0) return detail::compact_failed(errc::bad_ttype, code);
    field = {};
    return from;
  }
  field.inline_bool = nibble <= 2 ? static_cast<std::int8_t>(2 - nibble) : std::int8_t{-1};
  std::int32_t id = last_id + static_cast<std::int32_t>(byte >> 4);
  if (byte < 16) [[unlikely]] {
    from = detail::get_compact_id(from, end, id, code);
    if (from == nullptr) return nullptr;
  }
  last_id = field.header.id = static_cast<std::int16_t>(id);
  if (id != last_id) [[unlikely]]
    return detail::compact_failed(errc::bad_field_id, code);
  return from;
}

/// After the size at `from`, or nullptr with `code`.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* get_compact_size(const std::uint8_t* from,
                                                                     const std::uint8_t* end,
                                                                     std::uint32_t& size,
                                                                     errc& code) noexcept {
  const std::uint8_t* after = get_varint(from, end, size);
  if (after == nullptr) [[unlikely]]
    return detail::compact_failed(varint_fault<std::uint32_t>(from, end), code);
  if (size > 0x7fffffffu) [[unlikely]]
    return detail::compact_failed(errc::negative_size, code);
  return after;
}

/// After the list or set header at `from`, or nullptr with `code`. The elements fit into the bytes left.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* get_compact_list(const std::uint8_t* from,
                                                                     const std::uint8_t* end,
                                                                     list_header& list, errc& code) noexcept {
  if (from == end) [[unlikely]]
    return detail::compact_failed(errc::truncated, code);
  const unsigned byte = *from++;
  list.element = from_compact_nibble(byte & 15u);
  list.size = byte >> 4;
  if (list.size == 15 && (from = get_compact_size(from, end, list.size, code)) == nullptr) [[unlikely]]
    return nullptr;
  if (list.size == 0) return from;
  if (list.element == ttype::stop) [[unlikely]]
    return detail::compact_failed(errc::bad_ttype, code);
  if (list.size * compact_least(list.element) > static_cast<std::size_t>(end - from)) [[unlikely]]
    return detail::compact_failed(errc::truncated, code);
  return from;
}

/// After the map header at `from`, or nullptr with `code`. The entries fit into the bytes left.
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* get_compact_map(const std::uint8_t* from,
                                                                    const std::uint8_t* end, map_header& map,
                                                                    errc& code) noexcept {
  map = {};
  if ((from = get_compact_size(from, end, map.size, code)) == nullptr) [[unlikely]]
    return nullptr;
  if (map.size == 0) return from;
  if (from == end) [[unlikely]]
    return detail::compact_failed(errc::truncated, code);
  map.key = from_compact_nibble(*from >> 4);
  map.value = from_compact_nibble(*from);
  ++from;
  if (map.key == ttype::stop || map.value == ttype::stop) [[unlikely]]
    return detail::compact_failed(errc::bad_ttype, code);
  const std::size_t least = compact_least(map.key) + compact_least(map.value);
  if (map.size * least > static_cast<std::size_t>(end - from)) [[unlikely]]
    return detail::compact_failed(errc::truncated, code);
  return from;
}

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

}  // namespace thriftlens::inline THRIFTLENS_ABI
