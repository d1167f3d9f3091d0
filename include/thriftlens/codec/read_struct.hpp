// read_struct: wire bytes into the members of a struct, or into the std::variant of a union.
// In: the first field header of a struct. Out: the members set, and the end of the stop byte.
// Never tests a field twice: fields are expected in order of ids, and only what deviates is looked up.
#pragma once

#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/read_state.hpp>
#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/core/bit_set.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Which of Count fields have been seen.
template <std::size_t Count>
class field_bits : public bit_set<field_bits<Count>> {
 public:
  /// Every bit of `requested` is set here too.
  [[nodiscard]] THRIFTLENS_INLINE constexpr bool covers(const field_bits& requested) const noexcept {
    for (std::size_t i = 0; i < word_count; ++i)
      if ((words_[i] & requested.words_[i]) != requested.words_[i]) return false;
    return true;
  }
  [[nodiscard]] static constexpr field_bits all() noexcept {
    field_bits full;
    full.set(0, Count);
    return full;
  }

 private:
  friend bit_set<field_bits>;
  [[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t* words() noexcept { return words_; }
  [[nodiscard]] THRIFTLENS_INLINE constexpr const std::uint64_t* words() const noexcept { return words_; }

  static constexpr std::size_t word_count = Count / 64 + 1;
  std::uint64_t words_[word_count] = {};
};

/// How far the reading of one struct has come.
template <class T>
struct struct_progress {
  field_bits<members<T>::count> seen;
  std::int16_t last_id = 0;  // Compact counts from it
  bool stopped = false;      // after the stop byte
  bool pending = false;      // `found` was read, its value was not
  wire_field found = {};
  read_cursor header = nullptr;  // where that of `found` begins
};

/// Reads the bool of a field header, shown as an element of a container.
template <class State, class T>
THRIFTLENS_INLINE read_cursor read_inline_bool(State& state, read_cursor from, bool truth, T& to,
                                               std::uint32_t depth) {
  const std::uint8_t shown = State::protocol_type::bool_byte(truth);
  const read_cursor outer = std::exchange(state.end, &shown + 1);
  const read_cursor after = read_value(state, &shown, to, depth);
  state.end = outer;
  return after != nullptr ? from : state.fail_at(from - 1);
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
class struct_reader {
  using list = members<T>;
  using P = typename State::protocol_type;
  using progress = struct_progress<T>;
  static constexpr bool fixed_layout = P::traits.has_fixed_layout;

 public:
  struct_reader(State& state, T& to, std::uint32_t depth) noexcept
      : state_(state), to_(to), depth_(depth - 1) {}

  read_cursor read(read_cursor from) {
    progress at;
    if constexpr (list::keeps_unknown) list::unknown(to_).clear();
    if constexpr (State::dynamic)
      from = read_rest(from, at);
    else
      from = read_expected(from, at);
    return from == nullptr ? nullptr : finish(from, at);
  }

 private:
  template <std::size_t Index>
  [[nodiscard]] THRIFTLENS_INLINE auto& member() const noexcept {
    return list::template get<Index>(to_);
  }

  // ---- fields in the expected order

  THRIFTLENS_INLINE read_cursor read_expected(read_cursor from, progress& at) {
    if constexpr (fixed_layout)
      for_each_index<0, field_groups<T>.size()>(
          [&](auto group) THRIFTLENS_INLINE_LAMBDA { return match_group<field_groups<T>[group]>(from, at); });
    else
      for_each_member<T>([&](auto index) THRIFTLENS_INLINE_LAMBDA { return match_found<index>(from, at); });
    if (from == nullptr || at.stopped) return from;
    return fixed_layout && from != state_.end && *from == 0 ? from + 1 : read_rest(from, at);
  }

  // These return false at the end of the struct, and after a failure.
  // A run of fixed-width fields that are all there is checked by one branch.
  template <field_group Group>
  THRIFTLENS_INLINE bool match_group(read_cursor& from, progress& at) {
    if constexpr (Group.end - Group.begin > 1) {
      if (match_run<Group>(from)) [[likely]] {
        at.seen.set(Group.begin, Group.end);
        return true;
      }
    }
    return for_each_index<Group.begin, Group.end>(
        [&](auto index) THRIFTLENS_INLINE_LAMBDA { return match_header<index>(from, at); });
  }
  // False, too, where a value is refused: they are read one by one then, to say which.
  template <field_group Group>
  THRIFTLENS_INLINE bool match_run(read_cursor& from) {
    constexpr std::size_t size = run_size<T, Group.begin, Group.end>;
    if (state_.left(from) < size || !run_matches<T, Group>(from)) return false;
    if (!read_run<Group>(state_, from, to_, depth_)) return false;
    from += size;
    return true;
  }
  template <std::size_t Index>
  THRIFTLENS_INLINE bool match_header(read_cursor& from, progress& at) {
    for (;;) {
      if (state_.left(from) < field_reach<T, Index>) [[unlikely]]
        return near_end(from, at);
      const auto header = load_le<std::uint32_t>(from);
      if (((header ^ member_header<T, Index>) << 8) == 0) [[likely]] {
        from += 3;
        return take_member<Index>(from, at, -1);
      }
      const step next = other_header(from, at, header, id_before<Index>(), list::template id<Index>);
      if (next != step::again) return next == step::next;
    }
  }
  // The value of the member that was expected.
  template <std::size_t Index>
  THRIFTLENS_INLINE bool take_member(read_cursor& from, progress& at, std::int8_t inline_bool) {
    at.seen.set(Index);
    from = read_member<Index>(from, inline_bool);
    return from != nullptr;
  }
  enum class step : unsigned char { again, next, done };
  // Another header than that of the expected `id`: the stop, a later field, or one that is read first.
  THRIFTLENS_INLINE step other_header(read_cursor& from, progress& at, std::uint32_t header,
                                      std::int32_t before, std::int16_t id) {
    if ((header & 0xff) == 0) {
      ++from;
      at.stopped = true;
      return step::done;
    }
    if (load_be<std::int16_t>(from + 1) > id) return step::next;
    if (skip_unknown(from, before, id)) return step::again;
    from = read_other(from, at);
    return from != nullptr ? step::again : step::done;
  }
  template <std::size_t Index>
  [[nodiscard]] static constexpr std::int32_t id_before() noexcept {
    if constexpr (Index == 0)
      return -0x8001;
    else
      return list::template id<Index - 1>;
  }
  // Over many fields between two bound ones, without looking each of them up. False: over none.
  THRIFTLENS_INLINE bool skip_unknown(read_cursor& from, std::int32_t before, std::int32_t id) {
    if constexpr (list::keeps_unknown) return false;
    if (state_.options->unknown != decode_unknown::skip) return false;
    const read_cursor begin = std::exchange(from, skip_fields(from, state_.end, before, id));
    return from != begin;
  }
  // Too near to the end for big steps.
  THRIFTLENS_NOINLINE bool near_end(read_cursor& from, progress& at) {
    from = read_rest(from, at);
    at.stopped = true;
    return false;
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE bool match_found(read_cursor& from, progress& at) {
    for (;;) {
      const bool fresh = !at.pending;
      const read_cursor header = from;
      if (fresh && !load_header(from, at)) return false;
      if (at.found.header == field_header{member_wire<T, Index>, list::template id<Index>}) [[likely]] {
        at.pending = false;
        return take_member<Index>(from, at, at.found.inline_bool);
      }
      if (fresh) at.header = header;
      if (at.found.header.id > list::template id<Index>) return true;
      from = read_found(from, at);
      if (from == nullptr) return false;
    }
  }
  // Reads a header, which is pending then. False: it was the stop, or broken.
  THRIFTLENS_INLINE bool load_header(read_cursor& from, progress& at) {
    const read_cursor value = P::get_field(from, state_.end, at.last_id, at.found, state_.code);
    if (value == nullptr) [[unlikely]] {
      from = state_.fail_at(from);
      return false;
    }
    from = value;
    if (at.found.header.type == ttype::stop) {
      at.stopped = true;
      return false;
    }
    at.pending = true;
    return true;
  }

  // ---- one field of any id

  // All fields up to the stop.
  THRIFTLENS_NOINLINE read_cursor read_rest(read_cursor from, progress& at) {
    while (from != nullptr && !at.stopped) {
      if constexpr (fixed_layout && !State::dynamic)
        static_cast<void>(skip_unknown(from, id_before<list::count>(), 0x8000));
      from = read_other(from, at);
    }
    return from;
  }
  // The next field, or the stop.
  THRIFTLENS_NOINLINE read_cursor read_other(read_cursor from, progress& at) {
    if (!at.pending) {
      at.header = from;
      if (!load_header(from, at)) return from;
    }
    return read_found(from, at);
  }
  // The value of the field whose header was read.
  THRIFTLENS_NOINLINE read_cursor read_found(read_cursor from, progress& at) {
    at.pending = false;
    const std::size_t index = find(at.found.header.id);
    if (index == list::count) return read_unknown(from, at);
    if (at.found.header.type != slot(index).wire) return read_mismatch(from, at, index);
    const bool duplicate = at.seen.has(index);
    if (duplicate && state_.options->duplicates == decode_duplicates::error) return fail_duplicate(at, index);
    at.seen.set(index);
    return member_table[index](*this, from, at.found.inline_bool, duplicate);
  }
  THRIFTLENS_COLD read_cursor fail_duplicate(const progress& at, std::size_t index) {
    return in_field(state_.fail(errc::duplicate_field, at.header), index);
  }
  THRIFTLENS_COLD read_cursor read_mismatch(read_cursor from, const progress& at, std::size_t index) {
    if (state_.options->mismatch == decode_mismatch::skip) return skip(from, at);
    return in_field(state_.mismatch(slot(index).wire, at.found.header.type, at.header), index);
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE read_cursor read_member(read_cursor from, std::int8_t inline_bool) {
    {
      const shape_scope<State> scope(state_, member_part(state_, Index));
      from = read_field_value(state_, from, inline_bool, member<Index>(), depth_);
    }
    // Not before the scope has ended: the id is looked up in the struct's own shape.
    return in_field(from, Index);
  }
  using member_function = read_cursor (*)(struct_reader&, read_cursor, std::int8_t, bool);
  template <std::size_t Index>
  static read_cursor read_again(struct_reader& self, read_cursor from, std::int8_t inline_bool,
                                bool duplicate) {
    if (duplicate && !State::reuse) self.template member<Index>() = member_type<T, Index>();
    return self.template read_member<Index>(from, inline_bool);
  }
  static constexpr auto member_table = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<member_function, sizeof...(Index) + 1>{&read_again<Index>..., nullptr};
  }(std::make_index_sequence<list::count>{});

  THRIFTLENS_NOINLINE read_cursor skip(read_cursor from, const progress& at) {
    const read_cursor after = state_.skip(from, at.found.header.type, at.found.inline_bool, depth_);
    return after != nullptr ? after : state_.in_field({}, at.found.header.id);
  }
  THRIFTLENS_NOINLINE read_cursor read_unknown(read_cursor from, const progress& at) {
    if constexpr (list::keeps_unknown) {
      const read_cursor after = skip(from, at);
      if (after == nullptr) return nullptr;
      const byte_view value(from, static_cast<std::size_t>(after - from));
      return retain(value, at) ? after : fail_unknown(errc::output_limit, at);
    } else if (state_.options->unknown == decode_unknown::skip) {
      return skip(from, at);
    } else {
      return fail_unknown(errc::unknown_field, at);
    }
  }
  THRIFTLENS_COLD read_cursor fail_unknown(errc reason, const progress& at) {
    state_.fail(reason, at.header);
    return state_.in_field({}, at.found.header.id);
  }
  // Into the member for unknown fields; the value of an inline bool has no bytes. False: beyond the limit.
  bool retain(byte_view value, const progress& at) {
    const std::uint8_t shown = P::bool_byte(at.found.inline_bool != 0);
    if (at.found.inline_bool >= 0) value = byte_view(&shown, 1);
    if (!state_.spend(1, 2 * sizeof(unknown_fields::entry) + value.size())) return false;
    list::unknown(to_).add(P::id, at.found.header, value);
    return true;
  }

  // ---- after the stop

  THRIFTLENS_INLINE read_cursor finish(read_cursor from, const progress& at) {
    constexpr bool any_default =
        !for_each_member<T>([](auto index) { return !list::template has_default<index>; });
    if (!has_required(at) && state_.options->missing_required == missing_required::error) [[unlikely]]
      return fail_missing(from, at);
    if constexpr (State::reuse || any_default) {
      if (!at.seen.covers(field_bits<list::count>::all())) set_missing(at);
    }
    return from;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool has_required(const progress& at) const noexcept {
    if constexpr (State::dynamic) {
      for (std::size_t index = 0; index < list::count; ++index)
        if (slot(index).required && !at.seen.has(index)) return false;
      return true;
    } else {
      return at.seen.covers(required_bits);
    }
  }
  static constexpr auto required_bits = [] {
    field_bits<list::count> bits;
    for_each_member<T>([&](auto index) {
      if (list::template required<index>) bits.set(index);
      return true;
    });
    return bits;
  }();

  // Members without a field become what a default-made struct has, or their default_(…).
  THRIFTLENS_NOINLINE void set_missing(const progress& at) {
    if constexpr (State::reuse) {
      T fresh{};
      for_each_member<T>([&](auto index) {
        if (!at.seen.has(index)) member<index>() = std::move(list::template get<index>(fresh));
        return true;
      });
    }
    set_defaults(at);
  }
  void set_defaults(const progress& at) {
    for_each_member<T>([&](auto index) {
      if constexpr (list::template has_default<index>) {
        if (!at.seen.has(index)) member<index>() = list::template default_value<index>();
      }
      return true;
    });
  }
  THRIFTLENS_COLD read_cursor fail_missing(read_cursor from, const progress& at) {
    state_.fail(errc::missing_required, from - 1);
    for (std::size_t index = 0; index < list::count; ++index)
      if (slot(index).required && !at.seen.has(index)) return in_field(nullptr, index);
    return nullptr;
  }

  // ---- ids, by binding or by shape

  [[nodiscard]] std::size_t find(std::int16_t id) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->find(id);
    else
      return find_member<T>(id);
  }
  [[nodiscard]] const shape::slot& slot(std::size_t index) const noexcept {
    return member_slot<T>(state_, index);
  }

  // The same; nullptr, after a failure, adds the field to its path.
  THRIFTLENS_INLINE read_cursor in_field(read_cursor after, std::size_t index) {
    return after != nullptr ? after : add_field(index);
  }
  THRIFTLENS_COLD read_cursor add_field(std::size_t index) {
    return state_.in_field(member_name_at<T>(index), slot(index).id);
  }

  State& state_;
  T& to_;
  const std::uint32_t depth_;
};

/// Reads the struct whose first field header is at `from`.
template <class State, class T>
read_cursor read_struct(State& state, read_cursor from, T& to, std::uint32_t depth) {
  if (depth == 0) return state.fail(errc::depth_limit, from);
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
      wire_field found;
      const read_cursor value =
          State::protocol_type::get_field(from, state_.end, last_id, found, state_.code);
      if (value == nullptr) return state_.fail_at(from);
      if (found.header.type == ttype::stop) return set ? value : finish(value);
      from = read_field(from, value, found, set);
      if (from != nullptr) continue;
      return state_.in_field({}, found.header.id);
    }
  }

 private:
  // The field with the header at `header` and the value at `from`. Sets `set` where it is the member.
  read_cursor read_field(read_cursor header, read_cursor from, const wire_field& found, bool& set) {
    const std::size_t member = find(found.header.id);
    if (member == list::count || found.header.type != wires[member]) return pass(header, from, found, member);
    if (set) return state_.fail(errc::union_members, header);
    set = true;
    const shape_scope<State> scope(state_, member_part(state_, member));
    return readers[member](*this, from, found.inline_bool);
  }
  // Over a field that is no member, or not of its type.
  read_cursor pass(read_cursor header, read_cursor from, const wire_field& found, std::size_t member) {
    const ttype type = found.header.type;
    const bool is_known = member != list::count;
    if (is_known && state_.options->mismatch == decode_mismatch::error)
      return state_.mismatch(wires[member], type, header);
    if (!is_known && state_.options->unknown == decode_unknown::error)
      return state_.fail(errc::unknown_field, header);
    return state_.skip(from, type, found.inline_bool, depth_);
  }

  // No member is set.
  read_cursor finish(read_cursor from) {
    if constexpr (list::parts::may_be_empty) {
      to_.template emplace<0>();
      return from;
    } else {
      return state_.fail(errc::unfit_value, from - 1);
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
  if (depth == 0) return state.fail(errc::depth_limit, from);
  return union_reader<State, T>(state, to, depth).read(from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
