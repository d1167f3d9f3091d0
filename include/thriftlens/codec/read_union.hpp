// read_union: wire bytes into a std::variant, or into a struct that is one.
// In: the first field header of a union. Out: the alternative that is set, the place behind the stop byte.
// Never accepts two members.
#pragma once

#include <thriftlens/codec/read_state.hpp>
#include <thriftlens/codec/unions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

template <class State, class T>
class union_reader {
  using list = union_members<T>;
  using source = typename State::source;

 public:
  union_reader(State& state, T& to, std::uint32_t depth) noexcept
      : state_(state), to_(list::get(to)), depth_(depth - 1) {}

  const std::uint8_t* read(const std::uint8_t* from) {
    std::int16_t last_id = 0;
    bool set = false;
    for (;;) {
      compact_field found;
      const std::uint8_t* value = source::field(from, state_.end, last_id, found, state_.code);
      if (value == nullptr) [[unlikely]]
        return state_.fail_at(from);
      if (found.header.type == ttype::stop) return finish(value, set);
      from = read_member(value, found, set);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
  }

 private:
  const std::uint8_t* read_member(const std::uint8_t* from, const compact_field& found, bool& set) {
    const field_header header = found.header;
    const std::size_t member = find(header.id);
    if (member == list::count && state_.options->unknown == decode_unknown::error) {
      return state_.fail(errc::unknown_field, from), state_.in_field({}, header.id);
    }
    if (member == list::count ||
        (header.type != wires[member] && state_.options->mismatch == decode_mismatch::skip)) {
      const std::uint8_t* behind = state_.skip(from, header.type, found.inline_bool, depth_);
      return behind != nullptr ? behind : state_.in_field({}, header.id);
    }
    if (header.type != wires[member])
      return state_.mismatch(wires[member], header.type, from), state_.in_field({}, header.id);
    if (set) return state_.fail(errc::union_members, from), state_.in_field({}, header.id);
    set = true;
    const shape_scope<State> scope(state_, slot_shape(member));
    const std::uint8_t* behind = readers[member](*this, from, found.inline_bool);
    return behind != nullptr ? behind : state_.in_field({}, header.id);
  }

  const std::uint8_t* finish(const std::uint8_t* from, bool set) {
    if (set) return from;
    if constexpr (list::parts::may_be_empty)
      return to_.template emplace<0>(), from;
    else
      return state_.fail(errc::unfit_value, from - 1);
  }

  using reader_function = const std::uint8_t* (*)(union_reader&, const std::uint8_t*, std::int8_t);
  template <std::size_t Member>
  static const std::uint8_t* read_alternative(union_reader& self, const std::uint8_t* from,
                                              std::int8_t inline_bool) {
    constexpr std::size_t index = Member + list::first;
    auto& value = State::reuse && self.to_.index() == index ? *std::get_if<index>(&self.to_)
                                                            : self.to_.template emplace<index>();
    if constexpr (!State::is_binary && std::is_same_v<typename list::template type<Member>, bool>) {
      value = inline_bool != 0;
      return from;
    } else {
      static_assert(State::is_binary || wires[Member] != ttype::bool_,
                    "thriftlens: union: a bool alternative is a plain bool");
      return read_value(self.state_, from, value, self.depth_);
    }
  }
  static constexpr auto readers = []<std::size_t... Member>(std::index_sequence<Member...>) {
    return std::array<reader_function, sizeof...(Member) + 1>{&read_alternative<Member>..., nullptr};
  }(std::make_index_sequence<list::count>{});
  static constexpr auto wires = []<std::size_t... Member>(std::index_sequence<Member...>) {
    return std::array<ttype, sizeof...(Member) + 1>{wire_type<typename list::template type<Member>>()...,
                                                    ttype::stop};
  }(std::make_index_sequence<list::count>{});

  [[nodiscard]] std::size_t find(std::int16_t id) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->find(id);
    else
      return list::find(id);
  }
  [[nodiscard]] const shape* slot_shape(std::size_t member) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[member].value;
    else
      return nullptr;
  }

  State& state_;
  typename list::variant& to_;
  const std::uint32_t depth_;
};

template <class State, class T>
const std::uint8_t* read_union(State& state, const std::uint8_t* from, T& to, std::uint32_t depth) {
  if (depth == 0) [[unlikely]]
    return state.fail(errc::depth_limit, from);
  return union_reader<State, T>(state, to, depth).read(from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
