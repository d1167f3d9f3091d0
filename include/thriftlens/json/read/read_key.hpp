// read_key: reads keys of maps from JSON strings; finds duplicate keys and elements by key_equality.hpp.
#pragma once

#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/read/read_scalar.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that reads keys of maps.
template <protocol Protocol>
class json_key_reader : protected json_scalar_reader<Protocol> {
 protected:
  using base = json_scalar_reader<Protocol>;
  using base::base, base::binary_value, base::bytes_of, base::depth_left_, base::double_of, base::fault_,
      base::forget_capacity, base::in_, base::is_number, base::is_number_start, base::more_follows,
      base::offset, base::options_, base::out_, base::path_, base::put_integer_of, base::put_member,
      base::range_text, base::reject, base::short_string, base::size_room, base::skip_member,
      base::skip_value, base::uuid_value, typename base::kinds;

  // A map or set that is being read.
  struct open_map {
    const image::type_node& type;
    const image::type_node& key;    ///< or element
    const image::type_node& value;  ///< unused for a set
    const std::uint8_t* start;      ///< its bracket in the text; null if it has none
    std::size_t marks;              ///< of its first entry
    std::uint32_t count = 0;
    std::size_t next_look = entry_marks::first_look;
  };

  // A key that is not a string in the IDL. pos.at is at its opening quote.
  THRIFTLENS_NOINLINE json_position scalar_key(json_position pos, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = pos.at;
    if (kind == kinds::binary) return binary_value(pos, '"');
    if (kind == kinds::uuid) return uuid_value(pos, '"');
    std::uint64_t magnitude = 0;
    bool negative = false;
    const bool integral = kind != kinds::bool_ && kind != kinds::double_;
    if (!integral || !in_.take_quoted_integer(pos.at, magnitude, negative)) return odd_key(pos, kind, type);
    return put_integer_of(pos, kind, magnitude, negative, start);
  }

  // Adds a path step after a fault in a key, or in the value of the entry at `mark`.
  THRIFTLENS_COLD json_failed no_key(std::uint32_t count) {
    path_.key_at(count);
    return {};
  }
  THRIFTLENS_COLD json_failed no_entry(const open_map& map, const entry_mark& mark) {
    add_key_step<Protocol>(path_, {out_.at(mark.entry), mark.key_end - mark.entry}, map.key.wire);
    return {};
  }

  // Rejects duplicate keys, or drops all but the last by option.
  THRIFTLENS_NOINLINE json_position unique(json_position pos, open_map& map) {
    if (has_spellings(map.key.wire)) return unique_spelled(pos, map);
    if (options_.duplicates == on_duplicate::last) {
      pos.to = out_.at(marks_.keep_last(out_.at(0), map.marks, 0, offset(pos.to)));
      return recounted(pos, map);
    }
    const std::size_t prefix = map.key.wire == ttype::string ? size_room : 0;  // of texts the content counts
    if (marks_.ascend_as_ring(out_.at(0), map.marks, prefix)) return pos;
    const std::size_t repeated = marks_.find_repeated(out_.at(0), map.marks, 0);
    return repeated == entry_marks::none ? pos : repeated_key(pos, map, repeated);
  }
  // Checks a map with very many entries before its end.
  THRIFTLENS_NOINLINE json_position unique_so_far(json_position pos, open_map& map) {
    pos = unique(pos, map);
    map.next_look = 2 * std::size_t{map.count};
    return pos;
  }

  entry_marks marks_;

 private:
  // For keys that can be equal although their bytes differ.
  THRIFTLENS_NOINLINE json_position unique_spelled(json_position pos, open_map& map) {
    comparable_keys<Protocol> keys;
    for (const entry_mark& mark : marks_.since(map.marks)) {
      const byte_view key(out_.at(mark.entry), mark.key_end - mark.entry);
      if (!keys.add(key, map.key.wire)) return reject(errc::depth_limit, pos.at);
    }
    if (options_.duplicates == on_duplicate::last) {
      pos.to = out_.at(marks_.keep_last_of(keys, out_.at(0), map.marks, offset(pos.to)));
      return recounted(pos, map);
    }
    const std::size_t repeated = keys.find_repeated();
    return repeated == entry_marks::none ? pos : repeated_key(pos, map, repeated);
  }
  json_position recounted(json_position pos, open_map& map) {
    map.count = static_cast<std::uint32_t>(marks_.size() - map.marks);
    return pos;
  }
  THRIFTLENS_NOINLINE json_position odd_key(json_position pos, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!short_string(pos, text)) return {};
    if (kind == kinds::bool_) return bool_key(pos, text, start);
    if (kind == kinds::double_) return double_key(pos, text, start);
    const bool is_name = text.empty() || !is_number_start(static_cast<std::uint8_t>(text[0]));
    if (kind == kinds::enum_ && is_name) return put_member(pos, text, type, start);
    return integer_key(pos, kind, text, start);
  }
  json_position bool_key(json_position pos, std::string_view text, const std::uint8_t* start) {
    if (text != "true" && text != "false") return bad_key(kinds::bool_, start);
    return {pos.at, Protocol::put_bool(pos.to, text == "true")};
  }
  json_position integer_key(json_position pos, type_kind kind, std::string_view text,
                            const std::uint8_t* start) {
    const std::uint8_t* first = bytes_of(text);
    std::uint64_t magnitude = 0;
    bool negative = false;
    const std::uint8_t* last = parse_plain_integer(first, first + text.size(), magnitude, negative);
    if (last == first + text.size()) return put_integer_of(pos, kind, magnitude, negative, start);
    if (is_beyond_integers(text)) return reject(errc::integer_range, start, range_text(kind));
    return bad_key(kind, start);
  }
  // An integer of more than 19 digits; "1e30" is not an integer key.
  [[nodiscard]] static bool is_beyond_integers(std::string_view text) {
    json_number number;
    std::int64_t unused = 0;
    return is_number(text, number) && text.size() > 19 && to_integer(number, unused) == number_fit::range;
  }
  json_position double_key(json_position pos, std::string_view text, const std::uint8_t* start) {
    double number = 0;
    const errc code = double_of(text, true, number);
    if (code == errc::ok) return {pos.at, Protocol::put_double(pos.to, number)};
    if (code == errc::double_range) return reject(code, start);
    return bad_key(kinds::double_, start);
  }
  THRIFTLENS_COLD json_failed bad_key(type_kind kind, const std::uint8_t* at) {
    return reject(errc::bad_map_key, at,
                  "a map key that " + std::string(to_string(kind)) + " does not allow");
  }

  // Reads the container's text again to find the position of the entry or element.
  THRIFTLENS_COLD json_failed repeated_key(json_position pos, const open_map& map, std::size_t entry) {
    if (map.start != nullptr && !seek_entry(pos, map, entry)) return {};
    if (map.type.kind != kinds::set) {
      no_entry(map, marks_.since(map.marks)[entry]);
      return reject(errc::duplicate_key, pos.at);
    }
    path_.index(entry);
    return reject(errc::duplicate_key, pos.at, std::string(duplicate_element_text));
  }
  bool seek_entry(json_position& pos, const open_map& map, std::size_t entry) {
    in_.walk();
    pos.at = map.start;
    forget_capacity();
    depth_left_ = ~std::uint32_t{0};  // was checked before; pairs do not count
    return skip_entries(pos, entry);
  }
  bool skip_entries(json_position& pos, std::size_t count) {
    const bool object = *pos.at == '{';
    bool more = true;
    std::uint8_t next = 0;
    in_.advance(pos.at);
    for (; count != 0; --count) {
      pos = object ? skip_member(pos) : skip_value(pos);
      if (!pos || !more_follows(pos, object ? '}' : ']', more, next)) return false;
    }
    in_.peek(pos.at);
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
