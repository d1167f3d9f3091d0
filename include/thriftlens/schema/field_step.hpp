// field_step: the path step for a field of a struct, present or not.
#pragma once

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/schema/image.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `structure`: the type, possibly none or not a struct. Always false, like the steps of path_builder.
THRIFTLENS_COLD inline bool add_field_step(path_builder& path, const schema_image* image,
                                           std::uint32_t structure, std::int16_t id) {
  if (structure == image::none || !is_struct(image->types[structure].kind)) return path.field_id(id);
  const std::uint32_t field = image->find_field(image->struct_of(structure), id);
  if (field == image::none) return path.field_id(id);
  return path.field(image->field_name(field));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
