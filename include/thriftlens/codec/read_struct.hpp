// read_struct: decodes structs, and unions as std::variant. Fields are expected in order of ids; only others
// are looked up.
#pragma once

#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/parts.hpp>
#include <thriftlens/codec/struct_frame.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Reads the bool of a field header, presented like an element.
template <class State, class T>
THRIFTLENS_INLINE read_cursor read_inline_bool(State& state, read_cursor from, bool truth, T& to,
                                               std::uint32_t depth) {
  const std::uint8_t shown = State::protocol_type::bool_byte(truth);
  const read_cursor outer = std::exchange(state.end, &shown + 1);
  const read_cursor next = read_value(state, &shown, to, depth);
  state.end = outer;
  return next != nullptr ? from : state.fail_at(from - 1);
}
/// Reads a field of type T whose header has been read.
template <class State, class T>
THRIFTLENS_INLINE read_cursor read_field_value(State& state, read_cursor from, std::int8_t inline_bool, T& to,
                                               std::uint32_t depth) {
  if constexpr (State::protocol_type::traits.has_inline_bool && wire_type<T>() == ttype::bool_)
    return read_inline_bool(state, from, inline_bool != 0, to, depth);
  else
    return read_value(state, from, to, depth);
}

template <class State, class T>
read_cursor read_struct(State& state, read_cursor from, T& to, std::uint32_t depth);
template <class State, class T>
read_cursor read_union(State& state, read_cursor from, T& to, std::uint32_t depth);

namespace detail {
template <class State, class T>
[[nodiscard]] constexpr bool name_reader() noexcept {
  if constexpr (is_union_value<T>)
    static_cast<void>(&read_union<State, T>);
  else
    static_cast<void>(&read_struct<State, T>);
  return true;
}
template <class State, class... T>
[[nodiscard]] constexpr bool name_readers(type_list<T...>) noexcept {
  return (name_reader<State, T>() && ...);
}
}  // namespace detail
/// Instantiates the readers of all structs in T from here rather than from the calls, dozens of functions
/// deeper: compilers limit the depth of instantiations.
template <class State, class T>
inline constexpr bool readers_named = detail::name_readers<State>(parts_of<T>());

namespace detail {
template <class T>
[[nodiscard]] constexpr field_bits<members<T>::count> find_required() noexcept {
  field_bits<members<T>::count> bits;
  for (std::size_t index = 0; index < members<T>::count; ++index)
    if (member_slots<T>[index].required) bits.set(index);
  return bits;
}
template <class T, std::size_t... Index>
[[nodiscard]] constexpr bool find_default_of(std::index_sequence<Index...>) noexcept {
  return (members<T>::template has_default<Index> || ...);
}
}  // namespace detail
/// The required members.
template <class T>
inline constexpr auto required_members = detail::find_required<T>();
/// Whether any member has a default_(…).
template <class T>
inline constexpr bool any_default = detail::find_default_of<T>(member_indices<T>());

namespace detail {

template <class State, class T>
read_cursor read_placed(State& state, read_cursor from, const member_place& target) {
  T& to = *static_cast<T*>(target.member);
  if (target.renew && !State::reuse) to = T();
  return read_field_value(state, from, target.inline_bool, to, target.depth);
}

template <class T, std::size_t... Index>
[[nodiscard]] void* find_place(T& object, std::size_t index, std::index_sequence<Index...>) noexcept {
  void* at = nullptr;
  ((Index == index ? static_cast<void>(at = std::addressof(members<T>::template get<Index>(object)))
                   : static_cast<void>(0)),
   ...);
  return at;
}
template <class T>
[[nodiscard]] void* place_of(void* object, std::size_t index) noexcept {
  return find_place(*static_cast<T*>(object), index, member_indices<T>());
}
template <class T>
[[nodiscard]] unknown_fields* unknown_fields_of(void* object) noexcept {
  return &members<T>::unknown(*static_cast<T*>(object));
}
template <class T>
[[nodiscard]] constexpr auto unknown_access() noexcept {
  using access = unknown_fields* (*)(void*) noexcept;
  if constexpr (members<T>::keeps_unknown)
    return access{&unknown_fields_of<T>};
  else
    return access{nullptr};
}

template <class State, class T>
inline constexpr auto member_readers = []<std::size_t... Index>(std::index_sequence<Index...>) {
  return std::array<typename struct_facts<State>::reader, sizeof...(Index) + 1>{
      &read_placed<State, member_type<T, Index>>..., nullptr};
}(member_indices<T>());
template <class State, class T>
inline constexpr struct_facts<State> facts_of = {
    members<T>::count, member_slots<T>.data(),          &member_name_at<T>,
    &place_of<T>,      member_readers<State, T>.data(), unknown_access<T>()};

}  // namespace detail

template <class State, class T>
class struct_reader : struct_frame<State> {
  using list = members<T>;
  using P = typename State::protocol_type;
  using frame = struct_frame<State>;
  using frame::state_;
  using indices = member_indices<T>;
  static constexpr bool fixed_layout = P::traits.has_fixed_layout;

 public:
  struct_reader(State& state, T& to, std::uint32_t depth) noexcept
      : frame(state, detail::facts_of<State, T>, std::addressof(to), depth - 1), to_(to) {
    this->seen_ = bit_span(bits_.words());
  }

  read_cursor read(read_cursor from) {
    if constexpr (list::keeps_unknown) list::unknown(to_).clear();
    if constexpr (State::dynamic)
      from = this->read_rest(from);
    else
      from = read_expected(from);
    return from == nullptr ? nullptr : finish(from);
  }

 private:
  // ---- fields in the expected order

  THRIFTLENS_INLINE read_cursor read_expected(read_cursor from) {
    if constexpr (fixed_layout)
      match_groups(from, std::make_index_sequence<field_groups<T>.size()>{});
    else
      match_all(from, indices());
    if (from == nullptr || this->stopped_) return from;
    return fixed_layout && from != state_.end && *from == 0 ? from + 1 : this->read_rest(from);
  }
  template <std::size_t... Group>
  THRIFTLENS_INLINE void match_groups(read_cursor& from, std::index_sequence<Group...>) {
    constexpr const auto& groups = field_groups<T>;
    static_cast<void>((match_group<groups[Group].begin, groups[Group].end>(from) && ...));
  }
  template <std::size_t... Index>
  THRIFTLENS_INLINE void match_all(read_cursor& from, std::index_sequence<Index...>) {
    static_cast<void>((match_current<Index>(from) && ...));
  }

  // Return false at the end of the struct and after a failure.
  template <std::size_t Begin, std::size_t End>
  THRIFTLENS_INLINE bool match_group(read_cursor& from) {
    if constexpr (End - Begin > 1)
      return match_run<Begin>(from, std::make_index_sequence<End - Begin>{});
    else
      return match_header<Begin>(from);
  }
  // Checks a complete run of fixed-width fields by one branch.
  template <std::size_t Begin, std::size_t... Offset>
  THRIFTLENS_INLINE bool match_run(read_cursor& from, std::index_sequence<Offset...> offsets) {
    constexpr std::size_t end = Begin + sizeof...(Offset);
    constexpr std::size_t size = run_size<T, Begin, end>;
    // A rejected value is read again field by field, to report it.
    if (state_.remaining(from) >= size && run_matches<T, Begin>(from, offsets) &&
        read_run<Begin>(state_, from, to_, this->depth_, offsets)) [[likely]] {
      bits_.set(Begin, end);
      from += size;
      return true;
    }
    return (match_header<Begin + Offset>(from) && ...);
  }
  template <std::size_t Index>
  THRIFTLENS_INLINE bool match_header(read_cursor& from) {
    while (state_.remaining(from) >= field_reach<T, Index>) {
      if (((load_le<std::uint32_t>(from) ^ member_header<T, Index>) << 8) == 0) [[likely]] {
        bits_.set(Index);
        return take(from, read_value(state_, from + 3, list::template get<Index>(to_), this->depth_), Index);
      }
      if (*from != 0 && load_be<std::int16_t>(from + 1) > list::template id<Index>) return true;
      from = this->read_earlier(from, Index);
      if (from == nullptr || this->stopped_) return false;
    }
    // Too near to the end for the fast path.
    from = this->read_rest(from);
    return false;
  }
  // Moves after the value of the expected member.
  THRIFTLENS_INLINE bool take(read_cursor& from, read_cursor next, std::size_t index) {
    from = next;
    if (next == nullptr) [[unlikely]]
      this->in_member(index);
    return next != nullptr;
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE bool match_current(read_cursor& from) {
    constexpr field_header expected = {member_slots<T>[Index].wire, member_slots<T>[Index].id};
    for (;;) {
      const bool fresh = !this->pending_;
      const read_cursor header = from;
      if (fresh && !this->load_header(from)) return false;
      if (this->current_.header == expected) [[likely]] {
        this->pending_ = false;
        bits_.set(Index);
        return take(from, read_current_value<Index>(from), Index);
      }
      if (fresh) this->header_ = header;
      if (this->current_.header.id > expected.id) return true;
      from = this->read_current(from);
      if (from == nullptr) return false;
    }
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE read_cursor read_current_value(read_cursor from) {
    return read_field_value(state_, from, this->current_.inline_bool, list::template get<Index>(to_),
                            this->depth_);
  }

  // ---- after the stop

  THRIFTLENS_INLINE read_cursor finish(read_cursor from) {
    if (!has_required() && state_.options->missing_required == on_missing::error) [[unlikely]]
      return this->fail_missing(from);
    if constexpr (State::reuse || any_default<T>) {
      if (!bits_.covers(field_bits<list::count>::full())) set_missing(indices());
    }
    return from;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool has_required() const noexcept {
    if constexpr (State::dynamic) {
      for (std::size_t index = 0; index < list::count; ++index)
        if (this->slot(index).required && !this->seen_.has(index)) return false;
      return true;
    } else {
      return bits_.covers(required_members<T>);
    }
  }

  // Sets members without a field to their default_(…) or default-constructed value.
  template <std::size_t... Index>
  THRIFTLENS_NOINLINE void set_missing(std::index_sequence<Index...>) {
    if constexpr (State::reuse) {
      T fresh{};
      (take_fresh<Index>(fresh), ...);
    }
    (set_default<Index>(), ...);
  }
  template <std::size_t Index>
  void take_fresh(T& fresh) {
    if (!bits_.has(Index)) list::template get<Index>(to_) = std::move(list::template get<Index>(fresh));
  }
  template <std::size_t Index>
  void set_default() {
    if constexpr (list::template has_default<Index>) {
      if (!bits_.has(Index)) list::template get<Index>(to_) = list::template default_value<Index>();
    }
  }

  T& to_;
  field_bits<list::count> bits_;
};

/// Reads the struct whose first field header is at `from`.
template <class State, class T>
read_cursor read_struct(State& state, read_cursor from, T& to, std::uint32_t depth) {
  static_assert(readers_named<State, T>);
  if (depth == 0) return state.reject(errc::depth_limit, from);
  return struct_reader<State, T>(state, to, depth).read(from);
}

// ---- unions

template <class State, class T>
class union_reader {
  using list = union_members<T>;

 public:
  union_reader(State& state, T& to, std::uint32_t depth) noexcept
      : state_(state), to_(list::get(to)), depth_(depth - 1) {}

  read_cursor read(read_cursor from) {
    std::int16_t last_id = 0;
    bool set = false;
    for (;;) {
      wire_field field;
      const read_cursor value =
          State::protocol_type::get_field(from, state_.end, last_id, field, state_.code);
      if (value == nullptr) return state_.fail_at(from);
      if (field.header.type == ttype::stop) return set ? value : finish(value);
      from = read_field(from, value, field, set);
      if (from != nullptr) continue;
      return state_.in_field({}, field.header.id);
    }
  }

 private:
  // Reads the field with its header at `header` and value at `from`. Sets `set` if it is a member.
  read_cursor read_field(read_cursor header, read_cursor from, const wire_field& field, bool& set) {
    const std::size_t member = find(field.header.id);
    if (member == list::count || field.header.type != wires[member]) return pass(header, from, field, member);
    if (set) return state_.reject(errc::union_members, header);
    set = true;
    const shape_scope<State> scope(state_, member_part(state_, member));
    return readers[member](*this, from, field.inline_bool);
  }
  // Skips a field that is not a member or not of its type.
  read_cursor pass(read_cursor header, read_cursor from, const wire_field& field, std::size_t member) {
    const ttype type = field.header.type;
    const bool is_known = member != list::count;
    if (is_known && state_.options->mismatch == on_mismatch::error)
      return state_.mismatch(wires[member], type, header);
    if (!is_known && state_.options->unknown == on_unknown::error)
      return state_.reject(errc::unknown_field, header);
    return state_.skip(from, type, field.inline_bool, depth_);
  }

  // No member is set.
  read_cursor finish(read_cursor from) {
    if constexpr (list::parts::may_be_empty) {
      to_.template emplace<0>();
      return from;
    } else {
      return state_.reject(errc::unfit_value, from - 1);
    }
  }

  using reader_function = read_cursor (*)(union_reader&, read_cursor, std::int8_t);
  template <std::size_t Member>
  static read_cursor read_alternative(union_reader& self, read_cursor from, std::int8_t inline_bool) {
    constexpr std::size_t index = Member + list::first;
    auto& value = State::reuse && self.to_.index() == index ? *std::get_if<index>(&self.to_)
                                                            : self.to_.template emplace<index>();
    return read_field_value(self.state_, from, inline_bool, value, self.depth_);
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

  State& state_;
  typename list::variant& to_;
  const std::uint32_t depth_;
};

template <class State, class T>
read_cursor read_union(State& state, read_cursor from, T& to, std::uint32_t depth) {
  static_assert(readers_named<State, T>);
  if (depth == 0) return state.reject(errc::depth_limit, from);
  return union_reader<State, T>(state, to, depth).read(from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
