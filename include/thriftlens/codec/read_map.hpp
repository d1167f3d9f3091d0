// read_map: wire bytes into maps, sequences of pairs and map-like containers of the user.
// In: a map header. Out: the entries, the place behind them.
// Never loses an entry silently: a key that stands twice is an error unless the options say otherwise.
#pragma once

#include <thriftlens/codec/read_state.hpp>
#include <thriftlens/codec/sequence.hpp>
#include <thriftlens/codec/text.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

template <class State, class C>
class map_reader {
  using key = key_type<C>;
  using mapped = mapped_type<C>;
  using source = typename State::source;
  static constexpr ttype key_wire = wire_type<key>();
  static constexpr ttype mapped_wire = wire_type<mapped>();
  static constexpr bool is_pairs = !has_container<C> && !requires { typename C::mapped_type; };
  static constexpr bool is_ordered = requires {
    typename C::key_compare;
    typename C::mapped_type;
  };

 public:
  map_reader(State& state, C& to, std::uint32_t depth) noexcept : state_(state), to_(to), depth_(depth - 1) {}

  const std::uint8_t* read(const std::uint8_t* from) {
    map_header map;
    const std::uint8_t* behind = source::map(from, state_.end, map, state_.code);
    if (behind == nullptr) [[unlikely]]
      return state_.fail_at(from);
    if (map.size > state_.container_size) [[unlikely]]
      return state_.fail(errc::size_limit, from);
    if (map.size != 0) {
      if (map.key != key_wire) [[unlikely]]
        return state_.mismatch(key_wire, map.key, from);
      if (map.value != mapped_wire) [[unlikely]]
        return state_.mismatch(mapped_wire, map.value, from);
    }
    if constexpr (has_container<C>)
      return read_foreign(behind, map.size);
    else if constexpr (is_pairs)
      return read_pairs(behind, map.size);
    else if constexpr (State::reuse && is_ordered && requires { to_.try_emplace(key()); })
      return read_over(behind, map.size);
    else
      return to_.clear(), reserve_unseen(to_, map.size), read_new(behind, 0, map.size);
  }

 private:
  THRIFTLENS_INLINE const std::uint8_t* read_key(const std::uint8_t* from, key& to) {
    const shape_scope<State> scope(state_, first_part(state_));
    return read_value(state_, from, to, depth_);
  }
  THRIFTLENS_INLINE const std::uint8_t* read_mapped(const std::uint8_t* from, mapped& to) {
    const shape_scope<State> scope(state_, second_part(state_));
    return read_value(state_, from, to, depth_);
  }

  const std::uint8_t* read_pairs(const std::uint8_t* from, std::size_t count) {
    static_assert(
        requires {
          to_.clear();
          to_.emplace_back();
        } ||
            requires {
              to_.clear();
              to_.push_back(element_type<C>());
            },
        "thriftlens: a map is decoded into a map, into a sequence of pairs with clear and push_back, or by "
        "tl::container");
    std::size_t index = 0;
    if constexpr (State::reuse) {
      for (auto& each : to_) {
        if (index == count) break;
        from = read_pair(from, each, index++);
        if (from == nullptr) [[unlikely]]
          return nullptr;
      }
      to_.resize(index);
    } else {
      to_.clear();
    }
    reserve_unseen(to_, count - index);
    while (index < count) {
      from = read_pair(from, add_element(to_), index++);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  template <class Pair>
  THRIFTLENS_INLINE const std::uint8_t* read_pair(const std::uint8_t* from, Pair& to, std::size_t index) {
    from = read_key(from, to.first);
    if (from == nullptr) [[unlikely]]
      return state_.in_element(index);
    from = read_mapped(from, to.second);
    if (from == nullptr) [[unlikely]]
      return state_.in_entry(to.first, index);
    return from;
  }

  const std::uint8_t* read_new(const std::uint8_t* from, std::size_t index, std::size_t count) {
    for (; index < count; ++index) {
      key name = make_for<key>(to_);
      const std::uint8_t* behind = read_key(from, name);
      if (behind == nullptr) [[unlikely]]
        return state_.in_element(index);
      from = read_entry(behind, std::move(name), from, index);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    return from;
  }
  // Inserts the key and reads its value; `key_at` is where the key stands.
  const std::uint8_t* read_entry(const std::uint8_t* from, key&& name, const std::uint8_t* key_at,
                                 std::size_t index) {
    const std::size_t before = to_.size();
    auto entry = [&] {
      if constexpr (requires { to_.try_emplace(to_.end(), std::move(name)); })
        return to_.try_emplace(to_.end(), std::move(name));
      else
        return to_.emplace_hint(to_.end(), std::move(name), make_for<mapped>(to_));
    }();
    if (to_.size() == before) [[unlikely]] {
      if (state_.options->duplicates == decode_duplicates::error)
        return state_.fail(errc::duplicate_key, key_at), state_.in_entry(entry->first, index);
      if constexpr (!State::reuse) entry->second = make_for<mapped>(to_);
    }
    from = read_mapped(from, entry->second);
    return from != nullptr ? from : state_.in_entry(entry->first, index);
  }

  // Entries whose keys come as they did last time keep their nodes; from the first other key on nodes get
  // other keys.
  const std::uint8_t* read_over(const std::uint8_t* from, std::size_t count) {
    auto entry = to_.begin();
    std::size_t index = 0;
    for (; index < count && entry != to_.end(); ++index, ++entry) {
      const std::uint8_t* behind = match_key(from, entry->first);
      if (behind == nullptr) break;
      from = read_mapped(behind, entry->second);
      if (from == nullptr) [[unlikely]]
        return state_.in_entry(entry->first, index);
    }
    // Worth it where most nodes are left: those in front have to move too.
    if constexpr (requires { typename C::node_type; }) {
      if (index < count && to_.size() - index > index) return read_into_nodes(from, index, count);
    }
    to_.erase(entry, to_.end());
    return read_new(from, index, count);
  }
  // Keeps the first `index` entries; the others give their nodes, with the memory of keys and values, to new
  // entries.
  THRIFTLENS_NOINLINE const std::uint8_t* read_into_nodes(const std::uint8_t* from, std::size_t index,
                                                          std::size_t count) {
    C spare(to_.key_comp(), to_.get_allocator());
    spare.swap(to_);
    for (std::size_t i = 0; i < index; ++i) to_.insert(to_.end(), spare.extract(spare.begin()));
    for (; index < count && !spare.empty(); ++index) {
      auto node = spare.extract(spare.begin());
      const std::uint8_t* const key_at = from;
      from = read_key(from, node.key());
      if (from == nullptr) [[unlikely]]
        return state_.in_element(index);
      const std::size_t before = to_.size();
      const auto entry = to_.insert(to_.end(), std::move(node));
      if (to_.size() == before && state_.options->duplicates == decode_duplicates::error) [[unlikely]] {
        return state_.fail(errc::duplicate_key, key_at), state_.in_entry(entry->first, index);
      }
      from = read_mapped(from, entry->second);
      if (from == nullptr) [[unlikely]]
        return state_.in_entry(entry->first, index);
    }
    spare.clear();
    return read_new(from, index, count);
  }
  // Behind the key at `from` if it equals `expected`; nullptr, without a fault, if not.
  THRIFTLENS_INLINE const std::uint8_t* match_key(const std::uint8_t* from, const key& expected) {
    if constexpr (kind_of<key> == value_kind::text && !borrows<key>) {
      byte_view name;
      errc ignored = errc::ok;
      const std::uint8_t* behind = source::text(from, state_.end, name, state_.string_size, ignored);
      return behind != nullptr && name == text_bytes(expected) ? behind : nullptr;
    } else if constexpr (std::is_integral_v<key>) {
      wire_number<key> number{};
      errc ignored = errc::ok;
      const std::uint8_t* behind = source::number(from, state_.end, number, ignored);
      if constexpr (is_unsigned_number<key>) {
        if (number < 0) return nullptr;
      }
      return behind != nullptr && number == static_cast<wire_number<key>>(expected) ? behind : nullptr;
    } else {
      return nullptr;
    }
  }

  const std::uint8_t* read_foreign(const std::uint8_t* from, std::size_t count) {
    container<C>::clear(to_);
    for (std::size_t index = 0; index < count; ++index) {
      const std::uint8_t* const key_at = from;
      element_type<C> entry{};
      from = read_pair(from, entry, index);
      if (from == nullptr) [[unlikely]]
        return nullptr;
      if (!container<C>::add(to_, std::move(entry)) && state_.options->duplicates == decode_duplicates::error)
          [[unlikely]] {
        return state_.fail(errc::duplicate_key, key_at), state_.in_element(index);
      }
    }
    return from;
  }

  State& state_;
  C& to_;
  const std::uint32_t depth_;
};

template <class State, class C>
const std::uint8_t* read_map(State& state, const std::uint8_t* from, C& to, std::uint32_t depth) {
  if (depth == 0) [[unlikely]]
    return state.fail(errc::depth_limit, from);
  return map_reader<State, C>(state, to, depth).read(from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
