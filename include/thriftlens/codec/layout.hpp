// layout: what the fields of a struct look like in Binary, worked out by the compiler.
// In: a struct type. Out: header bytes, runs of fixed-width fields, least sizes.
// Never looks at bytes.
#pragma once

#include <thriftlens/codec/members.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// The three header bytes of a field as load_le<std::uint32_t> shows them in its low 24 bits.
[[nodiscard]] constexpr std::uint32_t binary_header(ttype type, std::int16_t id) noexcept {
  const auto raw = static_cast<std::uint16_t>(id);
  return static_cast<std::uint32_t>(type) | static_cast<std::uint32_t>(raw >> 8) << 8 |
         static_cast<std::uint32_t>(raw & 0xffu) << 16;
}
template <class T, std::size_t Index>
inline constexpr std::uint32_t member_header =
    binary_header(member_wire<T, Index>, members<T>::template id<Index>);

/// Bytes of the field with its header where they are fixed, else 0.
template <class T, std::size_t Index>
inline constexpr std::size_t fixed_field_size =
    is_fixed<member_type<T, Index>> ? fixed_width(member_wire<T, Index>) + std::size_t{3} : 0;

/// Least bytes from the field's header on that a fast path may look at: header and value, or header and size.
template <class T, std::size_t Index>
inline constexpr std::size_t field_reach =
    fixed_width(member_wire<T, Index>) != 0  ? std::size_t{3} + fixed_width(member_wire<T, Index>)
    : member_wire<T, Index> == ttype::string ? 7
                                             : 4;

/// Fields [begin, end) in order of ids: a run of fields of fixed width, or one other field.
struct field_group {
  std::size_t begin = 0;
  std::size_t end = 0;
};

namespace detail {

template <class T>
inline constexpr auto fixed_fields = []<std::size_t... Index>(std::index_sequence<Index...>) {
  return std::array<bool, sizeof...(Index) + 1>{(fixed_field_size<T, Index> != 0)..., false};
}(std::make_index_sequence<members<T>::count>{});

template <class T>
[[nodiscard]] constexpr std::size_t group_end(std::size_t begin) noexcept {
  std::size_t end = begin;
  // Longer runs gain nothing and make near-end cases more frequent.
  while (end < members<T>::count && end - begin < 8 && fixed_fields<T>[end]) ++end;
  return end == begin ? begin + 1 : end;
}

template <class T>
[[nodiscard]] constexpr std::size_t count_groups() noexcept {
  std::size_t count = 0;
  for (std::size_t at = 0; at < members<T>::count; at = group_end<T>(at)) ++count;
  return count;
}

}  // namespace detail

/// All groups of T.
template <class T>
inline constexpr auto field_groups = [] {
  std::array<field_group, detail::count_groups<T>()> groups{};
  std::size_t at = 0;
  for (field_group& group : groups) {
    group = {at, detail::group_end<T>(at)};
    at = group.end;
  }
  return groups;
}();

/// Bytes of the fixed-width fields [Begin, End).
template <class T, std::size_t Begin, std::size_t End>
inline constexpr std::size_t run_size = []<std::size_t... Offset>(std::index_sequence<Offset...>) {
  return (std::size_t{0} + ... + fixed_field_size<T, Begin + Offset>);
}(std::make_index_sequence<End - Begin>{});

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
