// read_unknown: JSON that says its wire types as fields that the IDL does not know. Never guesses a type,
// never takes a value that the type cannot hold.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/json/read_fields.hpp>
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

/// The part of json_reader that reads values by the wire types in the text.
template <protocol Protocol>
class json_unknown_reader : protected json_field_writer<Protocol> {
 protected:
  using base = json_field_writer<Protocol>;
  using base::base;
  using base::binary_value;
  using base::bool_value;
  using base::double_value;
  using base::enter;
  using base::field_marks_;
  using base::image_;
  using base::in_;
  using base::is_filled;
  using base::last_counts;
  using base::leave;
  using base::mismatch;
  using base::more_follows;
  using base::no_quote;
  using base::offset;
  using base::options_;
  using base::out_;
  using base::path_;
  using base::reject;
  using base::room;
  using base::short_string;
  using base::skip_value;
  using base::take_bool;
  using base::take_colon;
  using base::too_many;
  using base::uuid_value;
  using typename base::field_mark;
  using typename base::kinds;
  using typename base::open_fields;

  // Whether a key that no field has is that of an unknown field, whose id is then unknown_id_; or is to be
  // passed over. `at`: where the key begins.
  THRIFTLENS_COLD bool takes_unknown(const image::struct_node& node, std::string_view key,
                                     const std::uint8_t* at) {
    if (options_.unknown == on_unknown::drop) return true;
    const bool is_id = parse_unknown_key(key, unknown_id_);
    if (options_.unknown == on_unknown::error || !is_id) {
      std::string text = no_such_field_text({&image_, node.type}, key);
      if (is_id) text += "; such a key is taken where unknown fields are kept";
      return reject(errc::unknown_key, at, std::move(text));
    }
    const std::uint32_t field = image_.find_field(node, unknown_id_);
    if (field == image::none) return true;
    return reject(errc::unknown_key, at,
                  "the IDL knows the field with id " + std::to_string(unknown_id_) + ": its key is \"" +
                      std::string(image_.view(image_.field_texts[field].name)) + '"');
  }
  // The value behind such a key, which begins at `key`.
  THRIFTLENS_COLD json_position unknown_value(json_position now, open_fields& open, const std::uint8_t* key) {
    if (options_.unknown == on_unknown::drop) return skip_value(now);
    const std::int16_t id = unknown_id_;
    now = member_of(now, open, id, key);
    if (!now) path_.field_id(id);
    return now;
  }

 private:
  template <ttype Type>
  using constant = ttype_constant<Type>;
  struct container_types {
    ttype type, first, second = ttype::stop;
  };

  json_position member_of(json_position now, open_fields& open, std::int16_t id, const std::uint8_t* key) {
    if (!ids_.add(open.begin, id)) {
      if (!last_counts()) return reject(errc::duplicate_key, key, "duplicate key in an object");
      open.repeated = true;
    }
    if (!room(now)) return {};
    field_mark mark{offset(now.to), 0, image::none};
    mark.header.id = id;
    mark.absent = in_.peek(now.at) == 'n';
    now = mark.absent ? skip_value(now) : tagged_field(now, open.last_id, mark);
    if (now && last_counts())
      field_marks_.push_back(mark);
    else if (!mark.absent)
      base::note_unknown(open, id);
    return now;
  }
  // `{"i32":7}` as a field.
  json_position tagged_field(json_position now, std::int16_t& last_id, field_mark& mark) {
    std::uint8_t next = in_.peek(now.at);
    if (next != '{') return mismatch(now.at, kinds::struct_, "an object that says the wire type");
    if (!is_filled(now, '}', next)) return reject(errc::json_type, now.at - 1, "a wire type is missing");
    if (!type_word(now, mark.header.type) || !take_colon(now)) return {};
    const std::uint8_t first = in_.peek(now.at);
    if (!room(now)) return {};
    now = header_and_value(now, last_id, mark, first);
    if (!now) return {};
    if (in_.peek(now.at) != '}') return reject(errc::json_syntax, now.at, "expected '}' after the one value");
    in_.advance(now.at);
    return now;
  }
  json_position header_and_value(json_position now, std::int16_t& last_id, field_mark& mark,
                                 std::uint8_t first) {
    const bool is_bool = mark.header.type == ttype::bool_;
    bool truth = false;
    if (is_bool && !take_bool(now, first, truth)) return mismatch(now.at, kinds::bool_);
    mark.truth = truth ? 1 : 0;
    now.to = put_header<Protocol>(now.to, mark.header, truth, last_id);
    mark.body = offset(now.to);
    if (!is_bool) return value_of(now, mark.header.type, first);
    if constexpr (!Protocol::traits.has_inline_bool) now.to = Protocol::put_bool(now.to, truth);
    return now;
  }
  // The name of a wire type, in quotes.
  bool type_word(json_position& now, ttype& type, bool is_element = false) {
    const std::uint8_t* const start = now.at;
    if (in_.peek(now.at) != '"') return mismatch(now.at, kinds::string, "the name of a wire type");
    std::string_view name;
    if (!room(now) || !short_string(now, name)) return false;
    type = find_ttype(name);
    if (type != ttype::void_ && (is_element || type != ttype::stop)) return true;
    return reject(errc::json_type, start, no_ttype_text(name));
  }
  json_position value_of(json_position now, ttype type, std::uint8_t first) {
    return visit_ttype(type, [&](auto known) { return this->one(known, now, first); });
  }

  json_position one(constant<ttype::bool_>, json_position now, std::uint8_t first) {
    return bool_value(now, first);
  }
  json_position one(constant<ttype::i8>, json_position now, std::uint8_t) {
    return base::template integer_value<std::int8_t>(now, kinds::i8);
  }
  json_position one(constant<ttype::i16>, json_position now, std::uint8_t) {
    return base::template integer_value<std::int16_t>(now, kinds::i16);
  }
  json_position one(constant<ttype::i32>, json_position now, std::uint8_t) {
    return base::template integer_value<std::int32_t>(now, kinds::i32);
  }
  json_position one(constant<ttype::i64>, json_position now, std::uint8_t) {
    return base::template integer_value<std::int64_t>(now, kinds::i64);
  }
  json_position one(constant<ttype::string>, json_position now, std::uint8_t first) {
    return binary_value(now, first);
  }
  json_position one(constant<ttype::uuid>, json_position now, std::uint8_t first) {
    return uuid_value(now, first);
  }
  json_position one(constant<ttype::list>, json_position now, std::uint8_t first) {
    return container(now, {ttype::list, ttype::stop}, first);
  }
  json_position one(constant<ttype::set>, json_position now, std::uint8_t first) {
    return container(now, {ttype::set, ttype::stop}, first);
  }
  json_position one(constant<ttype::map>, json_position now, std::uint8_t first) {
    return container(now, {ttype::map, ttype::stop}, first);
  }

  // In quotes only what no number says.
  json_position one(constant<ttype::double_>, json_position now, std::uint8_t first) {
    if (first != '"') return double_value(now, first);
    const std::uint8_t* const start = now.at;
    std::string_view text;
    double number = 0;
    if (!short_string(now, text)) return {};
    if (!nonfinite_of(text, number))
      return reject(errc::json_type, start, "expected a double, found a string that is none");
    return {now.at, Protocol::put_double(now.to, number)};
  }
  [[nodiscard]] static bool nonfinite_of(std::string_view text, double& number) {
    if (base::special_double(text, number)) return true;
    constexpr std::string_view before = "NaN:";
    if (text.size() != before.size() + 16 || !text.starts_with(before)) return false;
    std::uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data() + before.size(), end, bits, 16).ptr != end) return false;
    number = std::bit_cast<double>(bits);
    return is_nan(number);
  }

  // ---- containers

  // `["i32",[1,2]]`, `["i32","string",[[1,"aGk="]]]`
  json_position container(json_position now, container_types types, std::uint8_t first) {
    const bool is_map = types.type == ttype::map;
    const std::string_view shape = is_map ? "[key type, value type, entries]" : "[element type, elements]";
    if (first != '[') return mismatch(now.at, kinds::list, shape);
    if (!enter(now.at)) return {};
    in_.advance(now.at);
    if (!type_word(now, types.first, true) || !comma(now, shape)) return {};
    if (is_map && (!type_word(now, types.second, true) || !comma(now, shape))) return {};
    now = contents(now, types);
    leave();
    return now;
  }
  // What follows the types.
  json_position contents(json_position now, const container_types& types) {
    if (in_.peek(now.at) != '[') return mismatch(now.at, kinds::list, "the array of what is in it");
    now = elements(now, types);
    if (!now) return {};
    if (in_.peek(now.at) != ']') return reject(errc::json_syntax, now.at, "expected ']' after the contents");
    in_.advance(now.at);
    return now;
  }
  bool comma(json_position& now, std::string_view shape) {
    if (in_.peek(now.at) != ',')
      return reject(errc::json_syntax, now.at, "expected ',' as in " + std::string(shape));
    in_.advance(now.at);
    return true;
  }
  json_position elements(json_position now, const container_types& types) {
    if (!room(now)) return {};
    const std::size_t header = offset(now.to);
    std::uint8_t made[16];
    const std::ptrdiff_t reserved = put_header_of(made, types, 1) - made;
    now.to += reserved;
    std::uint8_t next = 0;
    std::uint32_t count = 0;
    for (bool more = is_filled(now, ']', next); more; ++count) {
      now = element(now, types, count);
      if (!now || !more_follows(now, ']', more, next)) return {};
      if (too_many(count + 1)) return reject(errc::size_limit, now.at);
    }
    if (!room(now)) return {};
    const std::ptrdiff_t size = put_header_of(made, types, count) - made;
    return base::replace_header(now, header, reserved, made, size);
  }
  [[nodiscard]] static std::uint8_t* put_header_of(std::uint8_t* to, const container_types& types,
                                                   std::uint32_t count) {
    if (types.type == ttype::map) return Protocol::put_map(to, {types.first, types.second, count});
    return types.type == ttype::set ? Protocol::put_set(to, {types.first, count})
                                    : Protocol::put_list(to, {types.first, count});
  }
  json_position element(json_position now, const container_types& types, std::uint32_t number) {
    if (types.type == ttype::map) return pair(now, types, number);
    now = typed_value(now, types.first);
    if (!now) path_.index(number);
    return now;
  }
  json_position pair(json_position now, const container_types& types, std::uint32_t number) {
    const std::size_t begin = offset(now.to);
    if (in_.peek(now.at) != '[') {
      path_.key_at(number);
      return mismatch(now.at, kinds::list, "a [key, value] pair");
    }
    in_.advance(now.at);
    now = typed_value(now, types.first);
    if (!now) return base::no_key(number);
    const std::size_t end = offset(now.to);
    now = comma(now, "[key, value]") ? typed_value(now, types.second) : json_position();
    if (now && in_.peek(now.at) == ']') {
      in_.advance(now.at);
      return now;
    }
    if (now) reject(errc::json_syntax, now.at, "expected ']' after the pair");
    add_key_step<Protocol>(path_, {out_.at(begin), end - begin}, types.first);
    return {};
  }
  // What follows a bracket or a comma.
  json_position typed_value(json_position now, ttype type) {
    const std::uint8_t first = in_.peek(now.at);
    if (type == ttype::stop) return reject(errc::json_type, now.at, "\"stop\" is no type of a value");
    return room(now) ? value_of(now, type, first) : json_position();
  }

  // ---- structs

  json_position one(constant<ttype::struct_>, json_position now, std::uint8_t first) {
    if (first != '{') return mismatch(now.at, kinds::struct_);
    if (!enter(now.at)) return {};
    open_fields open{offset(now.to), field_marks_.size()};
    std::uint8_t next = 0;
    for (bool more = is_filled(now, '}', next); more;) {
      now = member(now, open);
      if (!now || !more_follows(now, '}', more, next)) return {};
    }
    leave();
    if (last_counts()) now = base::settle_unknown(now, open);
    if (!now || !room(now)) return {};
    now.to = Protocol::put_stop(now.to);
    return now;
  }
  json_position member(json_position now, open_fields& open) {
    if (in_.peek(now.at) != '"') return no_quote(now.at);
    const std::uint8_t* const key = now.at;
    std::string_view text;
    std::int16_t id = 0;
    if (!room(now) || !short_string(now, text)) return {};
    if (!parse_unknown_key(text, id))
      return reject(errc::unknown_key, key,
                    "a key that is no \"#<id>\": the fields of this struct have no names");
    if (!take_colon(now)) return {};
    now = member_of(now, open, id, key);
    if (!now) path_.field_id(id);
    return now;
  }

  struct_ids ids_;  // by where their struct begins in the output
  std::int16_t unknown_id_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
