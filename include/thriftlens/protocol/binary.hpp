// binary: Thrift's Binary protocol, fixed-width big-endian numbers and 32-bit sizes.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/binary_header.hpp>
#include <thriftlens/protocol/binary_skip.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/primitives.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Tag of the Binary protocol: `view<binary>`, `from_json<binary>` … See concept.hpp for how its reader and
/// writer are used.
struct binary : protocol_primitives<binary>, detail::binary_gets {
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
  using skipper = detail::binary_skipper;

  /// Maximum bytes written by put_field, put_list and put_set, put_map, put_size.
  static constexpr std::size_t max_field_header = 3, max_list_header = 5, max_map_header = 6,
                               max_length_prefix = 4;
  /// Maximum bytes written by put of a number or bool.
  static constexpr std::size_t max_number = 8;

  /// A bool's byte: any but 0 is true.
  [[nodiscard]] static constexpr bool to_bool(std::uint8_t byte) noexcept { return byte != 0; }
  [[nodiscard]] static constexpr std::uint8_t bool_byte(bool value) noexcept { return value ? 1 : 0; }

  // These functions write at `to`, where the caller reserved capacity, and return the end. `last_id` is
  // unused.
  THRIFTLENS_INLINE static std::uint8_t* put_field(std::uint8_t* to, ttype type, std::int16_t field_id,
                                                   std::int16_t& /*last_id*/) noexcept {
    *to = static_cast<std::uint8_t>(type);
    return put_number(to + 1, field_id);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_bool_field(std::uint8_t* to, std::int16_t field_id, bool value,
                                                        std::int16_t& last_id) noexcept {
    return put_bool(put_field(to, ttype::bool_, field_id, last_id), value);
  }
  template <class Number>
  THRIFTLENS_INLINE static std::uint8_t* put_number(std::uint8_t* to, Number value) noexcept {
    detail::store_be(to, value);
    return to + sizeof(Number);
  }
  /// The size prefix of a string or binary.
  THRIFTLENS_INLINE static std::uint8_t* put_size(std::uint8_t* to, std::uint32_t size) noexcept {
    return put_number(to, size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_list(std::uint8_t* to, list_header list) noexcept {
    *to = static_cast<std::uint8_t>(list.element);
    return put_number(to + 1, list.size);
  }
  THRIFTLENS_INLINE static std::uint8_t* put_map(std::uint8_t* to, map_header map) noexcept {
    to[0] = static_cast<std::uint8_t>(map.key);
    to[1] = static_cast<std::uint8_t>(map.value);
    return put_number(to + 2, map.size);
  }
};

static_assert(protocol<binary>);
static_assert(sizeof(void*) != 8 || sizeof(binary::reader) == 56);

}  // namespace thriftlens::inline THRIFTLENS_ABI
