// write_container: encodes lists, sets and maps. Reserves memory once if the size of elements is bounded.
#pragma once

#include <thriftlens/codec/sequence.hpp>
#include <thriftlens/codec/write_state.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

template <class State, class C>
class container_writer {
  using P = typename State::protocol_type;
  using element = element_type<C>;
  static constexpr ttype wire = wire_type<C>();

 public:
  container_writer(State& state, const C& from, std::uint32_t depth) noexcept
      : state_(state), from_(from), depth_(depth - 1) {}

  write_cursor write(write_cursor to) {
    const std::size_t count = element_count(from_);
    if (count > max_wire_size) return state_.reject(errc::size_limit);
    to = state_.reserve(to, P::max_map_header);
    return to == nullptr ? nullptr : write_contents(put_header(to, static_cast<std::uint32_t>(count)), count);
  }

 private:
  THRIFTLENS_INLINE write_cursor write_contents(write_cursor to, std::size_t count) {
    if constexpr (wire == ttype::map)
      return write_entries(to);
    else if constexpr (is_bulk<element> && contiguous<const C> &&
                       layout_of<P, wire_number<element>> == number_layout::big_endian)
      return write_run(to, count);
    else if constexpr (!State::dynamic && is_flat_element<element> && !has_text<element>)
      return write_all_flat(to, count);
    else
      return write_elements(to);
  }
  static write_cursor put_header(write_cursor to, std::uint32_t count) noexcept {
    if constexpr (wire == ttype::map)
      return P::put_map(to, {wire_type<key_type<C>>(), wire_type<mapped_type<C>>(), count});
    else if constexpr (wire == ttype::set)
      return P::put_set(to, {wire_type<element>(), count});
    else
      return P::put_list(to, {wire_type<element>(), count});
  }

  // Numbers that differ from the wire only in byte order.
  write_cursor write_run(write_cursor to, std::size_t count) {
    const auto* const numbers = std::ranges::data(from_);
    const std::size_t unfit = first_unfit(numbers, count);
    if (unfit != count) {
      state_.reject(errc::value_range);
      return state_.in_element(unfit);
    }
    to = state_.reserve(to, count * sizeof(element));
    if (to == nullptr) return nullptr;
    simd::store_be_array(to, numbers, count);
    return to + count * sizeof(element);
  }

  // Elements of bounded size: reserves memory once.
  write_cursor write_all_flat(write_cursor to, std::size_t count) {
    if (depth_ < flat_depth<element>() && count != 0) return state_.reject(errc::depth_limit);
    to = state_.reserve(to, count * flat_base<P, element>());
    if (to == nullptr) return nullptr;
    std::size_t index = 0;
    auto&& target = to_flat(state_);
    for_each_element(from_, [&](const element& item) THRIFTLENS_INLINE_LAMBDA {
      if constexpr (has_unsigned<element>) {
        if (!numbers_fit(item)) to = fail_element(index, item);
        if (to == nullptr) return false;
        ++index;
      }
      to = put_flat(target, to, item);
      return true;
    });
    return to;
  }
  THRIFTLENS_COLD write_cursor fail_element(std::size_t index, const element& item) {
    refuse_number(state_, item);
    return state_.in_element(index);
  }

  write_cursor write_elements(write_cursor to) {
    const shape_scope<State> scope(state_, first_part(state_));
    std::size_t index = 0;
    for_each_element(from_, [&](const element& item) THRIFTLENS_INLINE_LAMBDA {
      to = write_value(state_, to, item, depth_);
      if (to == nullptr) {
        state_.in_element(index);
        return false;
      }
      ++index;
      return true;
    });
    return to;
  }

  write_cursor write_entries(write_cursor to) {
    std::size_t index = 0;
    for_each_element(from_, [&](const auto& item) THRIFTLENS_INLINE_LAMBDA {
      to = write_entry(to, item.first, item.second, index);
      ++index;
      return to != nullptr;
    });
    return to;
  }
  template <class Key, class Mapped>
  THRIFTLENS_INLINE write_cursor write_entry(write_cursor to, const Key& key, const Mapped& mapped,
                                             std::size_t index) {
    if constexpr (!State::dynamic && is_flat_element<Key> && is_flat_element<Mapped>) {
      return write_flat_entry(to, key, mapped, index);
    } else {
      to = write_part(to, key, first_part(state_));
      if (to == nullptr) [[unlikely]]
        return state_.in_key(index);
      to = write_part(to, mapped, second_part(state_));
      return to != nullptr ? to : fail_in_entry(key);
    }
  }
  template <class Key, class Mapped>
  THRIFTLENS_INLINE write_cursor write_flat_entry(write_cursor to, const Key& key, const Mapped& mapped,
                                                  std::size_t index) {
    if (!numbers_fit(key)) return fail_key(index, key);
    if (!numbers_fit(mapped)) return fail_mapped(key, mapped);
    to = reserve_flat(state_, to, depth_, 0, key, mapped);
    if (to == nullptr) [[unlikely]]
      return fail_in_entry(key);
    auto&& target = to_flat(state_);
    return put_flat(target, put_flat(target, to, key), mapped);
  }
  template <class Key>
  THRIFTLENS_COLD write_cursor fail_in_entry(const Key& key) {
    return state_.in_entry(key, first_part(state_));
  }
  template <class Key, class Mapped>
  THRIFTLENS_COLD write_cursor fail_mapped(const Key& key, const Mapped& mapped) {
    refuse_number(state_, mapped);
    return fail_in_entry(key);
  }
  template <class Part>
  THRIFTLENS_INLINE write_cursor write_part(write_cursor to, const Part& value, const shape* part) {
    const shape_scope<State> scope(state_, part);
    return write_value(state_, to, value, depth_);
  }
  template <class Key>
  THRIFTLENS_COLD write_cursor fail_key(std::size_t index, const Key& key) {
    refuse_number(state_, key);
    return state_.in_key(index);
  }

  State& state_;
  const C& from_;
  const std::uint32_t depth_;
};

template <class State, class C>
write_cursor write_container(State& state, write_cursor to, const C& from, std::uint32_t depth) {
  if (depth == 0) return state.reject(errc::depth_limit);
  return container_writer<State, C>(state, from, depth).write(to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
