// write_struct: encodes structs and unions.
#pragma once

#include <thriftlens/codec/parts.hpp>
#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/codec/write_state.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Writes header and value of a present field. `slot`: its index in the shape of a dynamic state.
template <class State, class T>
THRIFTLENS_INLINE write_cursor write_field_value(State& state, write_cursor to, field_header header,
                                                 std::int16_t& last_id, std::size_t slot, const T& value,
                                                 std::uint32_t depth) {
  using P = typename State::protocol_type;
  to = state.reserve(to, P::max_field_header + 1);
  if (to == nullptr) return nullptr;
  if constexpr (wire_type<T>() == ttype::bool_) {
    return P::put_bool_field(to, header.id, wire_bool(value), last_id);
  } else {
    to = P::put_field(to, header.type, header.id, last_id);
    const shape_scope<State> scope(state, member_part(state, slot));
    return write_value(state, to, value, depth);
  }
}

template <class State>
THRIFTLENS_INLINE write_cursor write_stop(State& state, write_cursor to) {
  to = state.reserve(to, 1);
  return to == nullptr ? nullptr : State::protocol_type::put_stop(to);
}

template <class State, class T>
write_cursor write_struct(State& state, write_cursor to, const T& from, std::uint32_t depth);
template <class State, class T>
write_cursor write_union(State& state, write_cursor to, const T& from, std::uint32_t depth);

namespace detail {
template <class State, class T>
[[nodiscard]] constexpr bool name_writer() noexcept {
  if constexpr (is_union_value<T>)
    static_cast<void>(&write_union<State, T>);
  else if constexpr (!is_flat<T> || State::dynamic)
    static_cast<void>(&write_struct<State, T>);
  return true;
}
template <class State, class... T>
[[nodiscard]] constexpr bool name_writers(type_list<T...>) noexcept {
  return (name_writer<State, T>() && ...);
}
}  // namespace detail
/// Instantiates the writers of all structs in T, see readers_named.
template <class State, class T>
inline constexpr bool writers_named = detail::name_writers<State>(parts_of<T>());

template <class State, class T>
class struct_writer {
  using list = members<T>;
  using P = typename State::protocol_type;

 public:
  struct_writer(State& state, const T& from, std::uint32_t depth) noexcept
      : state_(state), from_(from), depth_(depth - 1) {}

  write_cursor write(write_cursor to) {
    if constexpr (State::dynamic)
      to = write_by_shape(to);
    else
      to = write_all(to, member_indices<T>());
    if constexpr (list::keeps_unknown) {
      if (to != nullptr && !list::unknown(from_).empty()) to = write_unknown(to);
    }
    return to == nullptr ? nullptr : write_stop(state_, to);
  }

 private:
  // ---- in order of ids

  template <std::size_t... Index>
  THRIFTLENS_INLINE write_cursor write_all(write_cursor to, std::index_sequence<Index...>) {
    static_cast<void>((((to = write_member<Index>(to)) != nullptr) && ...));
    return to;
  }
  template <std::size_t Index>
  THRIFTLENS_INLINE write_cursor write_member(write_cursor to) {
    if constexpr (is_flat_member<T, Index>) {
      // The first of a run of flat members reserves memory for all of them.
      if constexpr (starts_run(Index)) {
        to = reserve_run<Index>(to, std::make_index_sequence<run_length(Index)>{});
        if (to == nullptr) return nullptr;
      }
      auto&& target = to_flat(state_);
      return put_flat_field<std::remove_cvref_t<decltype(target)>, member_wire<T, Index>>(
          target, to, list::template id<Index>, last_id_, list::template get<Index>(from_));
    } else {
      return write_field<Index>(to);
    }
  }
  static constexpr auto flat_members = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<bool, sizeof...(Index) + 1>{is_flat_member<T, Index>..., false};
  }(member_indices<T>());
  [[nodiscard]] static constexpr bool starts_run(std::size_t index) noexcept {
    return index == 0 || !flat_members[index - 1];
  }
  [[nodiscard]] static constexpr std::size_t run_length(std::size_t index) noexcept {
    std::size_t length = 0;
    while (flat_members[index + length]) ++length;
    return length;
  }
  template <std::size_t Begin, std::size_t... Offset>
  THRIFTLENS_INLINE write_cursor reserve_run(write_cursor to, std::index_sequence<Offset...>) {
    if constexpr ((has_unsigned<member_type<T, Begin + Offset>> || ...)) {
      if (!(numbers_fit(list::template get<Begin + Offset>(from_)) && ...))
        return refuse_run<Begin, sizeof...(Offset)>();
    }
    return reserve_flat(state_, to, depth_, sizeof...(Offset) * P::max_field_header,
                        list::template get<Begin + Offset>(from_)...);
  }
  // Fails at the flat member with a number outside its wire type.
  template <std::size_t Begin, std::size_t Count>
  THRIFTLENS_COLD write_cursor refuse_run() {
    for_each_index<Begin, Begin + Count>([&](auto index) { return refuse_member<T, index>(state_, from_); });
    return nullptr;
  }

  // ---- one field

  template <std::size_t Index>
  THRIFTLENS_INLINE write_cursor write_field(write_cursor to) {
    if constexpr (list::template omits_default<Index>) {
      if (list::template get<Index>(from_) == list::template default_value<Index>()) return to;
    }
    to = write_value_of(to, Index, list::template get<Index>(from_));
    return to != nullptr ? to : fail_in(Index);
  }
  template <class Value>
  THRIFTLENS_INLINE write_cursor write_value_of(write_cursor to, std::size_t index, const Value& value) {
    if constexpr (is_nullable_value<Value>) {
      if (!is_missing(value)) return write_value_of(to, index, *value);
      return slot(index).required ? state_.reject(errc::empty_value) : to;
    } else {
      const field_header header = {slot(index).wire, slot(index).id};
      return write_field_value(state_, to, header, last_id_, index, value, depth_);
    }
  }
  THRIFTLENS_COLD write_cursor fail_in(std::size_t index) {
    return state_.in_field(member_name_at<T>(index), slot(index).id);
  }

  // ---- in order of the ids of the shape

  write_cursor write_by_shape(write_cursor to) {
    for (const auto& [id, index] : state_.at->by_id) {
      to = field_table[index](*this, to);
      if (to == nullptr) return nullptr;
    }
    return to;
  }
  using field_function = write_cursor (*)(struct_writer&, write_cursor);
  template <std::size_t Index>
  static write_cursor write_one(struct_writer& self, write_cursor to) {
    return self.template write_field<Index>(to);
  }
  static constexpr auto field_table = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<field_function, sizeof...(Index) + 1>{&write_one<Index>..., nullptr};
  }(member_indices<T>());

  // ---- fields that the binding does not know

  THRIFTLENS_NOINLINE write_cursor write_unknown(write_cursor to) {
    const unknown_fields& retained = list::unknown(from_);
    if (retained.protocol() == P::id) return put_unknown(to, retained);
    const result<unknown_fields> converted = retained.template try_in_protocol<P>();
    return converted ? put_unknown(to, *converted) : state_.reject(converted.error().code());
  }
  write_cursor put_unknown(write_cursor to, const unknown_fields& retained) {
    for (const unknown_fields::entry& field : retained.entries()) {
      const byte_view value = retained.value(field);
      to = state_.reserve(to, P::max_field_header + value.size());
      if (to == nullptr) return nullptr;
      to = put_raw_field<P>(to, {field.type, field.id}, value, last_id_);
    }
    return to;
  }

  [[nodiscard]] THRIFTLENS_INLINE const shape::slot& slot(std::size_t index) const noexcept {
    return member_slot<T>(state_, index);
  }

  State& state_;
  const T& from_;
  const std::uint32_t depth_;
  std::int16_t last_id_ = 0;
};

template <class State, class T>
write_cursor write_struct(State& state, write_cursor to, const T& from, std::uint32_t depth) {
  static_assert(writers_named<State, T>);
  if (depth == 0) return state.reject(errc::depth_limit);
  return struct_writer<State, T>(state, from, depth).write(to);
}

/// Writes one alternative of a union as a field.
template <class State, class T, std::size_t Member, class Value>
write_cursor write_alternative(State& state, write_cursor to, const Value& value, std::uint32_t depth) {
  std::int16_t last_id = 0, id = union_members<T>::id(Member);
  if constexpr (State::dynamic) id = state.at->fields[Member].id;
  to = write_field_value(state, to, {wire_type<Value>(), id}, last_id, Member, value, depth);
  return to != nullptr ? to : state.in_field({}, id);
}

/// Writes a union: the active alternative as its only field, no field for monostate.
template <class State, class T>
write_cursor write_union(State& state, write_cursor to, const T& from, std::uint32_t depth) {
  static_assert(writers_named<State, T>);
  using list = union_members<T>;
  const auto& variant = list::get(from);
  if (depth == 0) return state.reject(errc::depth_limit);
  if (variant.valueless_by_exception()) return state.reject(errc::empty_value);
  for_each_index<0, list::count>([&](auto member) {
    const auto* value = std::get_if<member + list::first>(&variant);
    if (value != nullptr) to = write_alternative<State, T, member>(state, to, *value, depth - 1);
    return value == nullptr;
  });
  return to == nullptr ? nullptr : write_stop(state, to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
