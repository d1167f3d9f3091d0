// encode_const: encodes constants and defaults of the IDL, which are resolved. Recursion is bounded by the
// depth limit of the IDL.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/image.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Treatment of duplicate set elements: readers reject them, but descriptions show them.
enum class repeated_elements : bool { dropped, retained };

/// Completes struct constants with omitted required fields, as their default or zero like generated code.
/// Readers would reject the value otherwise.
struct const_completion {
  static constexpr std::size_t max_nested = 16;  ///< maximum nesting depth of completed structs

  std::vector<std::span<const idl::field>> fields;  ///< as declared, by number of the struct
  std::size_t bytes_left = std::size_t{1} << 22;    ///< for all constants: nested ones grow exponentially
};

/// The fields of all structs, in the order of their numbers.
[[nodiscard]] inline std::vector<std::span<const idl::field>> declared_fields(const idl::program_set& from) {
  std::vector<std::span<const idl::field>> field_lists;
  for (const idl::program& program : from.programs)
    for (const idl::struct_& definition : program.structs) field_lists.emplace_back(definition.fields);
  return field_lists;
}
/// Whether there is anything to complete.
[[nodiscard]] inline bool has_structs(const idl::const_value& value) {
  return value.shape == idl::const_value::form::structure || std::ranges::any_of(value.items, has_structs);
}

/// Writes resolved constants with one protocol's writer.
template <class Writer>
class const_encoder {
 public:
  /// Offset of a value and its IDL spelling.
  using spelling = std::pair<std::size_t, std::string>;

  const_encoder(const schema_image& image, Writer& out, repeated_elements repeated,
                std::vector<spelling>& spellings, const_completion* completion = nullptr) noexcept
      : image_(image), out_(out), repeated_(repeated), spellings_(spellings), completion_(completion) {}

  /// Elements were dropped.
  [[nodiscard]] bool dropped() const noexcept { return dropped_; }

  void value(std::uint32_t type_index, const idl::const_value& from) {
    const image::type_node& type = image_.types[type_index];
    switch (type.kind) {
      case type_kind::list:
      case type_kind::set:
        return elements(type, from);
      case type_kind::map:
        return entries(type, from);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_:
        return structure(type, from);
      default:
        return scalar(type.kind, from);
    }
  }

 private:
  void scalar(type_kind kind, const idl::const_value& from) {
    switch (kind) {
      case type_kind::bool_:
        return out_.write_bool(from.integer != 0);
      case type_kind::double_:
        return out_.write_double(from.real);
      case type_kind::string:
      case type_kind::binary:
        return out_.write_bytes(byte_view(from.text.data(), from.text.size()));
      case type_kind::uuid:
        return unique(from);
      default:
        return integer(kind, from);
    }
  }
  /// i8 … i64 or an enum.
  void integer(type_kind kind, const idl::const_value& from) {
    if (kind == type_kind::i8) return out_.write_i8(narrow<std::int8_t>(from));
    if (kind == type_kind::i16) return out_.write_i16(narrow<std::int16_t>(from));
    if (kind == type_kind::i64) return out_.write_i64(from.integer);
    out_.write_i32(narrow<std::int32_t>(from));
  }
  /// Wraps around like the Apache compiler's generated code; resolve has warned.
  template <class T>
  T narrow(const idl::const_value& from) {
    const auto value = static_cast<T>(from.integer);
    if (value != from.integer) spellings_.emplace_back(out_.output().size(), std::to_string(from.integer));
    return value;
  }
  void unique(const idl::const_value& from) {
    uuid_bytes id{};
    static_cast<void>(parse_uuid(from.text, id));
    spellings_.emplace_back(out_.output().size(), from.text);
    out_.write_uuid(id);
  }
  void elements(const image::type_node& type, const idl::const_value& from) {
    if (type.wire == ttype::set && repeated_ == repeated_elements::dropped && from.items.size() > 1)
      return distinct(type.first, from.items);
    out_.write_list({image_.types[type.first].wire, static_cast<std::uint32_t>(from.items.size())});
    for (const idl::const_value& item : from.items) value(type.first, item);
  }
  /// A set without duplicate elements. Encodes an element only once, because sets nest.
  void distinct(std::uint32_t element, std::span<const idl::const_value> items) {
    std::unordered_set<std::string> seen;
    const container_mark mark = out_.begin_set(image_.types[element].wire);
    for (const idl::const_value& item : items) {
      const std::size_t begin = out_.output().size(), spelled = spellings_.size();
      value(element, item);
      if (!seen.emplace(out_.output().text().substr(begin)).second) drop(begin, spelled);
    }
    out_.end_set(mark, static_cast<std::uint32_t>(seen.size()));
  }
  /// The element that was written last.
  void drop(std::size_t begin, std::size_t spelled) {
    dropped_ = true;
    out_.output().truncate(begin);
    spellings_.resize(spelled);
  }
  void entries(const image::type_node& type, const idl::const_value& from) {
    out_.write_map({image_.types[type.first].wire, image_.types[type.second].wire,
                    static_cast<std::uint32_t>(from.items.size() / 2)});
    for (std::size_t i = 0; i + 1 < from.items.size(); i += 2) {
      value(type.first, from.items[i]);
      value(type.second, from.items[i + 1]);
    }
  }
  void structure(const image::type_node& type, const idl::const_value& from) {
    const std::uint32_t declared = image_.structs[type.first].declared;
    const struct_mark mark = out_.begin_struct();
    for (std::size_t i = 0; i + 1 < from.items.size(); i += 2) {
      const auto position = static_cast<std::uint32_t>(from.items[i].integer);
      field(image_.indices[declared + position], from.items[i + 1]);
    }
    if (completion_ != nullptr && type.kind != type_kind::union_) complete(type.first, from);
    out_.write_stop();
    out_.end_struct(mark);
  }
  /// Adds the fields that the constant omits, unless the struct contains itself.
  void complete(std::uint32_t structure, const idl::const_value& from) {
    if (open_.size() == const_completion::max_nested || std::ranges::count(open_, structure) != 0) return;
    const std::span<const idl::field> fields = completion_->fields[structure];
    open_.push_back(structure);
    for (std::uint32_t i = 0; i < fields.size(); ++i)
      if (!is_set(from, i)) absent(image_.indices[image_.structs[structure].declared + i], fields[i]);
    open_.pop_back();
  }
  [[nodiscard]] static bool is_set(const idl::const_value& from, std::uint32_t position) noexcept {
    for (std::size_t i = 0; i + 1 < from.items.size(); i += 2)
      if (from.items[i].integer == position) return true;
    return false;
  }
  void absent(std::uint32_t index, const idl::field& declared) {
    if ((image_.fields[index].flags & image::required) == 0) return;
    static constexpr idl::const_value zero;
    const std::size_t size_before = out_.output().size();
    if (completion_->bytes_left == 0) return;
    field(index, declared.default_value == nullptr ? zero : *declared.default_value);
    const std::size_t taken = out_.output().size() - size_before;
    completion_->bytes_left -= (std::min)(completion_->bytes_left, taken);
  }
  void field(std::uint32_t index, const idl::const_value& from) {
    const image::field_node& node = image_.fields[index];
    out_.write_field(node.wire, node.id);
    value(node.type, from);
  }

  const schema_image& image_;
  Writer& out_;
  repeated_elements repeated_;
  std::vector<spelling>& spellings_;
  const_completion* completion_;
  std::vector<std::uint32_t> open_;  // structs that are being completed
  bool dropped_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
