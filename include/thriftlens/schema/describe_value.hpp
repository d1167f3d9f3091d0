// describe_value: a default or constant as JSON, the way describe writes it.
// In: a value in the image's bytes and its type. Out: JSON text.
// Never reads wire data from outside: these bytes were made by build.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/type.hpp>

#include <charconv>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

class value_describer {
 public:
  value_describer(std::string& out, const schema_image& image, image::slice bytes)
      : out_(out), image_(image), in_(image.value(bytes), limits{.depth = limits::deepest}), base_(bytes.begin) {}

  void value(std::uint32_t type_index) {
    const image::type_node& type = image_.types[type_index];
    switch (type.kind) {
      case type_kind::bool_: return boolean();
      case type_kind::i8: return number<std::int8_t>(&binary::reader::read_i8);
      case type_kind::i16: return number<std::int16_t>(&binary::reader::read_i16);
      case type_kind::i32:
      case type_kind::enum_: return number<std::int32_t>(&binary::reader::read_i32);
      case type_kind::i64: return number<std::int64_t>(&binary::reader::read_i64);
      case type_kind::double_: return number<double>(&binary::reader::read_double);
      case type_kind::string:
      case type_kind::binary: return string();
      case type_kind::uuid: return unique();
      case type_kind::list:
      case type_kind::set: return elements(type.first);
      case type_kind::map: return entries(type);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_: return structure(image_.structs[type.first]);
      case type_kind::void_: return;
    }
  }

 private:
  void boolean() {
    bool found = false;
    static_cast<void>(in_.read_bool(found));
    out_ += found ? "true" : "false";
  }
  template <class T>
  void number(bool (binary::reader::*read)(T&)) {
    const std::string_view spelled = spelling();
    T found{};
    static_cast<void>((in_.*read)(found));
    if (!spelled.empty()) {
      out_ += spelled;
      return;
    }
    char digits[40];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, found).ptr);
  }
  /// How the IDL spells the value that is read next; empty where the bytes say it all.
  [[nodiscard]] std::string_view spelling() const {
    const auto at = base_ + static_cast<std::uint32_t>(in_.offset());
    auto found = std::lower_bound(image_.spellings.begin(), image_.spellings.end(), at,
                                  [](const image::spelling& each, std::uint32_t wanted) { return each.at < wanted; });
    return found != image_.spellings.end() && found->at == at ? image_.view(found->text) : std::string_view();
  }
  void string() {
    byte_view found;
    static_cast<void>(in_.read_bytes(found));
    append_quoted(out_, found.text());
  }
  void unique() {
    std::string_view text = spelling();
    uuid_bytes found{};
    static_cast<void>(in_.read_uuid(found));
    if (text.starts_with('{')) text = text.substr(1, text.size() - 2);
    append_quoted(out_, text);
  }
  void elements(std::uint32_t element) {
    list_header header;
    static_cast<void>(in_.read_list(header));
    out_ += '[';
    for (std::uint32_t i = 0; i < header.size; ++i) {
      if (i != 0) out_ += ',';
      value(element);
    }
    out_ += ']';
  }
  void entries(const image::type_node& type) {
    map_header header;
    static_cast<void>(in_.read_map(header));
    out_ += '[';
    for (std::uint32_t i = 0; i < header.size; ++i) {
      out_ += i == 0 ? "[" : ",[";
      value(type.first);
      out_ += ',';
      value(type.second);
      out_ += ']';
    }
    out_ += ']';
  }
  void structure(const image::struct_node& type) {
    const struct_mark mark = in_.begin_struct();
    field_header header;
    bool first = true;
    out_ += '{';
    while (in_.read_field(header) && header.type != ttype::stop) {
      const std::uint32_t index = image_.find_field(type, header.id);
      if (!std::exchange(first, false)) out_ += ',';
      append_quoted(out_, image_.view(image_.field_texts[index].name));
      out_ += ':';
      value(image_.fields[index].type);
    }
    in_.end_struct(mark);
    out_ += '}';
  }

  std::string& out_;
  const schema_image& image_;
  binary::reader in_;
  std::uint32_t base_;
};

}  // namespace detail

/// Appends a value of the image's bytes as JSON: maps as arrays of pairs, structs as objects of the fields given.
inline void append_described_value(std::string& out, const schema_image& image, std::uint32_t type, image::slice bytes) {
  detail::value_describer(out, image, bytes).value(type);
}

}  // namespace thriftlens
