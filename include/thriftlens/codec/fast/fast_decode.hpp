// fast_decode: decodes structs of numbers and strings whose fields are all present in order of ids.
// Returns false, with members in any state, if the general decoder has to do it.
#pragma once

#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/read_state.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Whether fast_decode supports a struct.
template <class T>
[[nodiscard]] constexpr bool find_reads_flat() noexcept {
  if constexpr (is_struct_value<T> && bound<T>) {
    return members<T>::count != 0 && !members<T>::keeps_unknown && for_each_member<T>([](auto index) {
             using type = member_type<T, index>;
             return is_fixed<type> || is_text_value<type>;
           });
  } else {
    return false;
  }
}
template <class T>
inline constexpr bool reads_flat = find_reads_flat<T>();

/// A read_state for flat structs, without faults.
template <protocol Protocol, bool Reuse>
struct flat_read_state {
  using protocol_type = Protocol;
  static constexpr bool reuse = Reuse;
  static constexpr bool dynamic = false;

  read_cursor end;
  std::uint32_t string_size;
  errc code = errc::ok;

  [[nodiscard]] THRIFTLENS_INLINE std::size_t remaining(read_cursor from) const noexcept {
    return static_cast<std::size_t>(end - from);
  }
  THRIFTLENS_INLINE static read_cursor reject(errc, read_cursor) noexcept { return nullptr; }
  THRIFTLENS_INLINE static read_cursor fail_at(read_cursor) noexcept { return nullptr; }
  /// The number of objects is bounded by the number of members.
  THRIFTLENS_INLINE static bool spend(std::size_t, std::size_t) noexcept { return true; }
};

template <class T, std::size_t Begin, std::size_t End, class State>
[[nodiscard]] THRIFTLENS_INLINE read_cursor read_flat_group(State& state, read_cursor from, T& to) {
  constexpr std::make_index_sequence<End - Begin> offsets;
  constexpr bool fixed = fixed_field_size<T, Begin> != 0;
  constexpr std::size_t size = fixed ? run_size<T, Begin, End> : field_reach<T, Begin>;
  if (state.remaining(from) < size || !run_matches<T, Begin>(from, offsets)) [[unlikely]]
    return nullptr;
  if constexpr (fixed)
    return read_run<Begin>(state, from, to, 0, offsets) ? from + size : nullptr;
  else
    return read_value(state, from + 3, members<T>::template get<Begin>(to), 0);
}
template <class T, class State, std::size_t... Group>
[[nodiscard]] THRIFTLENS_INLINE read_cursor read_flat_groups(State& state, read_cursor from, T& to,
                                                             std::index_sequence<Group...>) {
  constexpr const auto& groups = field_groups<T>;
  const bool matched =
      (((from = read_flat_group<T, groups[Group].begin, groups[Group].end>(state, from, to)) != nullptr) &&
       ...);
  return matched ? from : nullptr;
}

/// Reads all members of the struct at `from`; returns its end, or nullptr with some members read.
template <class T, class State>
[[nodiscard]] THRIFTLENS_INLINE read_cursor read_flat(State& state, read_cursor from, T& to) {
  from = read_flat_groups<T>(state, from, to, std::make_index_sequence<field_groups<T>.size()>());
  return from != nullptr && from != state.end && *from == 0 ? from + 1 : nullptr;
}

/// Whether fast_decode supports the options. Options added later are not supported by default.
[[nodiscard]] THRIFTLENS_INLINE bool fast_decode_serves(const decode_options& options) noexcept {
  if (!thriftlens::detail::is_valid(options)) [[unlikely]]
    return false;
  decode_options known;
  known.limits = options.limits;
  // Irrelevant if all fields are present once and in order, and nothing follows.
  known.mismatch = options.mismatch;
  known.duplicates = options.duplicates;
  known.unknown = options.unknown;
  known.trailing = options.trailing;
  known.missing_required = options.missing_required;
  return known == options;
}

/// Reads a struct with all fields in order; see decoding::read() for others.
template <protocol Protocol, bool Reuse, class T>
[[nodiscard]] THRIFTLENS_INLINE bool fast_decode(byte_view bytes, T& to, const decode_options& options) {
  if constexpr (Protocol::traits.has_fixed_layout && reads_flat<T>) {
    if (!fast_decode_serves(options) || options.limits.depth == 0) [[unlikely]]
      return false;
    flat_read_state<Protocol, Reuse> state{bytes.end(), options.limits.string_size};
    read_cursor end = read_flat(state, bytes.begin(), to);
    return end != nullptr && end == bytes.end();
  } else {
    return false;
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
