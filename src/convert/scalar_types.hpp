// scalar_types: types of the scalar values of unknown fields.
#pragma once

#include <thriftlens/schema/image.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::python {

namespace internal {
inline constexpr type_kind scalar_kinds[] = {
    type_kind::void_, type_kind::void_,  type_kind::bool_, type_kind::i8,    type_kind::double_,
    type_kind::void_, type_kind::i16,    type_kind::void_, type_kind::i32,   type_kind::void_,
    type_kind::i64,   type_kind::binary, type_kind::void_, type_kind::void_, type_kind::void_,
    type_kind::void_, type_kind::uuid};
}  // namespace internal

/// The kind of a scalar of that wire type; binary for strings.
[[nodiscard]] constexpr type_kind scalar_kind(ttype wire) noexcept {
  return internal::scalar_kinds[static_cast<std::size_t>(wire)];
}
/// Its type in any image: an image starts with the base types, in the order of their kinds.
[[nodiscard]] constexpr std::uint32_t scalar_type(ttype wire) noexcept {
  return static_cast<std::uint32_t>(scalar_kind(wire));
}

}  // namespace thriftlens::python
