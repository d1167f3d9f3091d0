// binary_header: reads headers, numbers and strings of the Binary protocol; shared by reader, skipper and
// codec.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/header.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

// Minimum encoded size by type, to reject container sizes that exceed the remaining bytes.
inline constexpr ttype_table binary_least_width = {0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 4, 1, 6, 5, 5, 16};

[[nodiscard]] constexpr std::size_t binary_least(ttype type) noexcept {
  return binary_least_width[static_cast<std::uint8_t>(type)];
}

/// Base of the tag `binary`. Functions read at `from` and return the end, or nullptr with `code`.
struct binary_gets {
  /// `last_id` is not used.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_field(byte_ptr from, byte_ptr end,
                                                            std::int16_t& /*last_id*/, wire_field& field,
                                                            errc& code) noexcept {
    if (end - from < 3) [[unlikely]]
      return get_last_field(from, end, field, code);
    field = {};
    if (*from == 0) return from + 1;
    if (!is_value_type(*from)) [[unlikely]]
      return failed(errc::bad_ttype, code);
    field.header = {static_cast<ttype>(*from), load_be<std::int16_t>(from + 1)};
    return from + 3;
  }
  template <class Number>
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_number(byte_ptr from, byte_ptr end, Number& value,
                                                             errc& code) noexcept {
    if (remaining(from, end) < sizeof(Number)) [[unlikely]]
      return failed(errc::truncated, code);
    value = load_be<Number>(from);
    return from + sizeof(Number);
  }
  /// A string or binary of at most `limit` bytes.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_bytes(byte_ptr from, byte_ptr end, std::uint32_t limit,
                                                            byte_view& value, errc& code) noexcept {
    if (remaining(from, end) < 4) [[unlikely]]
      return failed(errc::truncated, code);
    const auto size = load_be<std::uint32_t>(from);
    if (size > remaining(from, end) - 4 || size > limit) [[unlikely]]
      return failed(size_fault(size, limit), code);
    value = byte_view(from + 4, size);
    return from + 4 + size;
  }
  /// The size prefix of a string, whose bytes may extend beyond `end`.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_size(byte_ptr from, byte_ptr end, std::uint32_t& size,
                                                           errc& code) noexcept {
    if (remaining(from, end) < 4) [[unlikely]]
      return failed(errc::truncated, code);
    size = load_be<std::uint32_t>(from);
    if (size > 0x7fffffffu) [[unlikely]]
      return failed(errc::negative_size, code);
    return from + 4;
  }
  /// The header of a list or set; its elements may extend beyond `end`, its size may be negative.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_list_header(byte_ptr from, byte_ptr end,
                                                                  list_header& list, errc& code) noexcept {
    if (remaining(from, end) < 5) [[unlikely]]
      return failed(errc::truncated, code);
    list = {known_type(*from), load_be<std::uint32_t>(from + 1)};
    if (list.element == ttype::stop && !is_empty_of(list.size, *from)) [[unlikely]]
      return failed(type_fault(list.size), code);
    return from + 5;
  }
  /// The same of a map.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_map_header(byte_ptr from, byte_ptr end, map_header& map,
                                                                 errc& code) noexcept {
    if (remaining(from, end) < 6) [[unlikely]]
      return failed(errc::truncated, code);
    map = {known_type(from[0]), known_type(from[1]), load_be<std::uint32_t>(from + 2)};
    const bool is_known = map.key != ttype::stop && map.value != ttype::stop;
    if (!is_known && !is_empty_of(map.size, from[0], from[1])) [[unlikely]]
      return failed(type_fault(map.size), code);
    return from + 6;
  }
  /// A list or set of at most `limit` elements, which fit into the bytes left.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_list(byte_ptr from, byte_ptr end, std::uint32_t limit,
                                                           list_header& list, errc& code) noexcept {
    from = get_list_header(from, end, list, code);
    if (from == nullptr || list.size == 0) return from;
    if (!fits(list.size, limit, binary_least(list.element), remaining(from, end))) [[unlikely]]
      return failed(size_fault(list.size, limit), code);
    return from;
  }
  /// A map of at most `limit` entries, which fit into the bytes left.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr get_map(byte_ptr from, byte_ptr end, std::uint32_t limit,
                                                          map_header& map, errc& code) noexcept {
    from = get_map_header(from, end, map, code);
    if (from == nullptr || map.size == 0) return from;
    const std::size_t least = binary_least(map.key) + binary_least(map.value);
    if (!fits(map.size, limit, least, remaining(from, end))) [[unlikely]]
      return failed(size_fault(map.size, limit), code);
    return from;
  }
  /// Whether a container is empty with valid type bytes: value types, and `stop` and `void`, which some
  /// writers use for empty containers.
  [[nodiscard]] static constexpr bool is_empty_of(std::uint32_t size, std::uint8_t first,
                                                  std::uint8_t second = 0) noexcept {
    const auto is_possible = [](std::uint8_t raw) { return raw <= 1 || is_value_type(raw); };
    return size == 0 && is_possible(first) && is_possible(second);
  }
  /// Whether an empty list, set or map begins at `from`. False if its header is truncated.
  [[nodiscard]] static bool is_empty_container(byte_ptr from, byte_ptr end, ttype type) noexcept {
    const std::ptrdiff_t types = type == ttype::map ? 2 : 1;
    return end - from >= types + 4 && load_be<std::uint32_t>(from + types) == 0;
  }

 private:
  [[nodiscard]] static std::size_t remaining(byte_ptr from, byte_ptr end) noexcept {
    return static_cast<std::size_t>(end - from);
  }
  [[nodiscard]] static constexpr ttype known_type(std::uint8_t raw) noexcept {
    return is_value_type(raw) ? static_cast<ttype>(raw) : ttype::stop;
  }
  /// Whether `size` elements of `least` bytes fit into `available` bytes and the limit. False for negative
  /// sizes.
  [[nodiscard]] THRIFTLENS_INLINE static bool fits(std::uint64_t size, std::uint32_t limit, std::size_t least,
                                                   std::size_t available) noexcept {
    return size * least <= available && size <= limit && size <= 0x7fffffffu;
  }
  THRIFTLENS_INLINE static byte_ptr failed(errc reason, errc& code) noexcept {
    code = reason;
    return nullptr;
  }
  THRIFTLENS_COLD static errc size_fault(std::uint32_t size, std::uint32_t limit) noexcept {
    if (size > 0x7fffffffu) return errc::negative_size;
    return size > limit ? errc::size_limit : errc::truncated;
  }
  THRIFTLENS_COLD static errc type_fault(std::uint32_t size) noexcept {
    return size > 0x7fffffffu ? errc::negative_size : errc::bad_ttype;
  }
  // Fewer than three bytes are left: only a stop can be here.
  THRIFTLENS_COLD static byte_ptr get_last_field(byte_ptr from, byte_ptr end, wire_field& field,
                                                 errc& code) noexcept {
    if (from == end) return failed(errc::truncated, code);
    if (*from != 0) return failed(is_value_type(*from) ? errc::truncated : errc::bad_ttype, code);
    field = {};
    return from + 1;
  }
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
