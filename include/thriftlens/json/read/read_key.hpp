// read_key: reads keys of maps from JSON strings; finds duplicate keys and elements by key_equality.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/read/read_scalar.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

namespace json_read {

/// A map or set that is being read.
struct open_map {
  const image::type_node& type;
  const image::type_node& key;    ///< or element
  const image::type_node& value;  ///< unused for a set
  const std::uint8_t* start;      ///< its bracket in the text; null if it has none
  std::size_t marks;              ///< of its first entry
  std::uint32_t count = 0;
  std::size_t next_look = entry_marks::first_look;
};

}  // namespace json_read

/// The part of json_reader that reads keys of maps.
template <protocol Protocol>
struct json_key_reader {
  using scalar_reader = json_scalar_reader<Protocol>;
  using open_map = json_read::open_map;

  // A key that is not a string in the IDL. pos.at is at its opening quote.
  static THRIFTLENS_NOINLINE json_position scalar_key(json_read_state& state, json_position pos,
                                                      type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = pos.at;
    if (kind == type_kind::binary) return scalar_reader::binary_value(state, pos, '"');
    if (kind == type_kind::uuid) return scalar_reader::uuid_value(state, pos, '"');
    std::uint64_t magnitude = 0;
    bool negative = false;
    const bool integral = kind != type_kind::bool_ && kind != type_kind::double_;
    if (!integral || !state.in.take_quoted_integer(pos.at, magnitude, negative))
      return odd_key(state, pos, kind, type);
    return scalar_reader::put_integer_of(state, pos, kind, magnitude, negative, start);
  }

  // Adds a path step after a fault in a key, or in the value of the entry at `mark`.
  static THRIFTLENS_COLD json_failed no_key(json_read_state& state, std::uint32_t count) {
    state.path.key_at(count);
    return {};
  }
  static THRIFTLENS_COLD json_failed no_entry(json_read_state& state, const open_map& map,
                                              const entry_mark& mark) {
    add_key_step<Protocol>(state.path, {state.out.at(mark.entry), mark.key_end - mark.entry}, map.key.wire);
    return {};
  }

  // Rejects duplicate keys, or drops all but the last by option.
  static THRIFTLENS_NOINLINE json_position unique(json_read_state& state, json_position pos, open_map& map) {
    if (has_spellings(map.key.wire)) return unique_spelled(state, pos, map);
    if (state.options.leniency.duplicates == on_duplicate::last) {
      pos.to = state.out.at(state.marks.keep_last(state.out.at(0), map.marks, 0, state.offset(pos.to)));
      return recounted(state, pos, map);
    }
    const std::size_t prefix =
        map.key.wire == ttype::string ? scalar_reader::max_length_prefix : 0;  // of texts the content counts
    if (state.marks.ascend_as_ring(state.out.at(0), map.marks, prefix)) return pos;
    const std::size_t repeated = state.marks.find_repeated(state.out.at(0), map.marks, 0);
    return repeated == entry_marks::none ? pos : repeated_key(state, pos, map, repeated);
  }
  // Checks a map with very many entries before its end.
  static THRIFTLENS_NOINLINE json_position unique_so_far(json_read_state& state, json_position pos,
                                                         open_map& map) {
    pos = unique(state, pos, map);
    map.next_look = 2 * std::size_t{map.count};
    return pos;
  }

 private:
  // For keys that can be equal although their bytes differ.
  THRIFTLENS_COLD static json_position unique_spelled(json_read_state& state, json_position pos,
                                                      open_map& map) {
    comparable_keys<Protocol> keys;
    for (const entry_mark& mark : state.marks.since(map.marks)) {
      const byte_view key(state.out.at(mark.entry), mark.key_end - mark.entry);
      if (!keys.add(key, map.key.wire)) return state.reject(errc::depth_limit, pos.at);
    }
    if (state.options.leniency.duplicates == on_duplicate::last) {
      pos.to = state.out.at(state.marks.keep_last_of(keys, state.out.at(0), map.marks, state.offset(pos.to)));
      return recounted(state, pos, map);
    }
    const std::size_t repeated = keys.find_repeated();
    return repeated == entry_marks::none ? pos : repeated_key(state, pos, map, repeated);
  }
  static json_position recounted(json_read_state& state, json_position pos, open_map& map) {
    map.count = static_cast<std::uint32_t>(state.marks.size() - map.marks);
    return pos;
  }
  THRIFTLENS_COLD static json_position odd_key(json_read_state& state, json_position pos, type_kind kind,
                                               std::uint32_t type) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!state.short_string(pos, text)) return {};
    if (kind == type_kind::bool_) return bool_key(state, pos, text, start);
    if (kind == type_kind::double_) return double_key(state, pos, text, start);
    const bool is_name = text.empty() || !state.is_number_start(static_cast<std::uint8_t>(text[0]));
    if (kind == type_kind::enum_ && is_name) return scalar_reader::put_member(state, pos, text, type, start);
    return integer_key(state, pos, kind, text, start);
  }
  THRIFTLENS_COLD static json_position bool_key(json_read_state& state, json_position pos,
                                                std::string_view text, const std::uint8_t* start) {
    if (text != "true" && text != "false") return bad_key(state, type_kind::bool_, start);
    return {pos.at, Protocol::put_bool(pos.to, text == "true")};
  }
  THRIFTLENS_COLD static json_position integer_key(json_read_state& state, json_position pos, type_kind kind,
                                                   std::string_view text, const std::uint8_t* start) {
    const std::uint8_t* first = byte_view(text).begin();
    std::uint64_t magnitude = 0;
    bool negative = false;
    const std::uint8_t* last = parse_plain_integer(first, first + text.size(), magnitude, negative);
    if (last == first + text.size())
      return scalar_reader::put_integer_of(state, pos, kind, magnitude, negative, start);
    if (is_beyond_integers(text)) return state.reject_range(start, kind);
    return bad_key(state, kind, start);
  }
  // An integer of more than 19 digits; "1e30" is not an integer key.
  [[nodiscard]] THRIFTLENS_COLD static bool is_beyond_integers(std::string_view text) {
    json_number number;
    std::int64_t unused = 0;
    return json_read_state::is_number(text, number) && text.size() > 19 &&
           to_integer(number, unused) == number_fit::range;
  }
  THRIFTLENS_COLD static json_position double_key(json_read_state& state, json_position pos,
                                                  std::string_view text, const std::uint8_t* start) {
    double number = 0;
    const errc code = scalar_reader::double_of(state, text, true, number);
    if (code == errc::ok) return {pos.at, Protocol::put_double(pos.to, number)};
    if (code == errc::double_range) return state.reject(code, start);
    return bad_key(state, type_kind::double_, start);
  }
  static THRIFTLENS_COLD json_failed bad_key(json_read_state& state, type_kind kind, const std::uint8_t* at) {
    return state.reject(errc::bad_map_key, at,
                        joined({"a map key that ", to_string(kind), " does not allow"}));
  }

  // Reads the container's text again to find the position of the entry or element.
  static THRIFTLENS_COLD json_failed repeated_key(json_read_state& state, json_position pos,
                                                  const open_map& map, std::size_t entry) {
    if (map.start != nullptr && !seek_entry(state, pos, map, entry)) return {};
    if (map.type.kind != type_kind::set) {
      no_entry(state, map, state.marks.since(map.marks)[entry]);
      return state.reject(errc::duplicate_key, pos.at);
    }
    state.path.index(entry);
    return state.reject(errc::duplicate_key, pos.at, std::string(duplicate_element_text));
  }
  THRIFTLENS_COLD static bool seek_entry(json_read_state& state, json_position& pos, const open_map& map,
                                         std::size_t entry) {
    pos.at = map.start;
    state.forget_capacity();
    state.depth_left = ~std::uint32_t{0};  // was checked before; pairs do not count
    return skip_entries(state, pos, entry);
  }
  THRIFTLENS_COLD static bool skip_entries(json_read_state& state, json_position& pos, std::size_t count) {
    const bool object = *pos.at == '{';
    bool more = true;
    std::uint8_t next = 0;
    state.advance(pos);
    for (; count != 0; --count) {
      pos = object ? json_skipper(state).member(pos) : json_skipper(state).value(pos);
      if (!pos || !state.more_follows(pos, object ? '}' : ']', more, next)) return false;
    }
    state.peek(pos);
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
