// toy: a protocol defined outside the library.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/primitives.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens_test {

namespace tl = thriftlens;

class toy_skipper;

/// A field is 0x5e, its id in 16 bits, its type; the type 0x40 is the bool false, 0x41 is true. 0 ends a
/// struct. A string is 0x22 and its size in 32 bits.
struct toy : tl::protocol_primitives<toy> {
  static constexpr auto id = static_cast<tl::protocol_id>(tl::detail::protocol_count);
  static constexpr std::string_view name = "toy";
  static constexpr tl::protocol_traits traits = {
      .has_inline_bool = true,
      .integers = tl::number_layout::little_endian,
      .doubles = tl::number_layout::little_endian,
      .size_width = 5,
      .width = {0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 16},
      .least = {0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 5, 1, 6, 5, 5, 16},
  };
  using skipper = toy_skipper;
  static constexpr std::size_t max_field_header = 4, max_list_header = 5, max_map_header = 6,
                               max_length_prefix = 5, max_number = 8;
  static constexpr std::uint8_t field_mark = 0x5e, size_mark = 0x22, bool_type = 0x40;

  static constexpr bool to_bool(std::uint8_t byte) noexcept { return byte == 'T'; }
  static constexpr std::uint8_t bool_byte(bool value) noexcept { return value ? 'T' : 'F'; }

  static const std::uint8_t* get_field(const std::uint8_t* from, const std::uint8_t* end, std::int16_t&,
                                       tl::wire_field& field, tl::errc& code) noexcept {
    field = {};
    if (from == end) return failed(tl::errc::truncated, code);
    if (*from == 0) return from + 1;
    if (*from != field_mark) return failed(tl::errc::bad_ttype, code);
    if (end - from < 4) return failed(tl::errc::truncated, code);
    field.header.id = tl::detail::load_le<std::int16_t>(from + 1);
    if (from[3] == bool_type || from[3] == bool_type + 1) {
      field.header.type = tl::ttype::bool_;
      field.inline_bool = static_cast<std::int8_t>(from[3] - bool_type);
      return from + 4;
    }
    field.header.type = known_type(from[3]);
    if (field.header.type == tl::ttype::stop || field.header.type == tl::ttype::bool_)
      return failed(tl::errc::bad_ttype, code);
    return from + 4;
  }
  template <class Number>
  static const std::uint8_t* get_number(const std::uint8_t* from, const std::uint8_t* end, Number& value,
                                        tl::errc& code) noexcept {
    if (remaining(from, end) < sizeof(Number)) return failed(tl::errc::truncated, code);
    value = tl::detail::load_le<Number>(from);
    return from + sizeof(Number);
  }
  static const std::uint8_t* get_bytes(const std::uint8_t* from, const std::uint8_t* end, std::uint32_t limit,
                                       tl::byte_view& value, tl::errc& code) noexcept {
    if (remaining(from, end) < 5) return failed(tl::errc::truncated, code);
    const auto size = tl::detail::load_le<std::uint32_t>(from + 1);
    if (size > 0x7fffffffu || *from != size_mark) return failed(tl::errc::negative_size, code);
    if (size > limit) return failed(tl::errc::size_limit, code);
    if (size > remaining(from, end) - 5) return failed(tl::errc::truncated, code);
    value = tl::byte_view(from + 5, size);
    return from + 5 + size;
  }
  static const std::uint8_t* get_list(const std::uint8_t* from, const std::uint8_t* end, std::uint32_t limit,
                                      tl::list_header& list, tl::errc& code) noexcept {
    if (remaining(from, end) < 5) return failed(tl::errc::truncated, code);
    list = {known_type(from[4]), tl::detail::load_le<std::uint32_t>(from)};
    const std::size_t least = tl::detail::least_width<toy>(list.element);
    return sized(from + 5, end, list.size, limit, list.element != tl::ttype::stop, least, code);
  }
  static const std::uint8_t* get_map(const std::uint8_t* from, const std::uint8_t* end, std::uint32_t limit,
                                     tl::map_header& map, tl::errc& code) noexcept {
    if (remaining(from, end) < 6) return failed(tl::errc::truncated, code);
    map = {known_type(from[4]), known_type(from[5]), tl::detail::load_le<std::uint32_t>(from)};
    const bool known = map.key != tl::ttype::stop && map.value != tl::ttype::stop;
    const std::size_t least = tl::detail::least_width<toy>(map.key) + tl::detail::least_width<toy>(map.value);
    return sized(from + 6, end, map.size, limit, known, least, code);
  }
  static bool is_empty_container(const std::uint8_t* from, const std::uint8_t* end, tl::ttype) noexcept {
    return remaining(from, end) >= 4 && tl::detail::load_le<std::uint32_t>(from) == 0;
  }

  static std::uint8_t* put_field(std::uint8_t* to, tl::ttype type, std::int16_t field_id,
                                 std::int16_t&) noexcept {
    *to = field_mark;
    to = put_number(to + 1, field_id);
    *to = static_cast<std::uint8_t>(type);
    return to + 1;
  }
  static std::uint8_t* put_bool_field(std::uint8_t* to, std::int16_t field_id, bool value,
                                      std::int16_t& last_id) noexcept {
    to = put_field(to, tl::ttype::bool_, field_id, last_id);
    to[-1] = value ? bool_type + 1 : bool_type;
    return to;
  }
  template <class Number>
  static std::uint8_t* put_number(std::uint8_t* to, Number value) noexcept {
    tl::detail::store_le(to, value);
    return to + sizeof(Number);
  }
  static std::uint8_t* put_size(std::uint8_t* to, std::uint32_t size) noexcept {
    *to = size_mark;
    return put_number(to + 1, size);
  }
  static std::uint8_t* put_list(std::uint8_t* to, tl::list_header list) noexcept {
    to = put_number(to, list.size);
    *to = static_cast<std::uint8_t>(list.element);
    return to + 1;
  }
  static std::uint8_t* put_map(std::uint8_t* to, tl::map_header map) noexcept {
    to = put_list(to, {map.key, map.size});
    *to = static_cast<std::uint8_t>(map.value);
    return to + 1;
  }

 private:
  static std::size_t remaining(const std::uint8_t* from, const std::uint8_t* end) noexcept {
    return static_cast<std::size_t>(end - from);
  }
  static constexpr tl::ttype known_type(std::uint8_t raw) noexcept {
    return tl::is_value_type(raw) ? static_cast<tl::ttype>(raw) : tl::ttype::stop;
  }
  static const std::uint8_t* failed(tl::errc reason, tl::errc& code) noexcept {
    code = reason;
    return nullptr;
  }
  // After the header of a container: its elements remain.
  static const std::uint8_t* sized(const std::uint8_t* next, const std::uint8_t* end, std::uint32_t size,
                                   std::uint32_t limit, bool known, std::size_t least,
                                   tl::errc& code) noexcept {
    if (size == 0) return next;
    if (size > 0x7fffffffu) return failed(tl::errc::negative_size, code);
    if (!known) return failed(tl::errc::bad_ttype, code);
    if (size > limit) return failed(tl::errc::size_limit, code);
    return size * least > remaining(next, end) ? failed(tl::errc::truncated, code) : next;
  }
};

/// One skip, value by value.
class toy_skipper {
 public:
  explicit toy_skipper(const std::uint8_t* end) noexcept : end_(end) {}

  tl::errc code = tl::errc::ok;
  const std::uint8_t* at = nullptr;

  const std::uint8_t* skip(const std::uint8_t* from, tl::ttype type, std::uint32_t depth_left) noexcept {
    using tl::ttype;
    if (const std::size_t width = tl::detail::element_width<toy>(type))
      return static_cast<std::size_t>(end_ - from) < width ? stop(tl::errc::truncated, from) : from + width;
    tl::byte_view unused;
    if (type == ttype::string) return seen(toy::get_bytes(from, end_, ~0u, unused, code), from);
    if (type != ttype::struct_ && !is_container(type)) return stop(tl::errc::bad_ttype, from);
    if (depth_left == 0) return stop(tl::errc::depth_limit, from);
    if (type == ttype::struct_) return skip_struct(from, depth_left);
    tl::list_header list;
    tl::map_header map;
    const bool is_map = type == ttype::map;
    const std::uint8_t* next =
        is_map ? toy::get_map(from, end_, ~0u, map, code) : toy::get_list(from, end_, ~0u, list, code);
    if (next == nullptr) return stop(code, from);
    for (std::uint32_t i = is_map ? map.size : list.size; i != 0 && next != nullptr; --i) {
      next = skip(next, is_map ? map.key : list.element, depth_left - 1);
      if (is_map && next != nullptr) next = skip(next, map.value, depth_left - 1);
    }
    return next;
  }
  const std::uint8_t* skip_struct(const std::uint8_t* from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) return stop(tl::errc::depth_limit, from);
    for (;;) {
      std::int16_t last_id = 0;
      tl::wire_field field;
      const std::uint8_t* value = toy::get_field(from, end_, last_id, field, code);
      if (value == nullptr) return stop(code, from);
      from = value;
      if (field.header.type == tl::ttype::stop) return from;
      if (field.inline_bool < 0) from = skip(from, field.header.type, depth_left - 1);
      if (from == nullptr) return nullptr;
    }
  }

 private:
  const std::uint8_t* stop(tl::errc reason, const std::uint8_t* where) noexcept {
    code = reason;
    at = where;
    return nullptr;
  }
  const std::uint8_t* seen(const std::uint8_t* next, const std::uint8_t* from) noexcept {
    return next == nullptr ? stop(code, from) : next;
  }
  const std::uint8_t* end_;
};

static_assert(tl::protocol<toy>);

}  // namespace thriftlens_test
