// read_unknown: reads fields that the IDL does not know from JSON with wire types.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/json/read/read_fields.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/protocol/unknown_key.hpp>

#include <bit>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that reads values by wire types in the text.
template <protocol Protocol>
class json_unknown_reader : protected json_field_writer<Protocol> {
 protected:
  using base = json_field_writer<Protocol>;
  using base::base, base::binary_value, base::bool_value, base::double_value, base::enter, base::field_marks_,
      base::image_, base::in_, base::is_filled, base::last_counts, base::leave, base::mismatch,
      base::more_follows, base::no_quote, base::offset, base::options_, base::out_, base::path_, base::reject,
      base::reserve, base::short_string, base::skip_value, base::take_bool, base::take_colon, base::too_many,
      base::uuid_value, typename base::field_mark, typename base::kinds, typename base::open_fields;

  // Accepts a key of no field: as that of an unknown field, whose id is then unknown_id_, or to be skipped.
  THRIFTLENS_COLD bool takes_unknown(const image::struct_node& node, std::string_view key,
                                     const std::uint8_t* at) {
    if (options_.unknown == on_unknown::drop) return true;
    const bool is_id = parse_unknown_key(key, unknown_id_);
    if (options_.unknown == on_unknown::error || !is_id) {
      std::string text = no_such_field_text({&image_, node.type}, key);
      if (is_id) text += "; such a key needs the option unknown=keep";
      return reject(errc::unknown_key, at, std::move(text));
    }
    const std::uint32_t field = image_.find_field(node, unknown_id_);
    if (field == image::none) return true;
    return reject(errc::unknown_key, at,
                  "the IDL knows the field with id " + std::to_string(unknown_id_) + ": its key is \"" +
                      std::string(image_.view(image_.field_texts[field].name)) + '"');
  }
  // Reads the value after such a key, which begins at `key`.
  THRIFTLENS_COLD json_position unknown_value(json_position pos, open_fields& open, const std::uint8_t* key) {
    if (options_.unknown == on_unknown::drop) return skip_value(pos);
    const std::int16_t id = unknown_id_;
    pos = member_of(pos, open, id, key);
    if (!pos) path_.field_id(id);
    return pos;
  }

 private:
  template <ttype Type>
  using constant = ttype_constant<Type>;
  struct container_types {
    ttype type, first, second = ttype::stop;
  };

  json_position member_of(json_position pos, open_fields& open, std::int16_t id, const std::uint8_t* key) {
    if (!ids_.add(open.begin, id)) {
      if (!last_counts()) return reject(errc::duplicate_key, key, "duplicate key in an object");
      open.repeated = true;
    }
    if (!reserve(pos)) return {};
    field_mark mark{offset(pos.to), 0, image::none};
    mark.header.id = id;
    mark.absent = in_.peek(pos.at) == 'n';
    pos = mark.absent ? skip_value(pos) : tagged_field(pos, open.last_id, mark);
    if (pos && last_counts())
      field_marks_.push_back(mark);
    else if (!mark.absent)
      base::note_unknown(open, id);
    return pos;
  }
  // `{"i32":7}` as a field.
  json_position tagged_field(json_position pos, std::int16_t& last_id, field_mark& mark) {
    std::uint8_t next = in_.peek(pos.at);
    if (next != '{') return mismatch(pos.at, kinds::struct_, "an object with the wire type");
    if (!is_filled(pos, '}', next)) return reject(errc::json_type, pos.at - 1, "a wire type is missing");
    if (!type_word(pos, mark.header.type) || !take_colon(pos)) return {};
    const std::uint8_t first = in_.peek(pos.at);
    if (!reserve(pos)) return {};
    pos = header_and_value(pos, last_id, mark, first);
    if (!pos) return {};
    if (in_.peek(pos.at) != '}') return reject(errc::json_syntax, pos.at, "expected '}' after the one value");
    in_.advance(pos.at);
    return pos;
  }
  json_position header_and_value(json_position pos, std::int16_t& last_id, field_mark& mark,
                                 std::uint8_t first) {
    const bool is_bool = mark.header.type == ttype::bool_;
    bool truth = false;
    if (is_bool && !take_bool(pos, first, truth)) return mismatch(pos.at, kinds::bool_);
    mark.truth = truth ? 1 : 0;
    pos.to = put_header<Protocol>(pos.to, mark.header, truth, last_id);
    mark.body = offset(pos.to);
    if (!is_bool) return value_of(pos, mark.header.type, first);
    if constexpr (!Protocol::traits.has_inline_bool) pos.to = Protocol::put_bool(pos.to, truth);
    return pos;
  }
  // The name of a wire type, in quotes.
  bool type_word(json_position& pos, ttype& type, bool is_element = false) {
    const std::uint8_t* const start = pos.at;
    if (in_.peek(pos.at) != '"') return mismatch(pos.at, kinds::string, "the name of a wire type");
    std::string_view name;
    if (!reserve(pos) || !short_string(pos, name)) return false;
    type = find_ttype(name);
    if (type != ttype::void_ && (is_element || type != ttype::stop)) return true;
    return reject(errc::json_type, start, no_ttype_text(name));
  }
  json_position value_of(json_position pos, ttype type, std::uint8_t first) {
    return visit_ttype(type, [&](auto known) { return this->read_as(known, pos, first); });
  }

  json_position read_as(constant<ttype::bool_>, json_position pos, std::uint8_t first) {
    return bool_value(pos, first);
  }
  json_position read_as(constant<ttype::i8>, json_position pos, std::uint8_t) {
    return base::template integer_value<std::int8_t>(pos, kinds::i8);
  }
  json_position read_as(constant<ttype::i16>, json_position pos, std::uint8_t) {
    return base::template integer_value<std::int16_t>(pos, kinds::i16);
  }
  json_position read_as(constant<ttype::i32>, json_position pos, std::uint8_t) {
    return base::template integer_value<std::int32_t>(pos, kinds::i32);
  }
  json_position read_as(constant<ttype::i64>, json_position pos, std::uint8_t) {
    return base::template integer_value<std::int64_t>(pos, kinds::i64);
  }
  json_position read_as(constant<ttype::string>, json_position pos, std::uint8_t first) {
    return binary_value(pos, first);
  }
  json_position read_as(constant<ttype::uuid>, json_position pos, std::uint8_t first) {
    return uuid_value(pos, first);
  }
  json_position read_as(constant<ttype::list>, json_position pos, std::uint8_t first) {
    return container(pos, {ttype::list, ttype::stop}, first);
  }
  json_position read_as(constant<ttype::set>, json_position pos, std::uint8_t first) {
    return container(pos, {ttype::set, ttype::stop}, first);
  }
  json_position read_as(constant<ttype::map>, json_position pos, std::uint8_t first) {
    return container(pos, {ttype::map, ttype::stop}, first);
  }

  // Only non-finite values are in quotes.
  json_position read_as(constant<ttype::double_>, json_position pos, std::uint8_t first) {
    if (first != '"') return double_value(pos, first);
    const std::uint8_t* const start = pos.at;
    std::string_view text;
    double number = 0;
    if (!short_string(pos, text)) return {};
    if (!nonfinite_of(text, number))
      return reject(errc::json_type, start, "expected a double, found a string that is not one");
    return {pos.at, Protocol::put_double(pos.to, number)};
  }
  [[nodiscard]] static bool nonfinite_of(std::string_view text, double& number) {
    if (base::special_double(text, number)) return true;
    constexpr std::string_view prefix = "NaN:";
    if (text.size() != prefix.size() + 16 || !text.starts_with(prefix)) return false;
    std::uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data() + prefix.size(), end, bits, 16).ptr != end) return false;
    number = std::bit_cast<double>(bits);
    return is_nan(number);
  }

  // ---- containers

  // `["i32",[1,2]]`, `["i32","string",[[1,"aGk="]]]`
  json_position container(json_position pos, container_types types, std::uint8_t first) {
    const bool is_map = types.type == ttype::map;
    const std::string_view shape = is_map ? "[key type, value type, entries]" : "[element type, elements]";
    if (first != '[') return mismatch(pos.at, kinds::list, shape);
    if (!enter(pos.at)) return {};
    in_.advance(pos.at);
    if (!type_word(pos, types.first, true) || !comma(pos, shape)) return {};
    if (is_map && (!type_word(pos, types.second, true) || !comma(pos, shape))) return {};
    pos = contents(pos, types);
    leave();
    return pos;
  }
  // Reads the elements after the types.
  json_position contents(json_position pos, const container_types& types) {
    if (in_.peek(pos.at) != '[') return mismatch(pos.at, kinds::list, "the array of what is in it");
    pos = elements(pos, types);
    if (!pos) return {};
    if (in_.peek(pos.at) != ']') return reject(errc::json_syntax, pos.at, "expected ']' after the contents");
    in_.advance(pos.at);
    return pos;
  }
  bool comma(json_position& pos, std::string_view shape) {
    if (in_.peek(pos.at) != ',')
      return reject(errc::json_syntax, pos.at, "expected ',' as in " + std::string(shape));
    in_.advance(pos.at);
    return true;
  }
  json_position elements(json_position pos, const container_types& types) {
    if (!reserve(pos)) return {};
    const std::size_t header = offset(pos.to);
    std::uint8_t header_bytes[16];
    const std::ptrdiff_t reserved = put_header_of(header_bytes, types, 1) - header_bytes;
    pos.to += reserved;
    std::uint8_t next = 0;
    std::uint32_t count = 0;
    for (bool more = is_filled(pos, ']', next); more; ++count) {
      pos = element(pos, types, count);
      if (!pos || !more_follows(pos, ']', more, next)) return {};
      if (too_many(count + 1)) return reject(errc::size_limit, pos.at);
    }
    if (!reserve(pos)) return {};
    const std::ptrdiff_t size = put_header_of(header_bytes, types, count) - header_bytes;
    return base::replace_header(pos, header, reserved, header_bytes, size);
  }
  [[nodiscard]] static std::uint8_t* put_header_of(std::uint8_t* to, const container_types& types,
                                                   std::uint32_t count) {
    if (types.type == ttype::map) return Protocol::put_map(to, {types.first, types.second, count});
    return types.type == ttype::set ? Protocol::put_set(to, {types.first, count})
                                    : Protocol::put_list(to, {types.first, count});
  }
  json_position element(json_position pos, const container_types& types, std::uint32_t number) {
    if (types.type == ttype::map) return pair(pos, types, number);
    pos = typed_value(pos, types.first);
    if (!pos) path_.index(number);
    return pos;
  }
  json_position pair(json_position pos, const container_types& types, std::uint32_t number) {
    const std::size_t begin = offset(pos.to);
    if (in_.peek(pos.at) != '[') {
      path_.key_at(number);
      return mismatch(pos.at, kinds::list, "a [key, value] pair");
    }
    in_.advance(pos.at);
    pos = typed_value(pos, types.first);
    if (!pos) return base::no_key(number);
    const std::size_t end = offset(pos.to);
    pos = comma(pos, "[key, value]") ? typed_value(pos, types.second) : json_position();
    if (pos && in_.peek(pos.at) == ']') {
      in_.advance(pos.at);
      return pos;
    }
    if (pos) reject(errc::json_syntax, pos.at, "expected ']' after the pair");
    add_key_step<Protocol>(path_, {out_.at(begin), end - begin}, types.first);
    return {};
  }
  json_position typed_value(json_position pos, ttype type) {
    const std::uint8_t first = in_.peek(pos.at);
    if (type == ttype::stop) return reject(errc::json_type, pos.at, "\"stop\" is no type of a value");
    return reserve(pos) ? value_of(pos, type, first) : json_position();
  }

  // ---- structs

  json_position read_as(constant<ttype::struct_>, json_position pos, std::uint8_t first) {
    if (first != '{') return mismatch(pos.at, kinds::struct_);
    if (!enter(pos.at)) return {};
    open_fields open{offset(pos.to), field_marks_.size()};
    std::uint8_t next = 0;
    for (bool more = is_filled(pos, '}', next); more;) {
      pos = member(pos, open);
      if (!pos || !more_follows(pos, '}', more, next)) return {};
    }
    leave();
    if (last_counts()) pos = base::settle_unknown(pos, open);
    if (!pos || !reserve(pos)) return {};
    pos.to = Protocol::put_stop(pos.to);
    return pos;
  }
  json_position member(json_position pos, open_fields& open) {
    if (in_.peek(pos.at) != '"') return no_quote(pos.at);
    const std::uint8_t* const key = pos.at;
    std::string_view text;
    std::int16_t id = 0;
    if (!reserve(pos) || !short_string(pos, text)) return {};
    if (!parse_unknown_key(text, id))
      return reject(errc::unknown_key, key,
                    "a key that is no \"#<id>\": the fields of this struct have no names");
    if (!take_colon(pos)) return {};
    pos = member_of(pos, open, id, key);
    if (!pos) path_.field_id(id);
    return pos;
  }

  struct_ids ids_;  // by start of the struct in the output
  std::int16_t unknown_id_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
