// write_container: lists, sets and maps of every kind into wire bytes.
// In: a container. Out: its header and elements.
// Never asks for room more often than an element needs it: once for all where their size is fixed.
#pragma once

#include <thriftlens/codec/sequence.hpp>
#include <thriftlens/codec/write_state.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

template <class State, class C>
class container_writer {
  using P = typename State::protocol_type;
  static constexpr bool is_map = wire_type<C>() == ttype::map;

 public:
  container_writer(State& state, const C& from, std::uint32_t depth) noexcept
      : state_(state), from_(from), depth_(depth - 1) {}

  std::uint8_t* write(std::uint8_t* to) {
    const std::size_t count = size();
    if (count > 0x7fffffffu) [[unlikely]]
      return state_.fail(errc::size_limit);
    to = state_.room(to, P::map_room);
    if (to == nullptr) [[unlikely]]
      return nullptr;
    const auto size = static_cast<std::uint32_t>(count);
    if constexpr (is_map) {
      return write_entries(P::put_map(to, {wire_type<key_type<C>>(), wire_type<mapped_type<C>>(), size}));
    } else {
      const list_header header{wire_type<element_type<C>>(), size};
      return write_elements(wire_type<C>() == ttype::set ? P::put_set(to, header) : P::put_list(to, header),
                            count);
    }
  }

 private:
  [[nodiscard]] THRIFTLENS_INLINE std::size_t size() const {
    if constexpr (has_container<C>)
      return container<C>::size(from_);
    else
      return from_.size();
  }
  // False as soon as `visit` says so.
  template <class Visitor>
  THRIFTLENS_INLINE bool for_each(Visitor&& visit) const {
    if constexpr (has_container<C>) {
      return container<C>::for_each(from_, visit);
    } else {
      for (const auto& each : from_)
        if (!visit(each)) [[unlikely]]
          return false;
      return true;
    }
  }

  std::uint8_t* write_elements(std::uint8_t* to, std::size_t count) {
    using element = element_type<C>;
    if constexpr (is_bulk<element> && contiguous<const C> && (State::is_binary || sizeof(element) == 1)) {
      const std::size_t unfit = first_unfit(std::ranges::data(from_), count);
      if (unfit != count) [[unlikely]] {
        state_.fail(errc::value_range);
        return state_.in_element(unfit);
      }
      to = state_.room(to, count * sizeof(element));
      if (to == nullptr) [[unlikely]]
        return nullptr;
      simd::store_be_array(to, std::ranges::data(from_), count);
      return to + count * sizeof(element);
    } else if constexpr (!State::dynamic && is_flat<element> && kind_of<element> != value_kind::nullable &&
                         !has_text<element>()) {
      if (depth_ < flat_depth<element>() && count != 0) [[unlikely]]
        return state_.fail(errc::depth_limit);
      to = state_.room(to, count * flat_base<P, element>());
      if (to == nullptr) [[unlikely]]
        return nullptr;
      return put_all_flat(to);
    } else {
      const shape* outer = enter_first();
      std::size_t index = 0;
      for_each([&](const element& each) THRIFTLENS_INLINE_LAMBDA {
        to = write_value(state_, to, each, depth_);
        if (to == nullptr) [[unlikely]]
          return state_.in_element(index), false;
        return ++index, true;
      });
      state_.at = outer;
      return to;
    }
  }

  // There is room for all of them.
  THRIFTLENS_INLINE std::uint8_t* put_all_flat(std::uint8_t* to) {
    std::size_t index = 0;
    for_each([&](const element_type<C>& each) THRIFTLENS_INLINE_LAMBDA {
      if constexpr (has_unsigned<element_type<C>>()) {
        if (!numbers_fit(each)) [[unlikely]] {
          to = refuse_number(state_, each);
          state_.in_element(index);
          return false;
        }
        ++index;
      }
      to = put_flat(state_, to, each);
      return true;
    });
    return to;
  }

  std::uint8_t* write_entries(std::uint8_t* to) {
    using key = key_type<C>;
    using mapped = mapped_type<C>;
    const shape* outer = state_.at;
    std::size_t index = 0;
    for_each([&](const auto& each) THRIFTLENS_INLINE_LAMBDA {
      if constexpr (!State::dynamic && is_flat_part<key> && is_flat_part<mapped>) {
        to = write_flat_entry(to, each.first, each.second);
      } else {
        enter_first();
        to = write_value(state_, to, each.first, depth_);
        state_.at = outer;
        if (to == nullptr) [[unlikely]]
          return state_.in_element(index), false;
        enter_second();
        to = write_value(state_, to, each.second, depth_);
        state_.at = outer;
      }
      if (to == nullptr) [[unlikely]]
        return state_.in_entry(each.first, index), false;
      return ++index, true;
    });
    return to;
  }
  // Empty ones are refused, so they are not flat here.
  template <class T>
  static constexpr bool is_flat_part = is_flat<T> && kind_of<T> != value_kind::nullable;
  template <class Key, class Mapped>
  THRIFTLENS_INLINE std::uint8_t* write_flat_entry(std::uint8_t* to, const Key& key, const Mapped& mapped) {
    constexpr bool links = requires { state_.sink.link(to, byte_view()); };
    if (depth_ < flat_depth<Key>() || depth_ < flat_depth<Mapped>()) [[unlikely]]
      return state_.fail(errc::depth_limit);
    const std::size_t texts = flat_text<links>(key) + flat_text<links>(mapped);
    if (texts > 0x7fffffffu && !(texts_fit(key) && texts_fit(mapped))) [[unlikely]]
      return state_.fail(errc::size_limit);
    if (!numbers_fit(key)) [[unlikely]]
      return refuse_number(state_, key);
    if (!numbers_fit(mapped)) [[unlikely]]
      return refuse_number(state_, mapped);
    to = state_.room(to, flat_base<P, Key>() + flat_base<P, Mapped>() + texts);
    if (to == nullptr) [[unlikely]]
      return nullptr;
    return put_flat(state_, put_flat(state_, to, key), mapped);
  }

  // The shape of what is written next, for dynamic states; the one before is returned.
  THRIFTLENS_INLINE const shape* enter_first() noexcept {
    const shape* outer = state_.at;
    if constexpr (State::dynamic) state_.at = outer->first;
    return outer;
  }
  THRIFTLENS_INLINE void enter_second() noexcept {
    if constexpr (State::dynamic) state_.at = state_.at->second;
  }

  State& state_;
  const C& from_;
  const std::uint32_t depth_;
};

template <class State, class C>
std::uint8_t* write_container(State& state, std::uint8_t* to, const C& from, std::uint32_t depth) {
  if (depth == 0) [[unlikely]]
    return state.fail(errc::depth_limit);
  return container_writer<State, C>(state, from, depth).write(to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
