// binary_skip: how far a value of the Binary protocol reaches, without decoding it.
// In: a pointer into borrowed bytes, their end, a type. Out: the pointer behind the value, or nullptr and a
// fault. Never reads past the end, never recurses deeper than it is told to, never decodes a value.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/binary_shape.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

// Header and value of a field of fixed width, by its type byte; 0 for all others.
inline constexpr struct binary_field_jumps {
  std::uint8_t by_type[256] = {};
  constexpr binary_field_jumps() {
    for (unsigned type = 0; type < 17; ++type)
      if (ttype_width[type] != 0) by_type[type] = static_cast<std::uint8_t>(ttype_width[type] + 3);
  }
} binary_field_jump;

// `from + size`, the named sizes as branches: guessed right, what stands behind does not wait for the size.
template <std::size_t First, std::size_t Second, std::size_t Third>
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* binary_behind(const std::uint8_t* from,
                                                                  std::size_t size) noexcept {
  // Keeps compilers from making one addition out of them again.
  const auto apart = [](const std::uint8_t* at) {
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(at));
#endif
    return at;
  };
  if (size == First) return apart(from + First);
  if (size == Second) return apart(from + Second);
  return size == Third ? apart(from + Third) : from + size;
}

// Least bytes of a value on the wire, by type; used to reject sizes that the remaining bytes cannot hold.
inline constexpr ttype_table binary_least_width = {0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 4, 1, 6, 5, 5, 16};

}  // namespace detail

/// One skip. `code` and `at` say what stopped it after a nullptr.
class binary_skipper {
 public:
  explicit binary_skipper(const std::uint8_t* end) noexcept : end_(end) {}
  binary_skipper(const binary_skipper&) = delete;  // what it expects may lie in itself
  binary_skipper& operator=(const binary_skipper&) = delete;

  errc code = errc::ok;
  const std::uint8_t* at = nullptr;

  /// Behind a value of `type` that starts at `from`. `depth_left` counts this value where it is a struct or
  /// container.
  [[nodiscard]] const std::uint8_t* skip(const std::uint8_t* from, ttype type,
                                         std::uint32_t depth_left) noexcept {
    if (std::size_t width = fixed_width(type))
      return left(from) < width ? stop(errc::truncated, from) : from + width;
    return skip_open(from, type, depth_left);
  }

  /// What structs in containers are taken to look like until they prove different; tried first.
  THRIFTLENS_INLINE void expect(const shape_ref& shape) noexcept { shape_ = shape; }
  [[nodiscard]] const shape_ref& expected() const noexcept { return shape_; }
  /// Takes the shape of the well-formed struct at `from` for what is expected. False if it has none, or if
  /// structs here differ so much that it does not pay: shapes that were learned have hardly ever been met
  /// again.
  [[nodiscard]] bool learn(const std::uint8_t* from) noexcept {
    const bool learned = credit_ > 0 && own_.learn(from);
    credit_ -= lesson_price;
    shape_ = learned ? own_.ref() : shape_ref{};
    return learned;
  }

  /// The struct at `from` looked as expected.
  THRIFTLENS_INLINE void met() noexcept { credit_ = most_credit; }

  /// Behind the stop byte of the struct whose first field header is at `from`.
  [[nodiscard]] const std::uint8_t* skip_struct(const std::uint8_t* from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    const std::uint8_t* const end = end_;
    for (;;) {
      // A header and the widest fixed value take 19 bytes, so one test covers both far from the end.
      if (end - from < 32) [[unlikely]]
        return skip_struct_tail(from, depth_left);
      const std::uint8_t type = *from;
      if (const std::size_t jump = detail::binary_field_jump.by_type[type]) {
        from = detail::binary_behind<11, 7, 4>(from, jump);
      } else if (type == static_cast<std::uint8_t>(ttype::string)) {
        const auto size = load_be<std::uint32_t>(from + 3);
        from += 7;
        if (size > left(from)) [[unlikely]]
          return stop_string(size, from - 4);
        from += size;
      } else if (type == 0) {
        return from + 1;
      } else {
        from = skip_nested_field(from, depth_left);
        if (from == nullptr) [[unlikely]]
          return nullptr;
      }
    }
  }

 private:
  [[nodiscard]] std::size_t left(const std::uint8_t* from) const noexcept {
    return static_cast<std::size_t>(end_ - from);
  }

  THRIFTLENS_COLD const std::uint8_t* stop(errc reason, const std::uint8_t* where) noexcept {
    code = reason;
    at = where;
    return nullptr;
  }
  THRIFTLENS_COLD const std::uint8_t* stop_string(std::uint32_t size, const std::uint8_t* where) noexcept {
    return stop(size > 0x7fffffffu ? errc::negative_size : errc::truncated, where);
  }

  // Fields near the end of the bytes: every step checked by itself.
  THRIFTLENS_NOINLINE const std::uint8_t* skip_struct_tail(const std::uint8_t* from,
                                                           std::uint32_t depth_left) noexcept {
    for (;;) {
      if (from == end_) return stop(errc::truncated, from);
      const std::uint8_t raw = *from;
      if (raw == 0) return from + 1;
      if (!is_value_type(raw)) return stop(errc::bad_ttype, from);
      if (left(from) < 3) return stop(errc::truncated, from);
      from = skip(from + 3, static_cast<ttype>(raw), depth_left - 1);
      if (from == nullptr) return nullptr;
    }
  }

  THRIFTLENS_INLINE const std::uint8_t* skip_nested_field(const std::uint8_t* from,
                                                          std::uint32_t depth_left) noexcept {
    if (!is_value_type(*from)) [[unlikely]]
      return stop(errc::bad_ttype, from);
    return skip_open(from + 3, static_cast<ttype>(*from), depth_left - 1);
  }

  // A value whose width the type does not say.
  THRIFTLENS_NOINLINE const std::uint8_t* skip_open(const std::uint8_t* from, ttype type,
                                                    std::uint32_t depth_left) noexcept {
    if (type == ttype::string) return skip_string(from);
    if (type == ttype::struct_) return skip_struct(from, depth_left);
    if (type == ttype::map) return skip_map(from, depth_left);
    if (type == ttype::list || type == ttype::set) return skip_list(from, depth_left);
    return stop(errc::bad_ttype, from);
  }

  THRIFTLENS_INLINE const std::uint8_t* skip_string(const std::uint8_t* from) noexcept {
    if (left(from) < 4) [[unlikely]]
      return stop(errc::truncated, from);
    const auto size = load_be<std::uint32_t>(from);
    if (size > left(from) - 4) [[unlikely]]
      return stop_string(size, from);
    return from + 4 + size;
  }

  const std::uint8_t* skip_list(const std::uint8_t* from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    if (left(from) < 5) [[unlikely]]
      return stop(errc::truncated, from);
    const std::uint8_t element = *from;
    std::size_t size = load_be<std::uint32_t>(from + 1);
    if (size > 0x7fffffffu) [[unlikely]]
      return stop(errc::negative_size, from);
    if (size == 0) return from + 5;
    if (!is_value_type(element)) [[unlikely]]
      return stop(errc::bad_ttype, from);
    if (size * detail::binary_least_width[element] > left(from) - 5) [[unlikely]]
      return stop(errc::truncated, from);
    from += 5;
    const auto type = static_cast<ttype>(element);
    if (const std::size_t width = fixed_width(type)) return from + size * width;
    if (type == ttype::string) return skip_strings(from, size);
    if (type == ttype::struct_) return skip_structs(from, size, depth_left - 1);
    while (size-- != 0)
      if ((from = skip_open(from, type, depth_left - 1)) == nullptr) [[unlikely]]
        return nullptr;
    return from;
  }

  // From so many structs on it pays to learn the first one's headers; with a shape at hand it is tried from
  // two on.
  [[nodiscard]] bool worth_a_shape(std::size_t size) const noexcept {
    return size >= 4 || (size >= 2 && shape_);
  }

  const std::uint8_t* skip_structs(const std::uint8_t* from, std::size_t size,
                                   std::uint32_t depth_left) noexcept {
    if (worth_a_shape(size)) return skip_alike<false>(from, 0, size, depth_left);
    while (size-- != 0)
      if ((from = skip_struct(from, depth_left)) == nullptr) [[unlikely]]
        return nullptr;
    return from;
  }

  // Structs that mostly look the same, each behind a key: a string, or `key_width` bytes. The shape learned
  // in an earlier container of this skip is tried first; two misses in a row, or one at the start, and the
  // present struct is learned.
  template <bool StringKey>
  THRIFTLENS_NOINLINE const std::uint8_t* skip_alike(const std::uint8_t* from, std::size_t key_width,
                                                     std::size_t size, std::uint32_t depth_left) noexcept {
    // A shape from a shallower place may nest deeper than is allowed here.
    int trust = shape_ && shape_.levels <= depth_left ? 1 : 0, lessons = 3;
    for (; size != 0; --size) {
      if constexpr (StringKey) {
        if ((from = skip_string(from)) == nullptr) [[unlikely]]
          return nullptr;
      } else {
        if (left(from) < key_width) [[unlikely]]
          return stop(errc::truncated, from);
        from += key_width;
      }
      if (!shape_) [[unlikely]]
        trust = 0;  // a container inside the last struct may have tried to learn and failed
      if (trust > 0) [[likely]] {
        if (const std::uint8_t* behind = shape_.match(from, end_)) [[likely]] {
          trust = 4;
          from = behind;
          continue;
        }
        trust -= 2;
      }
      const std::uint8_t* behind = skip_struct(from, depth_left);
      if (behind == nullptr) [[unlikely]]
        return nullptr;
      if (trust <= 0 && lessons != 0) {
        const bool learned = learn(from);
        trust = learned ? 4 : 0;
        lessons = learned ? lessons - 1 : 0;
      }
      from = behind;
    }
    if (trust == 4) met();
    return from;
  }

  const std::uint8_t* skip_strings(const std::uint8_t* from, std::size_t count) noexcept {
    while (count-- != 0)
      if ((from = skip_string(from)) == nullptr) [[unlikely]]
        return nullptr;
    return from;
  }

  const std::uint8_t* skip_map(const std::uint8_t* from, std::uint32_t depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return stop(errc::depth_limit, from);
    if (left(from) < 6) [[unlikely]]
      return stop(errc::truncated, from);
    const std::uint8_t raw_key = from[0], raw_value = from[1];
    const std::size_t size = load_be<std::uint32_t>(from + 2);
    if (size > 0x7fffffffu) [[unlikely]]
      return stop(errc::negative_size, from);
    if (size == 0) return from + 6;
    if (!is_value_type(raw_key) || !is_value_type(raw_value)) [[unlikely]]
      return stop(errc::bad_ttype, from);
    const std::size_t least =
        std::size_t{detail::binary_least_width[raw_key]} + detail::binary_least_width[raw_value];
    if (size * least > left(from) - 6) [[unlikely]]
      return stop(errc::truncated, from);
    return skip_entries(from + 6, static_cast<ttype>(raw_key), static_cast<ttype>(raw_value), size,
                        depth_left - 1);
  }

  const std::uint8_t* skip_entries(const std::uint8_t* from, ttype key, ttype value, std::size_t size,
                                   std::uint32_t depth_left) noexcept {
    const std::size_t key_width = fixed_width(key), value_width = fixed_width(value);
    if (key_width != 0 && value_width != 0) return from + size * (key_width + value_width);
    if (key == ttype::string && value == ttype::string) return skip_strings(from, size * 2);
    if (value == ttype::struct_ && worth_a_shape(size)) {
      if (key == ttype::string) return skip_alike<true>(from, 0, size, depth_left);
      if (key_width != 0) return skip_alike<false>(from, key_width, size, depth_left);
    }
    if (key_width != 0 && value == ttype::string) return skip_keyed_strings(from, key_width, size);
    while (size-- != 0) {
      from = key == ttype::string ? skip_string(from) : skip(from, key, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
      from = value == ttype::string ? skip_string(from) : skip(from, value, depth_left);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }

  const std::uint8_t* skip_keyed_strings(const std::uint8_t* from, std::size_t key_width,
                                         std::size_t count) noexcept {
    while (count-- != 0) {
      if (left(from) < key_width + 4) [[unlikely]]
        return stop(errc::truncated, from);
      const auto size = load_be<std::uint32_t>(from + key_width);
      from += key_width + 4;
      if (size > left(from)) [[unlikely]]
        return stop_string(size, from - 4);
      from += size;
    }
    return from;
  }

  // What is learned must be met again before too long.
  static constexpr int most_credit = 6, lesson_price = 2;

  const std::uint8_t* end_;
  shape_ref shape_;
  int credit_ = most_credit;
  binary_shape own_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
