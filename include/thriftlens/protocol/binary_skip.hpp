// binary_skip: finds the end of a value in the Binary protocol without decoding it. Bounded by the end of the
// bytes and the depth limit.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/binary_header.hpp>
#include <thriftlens/protocol/learned_layouts.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// Header and value of a field of fixed width, by its type byte; 0 for all others.
inline constexpr struct binary_field_jumps {
  std::uint8_t by_type[256] = {};
  constexpr binary_field_jumps() {
    for (unsigned type = 0; type < 17; ++type)
      if (ttype_width[type] != 0) by_type[type] = static_cast<std::uint8_t>(ttype_width[type] + 3);
  }
} binary_field_jump;

// `from + size`, with branches for common sizes: if predicted, later loads do not depend on the size.
template <std::size_t First, std::size_t Second, std::size_t Third>
[[nodiscard]] THRIFTLENS_INLINE byte_ptr binary_after(byte_ptr from, std::size_t size) noexcept {
  // Keeps compilers from making one addition out of them again.
  const auto apart = [](byte_ptr at) {
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(at));
#endif
    return at;
  };
  if (size == First) return apart(from + First);
  if (size == Second) return apart(from + Second);
  return size == Third ? apart(from + Third) : from + size;
}

/// One skip. After a nullptr, `code` and `at` have the reason.
class binary_skipper {
 public:
  explicit binary_skipper(byte_ptr end) noexcept : end_(end) {}

  errc code = errc::ok;
  byte_ptr at = nullptr;

  /// The end of the value of `type` at `from`. `depth_left` includes this value if it is a struct or
  /// container.
  [[nodiscard]] byte_ptr skip(byte_ptr from, ttype type, std::uint32_t depth_left) noexcept {
    if (type == ttype::struct_) return skip_struct(from, depth_left);
    if (const std::size_t width = fixed_width(type))
      return remaining(from) < width ? stop(errc::truncated, from) : from + width;
    return skip_open(from, type, depth_left);
  }

  /// Layouts of structs in containers, shared by all rows of this skip.
  [[nodiscard]] learned_layouts& layouts() noexcept { return layouts_; }

  /// The end of the struct whose first field header is at `from`.
  [[nodiscard]] byte_ptr skip_struct(byte_ptr from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    for (;;) {
      from = skip_plain_fields(from, end_);
      if (end_ - from < plain_reach) [[unlikely]]
        return from != end_ && *from == 0 ? from + 1 : skip_struct_tail(from, depth_left);
      if (*from == 0) return from + 1;
      if (!is_value_type(*from)) [[unlikely]]
        return stop(errc::bad_ttype, from);
      from = skip_open(from + 3, static_cast<ttype>(*from), depth_left - 1);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
  }

  /// Skips fields of fixed width and strings; returns the position of a stop, of another field, or near the
  /// end.
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr skip_plain_fields(byte_ptr from, byte_ptr end) noexcept {
    while (end - from >= plain_reach) {
      if (const std::size_t jump = detail::binary_field_jump.by_type[*from]) {
        from = detail::binary_after<11, 7, 4>(from, jump);
      } else {
        if (*from != static_cast<std::uint8_t>(ttype::string)) break;
        const std::size_t size = load_be<std::uint32_t>(from + 3);
        if (size > static_cast<std::size_t>(end - from) - 7) [[unlikely]]
          break;
        from += 7 + size;
      }
    }
    return from;
  }

 private:
  [[nodiscard]] std::size_t remaining(byte_ptr from) const noexcept {
    return static_cast<std::size_t>(end_ - from);
  }

  THRIFTLENS_COLD byte_ptr stop(errc reason, byte_ptr where) noexcept {
    code = reason;
    at = where;
    return nullptr;
  }
  THRIFTLENS_COLD byte_ptr stop_string(std::uint32_t size, byte_ptr where) noexcept {
    return stop(size > 0x7fffffffu ? errc::negative_size : errc::truncated, where);
  }

  // Fields near the end of the bytes: every step checked by itself.
  THRIFTLENS_NOINLINE byte_ptr skip_struct_tail(byte_ptr from, std::uint32_t depth_left) noexcept {
    for (;;) {
      if (from == end_) return stop(errc::truncated, from);
      const std::uint8_t raw = *from;
      if (raw == 0) return from + 1;
      if (!is_value_type(raw)) return stop(errc::bad_ttype, from);
      if (remaining(from) < 3) return stop(errc::truncated, from);
      from = skip(from + 3, static_cast<ttype>(raw), depth_left - 1);
      if (from == nullptr) return nullptr;
    }
  }

  // A value of variable width.
  THRIFTLENS_NOINLINE byte_ptr skip_open(byte_ptr from, ttype type, std::uint32_t depth_left) noexcept {
    if (type == ttype::string) return skip_string(from);
    if (type == ttype::struct_) return skip_struct(from, depth_left);
    if (type == ttype::map) return skip_map(from, depth_left);
    if (type == ttype::list || type == ttype::set) return skip_list(from, depth_left);
    return stop(errc::bad_ttype, from);
  }

  THRIFTLENS_INLINE byte_ptr skip_string(byte_ptr from) noexcept { return skip_keyed_string(from, 0); }
  // A string after a key of `key_width` bytes.
  THRIFTLENS_INLINE byte_ptr skip_keyed_string(byte_ptr from, std::size_t key_width) noexcept {
    if (remaining(from) < key_width + 4) [[unlikely]]
      return stop(errc::truncated, from);
    from += key_width;
    const auto size = load_be<std::uint32_t>(from);
    if (size > remaining(from) - 4) [[unlikely]]
      return stop_string(size, from);
    return from + 4 + size;
  }
  byte_ptr skip_strings(byte_ptr from, std::size_t key_width, std::size_t count) noexcept {
    for (; count != 0; --count) {
      from = skip_keyed_string(from, key_width);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }

  byte_ptr skip_list(byte_ptr from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    list_header list;
    byte_ptr elements = detail::binary_gets::get_list(from, end_, unlimited, list, code);
    if (elements == nullptr) [[unlikely]]
      return stop(code, from);
    return skip_elements(elements, list, depth_left - 1);
  }
  // The header check guarantees enough bytes for elements of fixed width.
  THRIFTLENS_INLINE byte_ptr skip_elements(byte_ptr from, list_header list,
                                           std::uint32_t depth_left) noexcept {
    if (const std::size_t width = fixed_width(list.element)) return from + list.size * width;
    if (list.element == ttype::string) return skip_strings(from, 0, list.size);
    if (list.element == ttype::struct_) return skip_structs(from, list.size, depth_left);
    for (; list.size != 0; --list.size) {
      from = skip_open(from, list.element, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }

  // The number of structs from which on learning the layout of the first pays off; a known layout is tried
  // from two on.
  [[nodiscard]] bool is_row(std::size_t size) const noexcept {
    return size >= layout_row::min_count || (size >= 2 && layouts_.has_candidate());
  }

  byte_ptr skip_structs(byte_ptr from, std::size_t size, std::uint32_t depth_left) noexcept {
    if (is_row(size)) return skip_row<false>(from, 0, size, depth_left);
    for (; size != 0; --size) {
      from = skip_struct(from, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }

  // Structs with mostly equal layout, after keys that are strings or have `key_width` bytes.
  template <bool StringKey>
  THRIFTLENS_NOINLINE byte_ptr skip_row(byte_ptr from, std::size_t key_width, std::size_t size,
                                        std::uint32_t depth_left) noexcept {
    layout_row row(layouts_, depth_left, size);
    for (; size != 0; --size) {
      from = skip_key<StringKey>(from, key_width);
      if (from == nullptr) [[unlikely]]
        return nullptr;
      byte_ptr next = row.match(from, end_);
      if (next == nullptr) [[unlikely]] {
        next = skip_struct(from, depth_left);
        if (next == nullptr) [[unlikely]]
          return nullptr;
        row.miss(from);
      }
      from = next;
    }
    return from;
  }
  template <bool StringKey>
  THRIFTLENS_INLINE byte_ptr skip_key(byte_ptr from, std::size_t key_width) noexcept {
    if constexpr (StringKey) return skip_string(from);
    return remaining(from) < key_width ? stop(errc::truncated, from) : from + key_width;
  }

  byte_ptr skip_map(byte_ptr from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    map_header map;
    byte_ptr entries = detail::binary_gets::get_map(from, end_, unlimited, map, code);
    if (entries == nullptr) [[unlikely]]
      return stop(code, from);
    return map.size == 0 ? entries : skip_entries(entries, map, depth_left - 1);
  }
  byte_ptr skip_entries(byte_ptr from, const map_header& map, std::uint32_t depth_left) noexcept {
    const std::size_t size = map.size, key_width = fixed_width(map.key);
    if (map.value == ttype::string) {
      if (map.key == ttype::string) return skip_strings(from, 0, size * 2);
      if (key_width != 0) return skip_strings(from, key_width, size);
    } else if (map.value == ttype::struct_ && is_row(size)) {
      if (map.key == ttype::string) return skip_row<true>(from, 0, size, depth_left);
      if (key_width != 0) return skip_row<false>(from, key_width, size, depth_left);
    }
    const std::size_t value_width = fixed_width(map.value);
    if (key_width != 0 && value_width != 0) return from + size * (key_width + value_width);
    return skip_each_entry(from, map, depth_left);
  }
  byte_ptr skip_each_entry(byte_ptr from, map_header map, std::uint32_t depth_left) noexcept {
    for (; map.size != 0; --map.size) {
      from = skip(from, map.key, depth_left);
      if (from != nullptr) [[likely]]
        from = skip(from, map.value, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }

  static constexpr std::uint32_t unlimited = 0xffffffffu;
  // A header and the widest fixed value take 19 bytes, so one test covers both far from the end.
  static constexpr std::ptrdiff_t plain_reach = 32;

  byte_ptr end_;
  learned_layouts layouts_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
