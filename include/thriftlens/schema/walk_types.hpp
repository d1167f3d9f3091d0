// walk_types: IDL types for a walk over a value.
#pragma once

#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/image.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

static_assert(no_type == image::none);

/// The image may be null if every type is none. `type` may be none except in wire().
class schema_types {
 public:
  schema_types(const schema_image* image) noexcept : image_(image) {}  // NOLINT: implicit on purpose

  [[nodiscard]] const schema_image* image() const noexcept { return image_; }

  /// Null if the type is not a struct.
  [[nodiscard]] const image::struct_node* structure(std::uint32_t type) const noexcept {
    if (type == no_type || image_->types[type].wire != ttype::struct_) return nullptr;
    return &image_->struct_of(type);
  }
  [[nodiscard]] std::uint32_t find(const image::struct_node* known, std::int16_t id) const noexcept {
    return known == nullptr ? no_type : image_->find_field(*known, id);
  }
  /// Looks up fields of a struct in wire order, which is mostly ascending by id.
  struct expected_fields {
    const image::struct_node* of = nullptr;
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };
  [[nodiscard]] expected_fields fields(std::uint32_t type) const noexcept {
    const image::struct_node* known = structure(type);
    if (known == nullptr) return {};
    return {known, known->fields.begin, known->fields.begin + known->fields.size};
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find(expected_fields& expected,
                                                     std::int16_t id) const noexcept {
    if (expected.next != expected.end && image_->fields[expected.next].id == id) [[likely]]
      return expected.next++;
    const std::uint32_t member = find(expected.of, id);
    if (member != no_type) expected.next = member + 1;
    return member;
  }
  [[nodiscard]] std::uint32_t field_type(std::uint32_t field) const noexcept {
    return image_->fields[field].type;
  }
  [[nodiscard]] ttype field_wire(std::uint32_t field) const noexcept { return image_->fields[field].wire; }
  [[nodiscard]] ttype wire(std::uint32_t type) const noexcept { return image_->types[type].wire; }
  /// Of elements or keys.
  [[nodiscard]] std::uint32_t first(std::uint32_t type) const noexcept {
    return type == no_type ? no_type : image_->types[type].first;
  }
  [[nodiscard]] std::uint32_t second(std::uint32_t type) const noexcept {
    return type == no_type ? no_type : image_->types[type].second;
  }

 private:
  const schema_image* image_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
