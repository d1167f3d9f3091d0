// struct_frame: reading common to all structs: fields that are out of order, unknown, repeated or missing.
#pragma once

#include <thriftlens/codec/layout.hpp>
#include <thriftlens/codec/read_state.hpp>
#include <thriftlens/codec/unknown_fields.hpp>
#include <thriftlens/core/bit_set.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// A set of Count fields.
template <std::size_t Count>
class field_bits : public bit_set<field_bits<Count>> {
 public:
  /// Whether every bit of `requested` is set.
  [[nodiscard]] THRIFTLENS_INLINE constexpr bool covers(const field_bits& requested) const noexcept {
    for (std::size_t i = 0; i < word_count; ++i)
      if ((bits_[i] & requested.bits_[i]) != requested.bits_[i]) return false;
    return true;
  }
  /// For bit_span.
  [[nodiscard]] THRIFTLENS_INLINE constexpr std::uint64_t* words() noexcept { return bits_; }
  [[nodiscard]] THRIFTLENS_INLINE constexpr const std::uint64_t* words() const noexcept { return bits_; }
  [[nodiscard]] static constexpr field_bits full() noexcept {
    field_bits bits;
    bits.set(0, Count);
    return bits;
  }

 private:
  static constexpr std::size_t word_count = Count / 64 + 1;
  std::uint64_t bits_[word_count] = {};
};

/// The target of the value of a member.
struct member_place {
  void* member;
  std::uint32_t depth;
  std::int8_t inline_bool;
  bool renew;  ///< was read before: reset it first
};

/// Access to the members of a struct type by index.
template <class State>
struct struct_facts {
  using reader = read_cursor (*)(State&, read_cursor, const member_place&);

  std::size_t count;
  const shape::slot* fields;  ///< by the binding, ids ascending
  std::string_view (*name)(std::size_t index) noexcept;
  void* (*member)(void* object, std::size_t index) noexcept;
  const reader* readers;
  unknown_fields* (*unknown)(void* object) noexcept;  ///< nullptr: unknown fields are not stored
};

/// One struct that is being read.
template <class State>
class struct_frame {
  using P = typename State::protocol_type;
  using facts = struct_facts<State>;

 public:
  THRIFTLENS_INLINE struct_frame(State& state, const facts& of, void* object, std::uint32_t depth) noexcept
      : state_(state), facts_(of), object_(object), depth_(depth) {}
  struct_frame(const struct_frame&) = delete;
  struct_frame& operator=(const struct_frame&) = delete;

 protected:
  // ---- fields of any id

  // Reads a header, which is then pending. False for the stop or a malformed header.
  THRIFTLENS_INLINE bool load_header(read_cursor& from) {
    const read_cursor value = P::get_field(from, state_.end, last_id_, current_, state_.code);
    if (value == nullptr) [[unlikely]] {
      from = state_.fail_at(from);
      return false;
    }
    from = value;
    if (current_.header.type == ttype::stop) {
      stopped_ = true;
      return false;
    }
    pending_ = true;
    return true;
  }
  // Reads the stop, or fields before a member.
  THRIFTLENS_NOINLINE read_cursor read_earlier(read_cursor from, std::size_t index) {
    if (*from == 0) {
      stopped_ = true;
      return from + 1;
    }
    const read_cursor next = skip_unknown(from, index);
    return next != from ? next : read_other(from);
  }
  // All fields up to the stop.
  THRIFTLENS_NOINLINE read_cursor read_rest(read_cursor from) {
    while (from != nullptr && !stopped_) {
      if constexpr (P::traits.has_fixed_layout && !State::dynamic) from = skip_unknown(from, facts_.count);
      from = read_other(from);
    }
    stopped_ = true;
    return from;
  }
  // The next field, or the stop.
  THRIFTLENS_NOINLINE read_cursor read_other(read_cursor from) {
    if (!pending_) {
      header_ = from;
      if (!load_header(from)) return from;
    }
    return read_current(from);
  }
  // The value of the field whose header was read.
  THRIFTLENS_NOINLINE read_cursor read_current(read_cursor from) {
    pending_ = false;
    const std::size_t index = find(current_.header.id);
    if (index == facts_.count) return read_unknown(from);
    if (current_.header.type != slot(index).wire) return read_mismatch(from, index);
    const bool duplicate = !seen_.add(index);
    if (duplicate && state_.options->duplicates == on_duplicate::error) return fail_duplicate(index);
    return read_member(from, index, duplicate);
  }

  // ---- failures

  THRIFTLENS_COLD read_cursor in_member(std::size_t index) {
    return state_.in_field(facts_.name(index), slot(index).id);
  }
  // One of the required members is missing; `from` is after the stop.
  THRIFTLENS_COLD read_cursor fail_missing(read_cursor from) {
    state_.reject(errc::missing_required, from - 1);
    for (std::size_t index = 0; index < facts_.count; ++index)
      if (slot(index).required && !seen_.has(index)) return in_member(index);
    return nullptr;
  }
  // The slot by shape or binding.
  [[nodiscard]] const shape::slot& slot(std::size_t index) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->fields[index];
    else
      return facts_.fields[index];
  }

  State& state_;
  const facts& facts_;
  void* const object_;
  bit_span seen_;  // of field_bits for all members; set by the derived class
  const std::uint32_t depth_;
  std::int16_t last_id_ = 0;  // Compact counts from it
  bool stopped_ = false;      // after the stop byte
  bool pending_ = false;      // the value of `current_` was not read
  wire_field current_;
  read_cursor header_;  // start of that of `current_`; set with it

 private:
  [[nodiscard]] std::size_t find(std::int16_t id) const noexcept {
    if constexpr (State::dynamic)
      return state_.at->find(id);
    else
      return find_slot(facts_.fields, facts_.count, id);
  }
  // Skips fields between two bound ones without lookups.
  read_cursor skip_unknown(read_cursor from, std::size_t index) const noexcept {
    if (facts_.unknown != nullptr || state_.options->unknown != on_unknown::drop) return from;
    const std::int32_t above = index == 0 ? -0x8001 : facts_.fields[index - 1].id;
    const std::int32_t below = index == facts_.count ? 0x8000 : facts_.fields[index].id;
    return skip_fields(from, state_.end, above, below);
  }
  read_cursor read_member(read_cursor from, std::size_t index, bool renew) {
    const member_place target = {facts_.member(object_, index), depth_, current_.inline_bool, renew};
    {
      const shape_scope<State> scope(state_, member_part(state_, index));
      from = facts_.readers[index](state_, from, target);
    }
    // After the end of the scope: the id is that in the shape of the struct.
    return from != nullptr ? from : in_member(index);
  }
  THRIFTLENS_COLD read_cursor fail_duplicate(std::size_t index) {
    state_.reject(errc::duplicate_field, header_);
    return in_member(index);
  }
  THRIFTLENS_COLD read_cursor read_mismatch(read_cursor from, std::size_t index) {
    if (state_.options->mismatch == on_mismatch::drop) return skip(from);
    state_.mismatch(slot(index).wire, current_.header.type, header_);
    return in_member(index);
  }
  THRIFTLENS_NOINLINE read_cursor skip(read_cursor from) {
    const read_cursor next = state_.skip(from, current_.header.type, current_.inline_bool, depth_);
    return next != nullptr ? next : state_.in_field({}, current_.header.id);
  }
  THRIFTLENS_NOINLINE read_cursor read_unknown(read_cursor from) {
    if (facts_.unknown != nullptr) return read_retained(from);
    return state_.options->unknown == on_unknown::drop ? skip(from) : fail_unknown(errc::unknown_field);
  }
  read_cursor read_retained(read_cursor from) {
    const read_cursor next = skip(from);
    if (next == nullptr) return nullptr;
    const byte_view value(from, static_cast<std::size_t>(next - from));
    return retain(value) ? next : fail_unknown(errc::output_limit);
  }
  THRIFTLENS_COLD read_cursor fail_unknown(errc reason) {
    state_.reject(reason, header_);
    return state_.in_field({}, current_.header.id);
  }
  // Stores an unknown field; an inline bool has no bytes of its own. False above the limit.
  bool retain(byte_view value) {
    const std::uint8_t shown = P::bool_byte(current_.inline_bool != 0);
    if (current_.inline_bool >= 0) value = byte_view(&shown, 1);
    if (!state_.spend(1, 2 * sizeof(unknown_fields::entry) + value.size())) return false;
    facts_.unknown(object_)->add(P::id, current_.header, value);
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
