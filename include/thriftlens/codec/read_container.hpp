// read_container: decodes lists, sets, maps and user containers. Sizes in the bytes are not trusted for
// allocations.
#pragma once

#include <thriftlens/codec/nullable.hpp>
#include <thriftlens/codec/read_state.hpp>
#include <thriftlens/codec/sequence.hpp>
#include <thriftlens/codec/text.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/simd/varint.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Key and mapped value of a map; nothing for other containers.
template <class C, bool IsMap = wire_type<C>() == ttype::map>
struct entry_types {
  using key = key_type<C>;
  using mapped = mapped_type<C>;
  static constexpr ttype key_wire = wire_type<key>();
  static constexpr ttype value_wire = wire_type<mapped>();
};
template <class C>
struct entry_types<C, false> {
  using key = element_type<C>;
  static constexpr ttype key_wire = ttype::stop;
  static constexpr ttype value_wire = wire_type<key>();
};

template <class State, class C>
class container_reader {
  using element = element_type<C>;
  using types = entry_types<C>;
  using key = typename types::key;
  using P = typename State::protocol_type;
  static constexpr bool is_map = wire_type<C>() == ttype::map;
  static constexpr bool is_ordered = requires {
    typename C::key_compare;
    typename C::mapped_type;
  };

 public:
  container_reader(State& state, C& to, std::uint32_t depth) noexcept
      : state_(state), to_(to), depth_(depth - 1) {}

  read_cursor read(read_cursor from) {
    std::uint32_t count = 0;
    const read_cursor header = from;
    from = read_header(from, count);
    if (from == nullptr) return nullptr;
    if constexpr (detail::is_array<C>)
      return count == to_.size() ? read_array(from) : state_.reject(errc::unfit_value, header);
    else
      return read_elements(from, count);
  }

 private:
  read_cursor read_elements(read_cursor from, std::size_t count) {
    if constexpr (has_container<C> || kind_of<C> == value_kind::set)
      return check_keys(from, count, read_keys(from, count));
    else if constexpr (requires { typename C::mapped_type; })
      return check_keys(from, count, read_map(from, count));
    else if constexpr (!is_map && is_bulk<element> && resizable_run<C>)
      return read_numbers(from, count);
    else
      return read_sequence(from, count);
  }

  // ---- the header

  // Sets `count`; returns the start of the elements. The types of elements are checked.
  read_cursor read_header(read_cursor from, std::uint32_t& count) {
    map_header header;
    const read_cursor elements = load_header(from, header);
    if (elements == nullptr) return state_.fail_at(from);
    count = header.size;
    return count == 0 ? elements : check_types(from, header, elements);
  }
  // Returns `elements` if their types are those of C and the limits permit them.
  THRIFTLENS_INLINE read_cursor check_types(read_cursor from, const map_header& header,
                                            read_cursor elements) {
    if (is_map && header.key != types::key_wire) return state_.mismatch(types::key_wire, header.key, from);
    if (header.value != types::value_wire) return state_.mismatch(types::value_wire, header.value, from);
    return state_.spend(header.size, element_cost<C>()) ? elements : state_.reject(errc::output_limit, from);
  }
  // The header of a list has the type of its elements as that of the values.
  THRIFTLENS_INLINE read_cursor load_header(read_cursor from, map_header& header) {
    if constexpr (is_map) {
      return P::get_map(from, state_.end, state_.container_size, header, state_.code);
    } else {
      list_header list;
      from = P::get_list(from, state_.end, state_.container_size, list, state_.code);
      header = {ttype::stop, list.element, list.size};
      return from;
    }
  }

  // ---- one element

  template <class Element>
  THRIFTLENS_INLINE read_cursor read_element(read_cursor from, Element& to, std::size_t index) {
    if constexpr (is_map) {
      const read_cursor value = read_key(from, to.first, index);
      return value == nullptr ? nullptr : read_mapped(from, value, to.second);
    } else {
      const shape_scope<State> scope(state_, first_part(state_));
      from = read_value(state_, from, to, depth_);
      return from != nullptr ? from : state_.in_element(index);
    }
  }
  THRIFTLENS_INLINE read_cursor read_key(read_cursor from, key& to, std::size_t index) {
    const shape_scope<State> scope(state_, first_part(state_));
    from = read_value(state_, from, to, depth_);
    return from != nullptr ? from : state_.in_key(index);
  }
  // `key_at`: start of the key that ends at `from`.
  template <class Mapped>
  THRIFTLENS_INLINE read_cursor read_mapped(read_cursor key_at, read_cursor from, Mapped& to) {
    const shape_scope<State> scope(state_, second_part(state_));
    const read_cursor next = read_value(state_, from, to, depth_);
    return next != nullptr ? next : fail_entry(key_at, from);
  }
  THRIFTLENS_COLD read_cursor fail_entry(read_cursor key_at, read_cursor value) {
    return state_.in_entry(byte_view(key_at, static_cast<std::size_t>(value - key_at)), types::key_wire);
  }
  // Rejects the element or key from `key_at` to `next`.
  THRIFTLENS_COLD read_cursor refuse(errc reason, read_cursor key_at, read_cursor next, std::size_t index) {
    state_.reject(reason, key_at);
    if (is_map) return fail_entry(key_at, next);
    return reason == errc::duplicate_key ? state_.repeats_element(index) : state_.in_element(index);
  }
  // Returns `next`, the end of the entries from `from` on, unless keys are equal that the container treats as
  // different: NaN.
  THRIFTLENS_INLINE read_cursor check_keys(read_cursor from, std::size_t count, read_cursor next) {
    if constexpr (std::is_floating_point_v<key>) {
      if (next != nullptr && count > 1 && refuses_duplicates()) return check_doubles(from, count, next);
    }
    return next;
  }
  THRIFTLENS_NOINLINE read_cursor check_doubles(read_cursor from, std::size_t count, read_cursor next) {
    const ttype key_wire = is_map ? types::key_wire : types::value_wire;
    const map_header map{key_wire, is_map ? types::value_wire : ttype::stop,
                         static_cast<std::uint32_t>(count)};
    typename P::reader in(byte_view(from, static_cast<std::size_t>(next - from)), key_limits);
    const std::size_t repeated = find_repeated_key<P>(in, map);
    if (repeated == repeated_keys::none || !skip_to_entry(in, map, repeated)) return next;
    const read_cursor key_at = in.at();
    return in.skip(key_wire) ? refuse(errc::duplicate_key, key_at, in.at(), repeated) : next;
  }
  [[nodiscard]] bool refuses_duplicates() const noexcept {
    return state_.options->duplicates == on_duplicate::error;
  }

  // ---- arrays, lists and other sequences

  read_cursor read_array(read_cursor from) {
    if constexpr (is_bulk<element> && lies_as_numbers) {
      return load_run(from, to_.data(), to_.size(), 0);
    } else {
      for (std::size_t index = 0; index < to_.size() && from != nullptr; ++index)
        from = read_element(from, to_[index], index);
      return from;
    }
  }

  // Reads into existing elements.
  static constexpr bool reads_over =
      State::reuse && requires(C& c) { c.resize(0); } && !std::is_same_v<element, bool>;

  // Lists, and sequences of pairs as maps.
  read_cursor read_sequence(read_cursor from, std::size_t count) {
    static_assert(check_growth());
    std::size_t index = 0;
    if constexpr (reads_over) {
      from = read_over(from, thriftlens::detail::least(count, to_.size()), index);
      if (from == nullptr) return nullptr;
      if (index < to_.size()) to_.resize(index);
    } else {
      to_.clear();
    }
    reserve_unseen(to_, count - index);
    from = read_up_to(from, thriftlens::detail::least(count, index + unread_count<C>), index);
    if (from == nullptr || index == count) return from;
    // Enough elements exist to trust the size for the others.
    reserve_unseen(to_, count - index, state_.remaining(from));
    return read_up_to(from, count, index);
  }
  THRIFTLENS_INLINE read_cursor read_up_to(read_cursor from, std::size_t count, std::size_t& index) {
    for (; index < count && from != nullptr; ++index) from = read_new(from, index);
    return from;
  }
  static constexpr bool check_growth() noexcept {
    static_assert(!std::is_same_v<C, std::span<element>> && !std::is_same_v<C, std::span<const element>>,
                  "thriftlens: a span of anything but bytes can be encoded, not decoded: wire bytes are not "
                  "its elements");
    static_assert(grows<C>,
                  "thriftlens: a list or map is decoded into a container with clear and push_back or "
                  "emplace_back, or with tl::container");
    return true;
  }
  // Reads into the first `count` existing elements.
  THRIFTLENS_INLINE read_cursor read_over(read_cursor from, std::size_t count, std::size_t& index) {
    for (auto to = to_.begin(); index < count && from != nullptr; ++to, ++index)
      from = read_element(from, *to, index);
    return from;
  }
  THRIFTLENS_INLINE read_cursor read_new(read_cursor from, std::size_t index) {
    if constexpr (std::is_same_v<element, bool>) {
      // Its byte exists by the check of the header.
      to_.push_back(P::to_bool(*from));
      return from + 1;
    } else {
      return read_element(from, add_element(to_), index);
    }
  }

  // ---- runs of numbers

  static constexpr number_layout layout = layout_of<P, wire_number<element>>;
  static constexpr bool lies_as_numbers = layout != number_layout::varint;

  // By the check of the header all bytes exist, at least one per varint.
  read_cursor read_numbers(read_cursor from, std::size_t count) {
    if (count <= 64 || (State::reuse && to_.size() >= count)) {
      to_.resize(count);
      return read_run(from, to_.data(), count, 0);
    }
    return read_blocks(from, count);
  }
  read_cursor read_blocks(read_cursor from, std::size_t count) {
    // Through a block in the L1 cache, so that memory is not zeroed first.
    constexpr std::size_t block_size = 4096 / sizeof(element);
    element block[block_size];
    to_.clear();
    to_.reserve(count);
    for (std::size_t filled = 0; filled < count;) {
      const std::size_t part = thriftlens::detail::least(block_size, count - filled);
      from = read_run(from, block, part, filled);
      if (from == nullptr) return nullptr;
      to_.insert(to_.end(), block, block + part);
      filled += part;
    }
    return from;
  }
  // `first`: index of the first number in the list.
  read_cursor read_run(read_cursor from, element* to, std::size_t count, std::size_t first) {
    if constexpr (lies_as_numbers) {
      return load_run(from, to, count, first);
    } else {
      const read_cursor next = read_varints(from, to, count);
      if (next != nullptr) return next;
      // One by one: short lists, integers without a kernel, and to locate a fault.
      for (std::size_t i = 0; i < count && from != nullptr; ++i) from = read_element(from, to[i], first + i);
      return from;
    }
  }
  // By kernels; nullptr if there is none, or after a fault.
  THRIFTLENS_INLINE read_cursor read_varints(read_cursor from, element* to, std::size_t count) {
    if constexpr (is_varint<element> && std::is_same_v<element, wire_number<element>>) {
      // Measured: 1.2 to 1.8x from a thousand on, a loss below some dozens.
      if (count >= 32) return simd::read_varints(from, state_.end, to, count);
    }
    return nullptr;
  }
  // Numbers that differ from memory only in byte order.
  THRIFTLENS_INLINE read_cursor load_run(read_cursor from, element* to, std::size_t count,
                                         std::size_t first) {
    load_array<P>(to, from, count);
    const std::size_t unfit = first_unfit(to, count);
    if (unfit == count) return from + count * sizeof(element);
    state_.reject(errc::unfit_value, from + unfit * sizeof(element));
    return state_.in_element(first + unfit);
  }

  // ---- sets, and containers of the user

  read_cursor read_keys(read_cursor from, std::size_t count) {
    clear_for(count);
    bucket_steps<C> steps;
    for (std::size_t index = 0; index < count && from != nullptr; ++index)
      from = read_one_key(from, steps, index);
    return from;
  }
  THRIFTLENS_INLINE read_cursor read_one_key(read_cursor from, bucket_steps<C>& steps, std::size_t index) {
    element value = make_for<element>(to_);
    const read_cursor next = read_element(from, value, index);
    if (next == nullptr) return nullptr;
    if (!steps.next(to_, value)) return refuse(errc::hash_flood, from, next, index);
    if (add(std::move(value)) || !refuses_duplicates()) return next;
    return refuse(errc::duplicate_key, from, key_end(from, next), index);
  }
  void clear_for(std::size_t count) {
    if constexpr (has_container<C>) {
      container<C>::clear(to_);
    } else {
      to_.clear();
      reserve_unseen(to_, count);
    }
  }
  // False for a duplicate.
  THRIFTLENS_INLINE bool add(element&& value) {
    if constexpr (has_container<C>) {
      return container<C>::add(to_, std::move(value));
    } else {
      const std::size_t old_size = to_.size();
      to_.emplace_hint(to_.end(), std::move(value));
      return to_.size() != old_size;
    }
  }
  // The end of the key of the entry that begins at `from` and ends at `next`.
  THRIFTLENS_COLD read_cursor key_end(read_cursor from, read_cursor next) {
    if constexpr (is_map) {
      key unused{};
      const shape_scope<State> scope(state_, first_part(state_));
      return read_value(state_, from, unused, depth_);
    }
    return next;
  }

  // ---- maps

  read_cursor read_map(read_cursor from, std::size_t count) {
    if constexpr (State::reuse && is_ordered && requires { to_.try_emplace(key()); })
      return read_map_over(from, count);
    clear_for(count);
    return read_entries(from, 0, count);
  }
  // Reads new entries from number `index` on.
  read_cursor read_entries(read_cursor from, std::size_t index, std::size_t count) {
    bucket_steps<C> steps;
    for (; index < count; ++index) {
      key name = make_for<key>(to_);
      const read_cursor value = read_key(from, name, index);
      if (value == nullptr) return nullptr;
      if (!steps.next(to_, name)) return refuse(errc::hash_flood, from, value, index);
      from = read_entry(from, value, std::move(name), index);
      if (from == nullptr) return nullptr;
    }
    return from;
  }
  // `name` was read from `key_at` to `from`.
  THRIFTLENS_INLINE read_cursor read_entry(read_cursor key_at, read_cursor from, key&& name,
                                           std::size_t index) {
    const std::size_t old_size = to_.size();
    const auto entry = add_entry(std::move(name));
    if (to_.size() == old_size) [[unlikely]] {
      if (refuses_duplicates()) return refuse(errc::duplicate_key, key_at, from, index);
      if constexpr (!State::reuse) entry->second = make_for<typename types::mapped>(to_);
    }
    return read_mapped(key_at, from, entry->second);
  }
  THRIFTLENS_INLINE auto add_entry(key&& name) {
    if constexpr (requires { to_.try_emplace(to_.end(), std::move(name)); })
      return to_.try_emplace(to_.end(), std::move(name));
    else
      return to_.emplace_hint(to_.end(), std::move(name), make_for<typename types::mapped>(to_));
  }

  // Entries whose keys repeat in the order of the old map keep their nodes; later nodes get new keys.
  read_cursor read_map_over(read_cursor from, std::size_t count) {
    auto entry = to_.begin();
    std::size_t index = 0;
    for (; index < count && entry != to_.end(); ++index, ++entry) {
      const read_cursor value = match_key(from, entry->first);
      if (value == nullptr) break;
      from = read_mapped(from, value, entry->second);
      if (from == nullptr) return nullptr;
    }
    return read_others(from, entry, index, count);
  }
  // Reads from the first entry with a different key on.
  template <class Entry>
  read_cursor read_others(read_cursor from, Entry entry, std::size_t index, std::size_t count) {
    // Only worth it if most nodes remain, as those before have to move too.
    if constexpr (requires { typename C::node_type; }) {
      if (index < count && to_.size() - index > index) return read_into_nodes(from, index, count);
    }
    to_.erase(entry, to_.end());
    return read_entries(from, index, count);
  }
  // Keeps the first `index` entries and reuses the nodes of the others, with the memory of keys and values.
  THRIFTLENS_NOINLINE read_cursor read_into_nodes(read_cursor from, std::size_t index, std::size_t count) {
    C spare = take_entries(index);
    for (; index < count && !spare.empty(); ++index) {
      from = read_into_node(from, spare.extract(spare.begin()), index);
      if (from == nullptr) return nullptr;
    }
    spare.clear();
    return read_entries(from, index, count);
  }
  // All entries but the first `index`.
  C take_entries(std::size_t index) {
    C taken(to_.key_comp(), to_.get_allocator());
    taken.swap(to_);
    for (std::size_t i = 0; i < index; ++i) to_.insert(to_.end(), taken.extract(taken.begin()));
    return taken;
  }
  template <class Node>
  read_cursor read_into_node(read_cursor from, Node&& node, std::size_t index) {
    const read_cursor value = read_key(from, node.key(), index);
    if (value == nullptr) return nullptr;
    const std::size_t old_size = to_.size();
    const auto entry = to_.insert(to_.end(), std::move(node));
    if (to_.size() == old_size && refuses_duplicates())
      return refuse(errc::duplicate_key, from, value, index);
    return read_mapped(from, value, entry->second);
  }
  // The end of the key at `from` if it equals `expected`; nullptr, without a fault, if not.
  THRIFTLENS_INLINE read_cursor match_key(read_cursor from, const key& expected) {
    if constexpr (is_text_value<key> && !borrows<key>)
      return match_text(from, text_bytes(expected));
    else if constexpr (std::is_integral_v<key>)
      return match_number(from, static_cast<wire_number<key>>(expected));
    else
      return nullptr;
  }
  THRIFTLENS_INLINE read_cursor match_text(read_cursor from, byte_view expected) {
    byte_view text;
    errc ignored = errc::ok;
    const read_cursor next = P::get_bytes(from, state_.end, state_.string_size, text, ignored);
    return next != nullptr && text == expected ? next : nullptr;
  }
  THRIFTLENS_INLINE read_cursor match_number(read_cursor from, wire_number<key> expected) {
    wire_number<key> number{};
    errc ignored = errc::ok;
    const read_cursor next = P::get_number(from, state_.end, number, ignored);
    if (is_unsigned_number<key> && number < 0) return nullptr;
    return next != nullptr && number == expected ? next : nullptr;
  }

  State& state_;
  C& to_;
  const std::uint32_t depth_;
};

template <class State, class C>
read_cursor read_container(State& state, read_cursor from, C& to, std::uint32_t depth) {
  if (depth == 0) return state.reject(errc::depth_limit, from);
  return container_reader<State, C>(state, to, depth).read(from);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
