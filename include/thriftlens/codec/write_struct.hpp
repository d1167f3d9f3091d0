// write_struct: the members of a struct, or the alternative of a union, into wire bytes.
// In: an object. Out: its fields in order of ids, unknown ones behind them, and the stop byte.
// Never writes a field for an empty optional or pointer.
#pragma once

#include <thriftlens/codec/unions.hpp>
#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/codec/write_state.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

template <class State, class T>
class struct_writer {
  using list = members<T>;
  using P = typename State::protocol_type;
  static constexpr bool links = requires(State& state) { state.sink.link(nullptr, byte_view()); };

 public:
  struct_writer(State& state, const T& from, std::uint32_t depth) noexcept
      : state_(state), from_(from), depth_(depth - 1) {}

  std::uint8_t* write(std::uint8_t* to) {
    if constexpr (State::dynamic)
      to = write_by_shape(to);
    else
      to = write_in_order(to);
    if (to == nullptr) [[unlikely]]
      return nullptr;
    if constexpr (list::keeps_unknown) {
      if (!list::unknown(from_).empty()) to = write_unknown(to);
      if (to == nullptr) [[unlikely]]
        return nullptr;
    }
    to = state_.room(to, 1);
    return to == nullptr ? nullptr : P::put_stop(to);
  }

 private:
  THRIFTLENS_INLINE std::uint8_t* write_in_order(std::uint8_t* to) {
    for_each_member<T>(
        [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) THRIFTLENS_INLINE_LAMBDA {
          if constexpr (is_flat_member<T, Index>) {
            // The first of a run of flat members makes room for all of them.
            if constexpr (Index == 0 || !is_flat_member<T, (Index == 0 ? 0 : Index - 1)>) {
              to = make_room<Index, flat_end(Index)>(to);
              if (to == nullptr) [[unlikely]]
                return false;
            }
            to = put_flat_field<State, member_wire<T, Index>>(state_, to, list::template id<Index>, last_id_,
                                                              list::template get<Index>(from_));
            return true;
          } else {
            to = write_field<Index>(to);
            return to != nullptr;
          }
        });
    return to;
  }
  [[nodiscard]] static constexpr std::size_t flat_end(std::size_t index) noexcept {
    constexpr auto flat = []<std::size_t... Index>(std::index_sequence<Index...>) {
      return std::array<bool, sizeof...(Index) + 1>{is_flat_member<T, Index>..., false};
    }(std::make_index_sequence<list::count>{});
    while (flat[index]) ++index;
    return index;
  }
  template <std::size_t Begin, std::size_t End>
  THRIFTLENS_INLINE std::uint8_t* make_room(std::uint8_t* to) {
    return [&]<std::size_t... Offset>(
               std::index_sequence<Offset...>) THRIFTLENS_INLINE_LAMBDA -> std::uint8_t* {
      constexpr std::size_t base =
          (std::size_t{0} + ... + (P::field_room + flat_base<P, member_type<T, Begin + Offset>>()));
      if (depth_ < std::max({std::uint32_t{0}, flat_depth<member_type<T, Begin + Offset>>()...})) [[unlikely]]
        return state_.fail(errc::depth_limit);
      const std::size_t texts =
          (std::size_t{0} + ... + flat_text<links>(list::template get<Begin + Offset>(from_)));
      if (texts > 0x7fffffffu && !(texts_fit(list::template get<Begin + Offset>(from_)) && ...)) [[unlikely]]
        return state_.fail(errc::size_limit);
      const bool fit = (numbers_fit(list::template get<Begin + Offset>(from_)) && ...);
      if (!fit) [[unlikely]]
        return refuse_run<Begin, End>();
      return state_.room(to, base + texts);
    }(std::make_index_sequence<End - Begin>{});
  }
  // One of these flat members holds a number that is refused.
  template <std::size_t Begin, std::size_t End>
  THRIFTLENS_COLD std::uint8_t* refuse_run() {
    if constexpr (Begin != End) {
      const auto& member = list::template get<Begin>(from_);
      if (numbers_fit(member)) return refuse_run<Begin + 1, End>();
      refuse_number(state_, member);
      state_.in_field(list::template name<Begin>(), list::template id<Begin>);
    }
    return nullptr;
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE std::uint8_t* write_field(std::uint8_t* to) {
    const auto& member = list::template get<Index>(from_);
    if constexpr (list::template omits_default<Index>) {
      if (member == list::template default_value<Index>()) return to;
    }
    if (is_missing(member)) {
      if (!is_required<Index>()) return to;
      return state_.fail(errc::empty_value), state_.in_field(list::template name<Index>(), id_of<Index>());
    }
    to = write_present<Index>(to, member);
    if (to == nullptr) [[unlikely]]
      return state_.in_field(list::template name<Index>(), id_of<Index>());
    return to;
  }
  template <std::size_t Index, class Value>
  THRIFTLENS_INLINE std::uint8_t* write_present(std::uint8_t* to, const Value& value) {
    if constexpr (kind_of<Value> == value_kind::nullable) {
      return write_present<Index>(to, *value);
    } else {
      to = state_.room(to, P::field_room);
      if (to == nullptr) [[unlikely]]
        return nullptr;
      if constexpr (wire_type<Value>() == ttype::bool_) {
        bool truth = false;
        if constexpr (kind_of<Value> == value_kind::adapted)
          truth = adapter<Value>::to_wire(value);
        else
          truth = value;
        to = state_.room(to, P::field_room + 1);
        return to == nullptr ? nullptr : P::put_bool_field(to, id_of<Index>(), truth, last_id_);
      } else {
        to = P::put_field(to, wire_of<Index>(), id_of<Index>(), last_id_);
        if constexpr (State::dynamic) {
          const shape* outer = std::exchange(state_.at, state_.at->slots[Index].value);
          to = write_value(state_, to, value, depth_);
          state_.at = outer;
          return to;
        } else {
          return write_value(state_, to, value, depth_);
        }
      }
    }
  }

  // Members in the order of the ids that the shape gives them.
  std::uint8_t* write_by_shape(std::uint8_t* to) {
    for (const auto& [id, index] : state_.at->by_id) {
      to = field_table[index](*this, to);
      if (to == nullptr) [[unlikely]]
        return nullptr;
    }
    return to;
  }
  using field_function = std::uint8_t* (*)(struct_writer&, std::uint8_t*);
  template <std::size_t Index>
  static std::uint8_t* write_one(struct_writer& self, std::uint8_t* to) {
    return self.template write_field<Index>(to);
  }
  static constexpr auto field_table = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<field_function, sizeof...(Index) + 1>{&write_one<Index>..., nullptr};
  }(std::make_index_sequence<list::count>{});

  THRIFTLENS_NOINLINE std::uint8_t* write_unknown(std::uint8_t* to) {
    const unknown_fields& kept = list::unknown(from_);
    if (kept.protocol() == P::id) return write_kept(to, kept);
    const result<unknown_fields> converted = kept.template in_protocol<P>();
    return converted ? write_kept(to, *converted) : state_.fail(converted.error().code());
  }
  std::uint8_t* write_kept(std::uint8_t* to, const unknown_fields& kept) {
    for (const unknown_fields::entry& each : kept.entries()) {
      const byte_view value = kept.value(each);
      to = state_.room(to, P::field_room + 1 + value.size());
      if (to == nullptr) [[unlikely]]
        return nullptr;
      if (each.type == ttype::bool_) {
        const bool truth = P::id == protocol_id::binary ? value[0] != 0 : value[0] == 1;
        to = P::put_bool_field(to, each.id, truth, last_id_);
      } else {
        to = P::put_field(to, each.type, each.id, last_id_);
        copy_bytes(to, value.data(), value.size());
        to += value.size();
      }
    }
    return to;
  }

  template <std::size_t Index>
  [[nodiscard]] THRIFTLENS_INLINE std::int16_t id_of() const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[Index].id;
    else
      return list::template id<Index>;
  }
  template <std::size_t Index>
  [[nodiscard]] THRIFTLENS_INLINE ttype wire_of() const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[Index].wire;
    else
      return member_wire<T, Index>;
  }
  template <std::size_t Index>
  [[nodiscard]] THRIFTLENS_INLINE bool is_required() const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[Index].required;
    else
      return list::template required<Index>;
  }

  State& state_;
  const T& from_;
  const std::uint32_t depth_;
  std::int16_t last_id_ = 0;
};

template <class State, class T>
std::uint8_t* write_struct(State& state, std::uint8_t* to, const T& from, std::uint32_t depth) {
  if (depth == 0) [[unlikely]]
    return state.fail(errc::depth_limit);
  return struct_writer<State, T>(state, from, depth).write(to);
}

/// A union: the alternative that is set as its only field, none for monostate.
template <class State, class T>
std::uint8_t* write_union(State& state, std::uint8_t* to, const T& from, std::uint32_t depth) {
  using list = union_members<T>;
  using P = typename State::protocol_type;
  if (depth == 0) [[unlikely]]
    return state.fail(errc::depth_limit);
  const auto& variant = list::get(from);
  if (variant.valueless_by_exception()) [[unlikely]]
    return state.fail(errc::empty_value);
  to = state.room(to, P::field_room + 1);
  if (to == nullptr) [[unlikely]]
    return nullptr;
  [&]<std::size_t... Member>(std::index_sequence<Member...>) {
    auto write_member = [&]<std::size_t Chosen>(std::integral_constant<std::size_t, Chosen>) {
      const auto* value = std::get_if<Chosen + list::first>(&variant);
      if (value == nullptr) return false;
      std::int16_t last_id = 0;
      std::int16_t id = list::id(Chosen);
      if constexpr (State::dynamic) id = state.at->slots[Chosen].id;
      using type = typename list::template type<Chosen>;
      if constexpr (std::is_same_v<type, bool>) {
        to = P::put_bool_field(to, id, *value, last_id);
      } else {
        to = P::put_field(to, wire_type<type>(), id, last_id);
        const shape* outer = state.at;
        if constexpr (State::dynamic) state.at = outer->slots[Chosen].value;
        to = write_value(state, to, *value, depth - 1);
        state.at = outer;
        if (to == nullptr) [[unlikely]]
          state.in_field({}, id);
      }
      return true;
    };
    static_cast<void>((write_member(std::integral_constant<std::size_t, Member>{}) || ...));
  }(std::make_index_sequence<list::count>{});
  if (to == nullptr) [[unlikely]]
    return nullptr;
  to = state.room(to, 1);
  return to == nullptr ? nullptr : P::put_stop(to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
