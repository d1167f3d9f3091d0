// write_key: writes keys of maps as JSON strings. Finds duplicates: keys and set elements that are equal by
// key_equality.hpp, and keys of the same text (NaNs of different bits).
#pragma once

#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/write/write_scalar.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_writer that writes scalar keys and finds duplicate keys of any kind.
template <protocol Protocol>
class json_key_writer : protected json_scalar_writer<Protocol> {
 protected:
  using base = json_scalar_writer<Protocol>;
  using base::base, base::binary_value, base::bool_value, base::double_value, base::enum_value, base::in_,
      base::last_counts, base::need, base::out_, base::path_, base::string_value, base::uuid_value,
      typename base::kinds;

  // A map or set that is being written.
  struct open_map {
    const image::type_node& type;
    const image::type_node& key;    ///< or element
    const image::type_node& value;  ///< unused for a set
    wire_position first;            ///< of its entries
    std::size_t marks;              ///< of its first entry
    std::uint32_t size;
    std::size_t prefix = 0;  ///< bytes before a key in an entry's text
    std::size_t next_look = entry_marks::first_look;

    [[nodiscard]] bool is_set() const noexcept { return type.kind == kinds::set; }
    /// Whether keys of different text can be equal.
    [[nodiscard]] bool has_spellings() const noexcept { return is_set() || detail::has_spellings(key.wire); }
    [[nodiscard]] map_header header() const noexcept {
      return {key.wire, is_set() ? ttype::stop : value.wire, size};
    }
  };

  THRIFTLENS_INLINE bool map_key(const open_map& map) {
    if (map.key.kind == kinds::string) return string_value();
    if (map.key.kind == kinds::i32) return base::template quoted_integer<std::int32_t>();
    if (map.key.kind == kinds::i64) return base::template quoted_integer<std::int64_t>();
    return other_key(map.key);
  }
  // The input from `from` to the current position.
  [[nodiscard]] THRIFTLENS_INLINE byte_view since(const std::uint8_t* from) const noexcept {
    return {from, static_cast<std::size_t>(in_.at() - from)};
  }
  // Adds a path step after a fault in the value of the entry with that key.
  THRIFTLENS_COLD bool no_entry(const open_map& map, byte_view key) {
    return add_key_step<Protocol>(path_, key, map.key.wire);
  }

  // Whether keys ascend strictly, as they usually do, and so cannot repeat. Numbers compare by length first.
  [[nodiscard]] THRIFTLENS_INLINE bool follows(const entry_mark& previous, const entry_mark& mark,
                                               const open_map& map) const noexcept {
    const std::size_t lhs_size = previous.key_end - previous.entry, rhs_size = mark.key_end - mark.entry;
    if (map.key.kind < kinds::string && lhs_size != rhs_size) return lhs_size < rhs_size;
    return ascend(out_.at(0), previous, mark, map.prefix);
  }
  // Checks a map with very many entries before its end.
  THRIFTLENS_INLINE bool unique_so_far(open_map& map) {
    if (marks_.size() - map.marks < map.next_look) [[likely]]
      return true;
    const bool is_unique = unique(map);
    map.next_look = 2 * (marks_.size() - map.marks);
    return is_unique;
  }
  // Rejects duplicate keys, or drops all but the last by option.
  THRIFTLENS_NOINLINE bool unique(const open_map& map) {
    const std::size_t count = marks_.size() - map.marks;
    if (count < 2) return true;
    if (last_counts()) return keep_last(map);
    std::size_t repeated = entry_marks::none;
    if (!map.is_set()) repeated = marks_.find_repeated(out_.at(0), map.marks, map.prefix);
    if (map.has_spellings()) {
      map_header read = map.header();
      read.size = static_cast<std::uint32_t>(count);
      repeated = (std::min)(repeated, find_repeated_key<Protocol>(reader_at(map.first), read));
    }
    return repeated == entry_marks::none || repeated_key(map, repeated);
  }

  entry_marks marks_;

 private:
  [[nodiscard]] auto reader_at(const wire_position& at) const noexcept {
    auto in = in_;
    in.seek(at);
    return in;
  }
  THRIFTLENS_NOINLINE bool keep_last(const open_map& map) {
    if (map.has_spellings()) {
      comparable_keys<Protocol> keys;
      for (const entry_mark& mark : marks_.since(map.marks)) {
        auto in = reader_at(map.first);
        in.seek({in_.begin() + mark.source, map.first.depth_left, 0, -1});
        if (!keys.add(in, map.key.wire)) return in_.reject(in.fault().code);
      }
      out_.back_to(marks_.keep_last_of(keys, out_.at(0), map.marks, out_.offset()));
    }
    if (!map.is_set()) out_.back_to(marks_.keep_last(out_.at(0), map.marks, map.prefix, out_.offset()));
    return true;
  }
  THRIFTLENS_NOINLINE bool other_key(const image::type_node& type) {
    switch (type.kind) {
      case kinds::binary:
        return binary_value();
      case kinds::uuid:
        return uuid_value();
      case kinds::i8:
        return base::template quoted_integer<std::int8_t>();
      case kinds::i16:
        return base::template quoted_integer<std::int16_t>();
      case kinds::bool_:
        return begin_quotes() && bool_value() && end_quotes();
      case kinds::double_:
        return begin_quotes() && double_value() && end_quotes();
      default:
        return begin_quotes() && enum_value(type) && end_quotes();
    }
  }
  bool begin_quotes() {
    if (!need(1)) return false;
    quote_ = out_.offset();
    out_.put('"');
    return true;
  }
  // Enum names and "NaN" already have quotes.
  bool end_quotes() {
    if (!need(1)) return false;
    if (*out_.at(quote_ + 1) != '"') {
      out_.put('"');
      return true;
    }
    const std::size_t size = out_.offset() - quote_ - 1;
    std::memmove(out_.at(quote_), out_.at(quote_ + 1), size);
    out_.back_to(quote_ + size);
    return true;
  }
  THRIFTLENS_COLD bool repeated_key(const open_map& map, std::size_t entry) {
    in_.seek(map.first);
    if (!skip_to_entry(in_, map.header(), entry)) return false;
    const std::uint8_t* key = in_.at();
    if (!in_.skip(map.key.wire)) return false;
    if (map.is_set())
      this->detail_ = duplicate_element_text;
    else
      no_entry(map, since(key));
    static_cast<void>(in_.reject(errc::duplicate_key, key));
    return map.is_set() && path_.index(entry);
  }

  std::size_t quote_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
