// layout: what the fields of a struct look like in Binary, worked out by the compiler.
// In: a struct type. Out: header bytes, runs of fixed-width fields, least sizes; whether bytes look so.
// Never looks at bytes that the caller has not checked to be there.
#pragma once

#include <thriftlens/codec/members.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/binary_skip.hpp>

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

/// What a binding says of the fields of T, as shapes have it.
template <class T>
inline constexpr auto member_slots = []<std::size_t... Index>(std::index_sequence<Index...>) {
  return std::array<shape::slot, sizeof...(Index) + 1>{
      shape::slot{members<T>::template id<Index>, member_wire<T, Index>, true,
                  members<T>::template required<Index>}...,
      shape::slot{}};
}(std::make_index_sequence<members<T>::count>{});
/// The member with that number: by the shape of a dynamic state, else by the binding.
template <class T, class State>
[[nodiscard]] THRIFTLENS_INLINE const shape::slot& member_slot(const State& state,
                                                               std::size_t index) noexcept {
  if constexpr (State::dynamic)
    return state.at->slots[index];
  else
    return member_slots<T>[index];
}

/// Bytes of the field with its header where they are fixed, else 0.
template <class T, std::size_t Index>
inline constexpr std::size_t fixed_field_size =
    !is_fixed<member_type<T, Index>> ? 0 : 3 + fixed_width(member_wire<T, Index>);

namespace detail {
// The least bytes from a field's header on that a fast path may look at: header and value, or header and
// size.
[[nodiscard]] constexpr std::size_t reach_of(ttype wire) noexcept {
  if (wire == ttype::string) return 7;
  return fixed_width(wire) != 0 ? 3 + fixed_width(wire) : 4;
}
}  // namespace detail
template <class T, std::size_t Index>
inline constexpr std::size_t field_reach = detail::reach_of(member_wire<T, Index>);

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

/// The headers of the fixed-width fields of a group stand at `from`, where its bytes are.
template <class T, field_group Group>
[[nodiscard]] THRIFTLENS_INLINE bool run_matches(read_cursor from) noexcept {
  std::uint32_t differences = 0;
  for_each_index<Group.begin, Group.end>([&](auto index) THRIFTLENS_INLINE_LAMBDA {
    const auto header = load_le<std::uint32_t>(from + run_size<T, Group.begin, index>);
    differences |= (header ^ member_header<T, index>) << 8;
    return true;
  });
  return differences == 0;
}

/// Reads the values of those fields, whose headers do stand there. False: an unsigned member refuses its
/// value.
template <field_group Group, class State, class T>
[[nodiscard]] THRIFTLENS_INLINE bool read_run(State& state, read_cursor from, T& to, std::uint32_t depth) {
  return for_each_index<Group.begin, Group.end>([&](auto index) THRIFTLENS_INLINE_LAMBDA {
    const read_cursor value = from + run_size<T, Group.begin, index> + 3;
    read_cursor after = read_value(state, value, members<T>::template get<index>(to), depth);
    return !is_unsigned_number<member_type<T, index>> || after != nullptr;
  });
}

namespace detail {
// The end of a field of fixed width, or of a string that is whole; else nullptr.
[[nodiscard]] THRIFTLENS_INLINE read_cursor plain_field_end(read_cursor at, read_cursor end) noexcept {
  if (const std::size_t jump = thriftlens::detail::binary_field_jump.by_type[*at])
    return thriftlens::detail::binary_after<11, 7, 4>(at, jump);
  if (*at != static_cast<std::uint8_t>(ttype::string)) return nullptr;
  const std::size_t size = load_be<std::uint32_t>(at + 3);
  return size <= static_cast<std::size_t>(end - at) - 7 ? at + 7 + size : nullptr;
}
}  // namespace detail

/// Over fields whose ids lie between `above` and `below`, and whose values are of fixed width or strings:
/// after the last of them that is whole. Stops at every other field, and near the end.
[[nodiscard]] THRIFTLENS_NOINLINE inline read_cursor skip_fields(read_cursor at, read_cursor end,
                                                                 std::int32_t above,
                                                                 std::int32_t below) noexcept {
  const auto first = above + 1;
  const auto count = static_cast<std::uint32_t>(below - first);
  // No header with a value of fixed width is longer.
  while (end - at >= 19) {
    if (static_cast<std::uint32_t>(load_be<std::int16_t>(at + 1) - first) >= count) break;
    const std::uint8_t* const after = detail::plain_field_end(at, end);
    if (after == nullptr) break;
    at = after;
  }
  return at;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
