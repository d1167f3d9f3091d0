// prefix_template: the beginning of a Binary struct whose leading fields are all present: header bytes at
// known offsets. If the bytes differ, readers go field by field.
#pragma once

#include <thriftlens/protocol/binary_shape.hpp>
#include <thriftlens/schema/image.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Appends the fields of one struct to a shape and records their positions.
class prefix_builder {
 public:
  explicit prefix_builder(schema_image& into) noexcept : into_(into) { shape_.begin(); }

  /// Adds fields until one has no fixed layout. True if all fields were added.
  [[nodiscard]] THRIFTLENS_COLD bool add(image::slice fields) {
    const bool complete = add_known(fields) && shape_.stop();
    if (!complete) shape_.leave();
    return complete;
  }
  [[nodiscard]] const binary_shape& shape() const noexcept { return shape_; }

 private:
  [[nodiscard]] THRIFTLENS_COLD bool add_known(image::slice fields) {
    for (const std::uint32_t at : fields.indices()) {
      const std::size_t segment = shape_.segment(), offset = shape_.offset();
      const bool added = add(into_.fields[at]);
      if (shape_.segment() != segment || shape_.offset() != offset)
        into_.prefix_positions[at] = {static_cast<std::uint8_t>(segment), static_cast<std::uint8_t>(offset)};
      if (!added) return false;
    }
    return true;
  }
  /// False if the field's value has no fixed layout (structs, or strings in a container).
  [[nodiscard]] THRIFTLENS_COLD bool add(const image::field_node& field) noexcept {
    std::uint8_t header[8];
    store_le(header, field.header);
    if (const std::size_t fixed = fixed_width(field.wire)) return shape_.add_fixed(header, fixed);
    if (field.wire == ttype::string) return shape_.add_sized(header, 3, 1);
    if (field.wire == ttype::struct_) return false;
    const image::type_node& type = into_.types[field.type];
    return type.wire == ttype::map ? add_map(header, type) : add_list(header, type);
  }
  /// Adds a list or set after the three bytes of its field header.
  [[nodiscard]] THRIFTLENS_COLD bool add_list(std::uint8_t (&header)[8],
                                              const image::type_node& type) noexcept {
    const std::size_t width = add_type(header[3], type.first);
    return width != 0 && shape_.add_sized(header, 4, width);
  }
  [[nodiscard]] THRIFTLENS_COLD bool add_map(std::uint8_t (&header)[8],
                                             const image::type_node& type) noexcept {
    const std::size_t key = add_type(header[3], type.first), value = add_type(header[4], type.second);
    return key != 0 && value != 0 && shape_.add_sized(header, 5, key + value);
  }
  /// The width of a value of that type; 0 if it varies.
  [[nodiscard]] std::size_t add_type(std::uint8_t& header, std::uint32_t type) const noexcept {
    header = static_cast<std::uint8_t>(into_.types[type].wire);
    return into_.types[type].width;
  }

  schema_image& into_;
  binary_shape shape_;
};

/// Stores the prefix template of a struct, whose fields are the last ones of the image. O(fields).
THRIFTLENS_COLD inline void build_prefix_template(schema_image& into, image::struct_node& of) {
  into.prefix_positions.resize(into.fields.size());
  detail::prefix_builder builder(into);
  of.prefix.complete = builder.add(of.fields);
  const binary_shape& shape = builder.shape();
  of.prefix.levels = shape.levels();
  const auto segments = shape.segments();
  of.prefix.segments = {static_cast<std::uint32_t>(into.prefix_segments.size()),
                        static_cast<std::uint32_t>(segments.size())};
  into.prefix_segments.append(segments);
  of.prefix.blocks = static_cast<std::uint32_t>(into.prefix_blocks.size());
  into.prefix_blocks.append(shape.blocks());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
