// fast_fields: reads leading numbers and strings of a struct that are in the order of the IDL.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/dom/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Bytes of a string with its size, or 0 if it exceeds `max_size` or `in`.
[[nodiscard]] THRIFTLENS_INLINE std::size_t fast_text_size(byte_view in, std::uint32_t max_size) noexcept {
  const std::uint32_t size = load_be<std::uint32_t>(in.begin());
  return size <= max_size && size <= 0x7fffffff && size <= in.size() - 4 ? size + std::size_t{4} : 0;
}

/// The slot of `field` at the beginning of `in`; erased if another field is there or the value is truncated.
[[nodiscard]] THRIFTLENS_INLINE slot fast_field(byte_view in, const image::field_node& field,
                                                std::uint32_t string_size) noexcept {
  // A header, and a number or the size of a string.
  if (in.size() < 7 || (load_le<std::uint32_t>(in.begin()) ^ field.header) << 8 != 0) return {};
  const byte_view value(in.begin() + 3, in.size() - 3);
  const std::size_t size = field.wire == ttype::string ? fast_text_size(value, string_size) : field.width;
  if (size == 0 || size > value.size()) return {};
  slot result = raw_slot(byte_view(value.begin(), size), field.wire);
  result.id = field.id;
  return result;
}

/// Appends slots of the first of `fields` while they are at the beginning of `in`; returns their end. Must
/// read the same as expander::read_field().
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* fast_fields(byte_view in,
                                                                std::span<const image::field_node> fields,
                                                                std::uint32_t string_size,
                                                                std::vector<slot>& to) {
  const std::uint8_t* at = in.begin();
  for (const image::field_node& field : fields) {
    const slot value = fast_field(byte_view(at, static_cast<std::size_t>(in.end() - at)), field, string_size);
    if (value.erased()) break;
    to.push_back(value);
    at = value.bytes + value.size;
  }
  return at;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
