// wire: primitives of both protocols by pointer, the way the codec's loops want them.
// In: a pointer into the bytes and their end. Out: the value and the pointer behind it, or nullptr and a
// code. Never holds a position: a loop keeps it in a register.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// What the readers of a protocol share; `wire<binary>` and `wire<compact>` have the same members.
template <class Protocol>
struct wire;

template <>
struct wire<binary> {
  /// Least bytes of a value as an element of a container.
  [[nodiscard]] static constexpr std::size_t least(ttype type) noexcept {
    return thriftlens::detail::binary_least_width[static_cast<std::uint8_t>(type)];
  }
  template <class Number>
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* number(const std::uint8_t* at,
                                                                    const std::uint8_t* end, Number& value,
                                                                    errc& code) noexcept {
    if (static_cast<std::size_t>(end - at) < sizeof(Number)) [[unlikely]]
      return code = errc::truncated, nullptr;
    value = load_be<Number>(at);
    return at + sizeof(Number);
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* boolean(const std::uint8_t* at,
                                                                     const std::uint8_t* end, bool& value,
                                                                     errc& code) noexcept {
    if (at == end) [[unlikely]]
      return code = errc::truncated, nullptr;
    value = *at != 0;
    return at + 1;
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* text(const std::uint8_t* at,
                                                                  const std::uint8_t* end, byte_view& value,
                                                                  std::uint32_t limit, errc& code) noexcept {
    const auto left = static_cast<std::size_t>(end - at);
    if (left < 4) [[unlikely]]
      return code = errc::truncated, nullptr;
    const auto size = load_be<std::uint32_t>(at);
    if (size > left - 4 || size > limit) [[unlikely]]
      return code = size_fault(size, limit), nullptr;
    value = byte_view(at + 4, size);
    return at + 4 + size;
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* list(const std::uint8_t* at,
                                                                  const std::uint8_t* end,
                                                                  list_header& header, errc& code) noexcept {
    const auto left = static_cast<std::size_t>(end - at);
    if (left < 5) [[unlikely]]
      return code = errc::truncated, nullptr;
    header.element = is_value_type(*at) ? static_cast<ttype>(*at) : ttype::stop;
    header.size = load_be<std::uint32_t>(at + 1);
    if (header.size > 0x7fffffffu) [[unlikely]]
      return code = errc::negative_size, nullptr;
    if (header.element == ttype::stop) [[unlikely]] {
      if (header.size != 0) return code = errc::bad_ttype, nullptr;
    } else if (header.size * least(header.element) > left - 5) [[unlikely]] {
      return code = errc::truncated, nullptr;
    }
    return at + 5;
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* map(const std::uint8_t* at,
                                                                 const std::uint8_t* end, map_header& header,
                                                                 errc& code) noexcept {
    const auto left = static_cast<std::size_t>(end - at);
    if (left < 6) [[unlikely]]
      return code = errc::truncated, nullptr;
    header.key = is_value_type(at[0]) ? static_cast<ttype>(at[0]) : ttype::stop;
    header.value = is_value_type(at[1]) ? static_cast<ttype>(at[1]) : ttype::stop;
    header.size = load_be<std::uint32_t>(at + 2);
    if (header.size == 0) return at + 6;
    if (header.size > 0x7fffffffu) [[unlikely]]
      return code = errc::negative_size, nullptr;
    if (header.key == ttype::stop || header.value == ttype::stop) [[unlikely]]
      return code = errc::bad_ttype, nullptr;
    if (header.size * (least(header.key) + least(header.value)) > left - 6) [[unlikely]]
      return code = errc::truncated, nullptr;
    return at + 6;
  }
  /// `found.inline_bool` stays -1 here.
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* field(const std::uint8_t* at,
                                                                   const std::uint8_t* end,
                                                                   std::int16_t& /*last_id*/,
                                                                   compact_field& found,
                                                                   errc& code) noexcept {
    if (at == end) [[unlikely]]
      return code = errc::truncated, nullptr;
    found = {};
    if (*at == 0) return at + 1;
    if (!is_value_type(*at)) [[unlikely]]
      return code = errc::bad_ttype, nullptr;
    if (end - at < 3) [[unlikely]]
      return code = errc::truncated, nullptr;
    found.header = {static_cast<ttype>(*at), load_be<std::int16_t>(at + 1)};
    return at + 3;
  }
  using skipper = binary_skipper;

  /// Over fields whose ids lie between `above` and `below`, and whose values are of fixed width or strings:
  /// behind the last of them that is whole. Stops at every other field, and near the end.
  [[nodiscard]] THRIFTLENS_NOINLINE static const std::uint8_t* skip_fields(const std::uint8_t* at,
                                                                           const std::uint8_t* end,
                                                                           std::int32_t above,
                                                                           std::int32_t below) noexcept {
    const auto first = above + 1;
    const auto count = static_cast<std::uint32_t>(below - first);
    // No header with a value of fixed width is longer.
    while (end - at >= 19) {
      if (static_cast<std::uint32_t>(load_be<std::int16_t>(at + 1) - first) >= count) break;
      if (const std::size_t jump = thriftlens::detail::binary_field_jump.by_type[*at]) {
        at = thriftlens::detail::binary_behind<11, 7, 4>(at, jump);
      } else if (*at == static_cast<std::uint8_t>(ttype::string)) {
        const std::size_t size = load_be<std::uint32_t>(at + 3);
        if (size > static_cast<std::size_t>(end - at) - 7) [[unlikely]]
          break;
        at += 7 + size;
      } else {
        break;
      }
    }
    return at;
  }

 private:
  THRIFTLENS_COLD static errc size_fault(std::uint32_t size, std::uint32_t limit) noexcept {
    if (size > 0x7fffffffu) return errc::negative_size;
    return size > limit ? errc::size_limit : errc::truncated;
  }
};

template <>
struct wire<compact> {
  [[nodiscard]] static constexpr std::size_t least(ttype type) noexcept { return compact_least(type); }
  template <class Number>
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* number(const std::uint8_t* at,
                                                                    const std::uint8_t* end, Number& value,
                                                                    errc& code) noexcept {
    if constexpr (sizeof(Number) == 1 || std::is_same_v<Number, double>) {
      if (static_cast<std::size_t>(end - at) < sizeof(Number)) [[unlikely]]
        return code = errc::truncated, nullptr;
      value = load_le<Number>(at);
      return at + sizeof(Number);
    } else {
      using raw_type = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
      raw_type raw = 0;
      const std::uint8_t* behind = get_varint(at, end, raw);
      if (behind == nullptr) [[unlikely]]
        return code = varint_fault<raw_type>(at, end), nullptr;
      if (sizeof(Number) == 2 && raw > 0xffffu) [[unlikely]]
        return code = errc::bad_varint, nullptr;
      value = static_cast<Number>(from_zigzag(raw));
      return behind;
    }
  }
  /// An element of a container; a field's value is in its header.
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* boolean(const std::uint8_t* at,
                                                                     const std::uint8_t* end, bool& value,
                                                                     errc& code) noexcept {
    if (at == end) [[unlikely]]
      return code = errc::truncated, nullptr;
    value = (*at & ~2u) != 0;
    return at + 1;
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* text(const std::uint8_t* at,
                                                                  const std::uint8_t* end, byte_view& value,
                                                                  std::uint32_t limit, errc& code) noexcept {
    std::uint32_t size = 0;
    at = get_compact_size(at, end, size, code);
    if (at == nullptr) [[unlikely]]
      return nullptr;
    if (size > limit) [[unlikely]]
      return code = errc::size_limit, nullptr;
    if (size > static_cast<std::size_t>(end - at)) [[unlikely]]
      return code = errc::truncated, nullptr;
    value = byte_view(at, size);
    return at + size;
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* list(const std::uint8_t* at,
                                                                  const std::uint8_t* end,
                                                                  list_header& header, errc& code) noexcept {
    return get_compact_list(at, end, header, code);
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* map(const std::uint8_t* at,
                                                                 const std::uint8_t* end, map_header& header,
                                                                 errc& code) noexcept {
    return get_compact_map(at, end, header, code);
  }
  [[nodiscard]] THRIFTLENS_INLINE static const std::uint8_t* field(const std::uint8_t* at,
                                                                   const std::uint8_t* end,
                                                                   std::int16_t& last_id,
                                                                   compact_field& found,
                                                                   errc& code) noexcept {
    return get_compact_field(at, end, last_id, found, code);
  }
  using skipper = compact_skipper;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
