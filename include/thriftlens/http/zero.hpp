// zero: the bytes of a default value.
#pragma once

#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/protocol/concept.hpp>

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
    std::uint8_t* const target = to.prepare(P::field_room + value.size());
    to.commit(put_raw_field<P>(target, {field.wire, field.id}, value, last_id));
  }
  out.write_stop();
  return true;
}

/// The zero of a scalar.
template <protocol P>
void write_zero(typename P::writer& out, type_kind kind) {
  if (kind == type_kind::bool_)
    out.write_bool(false);
  else if (kind == type_kind::i8)
    out.write_i8(0);
  else if (kind == type_kind::i16)
    out.write_i16(0);
  else if (kind == type_kind::i64)
    out.write_i64(0);
  else if (kind == type_kind::double_)
    out.write_double(0);
  else if (kind == type_kind::uuid)
    out.write_uuid(uuid_bytes{});
  else if (kind == type_kind::string || kind == type_kind::binary)
    out.write_bytes({});
  else
    out.write_i32(0);
}
/// Appends the zero of a type, a bool as an element of a list. False if required fields nest deeper than
/// `depth` or take more than a MiB.
template <protocol P>
bool append_zero(const plan_image& plan, std::uint32_t type, std::uint32_t depth, buffer& to) {
  const image::type_node& node = plan.image->types[type];
  if (is_struct(node.kind)) return append_zero_struct<P>(plan, plan.image->structs[node.first], depth, to);
  typename P::writer out(to);
  if (node.kind == type_kind::map)
    out.write_map({plan.image->types[node.first].wire, plan.image->types[node.second].wire, 0});
  else if (node.kind == type_kind::list || node.kind == type_kind::set)
    out.write_list({plan.image->types[node.first].wire, 0});
  else
    write_zero<P>(out, node.kind);
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
