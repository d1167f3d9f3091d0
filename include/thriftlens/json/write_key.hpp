// write_key: keys of maps as JSON strings, and told apart.
// In: a reader that stands at a key; the entries written so far. Out: quoted text, or the second of two equal
// keys. Never compares keys by their bytes: two NaNs of different bytes are one text.
#pragma once

#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/write_scalar.hpp>
#include <thriftlens/protocol/key_step.hpp>

#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_writer that writes scalar keys, and looks for equal keys of any kind.
template <protocol Protocol>
class json_key_writer : protected json_scalar_writer<Protocol> {
 protected:
  using base = json_scalar_writer<Protocol>;
  using base::base;
  using base::binary_value;
  using base::bool_value;
  using base::double_value;
  using base::enum_value;
  using base::in_;
  using base::last_counts;
  using base::need;
  using base::out_;
  using base::path_;
  using base::string_value;
  using base::uuid_value;
  using typename base::kinds;

  // A map whose entries are being written.
  struct open_map {
    const image::type_node& type;
    const image::type_node& key;
    const image::type_node& value;
    wire_position first;  ///< of its entries
    std::size_t marks;    ///< of its first entry
    std::uint32_t size;
    std::size_t prefix = 0;  ///< bytes before a key in an entry's text
    std::size_t next_look = entry_marks::first_look;
  };

  THRIFTLENS_INLINE bool map_key(const open_map& map) {
    if (map.key.kind == kinds::string) return string_value();
    if (map.key.kind == kinds::i32) return base::template quoted_integer<std::int32_t>();
    if (map.key.kind == kinds::i64) return base::template quoted_integer<std::int64_t>();
    return other_key(map.key);
  }
  // What was read from `from` on.
  [[nodiscard]] THRIFTLENS_INLINE byte_view since(const std::uint8_t* from) const noexcept {
    return {from, static_cast<std::size_t>(in_.at() - from)};
  }
  // After a fault in the value of the entry with that key.
  THRIFTLENS_COLD bool no_entry(const open_map& map, byte_view key) {
    return add_key_step<Protocol>(path_, key, map.key.wire);
  }

  // Keys in strictly ascending order, the usual case, cannot repeat. Numbers ascend by length first.
  [[nodiscard]] THRIFTLENS_INLINE bool follows(const entry_mark& before, const entry_mark& mark,
                                               const open_map& map) const noexcept {
    const std::size_t left = before.key_end - before.entry, right = mark.key_end - mark.entry;
    if (map.key.kind < kinds::string && left != right) return left < right;
    return ascend(out_.at(0), before, mark, map.prefix);
  }
  // Looks for equal keys before the map's end where it has very many.
  THRIFTLENS_INLINE bool unique_so_far(open_map& map) {
    if (marks_.size() - map.marks < map.next_look) [[likely]]
      return true;
    const bool done = unique(map);
    map.next_look = 2 * (marks_.size() - map.marks);
    return done;
  }
  // The second of two equal keys is a fault; or, where the caller wants the last one, the first is dropped.
  THRIFTLENS_NOINLINE bool unique(const open_map& map) {
    if (marks_.size() - map.marks < 2) return true;
    if (last_counts()) {
      out_.back_to(marks_.keep_last(out_.at(0), map.marks, map.prefix, out_.offset()));
      return true;
    }
    const std::size_t repeated = marks_.find_repeated(out_.at(0), map.marks, map.prefix);
    return repeated == entry_marks::none || repeated_key(map, repeated);
  }

  entry_marks marks_;

 private:
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
  // Enum names and "NaN" bring their own quotes.
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
    for (std::size_t i = 0; i < entry; ++i)
      if (!in_.skip(map.key.wire) || !in_.skip(map.value.wire)) return false;
    const std::uint8_t* key = in_.at();
    if (!in_.skip(map.key.wire)) return false;
    no_entry(map, since(key));
    return in_.reject(errc::duplicate_key, key);
  }

  std::size_t quote_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
