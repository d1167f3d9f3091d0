// layout: computes the layout of fields in Binary at compile time.
#pragma once

#include <thriftlens/codec/members.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/binary_skip.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// The three header bytes of a field as load_le<std::uint32_t> shows them in its low 24 bits.
[[nodiscard]] constexpr std::uint32_t binary_header(ttype type, std::int16_t id) noexcept {
  const auto raw = static_cast<std::uint16_t>(id);
  return static_cast<std::uint32_t>(type) | static_cast<std::uint32_t>(raw >> 8) << 8 |
         static_cast<std::uint32_t>(raw & 0xffu) << 16;
}
template <class T, std::size_t Index>
inline constexpr std::uint32_t member_header =
    binary_header(member_wire<T, Index>, members<T>::template id<Index>);

/// The fields of T by its binding, in the form of a shape.
template <class T>
inline constexpr auto member_slots = []<std::size_t... Index>(std::index_sequence<Index...>) {
  return std::array<shape::slot, sizeof...(Index) + 1>{
      shape::slot{members<T>::template id<Index>, member_wire<T, Index>, true,
                  members<T>::template required<Index>}...,
      shape::slot{}};
}(member_indices<T>());
/// The position of an id among `count` slots with ascending ids, or `count`. O(1) for dense ids, else O(log
/// count).
[[nodiscard]] inline std::size_t find_slot(const shape::slot* first_slot, std::size_t count,
                                           std::int16_t id) noexcept {
  if (count == 0) return 0;
  const std::int32_t first = first_slot[0].id;
  if (first_slot[count - 1].id - first + 1 == static_cast<std::int32_t>(count))
    return thriftlens::detail::least(static_cast<std::size_t>(id - first), count);
  const shape::slot* const match = thriftlens::detail::end_of(
      first_slot, first_slot + count, [id](const shape::slot& slot) { return slot.id < id; });
  return match != first_slot + count && match->id == id ? static_cast<std::size_t>(match - first_slot)
                                                        : count;
}
/// The slot of a member, by the shape of a dynamic state or by the binding.
template <class T, class State>
[[nodiscard]] THRIFTLENS_INLINE const shape::slot& member_slot(const State& state,
                                                               std::size_t index) noexcept {
  if constexpr (State::dynamic)
    return state.at->fields[index];
  else
    return member_slots<T>[index];
}

/// By member, bytes of header and value if fixed, else 0; 0 after the last.
template <class T>
inline constexpr auto fixed_field_sizes = []<std::size_t... Index>(std::index_sequence<Index...>) {
  return std::array<std::size_t, sizeof...(Index) + 1>{
      (is_fixed<member_type<T, Index>> ? fixed_width(member_slots<T>[Index].wire) + 3 : 0)..., 0};
}(member_indices<T>());
template <class T, std::size_t Index>
inline constexpr std::size_t fixed_field_size = fixed_field_sizes<T>[Index];

namespace detail {
// Bytes from the header of a field on that a fast path reads at once: header and value, or header and size.
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
[[nodiscard]] constexpr std::size_t group_end(std::size_t begin) noexcept {
  std::size_t end = begin;
  // Longer runs are not faster and hit the end of the bytes more often.
  while (end < members<T>::count && end - begin < 8 && fixed_field_sizes<T>[end] != 0) ++end;
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

/// By member, bytes of the fixed-width fields before it.
template <class T>
inline constexpr auto run_offsets = [] {
  auto offsets = fixed_field_sizes<T>;
  std::size_t sum = 0;
  for (std::size_t& offset : offsets) {
    const std::size_t size = offset;
    offset = sum;
    sum += size;
  }
  return offsets;
}();
/// Bytes of the fixed-width fields [Begin, End).
template <class T, std::size_t Begin, std::size_t End>
inline constexpr std::size_t run_size = run_offsets<T>[End] - run_offsets<T>[Begin];

/// Whether the headers of the fixed-width fields from Begin on are at `from`, whose bytes must be readable.
template <class T, std::size_t Begin, std::size_t... Offset>
[[nodiscard]] THRIFTLENS_INLINE bool run_matches(read_cursor from, std::index_sequence<Offset...>) noexcept {
  constexpr const auto& at = run_offsets<T>;
  return ((((load_le<std::uint32_t>(from + (at[Begin + Offset] - at[Begin])) ^
             member_header<T, Begin + Offset>)
            << 8) |
           ...)) == 0;
}

/// Reads the values of fields whose headers matched. False if an unsigned member rejects its value.
template <std::size_t Begin, class State, class T, std::size_t... Offset>
[[nodiscard]] THRIFTLENS_INLINE bool read_run(State& state, read_cursor from, T& to, std::uint32_t depth,
                                              std::index_sequence<Offset...>) {
  constexpr const auto& at = run_offsets<T>;
  return ((read_value(state, from + (at[Begin + Offset] - at[Begin] + 3),
                      members<T>::template get<Begin + Offset>(to), depth) != nullptr ||
           !is_unsigned_number<member_type<T, Begin + Offset>>)&&...);
}

namespace detail {
// The end of a complete field of fixed width or string; else nullptr.
[[nodiscard]] THRIFTLENS_INLINE read_cursor plain_field_end(read_cursor at, read_cursor end) noexcept {
  if (const std::size_t jump = thriftlens::detail::binary_field_jump.by_type[*at])
    return thriftlens::detail::binary_after<11, 7, 4>(at, jump);
  if (*at != static_cast<std::uint8_t>(ttype::string)) return nullptr;
  const std::size_t size = load_be<std::uint32_t>(at + 3);
  return size <= static_cast<std::size_t>(end - at) - 7 ? at + 7 + size : nullptr;
}
}  // namespace detail

/// Skips complete fields of fixed width and strings with ids between `above` and `below`. Stops at other
/// fields and near the end.
[[nodiscard]] THRIFTLENS_NOINLINE inline read_cursor skip_fields(read_cursor at, read_cursor end,
                                                                 std::int32_t above,
                                                                 std::int32_t below) noexcept {
  const auto first = above + 1;
  const auto count = static_cast<std::uint32_t>(below - first);
  // No header with a value of fixed width is longer.
  while (end - at >= 19) {
    if (static_cast<std::uint32_t>(load_be<std::int16_t>(at + 1) - first) >= count) break;
    const std::uint8_t* const next = detail::plain_field_end(at, end);
    if (next == nullptr) break;
    at = next;
  }
  return at;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
