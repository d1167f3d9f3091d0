// read_flat: structs of numbers and strings whose fields are all there, in order of ids, from Binary in one
// go. In: the first field header of a struct. Out: the members set, the place behind the stop byte; or
// nothing is said. Never explains: who meets a deviation reads the same bytes again with struct_reader.
#pragma once

#include <thriftlens/codec/flat.hpp>
#include <thriftlens/codec/read_state.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Not 0 where the headers of the fixed-width fields [Begin, End) do not stand at `from`, where run_size
/// bytes are.
template <class T, std::size_t Begin, std::size_t End>
[[nodiscard]] THRIFTLENS_INLINE std::uint32_t run_differs(const std::uint8_t* from) noexcept {
  return [&]<std::size_t... Offset>(std::index_sequence<Offset...>) THRIFTLENS_INLINE_LAMBDA {
    return (((load_le<std::uint32_t>(from + run_size<T, Begin, Begin + Offset>) ^
              member_header<T, Begin + Offset>)
             << 8) |
            ...);
  }(std::make_index_sequence<End - Begin>{});
}

/// The values of those fields, whose headers do stand there. False: an unsigned member refuses its value.
template <std::size_t Begin, std::size_t End, class State, class T>
[[nodiscard]] THRIFTLENS_INLINE bool read_run(State& state, const std::uint8_t* from, T& to,
                                              std::uint32_t depth) {
  return [&]<std::size_t... Offset>(std::index_sequence<Offset...>) THRIFTLENS_INLINE_LAMBDA {
    const auto read =
        [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) THRIFTLENS_INLINE_LAMBDA {
          const std::uint8_t* const value = from + run_size<T, Begin, Index> + 3;
          const std::uint8_t* behind = read_value(state, value, members<T>::template get<Index>(to), depth);
          return !is_unsigned_number<member_type<T, Index>> || behind != nullptr;
        };
    return (read(std::integral_constant<std::size_t, Begin + Offset>{}) && ...);
  }(std::make_index_sequence<End - Begin>{});
}

/// Structs that read_flat knows.
template <class T>
[[nodiscard]] constexpr bool find_reads_flat() noexcept {
  if constexpr (kind_of<T> == value_kind::structure && bound<T>) {
    return members<T>::count != 0 && !members<T>::keeps_unknown &&
           for_each_member<T>([]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
             return is_fixed<member_type<T, Index>> || kind_of<member_type<T, Index>> == value_kind::text;
           });
  } else {
    return false;
  }
}
template <class T>
inline constexpr bool reads_flat = find_reads_flat<T>();

/// What reading a flat struct carries: a read_state without memory of faults.
template <bool Reuse>
struct flat_read_state {
  using protocol_type = binary;
  using source = wire<binary>;
  static constexpr bool reuse = Reuse;
  static constexpr bool dynamic = false;
  static constexpr bool is_binary = true;

  const std::uint8_t* end;
  std::uint32_t string_size;
  errc code = errc::ok;

  THRIFTLENS_INLINE static const std::uint8_t* fail(errc, const std::uint8_t*) noexcept { return nullptr; }
  THRIFTLENS_INLINE static const std::uint8_t* fail_at(const std::uint8_t*) noexcept { return nullptr; }
};

template <class T, std::size_t Begin, std::size_t End, class State>
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* read_flat_group(State& state, const std::uint8_t* from,
                                                                    T& to) {
  constexpr bool fixed = fixed_field_size<T, Begin> != 0;
  constexpr std::size_t least = fixed ? run_size<T, Begin, End> : field_reach<T, Begin>;
  if (static_cast<std::size_t>(state.end - from) < least || run_differs<T, Begin, End>(from) != 0)
      [[unlikely]]
    return nullptr;
  if constexpr (!fixed) return read_value(state, from + 3, members<T>::template get<Begin>(to), 0);
  if (!read_run<Begin, End>(state, from, to, 0)) [[unlikely]]
    return nullptr;
  return from + least;
}

/// Behind the struct at `from`, all of whose members are read; or nullptr, and any of them may be.
template <class T, class State>
[[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* read_flat(State& state, const std::uint8_t* from, T& to) {
  const bool all = [&]<std::size_t... Group>(std::index_sequence<Group...>) THRIFTLENS_INLINE_LAMBDA {
    return (((from = read_flat_group<T, field_groups<T>[Group].begin, field_groups<T>[Group].end>(
                  state, from, to)) != nullptr) &&
            ...);
  }(std::make_index_sequence<field_groups<T>.size()>{});
  return all && from != state.end && *from == 0 ? from + 1 : nullptr;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
