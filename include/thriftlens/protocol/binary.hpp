// binary: Thrift's Binary protocol, fixed-width big-endian numbers and 32-bit sizes.
// In: a pointer into borrowed bytes and their end, or values. Out: values that borrow from the bytes and the
// byte after them, or bytes. Never allocates for reading, never trusts a size, never checks types against a
// schema.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/binary_skip.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/primitives.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Tag of the Binary protocol: `view<binary>`, `from_json<binary>` … See concept.hpp for how its reader and
/// writer are used.
struct binary : protocol_primitives<binary> {
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
  using skipper = binary_skipper;

  /// Most bytes that put_field, put_list and put_set, put_map, put_size write.
  static constexpr std::size_t field_room = 3, list_room = 5, map_room = 6, size_room = 4;
  /// Most bytes that put of a number or a bool writes.
  static constexpr std::size_t number_room = 8;

  /// A bool's byte: any but 0 is true.
  [[nodiscard]] static constexpr bool to_bool(std::uint8_t byte) noexcept { return byte != 0; }
  [[nodiscard]] static constexpr std::uint8_t bool_byte(bool value) noexcept { return value ? 1 : 0; }

  // Each reads at `from` and returns the byte after, or nullptr with `code`. `last_id` is not used.
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* get_field(const std::uint8_t* from,
                                                                       const std::uint8_t* end,
                                                                       std::int16_t& /*last_id*/,
                                                                       wire_field& field,
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
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* get_number(const std::uint8_t* from,
                                                                        const std::uint8_t* end,
                                                                        Number& value, errc& code) noexcept {
    if (left(from, end) < sizeof(Number)) [[unlikely]]
      return failed(errc::truncated, code);
    value = load_be<Number>(from);
    return from + sizeof(Number);
  }
  /// A string or binary of at most `limit` bytes.
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* get_bytes(const std::uint8_t* from,
                                                                       const std::uint8_t* end,
                                                                       std::uint32_t limit, byte_view& value,
                                                                       errc& code) noexcept {
    if (left(from, end) < 4) [[unlikely]]
      return failed(errc::truncated, code);
    const auto size = load_be<std::uint32_t>(from);
    if (size > left(from, end) - 4 || size > limit) [[unlikely]]
      return failed(size_fault(size, limit), code);
    value = byte_view(from + 4, size);
    return from + 4 + size;
  }
  /// A list or set of at most `limit` elements, which fit into the bytes left.
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* get_list(const std::uint8_t* from,
                                                                      const std::uint8_t* end,
                                                                      std::uint32_t limit, list_header& list,
                                                                      errc& code) noexcept {
    if (left(from, end) < 5) [[unlikely]]
      return failed(errc::truncated, code);
    list = {known_type(*from), load_be<std::uint32_t>(from + 1)};
    if (list.size != 0) {
      if (list.element == ttype::stop) [[unlikely]]
        return failed(type_fault(list.size), code);
      if (!fits(list.size, limit, least_width<binary>(list.element), left(from, end) - 5)) [[unlikely]]
        return failed(size_fault(list.size, limit), code);
    }
    return from + 5;
  }
  /// A map of at most `limit` entries, which fit into the bytes left.
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* get_map(const std::uint8_t* from,
                                                                     const std::uint8_t* end,
                                                                     std::uint32_t limit, map_header& map,
                                                                     errc& code) noexcept {
    if (left(from, end) < 6) [[unlikely]]
      return failed(errc::truncated, code);
    map = {known_type(from[0]), known_type(from[1]), load_be<std::uint32_t>(from + 2)};
    if (map.size != 0) {
      if (map.key == ttype::stop || map.value == ttype::stop) [[unlikely]]
        return failed(type_fault(map.size), code);
      const std::size_t least = least_width<binary>(map.key) + least_width<binary>(map.value);
      if (!fits(map.size, limit, least, left(from, end) - 6)) [[unlikely]]
        return failed(size_fault(map.size, limit), code);
    }
    return from + 6;
  }
  /// Whether a list, set or map without elements begins at `from`. False where its header is cut off.
  [[nodiscard]] static bool is_empty_container(const std::uint8_t* from, const std::uint8_t* end,
                                               ttype type) noexcept {
    const std::ptrdiff_t types = type == ttype::map ? 2 : 1;
    return end - from >= types + 4 && load_be<std::uint32_t>(from + types) == 0;
  }

  // Each writes at `to`, where the caller has made room, and returns the byte after. `last_id` is not used.
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
    store_be(to, value);
    return to + sizeof(Number);
  }
  /// The size in front of a string or binary.
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

 private:
  [[nodiscard]] static std::size_t left(const std::uint8_t* from, const std::uint8_t* end) noexcept {
    return static_cast<std::size_t>(end - from);
  }
  [[nodiscard]] static constexpr ttype known_type(std::uint8_t raw) noexcept {
    return is_value_type(raw) ? static_cast<ttype>(raw) : ttype::stop;
  }
  /// So many elements of `least` bytes fit into `room` bytes and under the limit. Negative sizes do not.
  [[nodiscard]] THRIFTLENS_INLINE static bool fits(std::size_t size, std::uint32_t limit, std::size_t least,
                                                   std::size_t room) noexcept {
    return size * least <= room && size <= limit && size <= 0x7fffffffu;
  }
  THRIFTLENS_INLINE static const std::uint8_t* failed(errc reason, errc& code) noexcept {
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
  THRIFTLENS_COLD static const std::uint8_t* get_last_field(const std::uint8_t* from, const std::uint8_t* end,
                                                            wire_field& field, errc& code) noexcept {
    if (from == end) return failed(errc::truncated, code);
    if (*from != 0) return failed(is_value_type(*from) ? errc::truncated : errc::bad_ttype, code);
    field = {};
    return from + 1;
  }
};

static_assert(protocol<binary>);
static_assert(sizeof(binary::reader) == 56);

}  // namespace thriftlens::inline THRIFTLENS_ABI
