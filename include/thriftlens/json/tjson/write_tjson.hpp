// write_tjson: converts Binary or Compact to text of Apache's JSON protocol. The IDL is optional: it only
// determines which strings are binary.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/string_out.hpp>
#include <thriftlens/json/tjson/tjson_names.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/text/number_out.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// If wire type and IDL disagree, the wire type is written.
template <protocol From>
class tjson_writer : public walk<tjson_writer<From>, From, schema_types> {
  using base = walk<tjson_writer<From>, From, schema_types>;
  friend base;

 public:
  tjson_writer(typename From::reader& in, const schema_image* image, buffer& to, std::size_t max_size)
      : base(in, image), out_(to, max_size) {}

  /// Writes one value. After false see the fault of the reader and path(); the output is unchanged.
  [[nodiscard]] bool run(ttype wire, std::uint32_t type) {
    if (value(wire, type) && (in_.at_end() || in_.reject(errc::trailing_bytes)) &&
        (out_.finish() || in_.reject(errc::output_limit)))
      return true;
    out_.abandon();
    return false;
  }
  [[nodiscard]] std::string path() const { return path_.text(); }
  /// Error text; empty for the default text of the code.
  [[nodiscard]] std::string message() const { return message_; }

 private:
  using base::in_, base::types_;

  [[nodiscard]] THRIFTLENS_INLINE bool need(std::size_t count) {
    return out_.need(count) || in_.reject(errc::output_limit);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool put(char symbol) {
    if (!need(1)) return false;
    out_.put(symbol);
    return true;
  }
  void put_name(ttype type) noexcept {
    out_.put('"');
    out_.put(tjson_name_of(type));
    out_.put('"');
  }

  bool value(ttype wire, std::uint32_t type) {
    // Checks types of elements and keys; those of fields are checked by the walk.
    return base::value(wire, type == image::none || types_.wire(type) == wire ? type : image::none);
  }
  bool mismatch(const walk_mismatch&, std::uint32_t& type) noexcept {
    type = image::none;
    return true;
  }

  bool structure(std::uint32_t type) {
    if (!put('{')) return false;
    bool is_first = true;
    const bool written = this->each_field(type, [&](const walked_field& field) {
      if (!need(32)) return path_.field_id(field.header.id);
      if (!is_first) out_.put(',');
      is_first = false;
      begin_field(field.header);
      return (value(field.header.type, field.type) && put('}')) || at_field(field);
    });
    return written && put('}');
  }
  // `"7":{"i32":`
  void begin_field(const field_header& field) noexcept {
    out_.put('"');
    out_.move_to(put_integer(out_.at(), std::int64_t{field.id}));
    out_.put("\":{");
    put_name(field.type);
    out_.put(':');
  }
  THRIFTLENS_COLD bool at_field(const walked_field& field) {
    if (field.node == image::none) return path_.field_id(field.header.id);
    return path_.field(field_info(types_.image(), field.node).name(), field.header.id);
  }

  bool sequence(ttype wire, std::uint32_t type) {
    return this->in_sequence(wire, type, [&](const list_header& list, std::uint32_t element, auto...) {
      if (!begin_container({list.element}, list.size)) return false;
      const wire_position first = in_.here();
      for (std::uint32_t i = 0; i < list.size; ++i)
        if (!put(',') || !value(list.element, element)) return path_.index(i);
      return (wire != ttype::set || differ(first, {list.element, ttype::stop, list.size})) && put(']');
    });
  }
  // `["i32",3`, or `["i32","str",3` of a map.
  [[nodiscard]] bool begin_container(std::initializer_list<ttype> types, std::uint32_t size) {
    if (!need(40)) return false;
    out_.put('[');
    for (const ttype type : types) {
      put_name(is_value_type(type) ? type : ttype::string);
      out_.put(',');
    }
    out_.move_to(put_integer(out_.at(), std::int64_t{size}));
    return true;
  }
  bool mapping(std::uint32_t type) {
    return this->in_map(type, [&](map_header map, std::uint32_t key, std::uint32_t item, auto...) {
      // Compact has no types for an empty map.
      if (map.size == 0 && key != image::none) map.key = types_.wire(key), map.value = types_.wire(item);
      if (!begin_container({map.key, map.value}, map.size) || !put(',') || !put('{')) return false;
      const wire_position first = in_.here();
      return entries(map, key, item, first) && put('}') && put(']');
    });
  }
  bool entries(const map_header& map, std::uint32_t key, std::uint32_t item, const wire_position& first) {
    const std::size_t mark = marks_.size();
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!entry(map, key, item, i)) return false;
    if (has_spellings(map.key) && !differ(first, map)) return false;
    if (!differ(first, map, marks_.find_repeated(out_.at(0), mark, 0))) return false;
    marks_.drop_to(mark);
    return true;
  }
  // Rejects equal keys or set elements. `first`: position of the first of them.
  [[nodiscard]] bool differ(const wire_position& first, const map_header& map) {
    typename From::reader in = in_;
    in.seek(first);
    return differ(first, map, find_repeated_key<From>(in, map));
  }
  // Rejects the key or set element of index `repeated`; does nothing without one.
  [[nodiscard]] bool differ(const wire_position& first, const map_header& map, std::size_t repeated) {
    if (repeated == repeated_keys::none) return true;
    in_.seek(first);
    if (!skip_to_entry(in_, map, repeated)) return false;
    const byte_ptr key = in_.at();
    if (map.value == ttype::stop) {
      message_ = duplicate_element_text;
      return in_.reject(errc::duplicate_key, key) || path_.index(repeated);
    }
    if (in_.skip(map.key))
      add_key_step<From>(path_, {key, static_cast<std::size_t>(in_.at() - key)}, map.key);
    return in_.reject(errc::duplicate_key, key);
  }
  bool entry(const map_header& map, std::uint32_t key, std::uint32_t item, std::uint32_t number) {
    if (number != 0 && !put(',')) return false;
    const byte_ptr begin = in_.at();
    const std::size_t text = out_.offset();
    if (!entry_key(map.key, key)) return path_.key_at(number);
    marks_.push({text, out_.offset()});
    const byte_ptr end = in_.at();
    return (put(':') && value(map.value, item)) ||
           add_key_step<From>(path_, {begin, static_cast<std::size_t>(end - begin)}, map.key);
  }
  // Keys of JSON are strings. Like Apache, writes structs and containers unquoted, which is not JSON.
  bool entry_key(ttype wire, std::uint32_t type) {
    const bool is_bare = wire == ttype::bool_ || wire == ttype::i8 || wire == ttype::i16 ||
                         wire == ttype::i32 || wire == ttype::i64 || wire == ttype::double_;
    if (!is_bare) return value(wire, type);
    if (wire == ttype::double_) return real(true);
    return put('"') && scalar(wire, type) && put('"');
  }

  bool scalar(ttype wire, std::uint32_t type) {
    if (wire == ttype::string) return text(type);
    if (wire == ttype::double_) return real(false);
    if (wire == ttype::uuid) return unique();
    std::int64_t number = 0;
    const bool written = wire == ttype::bool_ ? boolean(number) : read_integer(in_, wire, number);
    if (!written || !need(max_integer_text)) return false;
    out_.move_to(put_integer(out_.at(), number));
    return true;
  }
  bool boolean(std::int64_t& number) {
    bool flag = false;
    if (!in_.read_bool(flag)) return false;
    number = flag;
    return true;
  }
  bool real(bool is_key) {
    double number = 0;
    if (!in_.read_double(number) || !need(max_double_text + 2)) return false;
    if (!is_finite(number)) {
      out_.put(nonfinite_text(number));
      return true;
    }
    if (is_key) out_.put('"');
    out_.move_to(put_double(out_.at(), number));
    if (is_key) out_.put('"');
    return true;
  }
  bool unique() {
    uuid_bytes id{};
    return in_.read_uuid(id) && put_ok(put_uuid(out_, id), in_.at());
  }
  bool text(std::uint32_t type) {
    const byte_ptr at = in_.at();
    byte_view bytes;
    if (!in_.read_bytes(bytes)) return false;
    const bool is_known = type != image::none;
    const bool is_binary =
        is_known ? types_.image()->types[type].kind == type_kind::binary : !simd::valid_utf8(bytes);
    return put_ok(is_binary ? put_base64(out_, bytes) : put_string(out_, bytes, on_invalid_utf8::error), at);
  }
  [[nodiscard]] bool put_ok(errc code, byte_ptr at) { return code == errc::ok || in_.reject(code, at); }

  out_cursor out_;
  entry_marks marks_;  // of open maps
  std::string message_;
  path_builder path_{path_builder::order::innermost_first};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
