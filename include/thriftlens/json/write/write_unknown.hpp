// write_unknown: writes fields that the IDL does not know as JSON with their wire types. Strings are base64,
// and repeated elements are written.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/json/write/write_key.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/protocol/unknown_key.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_writer that writes values by wire type:
///
///     "#1":{"i32":7}                    numbers, bools and uuids as those of known fields
///     "#2":{"string":"aGk="}            always base64: wire types do not distinguish text and bytes
///     "#3":{"list":["i32",[1,2]]}       or set
///     "#4":{"map":["i32","string",[[1,"aGk="]]]}
///     "#5":{"struct":{"#1":{"i32":7}}}
///
/// "stop" is the element type of an empty container that has none. A NaN other than the canonical one has its
/// bits: "NaN:7ff8000000000001".
template <protocol Protocol>
class json_unknown_writer {
 public:
  explicit json_unknown_writer(json_write_state<Protocol>& state) noexcept : state_(state) {}

  // Writes a field whose header was read from `at`.
  THRIFTLENS_COLD bool put_field(json_write::open_object& into, field_header field, const std::uint8_t* at) {
    if (!state_.unknown_ids.add(into.begin, field.id)) {
      if (!state_.last_counts()) return state_.reject(errc::duplicate_field, at);
      into.repeated = true;
    } else {
      ++into.unknown;
    }
    const std::size_t entry = state_.offset();
    if (!state_.begin_entry()) return false;
    put_quoted(unknown_key(field.id));
    if (state_.last_counts()) state_.marks.push({entry, state_.offset() - 1});  // the key without quotes
    if (!state_.put_colon() || !tagged_value(field.type)) return false;
    return state_.end_entry();
  }

 private:
  using scalar_writer = json_scalar_writer<Protocol>;
  template <ttype Type>
  using constant = ttype_constant<Type>;

  // state_.begin_entry() has reserved the output.
  THRIFTLENS_COLD void put_quoted(std::string_view name) noexcept {
    state_.out.put('"');
    state_.out.put(name);
    state_.out.put('"');
  }
  THRIFTLENS_COLD bool tagged_value(ttype type) {
    const std::size_t begin = state_.offset();
    if (!state_.begin_entry()) return false;
    put_quoted(to_string(type));
    if (!state_.put_colon() || !value_of(type)) return false;
    state_.end_entry();
    return state_.close(begin, '{', '}');
  }
  THRIFTLENS_COLD bool value_of(ttype type) {
    return visit_ttype(type, [this](auto known) { return this->write_as(known); });
  }
  bool write_as(constant<ttype::bool_>) { return scalar_writer::bool_value(state_); }
  bool write_as(constant<ttype::i8>) { return scalar_writer::template integer<std::int8_t>(state_); }
  bool write_as(constant<ttype::i16>) { return scalar_writer::template integer<std::int16_t>(state_); }
  bool write_as(constant<ttype::i32>) { return scalar_writer::template integer<std::int32_t>(state_); }
  bool write_as(constant<ttype::i64>) { return scalar_writer::i64_value(state_); }
  bool write_as(constant<ttype::string>) { return scalar_writer::binary_value(state_); }
  bool write_as(constant<ttype::uuid>) { return scalar_writer::uuid_value(state_); }
  bool write_as(constant<ttype::list>) { return sequence(ttype::list); }
  bool write_as(constant<ttype::set>) { return sequence(ttype::set); }

  THRIFTLENS_COLD bool write_as(constant<ttype::double_>) {
    const wire_position start = state_.in.here();
    double number = 0;
    if (!state_.in.read_double(number) || !state_.need(max_double_text)) return false;
    if (!is_finite(number)) return put_nonfinite(number);
    state_.in.seek(start);
    return scalar_writer::double_value(state_);
  }
  // Ignores the options, to lose nothing.
  THRIFTLENS_COLD bool put_nonfinite(double number) {
    std::string text(nonfinite_text(number));
    const std::uint64_t bits = bits_of(number);
    if (is_nan(number) && bits != double_nan_bits) {
      text.back() = ':';
      for (int shift = 56; shift >= 0; shift -= 8) append_hex(text, static_cast<std::uint8_t>(bits >> shift));
      text += '"';
    }
    state_.out.put(text);
    return true;
  }

  THRIFTLENS_COLD bool sequence(ttype type) {
    list_header list;
    if (!open_sequence(state_.in, type, list)) return false;
    const std::size_t begin = state_.offset();
    if (!put_element_type(list.element) || !state_.begin_entry()) return false;
    const std::size_t first = state_.offset();
    for (std::uint32_t i = 0; i < list.size; ++i)
      if (!element(list.element)) return state_.path.index(i);
    return close_contents(begin, first);
  }
  // Closes the elements and the array of them and their types.
  THRIFTLENS_COLD bool close_contents(std::size_t begin, std::size_t first) {
    if (!state_.close(first, '[', ']')) return false;
    state_.end_entry();
    state_.in.leave();
    return state_.close(begin, '[', ']');
  }
  THRIFTLENS_COLD bool put_element_type(ttype type) {
    if (!state_.begin_entry()) return false;
    put_quoted(element_name(type));
    return state_.end_entry();
  }
  THRIFTLENS_COLD bool element(ttype type) {
    if (!state_.begin_entry() || !value_of(type)) return false;
    return state_.end_entry();
  }
  THRIFTLENS_COLD bool write_as(constant<ttype::map>) {
    map_header map;
    if (!open_map(state_.in, map)) return false;
    const std::size_t begin = state_.offset();
    if (!put_element_type(map.key) || !put_element_type(map.value) || !state_.begin_entry()) return false;
    const std::size_t first = state_.offset();
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!pair(map, i)) return false;
    return close_contents(begin, first);
  }
  THRIFTLENS_COLD bool pair(const map_header& map, std::uint32_t number) {
    if (!state_.begin_entry()) return false;
    const std::size_t begin = state_.offset();
    const std::uint8_t* const key = state_.at();
    if (!element(map.key)) return state_.path.key_at(number);
    const byte_view bytes = state_.since(key);
    if (!element(map.value)) return add_key_step<Protocol>(state_.path, bytes, map.key);
    return state_.close(begin, '[', ']') && state_.end_entry();
  }
  THRIFTLENS_COLD bool write_as(constant<ttype::struct_>) {
    const struct_mark outer = state_.in.begin_struct();
    json_write::open_object object{state_.offset(), state_.marks.size()};
    for (;;) {
      field_header field;
      const std::uint8_t* const at = state_.at();
      if (!state_.in.read_field(field)) return false;
      if (field.type == ttype::stop) break;
      if (!put_field(object, field, at)) return state_.path.field_id(field.id);
    }
    state_.in.end_struct(outer);
    return state_.close(object);
  }

  json_write_state<Protocol>& state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
