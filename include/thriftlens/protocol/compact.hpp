// compact: Thrift's Compact protocol, varint numbers and sizes, field ids as deltas, bools in their field
// header.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/compact_header.hpp>
#include <thriftlens/protocol/compact_skip.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/primitives.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Tag of the Compact protocol: `view<compact>`, `from_json<compact>` … See concept.hpp for how its reader
/// and writer are used.
struct compact : protocol_primitives<compact>, detail::compact_gets {
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
  using skipper = detail::compact_skipper;

  /// Maximum bytes written by put_field, put_list and put_set, put_map, put_size.
  static constexpr std::size_t max_field_header = 4, max_list_header = 6, max_map_header = 6,
                               max_length_prefix = 5;
  /// Maximum bytes written by put of a number or bool.
  static constexpr std::size_t max_number = 10;

  /// The byte of a bool in a container: 1 is true, 2 and 0 are false; any other is true, as in Binary.
  [[nodiscard]] static constexpr bool to_bool(std::uint8_t byte) noexcept { return (byte & ~2u) != 0; }
  [[nodiscard]] static constexpr std::uint8_t bool_byte(bool value) noexcept { return value ? 1 : 2; }

  // These functions write at `to`, where the caller reserved capacity, and return the end.
  /// Not for bools: their value is in the header.
  THRIFTLENS_INLINE static std::uint8_t* put_field(std::uint8_t* to, ttype type, std::int16_t field_id,
                                                   std::int16_t& last_id) noexcept {
    return detail::put_compact_field(to, detail::compact_nibble(type), field_id, last_id);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_bool_field(std::uint8_t* to, std::int16_t field_id, bool value,
                                                        std::int16_t& last_id) noexcept {
    return detail::put_compact_field(to, bool_byte(value), field_id, last_id);
  }
  template <class Number>
  THRIFTLENS_INLINE static std::uint8_t* put_number(std::uint8_t* to, Number value) noexcept {
    using integer = std::conditional_t<sizeof(Number) == 8, std::int64_t, std::int32_t>;
    if constexpr (sizeof(Number) == 1 || std::is_same_v<Number, double>) {
      detail::store_le(to, value);
      return to + sizeof(Number);
    } else {
      return detail::put_varint(to, detail::to_zigzag(static_cast<integer>(value)));
    }
  }
  /// The size prefix of a string or binary.
  THRIFTLENS_INLINE static std::uint8_t* put_size(std::uint8_t* to, std::uint32_t size) noexcept {
    return detail::put_varint(to, size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_list(std::uint8_t* to, list_header list) noexcept {
    const std::uint8_t nibble = detail::compact_nibble(list.element);
    if (list.size < 15) [[likely]] {
      *to = static_cast<std::uint8_t>(list.size << 4 | nibble);
      return to + 1;
    }
    *to = static_cast<std::uint8_t>(0xf0u | nibble);
    return detail::put_varint(to + 1, list.size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_map(std::uint8_t* to, map_header map) noexcept {
    to = detail::put_varint(to, map.size);
    if (map.size == 0) return to;
    *to = static_cast<std::uint8_t>(detail::compact_nibble(map.key) << 4 | detail::compact_nibble(map.value));
    return to + 1;
  }
};

static_assert(protocol<compact>);
static_assert(sizeof(void*) != 8 || sizeof(compact::reader) == 56);

}  // namespace thriftlens::inline THRIFTLENS_ABI
