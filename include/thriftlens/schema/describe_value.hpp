// describe_value: a default or constant as JSON or as IDL, the way describe writes it.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/schema/walk_types.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// JSON has maps as arrays of pairs and U+FFFD for bytes that are not UTF-8; IDL parses as the same value.
enum class described_as : std::uint8_t { json, idl };

/// Appends the first character of a text (`length` bytes; 0: invalid UTF-8) to an IDL literal.
inline void append_idl_character(std::string& out, std::string_view text, std::size_t length) {
  constexpr std::string_view escaped = "\"\\\n\r\t", letters = "\"\\nrt";
  const std::size_t escape = escaped.find(text[0]);
  if (escape != std::string_view::npos)
    out += {'\\', letters[escape]};
  else if (length == 0 || static_cast<std::uint8_t>(text[0]) < 0x20)
    append_hex(out += "\\x", static_cast<std::uint8_t>(text[0]));
  else
    out += text.substr(0, length);
}
/// A text as an IDL literal.
inline void append_idl_literal(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    append_idl_character(out, text, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

class value_describer : public walk<value_describer, binary, schema_types> {
  using base = walk<value_describer, binary, schema_types>;
  friend base;

 public:
  value_describer(std::string& out, const schema_image& image, image::slice bytes, described_as style)
      : base(reader_, &image),
        out_(out),
        image_(image),
        reader_(image.value(bytes), limits{.depth = limits::max_depth}),
        base_(bytes.begin),
        style_(style),
        comma_(style == described_as::json ? "," : ", "),
        colon_(style == described_as::json ? ":" : ": ") {}
  value_describer(const value_describer&) = delete;

 private:
  bool scalar(ttype wire, std::uint32_t) {
    if (wire == ttype::bool_) return boolean();
    if (wire == ttype::double_) return number<double>(&binary::reader::read_double);
    if (wire == ttype::string) return string();
    return wire == ttype::uuid ? unique() : integer(wire);
  }
  /// i8 … i64 or an enum.
  bool integer(ttype wire) {
    if (wire == ttype::i8) return number<std::int8_t>(&binary::reader::read_i8);
    if (wire == ttype::i16) return number<std::int16_t>(&binary::reader::read_i16);
    if (wire == ttype::i64) return number<std::int64_t>(&binary::reader::read_i64);
    return number<std::int32_t>(&binary::reader::read_i32);
  }
  bool boolean() {
    bool decoded = false;
    const bool is_read = in_.read_bool(decoded);
    out_ += decoded ? "true" : "false";
    return is_read;
  }
  template <class T>
  bool number(bool (binary::reader::*read)(T&)) {
    std::string text(spelling());
    T decoded{};
    const bool is_read = (in_.*read)(decoded);
    if (text.empty()) text = digits_of(decoded);
    out_ += text;
    return is_read;
  }
  template <class T>
  [[nodiscard]] std::string digits_of(T number) const {
    char digits[40];
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    // Integers have neither such magnitudes nor a negative zero.
    if (std::is_floating_point_v<T> && style_ == described_as::idl &&
        text.find_first_of(".e") == std::string::npos)
      text += ".0";
    return text;
  }
  /// The IDL spelling of the next value; empty if the bytes determine it.
  [[nodiscard]] std::string_view spelling() const {
    const auto at = base_ + static_cast<std::uint32_t>(in_.offset());
    auto match = std::lower_bound(
        image_.spellings.begin(), image_.spellings.end(), at,
        [](const image::spelling& entry, std::uint32_t target) { return entry.at < target; });
    return match != image_.spellings.end() && match->at == at ? image_.view(match->text) : std::string_view();
  }
  bool string() {
    byte_view decoded;
    const bool is_read = in_.read_bytes(decoded);
    if (style_ == described_as::json)
      append_quoted(out_, decoded.text());
    else
      append_idl_literal(out_, decoded.text());
    return is_read;
  }
  bool unique() {
    const std::string_view text = spelling();
    uuid_bytes decoded{};
    const bool is_read = in_.read_uuid(decoded);
    append_quoted(out_, text);
    return is_read;
  }
  bool sequence(ttype wire, std::uint32_t type) {
    out_ += '[';
    const bool is_read =
        in_sequence(wire, type, [this](const list_header& list, std::uint32_t element, byte_ptr) {
          for (std::uint32_t i = 0; i < list.size; ++i) {
            if (i != 0) out_ += comma_;
            if (!value(list.element, element)) return false;
          }
          return true;
        });
    out_ += ']';
    return is_read;
  }
  bool mapping(std::uint32_t type) {
    const bool pairs = style_ == described_as::json;
    out_ += pairs ? '[' : '{';
    const bool is_read =
        in_map(type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, byte_ptr) {
          for (std::uint32_t i = 0; i < map.size; ++i) {
            if (i != 0) out_ += comma_;
            if (pairs) out_ += '[';
            if (!value(map.key, key)) return false;
            out_ += pairs ? comma_ : colon_;
            if (!value(map.value, item)) return false;
            if (pairs) out_ += ']';
          }
          return true;
        });
    out_ += pairs ? ']' : '}';
    return is_read;
  }
  bool structure(std::uint32_t type) {
    std::string_view separator;
    out_ += '{';
    const bool is_read = each_field(type, [&](const walked_field& field) {
      out_ += std::exchange(separator, comma_);
      append_quoted(out_, field_info(&image_, field.node).name());
      out_ += colon_;
      return value(field.header.type, field.type);
    });
    out_ += '}';
    return is_read;
  }

  std::string& out_;
  const schema_image& image_;
  binary::reader reader_;
  std::uint32_t base_;
  described_as style_;
  std::string_view comma_, colon_;
};

/// Appends a value from the image's bytes; structs as objects with the fields present.
inline void append_described_value(std::string& out, const schema_image& image, std::uint32_t type,
                                   image::slice bytes, described_as style = described_as::json) {
  detail::value_describer describer(out, image, bytes, style);
  static_cast<void>(describer.value(image.types[type].wire, type));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
