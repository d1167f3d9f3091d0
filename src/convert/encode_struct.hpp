// encode_struct: encodes structs, unions and exceptions.
#pragma once

#include "convert/encode_unknown.hpp"
#include "convert/encode_view.hpp"
#include "convert/gather_fields.hpp"

#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/zero_value.hpp>

namespace thriftlens::python {

THRIFTLENS_COLD inline bool reject_two_members(encode_state& state, const image::struct_node& node,
                                               std::int16_t first, std::int16_t second) {
  return state.fail(errc::union_members, detail::two_members_text({&state.schema, node.type}, first, second));
}
/// Writes the default or zero value of a required field.
bool encode_zero(protocol auto format, encode_state& state, std::uint32_t index, std::int16_t& last_id) {
  buffer bytes;
  detail::zero_writer<decltype(format)> zeros(state.schema, bytes, state.depth_left(),
                                              limits().max_output(0));
  if (!zeros.field(index))
    return state.fail(zeros.code(), zeros.message()) || state.path.steps_of(zeros.steps()) ||
           state.add_field_step(index);
  const image::field_node& field = state.fields[index];
  detail::append_raw_field<decltype(format)>(state.out, {field.wire, field.id}, bytes, last_id);
  return true;
}
/// Handles an absent field that is required or has a default.
bool encode_absent(protocol auto format, encode_state& state, const image::struct_node& node,
                   std::uint32_t index, std::int16_t& last_id) {
  const image::field_node& field = state.fields[index];
  if ((field.flags & image::required) != 0) [[unlikely]]
    return state.options.missing == on_missing::zero ? encode_zero(format, state, index, last_id)
                                                     : state.fail_at(errc::missing_required, index);
  if (!state.options.writes_defaults() || (field.flags & image::has_default) == 0 ||
      node.kind == type_kind::union_)
    return true;
  const image::field_text& text = state.schema.field_texts[index];
  const byte_view value =
      state.schema.value(format.id == protocol_id::binary ? text.default_binary : text.default_compact);
  detail::append_raw_field<decltype(format)>(state.out, {field.wire, field.id}, value, last_id);
  return true;
}
THRIFTLENS_INLINE bool encode_field(protocol auto format, encode_state& state, const image::field_node& field,
                                    PyObject* item, std::int16_t& last_id) {
  const type_node& type = state.types[field.type];
  if (field.wire == ttype::bool_) return encode_bool_field(format, state, type, item, field.id, last_id);
  state.put([&](std::uint8_t* to) { return format.put_field(to, field.wire, field.id, last_id); });
  return encode_value(format, state, type, item);
}
/// Writes the values in the slots from `base` on, in the order of field ids.
THRIFTLENS_INLINE bool encode_fields(protocol auto format, encode_state& state,
                                     const image::struct_node& node, std::size_t base) {
  std::int16_t last_id = 0, first = 0;
  std::uint32_t members = 0;
  for (std::uint32_t i = 0; i < node.fields.size; ++i) {
    PyObject* item = state.slots[base + i].get();
    const std::uint32_t index = node.fields.begin + i;
    const image::field_node& field = state.fields[index];
    if (item == nullptr) {
      if ((field.flags & (image::required | image::has_default)) != 0 &&
          !encode_absent(format, state, node, index, last_id))
        return false;
      continue;
    }
    if (node.kind == type_kind::union_ && ++members > 1) [[unlikely]]
      return reject_two_members(state, node, first, field.id);
    first = field.id;
    if (!encode_field(format, state, field, item, last_id)) [[unlikely]]
      return state.add_field_step(index);
  }
  return true;
}
/// Writes a field by its position in the order of the keys, or an unknown one.
bool encode_ordered_field(protocol auto format, encode_state& state, const image::struct_node& node,
                          std::size_t base, std::size_t position, std::int16_t& last_id) {
  const std::uint32_t at = state.order[position].at, index = node.fields.begin + at;
  const std::int16_t id = state.order[position].id;
  if (PyObject* const unknown = state.order[position].item.get(); unknown != nullptr)
    return encode_unknown_field(format, state, id, unknown, last_id) || state.path.field_id(id);
  return encode_field(format, state, state.fields[index], state.slots[base + at].get(), last_id) ||
         state.add_field_step(index);
}
/// Writes the fields in the order of their keys, then those for absent ones.
bool encode_in_order(protocol auto format, encode_state& state, const image::struct_node& node,
                     std::size_t base, std::size_t first) {
  std::int16_t last_id = 0;
  for (std::size_t i = first, end = state.order.size(); i < end; ++i) {
    if (node.kind == type_kind::union_ && i > first)
      return reject_two_members(state, node, state.order[i - 1].id, state.order[i].id);
    if (!encode_ordered_field(format, state, node, base, i, last_id)) return false;
  }
  state.order.resize(first);
  for (std::uint32_t i = 0; i < node.fields.size; ++i)
    if (!state.slots[base + i] && !encode_absent(format, state, node, node.fields.begin + i, last_id))
      return false;
  return true;
}
THRIFTLENS_NOINLINE bool encode_struct(protocol auto format, encode_state& state, const type_node& type,
                                       PyObject* from) {
  if (!PyDict_Check(from) && is_view_as_bytes(state, from)) return encode_view(format, state, type, from);
  const image::struct_node& node = state.schema.structs[type.first];
  if (!state.enter()) return false;
  const std::size_t base = state.slots.size(), first = state.order.size();
  state.slots.resize(base + node.fields.size);
  if (!field_gatherer(state, type, state.slots.data() + base).gather(from)) return false;
  if (!(state.order.size() == first ? encode_fields(format, state, node, base)
                                    : encode_in_order(format, state, node, base, first)))
    return false;
  state.put([&](std::uint8_t* to) { return format.put_stop(to); });
  state.slots.resize(base);
  state.leave();
  return true;
}

}  // namespace thriftlens::python
