// zero: the bytes of a value that nobody has given.
// In: a type. Out: zero, the empty text or container, the struct with what it must have.
// Never ends in a type that holds itself: depth is bounded.
#pragma once

#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

template <protocol P>
[[nodiscard]] bool append_zero(const plan_image& plan, std::uint32_t type, std::uint32_t depth, buffer& to);

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
    std::uint8_t* const room = to.reserve(P::field_room + value.size());
    to.commit(put_raw_field<P>(room, {field.wire, field.id}, value, last_id));
  }
  out.write_stop();
  return true;
}

/// Appends the zero of a type, a bool as list elements have it. False where required fields nest deeper than
/// `depth`.
template <protocol P>
bool append_zero(const plan_image& plan, std::uint32_t type, std::uint32_t depth, buffer& to) {
  const image::type_node& node = plan.image->types[type];
  typename P::writer out(to);
  switch (node.wire) {
    case ttype::struct_:
      return append_zero_struct<P>(plan, plan.image->structs[node.first], depth, to);
    case ttype::bool_:
      out.write_bool(false);
      break;
    case ttype::i8:
      out.write_i8(0);
      break;
    case ttype::i16:
      out.write_i16(0);
      break;
    case ttype::i32:
      out.write_i32(0);
      break;
    case ttype::i64:
      out.write_i64(0);
      break;
    case ttype::double_:
      out.write_double(0);
      break;
    case ttype::string:
      out.write_bytes({});
      break;
    case ttype::list:
    case ttype::set:
      out.write_list({plan.image->types[node.first].wire, 0});
      break;
    case ttype::map:
      out.write_map({plan.image->types[node.first].wire, plan.image->types[node.second].wire, 0});
      break;
    case ttype::uuid:
      out.write_uuid(uuid_bytes{});
      break;
    default:
      return false;
  }
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
