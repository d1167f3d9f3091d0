// encode_const: encodes constants and defaults of the IDL, which are resolved. Recursion is bounded by the
// depth limit of the IDL.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/idl/message.hpp>
#include <thriftlens/idl/name_table.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/image.hpp>

#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Treatment of duplicate set elements: readers reject them, but descriptions show them.
enum class repeated_elements : bool { dropped, retained };

/// Completes struct constants with omitted required fields, as their default or zero like generated code.
/// Readers would reject the value otherwise.
struct const_completion {
  static constexpr std::size_t max_nested = 16;  ///< maximum nesting depth of completed structs

  pod_vector<std::span<const idl::field>> fields;  ///< as declared, by number of the struct
  std::size_t bytes_left = std::size_t{1} << 22;   ///< for all constants: nested ones grow exponentially
};

/// Whether there is anything to complete.
[[nodiscard]] THRIFTLENS_COLD inline bool has_structs(const idl::const_value& value) noexcept {
  if (value.shape == idl::const_value::form::structure) return true;
  for (const idl::const_value& item : value.items)
    if (has_structs(item)) return true;
  return false;
}

/// The writer of a protocol that is chosen at run time.
class const_writer {
 public:
  const_writer(buffer& out, protocol_id protocol) noexcept
      : binary_(out), compact_(out), is_compact_(protocol == compact::id) {}

  [[nodiscard]] buffer& output() const noexcept { return binary_.output(); }

  struct_mark begin_struct() noexcept { return compact_.begin_struct(); }
  void end_struct(struct_mark outer) noexcept { compact_.end_struct(outer); }
  THRIFTLENS_COLD void write_field(ttype type, std::int16_t id) {
    is_compact_ ? compact_.write_field(type, id) : binary_.write_field(type, id);
  }
  THRIFTLENS_COLD void write_stop() { binary_.write_stop(); }
  THRIFTLENS_COLD void write_bool(bool value) {
    is_compact_ ? compact_.write_bool(value) : binary_.write_bool(value);
  }
  THRIFTLENS_COLD void write_double(double value) {
    is_compact_ ? compact_.write_double(value) : binary_.write_double(value);
  }
  THRIFTLENS_COLD void write_bytes(byte_view value) {
    is_compact_ ? compact_.write_bytes(value) : binary_.write_bytes(value);
  }
  void write_uuid(const uuid_bytes& value) { binary_.write_uuid(value); }
  /// i8 … i64.
  THRIFTLENS_COLD void write_integer(ttype type, std::int64_t value) {
    if (type == ttype::i8) return binary_.write_i8(static_cast<std::int8_t>(value));
    if (is_compact_) return compact_.write_i64(value);  // a varint has no width
    if (type == ttype::i16) return binary_.write_i16(static_cast<std::int16_t>(value));
    if (type == ttype::i32) return binary_.write_i32(static_cast<std::int32_t>(value));
    binary_.write_i64(value);
  }
  THRIFTLENS_COLD void write_list(list_header list) {
    is_compact_ ? compact_.write_list(list) : binary_.write_list(list);
  }
  THRIFTLENS_COLD void write_map(map_header map) {
    is_compact_ ? compact_.write_map(map) : binary_.write_map(map);
  }
  [[nodiscard]] container_mark begin_set(ttype element) {
    return is_compact_ ? compact_.begin_set(element) : binary_.begin_set(element);
  }
  void end_set(container_mark mark, std::uint32_t size) {
    is_compact_ ? compact_.end_set(mark, size) : binary_.end_set(mark, size);
  }

 private:
  binary::writer binary_;
  compact::writer compact_;
  bool is_compact_;
};

/// IDL spelling that encoded bytes do not preserve.
struct const_spelling {
  std::uint32_t at;       ///< offset of the value
  std::int64_t integer;   ///< if `text` is empty
  std::string_view text;  ///< borrowed from the value

  [[nodiscard]] THRIFTLENS_COLD std::string written() const {
    return text.empty() ? idl::compose("%", {integer}) : std::string(text);
  }
};

/// Writes resolved constants.
class const_encoder {
 public:
  const_encoder(const schema_image& image, buffer& out, protocol_id protocol, repeated_elements repeated,
                pod_vector<const_spelling>& spellings, const_completion* completion = nullptr) noexcept
      : image_(image),
        out_(out, protocol),
        repeated_(repeated),
        spellings_(spellings),
        completion_(completion) {}

  /// Elements were dropped.
  [[nodiscard]] bool dropped() const noexcept { return dropped_; }

  THRIFTLENS_COLD void value(std::uint32_t type_index, const idl::const_value& from) {
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
        return scalar(type, from);
    }
  }

 private:
  void scalar(const image::type_node& type, const idl::const_value& from) {
    switch (type.kind) {
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
        return out_.write_integer(type.wire, narrow(type.wire, from));
    }
  }
  /// The value of an i8 … i64 or an enum. Wraps around like the Apache compiler's generated code; resolve has
  /// warned.
  [[nodiscard]] std::int64_t narrow(ttype wire, const idl::const_value& from) {
    std::int64_t value = from.integer;
    if (wire == ttype::i8) value = static_cast<std::int8_t>(value);
    if (wire == ttype::i16) value = static_cast<std::int16_t>(value);
    if (wire == ttype::i32) value = static_cast<std::int32_t>(value);
    if (value != from.integer) spellings_.push_back({offset(), from.integer, {}});
    return value;
  }
  THRIFTLENS_COLD void unique(const idl::const_value& from) {
    uuid_bytes id{};
    static_cast<void>(parse_uuid(from.text, id));
    spellings_.push_back({offset(), 0, from.text});
    out_.write_uuid(id);
  }
  [[nodiscard]] std::uint32_t offset() const noexcept {
    return static_cast<std::uint32_t>(out_.output().size());
  }
  void elements(const image::type_node& type, const idl::const_value& from) {
    if (type.wire == ttype::set && repeated_ == repeated_elements::dropped && from.items.size() > 1)
      return distinct(type.first, from.items);
    out_.write_list({image_.types[type.first].wire, static_cast<std::uint32_t>(from.items.size())});
    for (const idl::const_value& item : from.items) value(type.first, item);
  }
  /// A set without duplicate elements. Encodes an element only once, because sets nest.
  THRIFTLENS_COLD void distinct(std::uint32_t element, std::span<const idl::const_value> items) {
    arena memory;
    idl::name_table seen;
    std::uint32_t count = 0;
    const container_mark mark = out_.begin_set(image_.types[element].wire);
    for (const idl::const_value& item : items) {
      const std::size_t begin = out_.output().size(), spelled = spellings_.size();
      value(element, item);
      const std::string_view encoded = out_.output().text().substr(begin);
      if (seen.find(encoded) != idl::name_table::none) {
        drop(begin, spelled);
      } else {
        seen.insert(memory.copy(encoded), count);  // the output may move
        ++count;
      }
    }
    out_.end_set(mark, count);
  }
  /// The element that was written last.
  THRIFTLENS_COLD void drop(std::size_t begin, std::size_t spelled) {
    dropped_ = true;
    out_.output().truncate(begin);
    spellings_.resize_down(spelled);
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
  THRIFTLENS_COLD void complete(std::uint32_t structure, const idl::const_value& from) {
    if (open_.size() == const_completion::max_nested || is_open(structure)) return;
    const std::span<const idl::field> fields = completion_->fields[structure];
    open_.push_back(structure);
    for (std::uint32_t i = 0; i < fields.size(); ++i)
      if (!is_set(from, i)) absent(image_.indices[image_.structs[structure].declared + i], fields[i]);
    open_.pop_back();
  }
  [[nodiscard]] bool is_open(std::uint32_t structure) const noexcept {
    for (const std::uint32_t open : open_)
      if (open == structure) return true;
    return false;
  }
  [[nodiscard]] static bool is_set(const idl::const_value& from, std::uint32_t position) noexcept {
    for (std::size_t i = 0; i + 1 < from.items.size(); i += 2)
      if (from.items[i].integer == position) return true;
    return false;
  }
  THRIFTLENS_COLD void absent(std::uint32_t index, const idl::field& declared) {
    if ((image_.fields[index].flags & image::required) == 0) return;
    static constexpr idl::const_value zero;
    const std::size_t size_before = out_.output().size();
    if (completion_->bytes_left == 0) return;
    field(index, declared.default_value == nullptr ? zero : *declared.default_value);
    const std::size_t taken = out_.output().size() - size_before;
    completion_->bytes_left -= least(completion_->bytes_left, taken);
  }
  THRIFTLENS_COLD void field(std::uint32_t index, const idl::const_value& from) {
    const image::field_node& node = image_.fields[index];
    out_.write_field(node.wire, node.id);
    value(node.type, from);
  }

  const schema_image& image_;
  const_writer out_;
  repeated_elements repeated_;
  pod_vector<const_spelling>& spellings_;
  const_completion* completion_;
  pod_vector<std::uint32_t> open_;  // structs that are being completed
  bool dropped_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
