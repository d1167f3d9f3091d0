// zero: the bytes of a default value.
#pragma once

#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/zero_value.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

template <protocol P>
[[nodiscard]] bool append_zero(const plan_image& plan, std::uint32_t type, std::uint32_t depth, buffer& to);

/// Bound on zero values: required fields may double the size at every level.
inline constexpr std::size_t max_zero_size = std::size_t{1} << 20;

/// A struct with the zeros of its required fields.
template <protocol P>
[[nodiscard]] bool append_zero_struct(const plan_image& plan, const image::struct_node& node,
                                      std::uint32_t depth, buffer& to) {
  if (depth == 0) return false;
  typename P::writer out(to);
  std::int16_t last_id = 0;
  for (const std::uint32_t at : node.fields.indices()) {
    const image::field_node& field = plan.image->fields[at];
    if ((field.flags & image::required) == 0 || plan.fields[at].removed) continue;
    buffer value;
    if (!append_zero<P>(plan, field.type, depth - 1, value)) return false;
    if (to.size() + value.size() > max_zero_size) return false;
    std::uint8_t* const target = to.prepare(P::max_field_header + value.size());
    to.commit(put_raw_field<P>(target, {field.wire, field.id}, value, last_id));
  }
  out.write_stop();
  return true;
}

/// Appends the zero of a type, a bool as an element of a list. False if required fields nest deeper than
/// `depth` or take more than a MiB.
template <protocol P>
bool append_zero(const plan_image& plan, std::uint32_t type, std::uint32_t depth, buffer& to) {
  const image::type_node& node = plan.image->types[type];
  if (is_struct(node.kind)) return append_zero_struct<P>(plan, plan.image->structs[node.first], depth, to);
  to.commit(put_zero<P>(to.prepare(max_zero_width), *plan.image, node));
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
