// describe_value: a default or constant as JSON or as IDL, the way describe writes it.
// In: a value in the image's bytes and its type. Out: text.
// Never reads wire data from outside: these bytes were made by build.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/type.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// JSON has maps as arrays of pairs and shows bytes that are not UTF-8 as U+FFFD; IDL reads back as the same
/// value.
enum class described_as : std::uint8_t { json, idl };

namespace detail {

/// The first character of a text, which has `length` bytes (0: it is no UTF-8), within a literal of the IDL.
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
/// A text as a literal of the IDL.
inline void append_idl_literal(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    append_idl_character(out, text, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

class value_describer {
 public:
  value_describer(std::string& out, const schema_image& image, image::slice bytes, described_as style)
      : out_(out),
        image_(image),
        in_(image.value(bytes), limits{.depth = limits::max_depth}),
        base_(bytes.begin),
        style_(style),
        comma_(style == described_as::json ? "," : ", "),
        colon_(style == described_as::json ? ":" : ": ") {}

  void value(std::uint32_t type_index) {
    const image::type_node& type = image_.types[type_index];
    switch (type.kind) {
      case type_kind::list:
      case type_kind::set:
        return elements(type.first);
      case type_kind::map:
        return entries(type);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_:
        return structure(image_.structs[type.first]);
      default:
        return scalar(type.kind);
    }
  }

 private:
  void scalar(type_kind kind) {
    switch (kind) {
      case type_kind::bool_:
        return boolean();
      case type_kind::double_:
        return number<double>(&binary::reader::read_double);
      case type_kind::string:
      case type_kind::binary:
        return string();
      case type_kind::uuid:
        return unique();
      default:
        return integer(kind);
    }
  }
  /// i8 … i64 or an enum.
  void integer(type_kind kind) {
    if (kind == type_kind::i8) return number<std::int8_t>(&binary::reader::read_i8);
    if (kind == type_kind::i16) return number<std::int16_t>(&binary::reader::read_i16);
    if (kind == type_kind::i64) return number<std::int64_t>(&binary::reader::read_i64);
    number<std::int32_t>(&binary::reader::read_i32);
  }
  void boolean() {
    bool found = false;
    static_cast<void>(in_.read_bool(found));
    out_ += found ? "true" : "false";
  }
  template <class T>
  void number(bool (binary::reader::*read)(T&)) {
    std::string text(spelling());
    T found{};
    static_cast<void>((in_.*read)(found));
    if (text.empty()) text = digits_of(found);
    out_ += text;
  }
  template <class T>
  [[nodiscard]] std::string digits_of(T number) const {
    char digits[40];
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    // An integer has neither such a size nor a negative zero.
    if (std::is_floating_point_v<T> && style_ == described_as::idl &&
        text.find_first_of(".e") == std::string::npos)
      text += ".0";
    return text;
  }
  /// How the IDL spells the value that is read next; empty where the bytes say it all.
  [[nodiscard]] std::string_view spelling() const {
    const auto at = base_ + static_cast<std::uint32_t>(in_.offset());
    auto found =
        std::lower_bound(image_.spellings.begin(), image_.spellings.end(), at,
                         [](const image::spelling& each, std::uint32_t wanted) { return each.at < wanted; });
    return found != image_.spellings.end() && found->at == at ? image_.view(found->text) : std::string_view();
  }
  void string() {
    byte_view found;
    static_cast<void>(in_.read_bytes(found));
    if (style_ == described_as::json)
      append_quoted(out_, found.text());
    else
      append_idl_literal(out_, found.text());
  }
  void unique() {
    const std::string_view text = spelling();
    uuid_bytes found{};
    static_cast<void>(in_.read_uuid(found));
    append_quoted(out_, text);
  }
  void elements(std::uint32_t element) {
    list_header header;
    static_cast<void>(in_.read_list(header));
    out_ += '[';
    for (std::uint32_t i = 0; i < header.size; ++i) {
      if (i != 0) out_ += comma_;
      value(element);
    }
    out_ += ']';
  }
  void entries(const image::type_node& type) {
    map_header header;
    static_cast<void>(in_.read_map(header));
    const bool pairs = style_ == described_as::json;
    out_ += pairs ? '[' : '{';
    for (std::uint32_t i = 0; i < header.size; ++i) {
      if (i != 0) out_ += comma_;
      if (pairs) out_ += '[';
      value(type.first);
      out_ += pairs ? comma_ : colon_;
      value(type.second);
      if (pairs) out_ += ']';
    }
    out_ += pairs ? ']' : '}';
  }
  void structure(const image::struct_node& type) {
    const struct_mark mark = in_.begin_struct();
    field_header header;
    std::string_view separator;
    out_ += '{';
    while (in_.read_field(header) && header.type != ttype::stop) {
      const field_info info(&image_, image_.find_field(type, header.id));
      out_ += std::exchange(separator, comma_);
      append_quoted(out_, info.name());
      out_ += colon_;
      value(info.node().type);
    }
    in_.end_struct(mark);
    out_ += '}';
  }

  std::string& out_;
  const schema_image& image_;
  binary::reader in_;
  std::uint32_t base_;
  described_as style_;
  std::string_view comma_, colon_;
};

}  // namespace detail

/// Appends a value of the image's bytes: structs as objects of the fields given.
inline void append_described_value(std::string& out, const schema_image& image, std::uint32_t type,
                                   image::slice bytes, described_as style = described_as::json) {
  detail::value_describer(out, image, bytes, style).value(type);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
