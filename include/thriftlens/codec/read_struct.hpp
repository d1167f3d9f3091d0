// read_struct: wire bytes into the members of a struct.
// In: the first field header of a struct. Out: the members set, the place behind the stop byte.
// Never tests a field twice: fields are expected in order of ids, and only what deviates is looked up.
#pragma once

#include <thriftlens/codec/field_bits.hpp>
#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/read_flat.hpp>
#include <thriftlens/codec/read_state.hpp>
#include <thriftlens/codec/unknown_fields.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// How far the reading of one struct has come.
template <class T>
struct struct_progress {
  field_bits<members<T>::count> seen;
  std::int16_t last_id = 0;  // Compact counts from it
  bool stopped = false;      // the stop byte is behind us
  bool pending = false;      // Compact: `found` was read, its value was not
  compact_field found = {};
};

template <class State, class T>
class struct_reader {
  using list = members<T>;
  using source = typename State::source;
  using progress = struct_progress<T>;

 public:
  struct_reader(State& state, T& to, std::uint32_t depth) noexcept
      : state_(state), to_(to), depth_(depth - 1) {}

  const std::uint8_t* read(const std::uint8_t* from) {
    progress at;
    if constexpr (list::keeps_unknown) list::unknown(to_).clear();
    if constexpr (State::dynamic)
      from = read_rest(from, at);
    else
      from = read_expected(from, at);
    if (from == nullptr) [[unlikely]]
      return nullptr;
    return finish(from, at);
  }

 private:
  // ---- fields in the expected order ----

  THRIFTLENS_INLINE const std::uint8_t* read_expected(const std::uint8_t* from, progress& at) {
    if constexpr (State::is_binary) {
      [&]<std::size_t... Group>(std::index_sequence<Group...>) THRIFTLENS_INLINE_LAMBDA {
        static_cast<void>(
            (binary_group<field_groups<T>[Group].begin, field_groups<T>[Group].end>(from, at) && ...));
      }(std::make_index_sequence<field_groups<T>.size()>{});
    } else {
      [&]<std::size_t... Index>(std::index_sequence<Index...>) THRIFTLENS_INLINE_LAMBDA {
        static_cast<void>((compact_step<Index>(from, at) && ...));
      }(std::make_index_sequence<list::count>{});
    }
    if (from == nullptr || at.stopped) return from;
    if (State::is_binary && from != state_.end && *from == 0) [[likely]]
      return from + 1;
    return read_rest(from, at);
  }

  // A run of fixed-width fields that are all there is checked by one branch.
  template <std::size_t Begin, std::size_t End>
  THRIFTLENS_INLINE bool binary_group(const std::uint8_t*& from, progress& at) {
    if constexpr (End - Begin > 1) {
      constexpr std::size_t size = run_size<T, Begin, End>;
      if (static_cast<std::size_t>(state_.end - from) >= size && run_differs<T, Begin, End>(from) == 0)
          [[likely]] {
        if (read_run<Begin, End>(state_, from, to_, depth_)) [[likely]] {
          at.seen.set(Begin, End);
          from += size;
          return true;
        }
        // A value is refused: one by one, to say which.
      }
    }
    return [&]<std::size_t... Offset>(std::index_sequence<Offset...>) THRIFTLENS_INLINE_LAMBDA {
      return (binary_step<Begin + Offset>(from, at) && ...);
    }(std::make_index_sequence<End - Begin>{});
  }

  // False: the struct is at its end, or something failed.
  template <std::size_t Index>
  THRIFTLENS_INLINE bool binary_step(const std::uint8_t*& from, progress& at) {
    for (;;) {
      if (static_cast<std::size_t>(state_.end - from) < field_reach<T, Index>) [[unlikely]]
        return binary_end(from, at);
      const auto header = load_le<std::uint32_t>(from);
      if (((header ^ member_header<T, Index>) << 8) == 0) [[likely]] {
        at.seen.set(Index);
        from = read_value(state_, from + 3, list::template get<Index>(to_), depth_);
        if (from == nullptr) [[unlikely]]
          return name_field(Index), false;
        return true;
      }
      const step next = binary_other(from, at, header, id_before<Index>(), list::template id<Index>);
      if (next != step::again) return next == step::next;
    }
  }
  enum class step : unsigned char { again, next, done };
  // Another header than that of the expected `id`: the stop, a later field, or one that is read first.
  THRIFTLENS_INLINE step binary_other(const std::uint8_t*& from, progress& at, std::uint32_t header,
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
  THRIFTLENS_INLINE bool skip_unknown(const std::uint8_t*& from, std::int32_t before, std::int32_t id) {
    if constexpr (list::keeps_unknown) return false;
    if (state_.options->unknown != decode_unknown::skip) return false;
    const std::uint8_t* begin = std::exchange(from, source::skip_fields(from, state_.end, before, id));
    return from != begin;
  }
  // Too near to the end for big steps.
  THRIFTLENS_NOINLINE bool binary_end(const std::uint8_t*& from, progress& at) {
    from = read_rest(from, at);
    at.stopped = true;
    return false;
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE bool compact_step(const std::uint8_t*& from, progress& at) {
    for (;;) {
      if (!next_header(from, at)) return false;
      if (at.found.header == field_header{member_wire<T, Index>, list::template id<Index>}) [[likely]] {
        at.pending = false;
        at.seen.set(Index);
        from = read_field<Index>(from, at.found.inline_bool);
        return from != nullptr;
      }
      if (at.found.header.id > list::template id<Index>) return true;
      from = read_found(from, at);
      if (from == nullptr) [[unlikely]]
        return false;
    }
  }
  // Unless one is pending. False: the stop, or a fault.
  THRIFTLENS_INLINE bool next_header(const std::uint8_t*& from, progress& at) {
    if (at.pending) return true;
    const std::uint8_t* value = source::field(from, state_.end, at.last_id, at.found, state_.code);
    if (value == nullptr) [[unlikely]]
      return from = state_.fail_at(from), false;
    from = value;
    if (at.found.header.type == ttype::stop) return at.stopped = true, false;
    return at.pending = true;
  }

  // ---- one field of any id ----

  // All fields up to the stop.
  THRIFTLENS_NOINLINE const std::uint8_t* read_rest(const std::uint8_t* from, progress& at) {
    while (from != nullptr && !at.stopped) {
      if constexpr (State::is_binary && !State::dynamic)
        static_cast<void>(skip_unknown(from, id_before<list::count>(), 0x8000));
      from = read_other(from, at);
    }
    return from;
  }
  // The next field, or the stop.
  THRIFTLENS_NOINLINE const std::uint8_t* read_other(const std::uint8_t* from, progress& at) {
    if (!at.pending) {
      const std::uint8_t* value = source::field(from, state_.end, at.last_id, at.found, state_.code);
      if (value == nullptr) [[unlikely]]
        return state_.fail_at(from);
      from = value;
      if (at.found.header.type == ttype::stop) return at.stopped = true, from;
    }
    return read_found(from, at);
  }
  // The value of the field whose header was read.
  THRIFTLENS_NOINLINE const std::uint8_t* read_found(const std::uint8_t* from, progress& at) {
    at.pending = false;
    const field_header header = at.found.header;
    const std::size_t index = find(header.id);
    if (index == list::count) return read_unknown(from, at);
    const ttype wanted = wire_of(index);
    if (header.type != wanted) {
      if (state_.options->mismatch == decode_mismatch::skip) return skip(from, at);
      return state_.mismatch(wanted, header.type, from), name_field(index);
    }
    const bool twice = at.seen.test(index);
    if (twice && state_.options->duplicates == decode_duplicates::error) {
      return state_.fail(errc::duplicate_field, from), name_field(index);
    }
    at.seen.set(index);
    return field_table[index](*this, from, at.found.inline_bool, twice);
  }

  template <std::size_t Index>
  THRIFTLENS_INLINE const std::uint8_t* read_field(const std::uint8_t* from, std::int8_t inline_bool) {
    auto& member = list::template get<Index>(to_);
    if constexpr (!State::is_binary && member_wire<T, Index> == ttype::bool_) {
      // Compact has the value in the header: show it as an element of a container.
      const std::uint8_t shown = inline_bool != 0 ? 1 : 2;
      const std::uint8_t* outer = std::exchange(state_.end, &shown + 1);
      const std::uint8_t* behind = read_value(state_, &shown, member, depth_);
      state_.end = outer;
      if (behind == nullptr) [[unlikely]]
        return state_.fail_at(from), name_field(Index);
      return from;
    } else {
      {
        const shape_scope<State> scope(state_, slot_shape(Index));
        from = read_value(state_, from, member, depth_);
      }
      // Not before the scope has ended: the id is looked up in the struct's own shape.
      if (from == nullptr) [[unlikely]]
        name_field(Index);
      return from;
    }
  }

  using field_function = const std::uint8_t* (*)(struct_reader&, const std::uint8_t*, std::int8_t, bool);
  template <std::size_t Index>
  static const std::uint8_t* read_field_again(struct_reader& self, const std::uint8_t* from,
                                              std::int8_t inline_bool, bool twice) {
    if constexpr (!State::reuse) {
      if (twice) list::template get<Index>(self.to_) = member_type<T, Index>();
    }
    return self.template read_field<Index>(from, inline_bool);
  }
  static constexpr auto field_table = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<field_function, sizeof...(Index) + 1>{&read_field_again<Index>..., nullptr};
  }(std::make_index_sequence<list::count>{});

  THRIFTLENS_NOINLINE const std::uint8_t* skip(const std::uint8_t* from, const progress& at) {
    const std::uint8_t* behind = state_.skip(from, at.found.header.type, at.found.inline_bool, depth_);
    return behind != nullptr ? behind : state_.in_field({}, at.found.header.id);
  }
  THRIFTLENS_NOINLINE const std::uint8_t* read_unknown(const std::uint8_t* from, const progress& at) {
    if constexpr (list::keeps_unknown) {
      const std::uint8_t* behind = skip(from, at);
      if (behind == nullptr) return nullptr;
      const std::uint8_t shown = at.found.inline_bool != 0 ? 1 : 2;
      const byte_view value = at.found.inline_bool >= 0
                                  ? byte_view(&shown, 1)
                                  : byte_view(from, static_cast<std::size_t>(behind - from));
      list::unknown(to_).add(State::protocol_type::id, at.found.header, value);
      return behind;
    } else {
      if (state_.options->unknown == decode_unknown::error) {
        return state_.fail(errc::unknown_field, from), state_.in_field({}, at.found.header.id);
      }
      return skip(from, at);
    }
  }

  // ---- behind the stop ----

  THRIFTLENS_INLINE const std::uint8_t* finish(const std::uint8_t* from, const progress& at) {
    constexpr bool any_default = []<std::size_t... Index>(std::index_sequence<Index...>) {
      return (list::template has_default<Index> || ... || false);
    }(std::make_index_sequence<list::count>{});
    if constexpr (State::dynamic) {
      if (!dynamic_complete(at) && reports_missing()) return fail_missing(from, at);
    } else {
      if (!at.seen.covers(required_bits) && reports_missing()) [[unlikely]]
        return fail_missing(from, at);
    }
    if constexpr (State::reuse || any_default) {
      if (!at.seen.covers(field_bits<list::count>::all())) set_missing(at);
    }
    return from;
  }
  [[nodiscard]] bool reports_missing() const noexcept {
    return state_.options->missing_required == missing_required::error;
  }
  static constexpr auto required_bits = [] {
    field_bits<list::count> bits;
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      if (list::template required<Index>) bits.set(Index);
      return true;
    });
    return bits;
  }();

  // Members without a field become what a default-made struct has, or their default_(…).
  THRIFTLENS_NOINLINE void set_missing(const progress& at) {
    if constexpr (State::reuse) {
      T fresh{};
      for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
        if (!at.seen.test(Index))
          list::template get<Index>(to_) = std::move(list::template get<Index>(fresh));
        return true;
      });
    }
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      if constexpr (list::template has_default<Index>) {
        if (!at.seen.test(Index)) list::template get<Index>(to_) = list::template default_value<Index>();
      }
      return true;
    });
  }
  THRIFTLENS_COLD const std::uint8_t* fail_missing(const std::uint8_t* from, const progress& at) {
    state_.fail(errc::missing_required, from - 1);
    for (std::size_t index = 0; index < list::count; ++index)
      if (is_required(index) && !at.seen.test(index)) return name_field(index);
    return nullptr;
  }

  // ---- ids, by binding or by shape ----

  [[nodiscard]] std::size_t find(std::int16_t id) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->find(id);
    else
      return find_member<T>(id);
  }
  [[nodiscard]] ttype wire_of(std::size_t index) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[index].wire;
    else
      return wire_table[index];
  }
  [[nodiscard]] bool is_required(std::size_t index) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[index].required;
    else
      return required_bits.test(index);
  }
  [[nodiscard]] std::int16_t id_of(std::size_t index) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[index].id;
    else
      return member_ids<T>[index];
  }
  [[nodiscard]] THRIFTLENS_INLINE const shape* slot_shape(std::size_t index) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->slots[index].value;
    else
      return nullptr;
  }
  [[nodiscard]] bool dynamic_complete(const progress& at) const noexcept {
    for (std::size_t index = 0; index < list::count; ++index)
      if (state_.at->slots[index].required && !at.seen.test(index)) return false;
    return true;
  }
  static constexpr auto wire_table = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<ttype, sizeof...(Index) + 1>{member_wire<T, Index>..., ttype::stop};
  }(std::make_index_sequence<list::count>{});

  THRIFTLENS_COLD const std::uint8_t* name_field(std::size_t index) {
    return state_.in_field(member_name_at<T>(index), id_of(index));
  }

  State& state_;
  T& to_;
  const std::uint32_t depth_;
};

/// Reads the struct whose first field header is at `from`.
template <class State, class T>
const std::uint8_t* read_struct(State& state, const std::uint8_t* from, T& to, std::uint32_t depth) {
  if (depth == 0) [[unlikely]]
    return state.fail(errc::depth_limit, from);
  return struct_reader<State, T>(state, to, depth).read(from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
