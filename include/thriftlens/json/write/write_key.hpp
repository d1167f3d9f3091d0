// write_key: writes keys of maps as JSON strings. Finds duplicates: keys and set elements that are equal by
// key_equality.hpp, and keys of the same text (NaNs of different bits).
#pragma once

#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/write/write_scalar.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>

#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

namespace json_write {

/// A map or set that is being written.
struct open_map {
  const image::type_node& type;
  const image::type_node& key;    ///< or element
  const image::type_node& value;  ///< unused for a set
  wire_position first;            ///< of its entries
  std::size_t marks;              ///< of its first entry
  std::uint32_t size;
  std::size_t prefix = 0;                           ///< bytes before a key in an entry's text
  bool ascends = !detail::has_spellings(key.wire);  ///< its keys so far, which cannot repeat then
  std::size_t next_look = entry_marks::first_look;

  [[nodiscard]] bool is_set() const noexcept { return type.kind == type_kind::set; }
  /// Whether keys of different text can be equal.
  [[nodiscard]] bool has_spellings() const noexcept { return is_set() || detail::has_spellings(key.wire); }
  [[nodiscard]] map_header header() const noexcept {
    return {key.wire, is_set() ? ttype::stop : value.wire, size};
  }
};

}  // namespace json_write

/// The part of json_writer that writes scalar keys and finds equal keys and set elements.
template <protocol Protocol>
struct json_key_writer {
  using state_type = json_write_state<Protocol>;
  using scalar_writer = json_scalar_writer<Protocol>;
  using open_map = json_write::open_map;

  static THRIFTLENS_INLINE bool map_key(state_type& state, const open_map& map) {
    if (map.key.kind == type_kind::string) return scalar_writer::string_value(state);
    if (map.key.kind == type_kind::i32) return scalar_writer::template quoted_integer<std::int32_t>(state);
    if (map.key.kind == type_kind::i64) return scalar_writer::template quoted_integer<std::int64_t>(state);
    return other_key(state, map.key);
  }

  // Adds a path step after a fault in the value of the entry with that key.
  static THRIFTLENS_COLD bool no_entry(state_type& state, const open_map& map, byte_view key) {
    return add_key_step<Protocol>(state.path, key, map.key.wire);
  }
  // Rejects duplicate keys, or drops all but the last by option.
  static THRIFTLENS_NOINLINE bool unique(state_type& state, const open_map& map) {
    const std::size_t count = state.marks.size() - map.marks;
    if (map.ascends || count < 2) return true;
    if (state.last_counts()) return keep_last(state, map);
    std::size_t repeated = entry_marks::none;
    if (!map.is_set()) repeated = state.marks.find_repeated(state.out.at(0), map.marks, map.prefix);
    if (map.has_spellings()) {
      map_header read = map.header();
      read.size = static_cast<std::uint32_t>(count);
      repeated = least(repeated, find_repeated_key<Protocol>(reader_at(state, map.first), read));
    }
    return repeated == entry_marks::none || repeated_key(state, map, repeated);
  }
  // Checks a map with very many entries before its end.
  static THRIFTLENS_INLINE bool unique_so_far(state_type& state, open_map& map) {
    if (map.ascends || state.marks.size() - map.marks < map.next_look) [[likely]]
      return true;
    const bool is_unique = unique(state, map);
    map.next_look = 2 * (state.marks.size() - map.marks);
    return is_unique;
  }
  // Adds the mark of an entry whose key ends at `key_end` in the output.
  static THRIFTLENS_INLINE void add_mark(state_type& state, open_map& map, entry_mark mark,
                                         std::size_t key_end) {
    mark.key_end = key_end;
    if (map.ascends && state.marks.size() != map.marks)
      map.ascends = follows(state, state.marks.top(), mark, map);
    state.marks.push(mark);
  }
  static THRIFTLENS_NOINLINE void call_add_mark(state_type& state, open_map& map, const entry_mark& mark,
                                                std::size_t key_end) {
    add_mark(state, map, mark, key_end);
  }

 private:
  // Whether keys ascend strictly. Numbers compare by length first.
  [[nodiscard]] static THRIFTLENS_INLINE bool follows(const state_type& state, const entry_mark& previous,
                                                      const entry_mark& mark, const open_map& map) noexcept {
    const std::size_t lhs_size = previous.key_end - previous.entry, rhs_size = mark.key_end - mark.entry;
    if (map.key.kind < type_kind::string && lhs_size != rhs_size) return lhs_size < rhs_size;
    return ascend(state.out.at(0), previous, mark, map.prefix);
  }
  // Writes a scalar in quotes. Enum names and "NaN" already have them.
  template <class Write>
  static bool quoted(state_type& state, Write write) {
    if (!state.need(1)) return false;
    const std::size_t begin = state.offset();
    state.out.put('"');
    if (!write() || !state.need(1)) return false;
    if (*state.out.at(begin + 1) != '"') {
      state.out.put('"');
      return true;
    }
    const std::size_t size = state.offset() - begin - 1;
    std::memmove(state.out.at(begin), state.out.at(begin + 1), size);
    state.out.back_to(begin + size);
    return true;
  }
  static THRIFTLENS_NOINLINE bool other_key(state_type& state, const image::type_node& type) {
    switch (type.kind) {
      case type_kind::binary:
        return scalar_writer::binary_value(state);
      case type_kind::uuid:
        return scalar_writer::uuid_value(state);
      case type_kind::i8:
        return scalar_writer::template quoted_integer<std::int8_t>(state);
      case type_kind::i16:
        return scalar_writer::template quoted_integer<std::int16_t>(state);
      case type_kind::bool_:
        return quoted(state, [&] { return scalar_writer::bool_value(state); });
      case type_kind::double_:
        return quoted(state, [&] { return scalar_writer::double_value(state); });
      default:
        return quoted(state, [&] { return scalar_writer::enum_value(state, type); });
    }
  }
  [[nodiscard]] static auto reader_at(const state_type& state, const wire_position& at) noexcept {
    auto in = state.in;
    in.seek(at);
    return in;
  }
  static THRIFTLENS_COLD bool keep_last(state_type& state, const open_map& map) {
    if (map.has_spellings()) {
      comparable_keys<Protocol> keys;
      for (const entry_mark& mark : state.marks.since(map.marks)) {
        auto in = reader_at(state, map.first);
        in.seek({state.in.begin() + mark.source, map.first.depth_left, 0, -1});
        if (!keys.add(in, map.key.wire)) return state.reject(in.fault().code);
      }
      state.out.back_to(state.marks.keep_last_of(keys, state.out.at(0), map.marks, state.offset()));
    }
    if (!map.is_set())
      state.out.back_to(state.marks.keep_last(state.out.at(0), map.marks, map.prefix, state.offset()));
    return true;
  }
  static THRIFTLENS_COLD bool repeated_key(state_type& state, const open_map& map, std::size_t entry) {
    state.in.seek(map.first);
    if (!skip_to_entry(state.in, map.header(), entry)) return false;
    const std::uint8_t* key = state.at();
    if (!state.in.skip(map.key.wire)) return false;
    if (map.is_set())
      state.detail = duplicate_element_text;
    else
      no_entry(state, map, state.since(key));
    static_cast<void>(state.reject(errc::duplicate_key, key));
    return map.is_set() && state.path.index(entry);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
