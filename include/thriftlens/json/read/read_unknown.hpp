// read_unknown: reads fields that the IDL does not know from JSON with wire types.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/json/read/read_fields.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/protocol/unknown_key.hpp>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that reads values by wire types in the text.
template <protocol Protocol>
class json_unknown_reader {
 public:
  using open_fields = json_read::open_fields;

  explicit json_unknown_reader(json_read_state& state) noexcept : state_(state) {}

  // Accepts a key of no field: as that of an unknown field, whose id is then state_.unknown_id, or to be
  // skipped.
  THRIFTLENS_COLD bool takes_unknown(const image::struct_node& node, std::string_view key,
                                     const std::uint8_t* at) {
    if (state_.options.leniency.unknown == on_unknown::drop) return true;
    const bool is_id = parse_unknown_key(key, state_.unknown_id);
    if (state_.options.leniency.unknown == on_unknown::error || !is_id) {
      std::string text = no_such_field_text({&state_.image, node.type}, key);
      if (is_id) text += "; such a key needs the option unknown=keep";
      return state_.reject(errc::unknown_key, at, std::move(text));
    }
    const std::uint32_t field = state_.image.find_field(node, state_.unknown_id);
    if (field == image::none) return true;
    return state_.reject(errc::unknown_key, at,
                         joined({"the IDL has a field with id ", state_.unknown_id, ": its key is \"",
                                 state_.image.field_name(field), '"'}));
  }
  // Reads the value after such a key, which begins at `key`.
  THRIFTLENS_COLD json_position unknown_value(json_position pos, open_fields& open, const std::uint8_t* key) {
    if (state_.options.leniency.unknown == on_unknown::drop) return json_skipper(state_).value(pos);
    const std::int16_t id = state_.unknown_id;
    pos = member_of(pos, open, id, key);
    if (!pos) state_.path.field_id(id);
    return pos;
  }

 private:
  using scalar_reader = json_scalar_reader<Protocol>;
  using key_reader = json_key_reader<Protocol>;
  using field_writer = json_field_writer<Protocol>;
  using field_mark = json_read::field_mark;
  struct container_types {
    ttype type, first, second = ttype::stop;
  };

  THRIFTLENS_COLD json_position member_of(json_position pos, open_fields& open, std::int16_t id,
                                          const std::uint8_t* key) {
    if (!state_.unknown_ids.add(open.begin, id)) {
      if (!state_.last_counts()) return state_.reject(errc::duplicate_key, key, "duplicate key in an object");
      open.repeated = true;
    }
    if (!state_.reserve(pos)) return {};
    field_mark mark{state_.offset(pos.to), 0, image::none};
    mark.header.id = id;
    mark.absent = state_.peek(pos) == 'n';
    pos = mark.absent ? json_skipper(state_).value(pos) : tagged_field(pos, open.last_id, mark);
    if (pos && state_.last_counts())
      state_.field_marks.push_back(mark);
    else if (!mark.absent)
      field_writer::note_unknown(open, id);
    return pos;
  }
  // `{"i32":7}` as a field.
  THRIFTLENS_COLD json_position tagged_field(json_position pos, std::int16_t& last_id, field_mark& mark) {
    std::uint8_t next = state_.peek(pos);
    if (next != '{') return state_.mismatch(pos.at, type_kind::struct_, "an object with the wire type");
    if (!state_.is_filled(pos, '}', next))
      return state_.reject(errc::json_type, pos.at - 1, "a wire type is missing");
    if (!type_word(pos, mark.header.type) || !state_.take_colon(pos)) return {};
    const std::uint8_t first = state_.peek(pos);
    if (!state_.reserve(pos)) return {};
    pos = header_and_value(pos, last_id, mark, first);
    if (!pos) return {};
    if (state_.peek(pos) != '}')
      return state_.reject(errc::json_syntax, pos.at, "expected '}' after the one value");
    state_.advance(pos);
    return pos;
  }
  THRIFTLENS_COLD json_position header_and_value(json_position pos, std::int16_t& last_id, field_mark& mark,
                                                 std::uint8_t first) {
    const bool is_bool = mark.header.type == ttype::bool_;
    bool truth = false;
    if (is_bool && !scalar_reader::take_bool(state_, pos, first, truth))
      return state_.mismatch(pos.at, type_kind::bool_);
    mark.truth = truth ? 1 : 0;
    pos.to = put_header<Protocol>(pos.to, mark.header, truth, last_id);
    mark.body = state_.offset(pos.to);
    if (!is_bool) return value_of(pos, mark.header.type, first);
    if constexpr (!Protocol::traits.has_inline_bool) pos.to = Protocol::put_bool(pos.to, truth);
    return pos;
  }
  // The name of a wire type, in quotes.
  THRIFTLENS_COLD bool type_word(json_position& pos, ttype& type, bool is_element = false) {
    const std::uint8_t* const start = pos.at;
    if (state_.peek(pos) != '"') return state_.mismatch(pos.at, type_kind::string, "the name of a wire type");
    std::string_view name;
    if (!state_.reserve(pos) || !state_.short_string(pos, name)) return false;
    type = find_ttype(name);
    if (type != ttype::void_ && (is_element || type != ttype::stop)) return true;
    return state_.reject(errc::json_type, start, no_ttype_text(name));
  }
  THRIFTLENS_COLD json_position value_of(json_position pos, ttype type, std::uint8_t first) {
    if (type == ttype::bool_) return scalar_reader::bool_value(state_, pos, first);
    if (type == ttype::double_) return double_value(pos, first);
    if (type == ttype::string) return scalar_reader::binary_value(state_, pos, first);
    if (type == ttype::uuid) return scalar_reader::uuid_value(state_, pos, first);
    if (type == ttype::struct_) return struct_value(pos, first);
    if (!is_integer(type)) return container(pos, {type, ttype::stop}, first);
    if (type == ttype::i64)
      return scalar_reader::template integer_value<std::int64_t>(state_, pos, type_kind::i64);
    if (type == ttype::i32)
      return scalar_reader::template integer_value<std::int32_t>(state_, pos, type_kind::i32);
    const type_kind kind = type == ttype::i8 ? type_kind::i8 : type_kind::i16;
    return scalar_reader::template integer_value<std::int16_t>(state_, pos, kind);
  }
  // Only non-finite values are in quotes.
  THRIFTLENS_COLD json_position double_value(json_position pos, std::uint8_t first) {
    if (first != '"') return scalar_reader::double_value(state_, pos, first);
    const std::uint8_t* const start = pos.at;
    std::string_view text;
    double number = 0;
    if (!state_.short_string(pos, text)) return {};
    if (!nonfinite_of(text, number))
      return state_.reject(errc::json_type, start, "expected a double, found a string that is not one");
    return {pos.at, Protocol::put_double(pos.to, number)};
  }
  [[nodiscard]] THRIFTLENS_COLD static bool nonfinite_of(std::string_view text, double& number) {
    if (nonfinite_of_text(text, number)) return true;
    constexpr std::string_view prefix = "NaN:";
    if (text.size() != prefix.size() + 16 || !text.starts_with(prefix)) return false;
    std::uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data() + prefix.size(), end, bits, 16).ptr != end) return false;
    number = std::bit_cast<double>(bits);
    return is_nan(number);
  }

  // `["i32",[1,2]]`, `["i32","string",[[1,"aGk="]]]`
  THRIFTLENS_COLD json_position container(json_position pos, container_types types, std::uint8_t first) {
    const bool is_map = types.type == ttype::map;
    const std::string_view shape = is_map ? "[key type, value type, entries]" : "[element type, elements]";
    if (first != '[') return state_.mismatch(pos.at, type_kind::list, shape);
    if (!state_.enter(pos.at)) return {};
    state_.advance(pos);
    if (!type_word(pos, types.first, true) || !comma(pos, shape)) return {};
    if (is_map && (!type_word(pos, types.second, true) || !comma(pos, shape))) return {};
    pos = contents(pos, types);
    state_.leave();
    return pos;
  }
  // Reads the elements after the types.
  THRIFTLENS_COLD json_position contents(json_position pos, const container_types& types) {
    if (state_.peek(pos) != '[') return state_.mismatch(pos.at, type_kind::list, "an array of the contents");
    pos = elements(pos, types);
    if (!pos) return {};
    if (state_.peek(pos) != ']')
      return state_.reject(errc::json_syntax, pos.at, "expected ']' after the contents");
    state_.advance(pos);
    return pos;
  }
  bool comma(json_position& pos, std::string_view shape) {
    if (state_.peek(pos) != ',')
      return state_.reject(errc::json_syntax, pos.at, joined({"expected ',' as in ", shape}));
    state_.advance(pos);
    return true;
  }
  THRIFTLENS_COLD json_position elements(json_position pos, const container_types& types) {
    if (!state_.reserve(pos)) return {};
    const std::size_t header = state_.offset(pos.to);
    std::uint8_t header_bytes[16];
    const std::ptrdiff_t reserved = put_header_of(header_bytes, types, 1) - header_bytes;
    pos.to += reserved;
    std::uint8_t next = 0;
    std::uint32_t count = 0;
    for (bool more = state_.is_filled(pos, ']', next); more; ++count) {
      pos = element(pos, types, count);
      if (!pos || !state_.more_follows(pos, ']', more, next)) return {};
      if (state_.too_many(count + 1)) return state_.reject(errc::size_limit, pos.at);
    }
    if (!state_.reserve(pos)) return {};
    const std::ptrdiff_t size = put_header_of(header_bytes, types, count) - header_bytes;
    return state_.replace_header(pos, header, reserved, header_bytes, size);
  }
  [[nodiscard]] static std::uint8_t* put_header_of(std::uint8_t* to, const container_types& types,
                                                   std::uint32_t count) {
    if (types.type == ttype::map) return Protocol::put_map(to, {types.first, types.second, count});
    return types.type == ttype::set ? Protocol::put_set(to, {types.first, count})
                                    : Protocol::put_list(to, {types.first, count});
  }
  THRIFTLENS_COLD json_position element(json_position pos, const container_types& types,
                                        std::uint32_t number) {
    if (types.type == ttype::map) return pair(pos, types, number);
    pos = typed_value(pos, types.first);
    if (!pos) state_.path.index(number);
    return pos;
  }
  THRIFTLENS_COLD json_position pair(json_position pos, const container_types& types, std::uint32_t number) {
    const std::size_t begin = state_.offset(pos.to);
    if (state_.peek(pos) != '[') {
      state_.path.key_at(number);
      return state_.mismatch(pos.at, type_kind::list, "a [key, value] pair");
    }
    state_.advance(pos);
    pos = typed_value(pos, types.first);
    if (!pos) return key_reader::no_key(state_, number);
    const std::size_t end = state_.offset(pos.to);
    pos = comma(pos, "[key, value]") ? typed_value(pos, types.second) : json_position();
    if (pos && state_.peek(pos) == ']') {
      state_.advance(pos);
      return pos;
    }
    if (pos) state_.reject(errc::json_syntax, pos.at, "expected ']' after the pair");
    add_key_step<Protocol>(state_.path, {state_.out.at(begin), end - begin}, types.first);
    return {};
  }
  json_position typed_value(json_position pos, ttype type) {
    const std::uint8_t first = state_.peek(pos);
    if (type == ttype::stop) return state_.reject(errc::json_type, pos.at, "\"stop\" is not a value type");
    return state_.reserve(pos) ? value_of(pos, type, first) : json_position();
  }

  THRIFTLENS_COLD json_position struct_value(json_position pos, std::uint8_t first) {
    if (first != '{') return state_.mismatch(pos.at, type_kind::struct_);
    if (!state_.enter(pos.at)) return {};
    open_fields open{state_.offset(pos.to), state_.field_marks.size()};
    std::uint8_t next = 0;
    for (bool more = state_.is_filled(pos, '}', next); more;) {
      pos = member(pos, open);
      if (!pos || !state_.more_follows(pos, '}', more, next)) return {};
    }
    state_.leave();
    if (state_.last_counts()) pos = field_writer::settle_unknown(state_, pos, open);
    if (!pos || !state_.reserve(pos)) return {};
    pos.to = Protocol::put_stop(pos.to);
    return pos;
  }
  THRIFTLENS_COLD json_position member(json_position pos, open_fields& open) {
    state_.peek(pos);
    const std::uint8_t* const key = pos.at;
    std::string_view text;
    std::int16_t id = 0;
    if (!state_.take_key(pos, text)) return {};
    if (!parse_unknown_key(text, id))
      return state_.reject(errc::unknown_key, key,
                           "expected a key \"#<id>\": the fields of this struct have no names");
    if (!state_.take_colon(pos)) return {};
    pos = member_of(pos, open, id, key);
    if (!pos) state_.path.field_id(id);
    return pos;
  }

  json_read_state& state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
