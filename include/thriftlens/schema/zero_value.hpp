// zero_value: the zero value of a type, used for missing required fields.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Capacity that put_zero() requires.
inline constexpr std::size_t max_zero_width = 32;

/// Writes 0, false, "" or an empty container, of a type other than a struct; a bool as an element of a list.
template <protocol P>
[[nodiscard]] std::uint8_t* put_zero(std::uint8_t* to, const schema_image& image,
                                     const image::type_node& node) {
  if (node.wire == ttype::bool_) return P::put_bool(to, false);
  if (node.wire == ttype::double_) return P::put_double(to, 0);
  if (node.wire == ttype::string) return P::put_size(to, 0);
  if (node.wire == ttype::uuid) return P::put_uuid(to, uuid_bytes{});
  if (!is_container(node.wire)) return put_integer<P>(to, node.wire, 0);
  const ttype first = image.types[node.first].wire;
  if (node.wire == ttype::map) return P::put_map(to, {first, image.types[node.second].wire, 0});
  return node.wire == ttype::set ? P::put_set(to, {first, 0}) : P::put_list(to, {first, 0});
}

/// 0, false, "" or an empty container; a struct with its required fields as their IDL default or zero. 0 for
/// an enum, even if it is not a member; a union without a member.
template <protocol Protocol>
class zero_writer {
 public:
  /// Appends at most `max_size` bytes to `out`, with at most `depth` nested structs.
  zero_writer(const schema_image& image, buffer& out, std::uint32_t depth, std::size_t max_size) noexcept
      : image_(image), out_(out), end_(output_end(out.size(), max_size)), depth_left_(depth) {}

  /// Appends the value of a required field: its default or zero. After false, code(), message() and steps()
  /// have the reason, and the output has the bytes written before.
  [[nodiscard]] THRIFTLENS_COLD bool field(std::uint32_t field) {
    if ((image_.fields[field].flags & image::has_default) == 0) return value(image_.fields[field].type);
    buffer spare;  // for a protocol without defaults in the schema
    out_.append(bytes_in<Protocol>(field_info(&image_, field).defaults(), image_.fields[field].wire, spare));
    return fits();
  }
  [[nodiscard]] errc code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  /// Path from the field to the struct without a zero.
  [[nodiscard]] const path_builder& steps() const noexcept { return path_; }

 private:
  THRIFTLENS_COLD bool value(std::uint32_t type) {
    const image::type_node& node = image_.types[type];
    if (node.wire == ttype::struct_) return structure(image_.structs[node.first]);
    out_.commit(put_zero<Protocol>(out_.prepare(max_zero_width), image_, node));
    return fits();
  }
  THRIFTLENS_COLD bool structure(const image::struct_node& node) {
    const auto number = static_cast<std::uint32_t>(&node - image_.structs.data());
    for (const std::uint32_t open : open_)
      if (open == number) return requires_itself(node);
    if (open_.size() >= depth_left_) return reject(errc::depth_limit);
    open_.push_back(number);
    if (!required_fields(node)) return false;
    open_.pop_back();
    out_.commit(Protocol::put_stop(out_.prepare(1)));
    return fits();
  }
  THRIFTLENS_COLD bool required_fields(const image::struct_node& node) {
    std::int16_t last_id = 0;
    for (std::uint32_t i = node.fields.begin; i < node.fields.begin + node.fields.size; ++i) {
      const image::field_node& known = image_.fields[i];
      if ((known.flags & image::required) == 0) continue;
      // A bool, false or the default, is part of its header in some protocols.
      if (known.wire == ttype::bool_) {
        buffer bytes;
        zero_writer inner(image_, bytes, 0, 16);
        if (!inner.field(i)) return reject(inner.code());
        append_raw_field<Protocol>(out_, {known.wire, known.id}, bytes, last_id);
        continue;
      }
      append_raw_field<Protocol>(out_, {known.wire, known.id}, {}, last_id);
      if (!field(i)) return path_.field(image_.field_name(i));
    }
    return true;
  }
  THRIFTLENS_COLD bool requires_itself(const image::struct_node& node) {
    message_ = joined({image_.view(node.name), " requires itself and has no zero value"});
    return reject(errc::missing_required);
  }
  bool fits() { return out_.size() <= end_ || reject(errc::output_limit); }
  bool reject(errc code) {
    code_ = code;
    return false;
  }

  const schema_image& image_;
  buffer& out_;
  std::size_t end_;
  std::uint32_t depth_left_;
  pod_vector<std::uint32_t> open_;  // the enclosing structs
  errc code_ = errc::ok;
  std::string message_;
  path_builder path_{path_builder::order::innermost_first};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
