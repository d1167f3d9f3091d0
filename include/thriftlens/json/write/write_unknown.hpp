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

#include <bit>
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
class json_unknown_writer : protected json_key_writer<Protocol> {
 protected:
  using base = json_key_writer<Protocol>;
  using base::base, base::begin_entry, base::binary_value, base::bool_value, base::close, base::double_value,
      base::end_entry, base::entry_prefix, base::i64_value, base::in_, base::last_counts, base::marks_,
      base::need, base::out_, base::path_, base::put_colon, base::uuid_value;

  /// The JSON object that is being written.
  struct open_object {
    std::size_t begin;  ///< in the output
    std::size_t marks;
    bool repeated = false;
    std::uint32_t unknown = 0;  ///< number of distinct unknown fields
  };

  // Writes a field whose header was read from `at`.
  THRIFTLENS_NOINLINE bool put_unknown(open_object& into, field_header field, const std::uint8_t* at) {
    if (!ids_.add(into.begin, field.id)) {
      if (!last_counts()) return in_.reject(errc::duplicate_field, at);
      into.repeated = true;
    } else {
      ++into.unknown;
    }
    const std::size_t entry = out_.offset();
    if (!begin_entry()) return false;
    put_quoted(unknown_key(field.id));
    if (last_counts()) marks_.push({entry, out_.offset() - 1});  // the key without quotes
    if (!put_colon() || !tagged_value(field.type)) return false;
    end_entry();
    return true;
  }

 private:
  template <ttype Type>
  using constant = ttype_constant<Type>;

  // begin_entry() has reserved the output.
  void put_quoted(std::string_view name) noexcept {
    out_.put('"');
    out_.put(name);
    out_.put('"');
  }
  bool tagged_value(ttype type) {
    const std::size_t begin = out_.offset();
    if (!begin_entry()) return false;
    put_quoted(to_string(type));
    if (!put_colon() || !value_of(type)) return false;
    end_entry();
    return close(begin, '{', '}');
  }
  bool value_of(ttype type) {
    return visit_ttype(type, [this](auto known) { return this->write_as(known); });
  }
  bool write_as(constant<ttype::bool_>) { return bool_value(); }
  bool write_as(constant<ttype::i8>) { return base::template integer<std::int8_t>(); }
  bool write_as(constant<ttype::i16>) { return base::template integer<std::int16_t>(); }
  bool write_as(constant<ttype::i32>) { return base::template integer<std::int32_t>(); }
  bool write_as(constant<ttype::i64>) { return i64_value(); }
  bool write_as(constant<ttype::string>) { return binary_value(); }
  bool write_as(constant<ttype::uuid>) { return uuid_value(); }
  bool write_as(constant<ttype::list>) { return sequence(ttype::list); }
  bool write_as(constant<ttype::set>) { return sequence(ttype::set); }

  bool write_as(constant<ttype::double_>) {
    const wire_position start = in_.here();
    double number = 0;
    if (!in_.read_double(number) || !need(double_text_room)) return false;
    if (!is_finite(number)) return put_nonfinite(number);
    in_.seek(start);
    return double_value();
  }
  // Ignores the options, to lose nothing.
  bool put_nonfinite(double number) {
    std::string text(nonfinite_text(number));
    const std::uint64_t bits = bits_of(number);
    if (is_nan(number) && bits != double_nan_bits) {
      text.back() = ':';
      for (int shift = 56; shift >= 0; shift -= 8) append_hex(text, static_cast<std::uint8_t>(bits >> shift));
      text += '"';
    }
    out_.put(text);
    return true;
  }

  bool sequence(ttype type) {
    list_header list;
    if (!open_sequence(in_, type, list)) return false;
    const std::size_t begin = out_.offset();
    if (!put_element_type(list.element) || !begin_entry()) return false;
    const std::size_t first = out_.offset();
    for (std::uint32_t i = 0; i < list.size; ++i)
      if (!element(list.element)) return path_.index(i);
    if (!close(first, '[', ']')) return false;
    end_entry();
    in_.leave();
    return close(begin, '[', ']');
  }
  bool put_element_type(ttype type) {
    if (!begin_entry()) return false;
    put_quoted(element_name(type));
    end_entry();
    return true;
  }
  bool element(ttype type) {
    if (!begin_entry() || !value_of(type)) return false;
    end_entry();
    return true;
  }
  bool write_as(constant<ttype::map>) {
    map_header map;
    if (!open_map(in_, map)) return false;
    const std::size_t begin = out_.offset();
    if (!put_element_type(map.key) || !put_element_type(map.value) || !begin_entry()) return false;
    const std::size_t first = out_.offset();
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!pair(map, i)) return false;
    if (!close(first, '[', ']')) return false;
    end_entry();
    in_.leave();
    return close(begin, '[', ']');
  }
  bool pair(const map_header& map, std::uint32_t number) {
    if (!begin_entry()) return false;
    const std::size_t begin = out_.offset();
    const std::uint8_t* const key = in_.at();
    if (!element(map.key)) return path_.key_at(number);
    const byte_view bytes = base::since(key);
    if (!element(map.value)) return add_key_step<Protocol>(path_, bytes, map.key);
    if (!close(begin, '[', ']')) return false;
    end_entry();
    return true;
  }
  bool write_as(constant<ttype::struct_>) {
    const struct_mark outer = in_.begin_struct();
    open_object object{out_.offset(), marks_.size()};
    for (;;) {
      field_header field;
      const std::uint8_t* const at = in_.at();
      if (!in_.read_field(field)) return false;
      if (field.type == ttype::stop) break;
      if (!put_unknown(object, field, at)) return path_.field_id(field.id);
    }
    in_.end_struct(outer);
    if (object.repeated)
      out_.back_to(marks_.keep_last(out_.at(0), object.marks, entry_prefix() + 1, out_.offset()));
    if (last_counts()) marks_.drop_to(object.marks);
    return close(object.begin, '{', '}');
  }

  struct_ids ids_;  // by start of the object in the output
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
