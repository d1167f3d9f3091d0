// lead: how a struct begins on the Binary wire when all its leading fields are there: known header bytes at
// known places. In: a struct whose fields lie in the image. Out: its lead in the image, to be compared with
// bytes by one masked compare. Never a promise about bytes: fields may be missing or in another order, then
// readers go field by field.
#pragma once

#include <thriftlens/protocol/binary_shape.hpp>
#include <thriftlens/schema/image.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Adds a field of a container type, of whose header three bytes stand there, to a shape.
[[nodiscard]] inline bool add_container_to_lead(binary_shape& shape, const schema_image& in,
                                                const image::type_node& type,
                                                std::uint8_t (&header)[8]) noexcept {
  const bool is_map = type.wire == ttype::map;
  const ttype first = in.types[type.first].wire, second = is_map ? in.types[type.second].wire : ttype::stop;
  header[3] = static_cast<std::uint8_t>(first);
  header[4] = static_cast<std::uint8_t>(second);
  if (fixed_width(first) == 0) return false;
  if (!is_map) return shape.add_sized(header, 4, fixed_width(first));
  return fixed_width(second) != 0 && shape.add_sized(header, 5, fixed_width(first) + fixed_width(second));
}
/// Adds a field to a shape; false where its value is of no known layout (it holds structs, or strings in a
/// container).
[[nodiscard]] inline bool add_to_lead(binary_shape& shape, const schema_image& in,
                                      const image::field_node& field) noexcept {
  std::uint8_t header[8];
  store_le(header, field.header);
  if (const std::size_t fixed = fixed_width(field.wire)) return shape.add_fixed(header, fixed);
  if (field.wire == ttype::string) return shape.add_sized(header, 3, 1);
  if (field.wire == ttype::struct_) return false;
  return add_container_to_lead(shape, in, in.types[field.type], header);
}
/// Adds the fields of a struct, as far as they are of a known layout. Whether all are.
[[nodiscard]] inline bool add_fields_to_lead(binary_shape& shape, schema_image& into, image::slice fields) {
  for (std::uint32_t at = fields.begin; at < fields.begin + fields.size; ++at) {
    const std::size_t segment = shape.segment(), offset = shape.offset();
    const bool added = add_to_lead(shape, into, into.fields[at]);
    if (shape.segment() != segment || shape.offset() != offset)
      into.lead_places[at] = {static_cast<std::uint8_t>(segment), static_cast<std::uint8_t>(offset)};
    if (!added) return false;
  }
  return true;
}

}  // namespace detail

/// Lays the lead of a struct, whose fields are the last ones of the image, into the image. O(its fields).
inline void build_lead(schema_image& into, image::struct_node& of) {
  binary_shape shape;
  shape.begin();
  into.lead_places.resize(into.fields.size());
  const bool whole = detail::add_fields_to_lead(shape, into, of.fields) && shape.stop();
  if (!whole) shape.leave();
  of.lead.complete = whole;
  of.lead.levels = shape.levels();
  of.lead.segments = {static_cast<std::uint32_t>(into.lead_segments.size()),
                      static_cast<std::uint32_t>(shape.segments().size())};
  of.lead.blocks = static_cast<std::uint32_t>(into.lead_blocks.size());
  into.lead_segments.insert(into.lead_segments.end(), shape.segments().begin(), shape.segments().end());
  into.lead_blocks.insert(into.lead_blocks.end(), shape.blocks().begin(), shape.blocks().end());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
