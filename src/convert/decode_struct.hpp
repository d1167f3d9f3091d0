// decode_struct: decodes structs, unions and exceptions.
#pragma once

#include "convert/decode_unknown.hpp"

namespace thriftlens::python {

/// A dict with capacity for that many entries, if this Python version supports it.
[[nodiscard]] inline PyObject* new_dict([[maybe_unused]] std::uint32_t entries) {
#if PY_VERSION_HEX < 0x030D0000
  if (entries > 5 && entries <= 32) return _PyDict_NewPresized(static_cast<Py_ssize_t>(entries));
#endif
  return PyDict_New();
}
/// For on_mismatch::drop: whether the elements of a container have the declared types.
[[nodiscard]] bool elements_fit(decoding auto& state, const field_node& field) {
  const type_node& type = state.types[field.type];
  if (!is_container(type.wire)) return true;
  auto ahead = state.in;
  if (type.kind == type_kind::map) {
    map_header header;
    return !ahead.read_map(header) || header.size == 0 ||
           (header.key == state.types[type.first].wire && header.value == state.types[type.second].wire);
  }
  list_header header;
  return !ahead.read_list(header) || header.size == 0 || header.element == state.types[type.first].wire;
}
[[nodiscard]] THRIFTLENS_INLINE bool has_wire_type(decoding auto& state, const field_node& field,
                                                   ttype wire) {
  return field.wire == wire && (!state.options.skips_mismatch() || elements_fit(state, field));
}
/// The field of that id, usually `next`; null for an unknown field.
THRIFTLENS_INLINE const field_node* field_of(decoding auto& state, const struct_node& node, std::int16_t id,
                                             const field_node*& next) {
  if (next == state.fields + node.fields.begin + node.fields.size || next->id != id) {
    const std::uint32_t index = state.schema.find_field(node, id);
    if (index == image::none) return nullptr;
    next = state.fields + index;
  }
  return next++;
}
/// An unknown field, or one of another type.
THRIFTLENS_NOINLINE bool decode_other_field(decoding auto& state, bool is_known, field_header field,
                                            PyObject* into, const std::uint8_t* here) {
  if (is_known && !state.options.skips_mismatch()) return state.fail(errc::type_mismatch, here);
  if (!is_known && state.options.leniency.unknown == on_unknown::error)
    return state.fail(errc::unknown_field, here);
  const bool keeps = !is_known && state.options.leniency.unknown == on_unknown::keep;
  return keeps ? keep_unknown_field(state, field, into, here) : state.in.skip(field.type);
}
/// The number of known fields in the dict.
THRIFTLENS_COLD std::uint32_t count_members(decoding auto& state, const struct_node& node, PyObject* into) {
  std::uint32_t count = 0;
  for (std::uint32_t i = node.fields.begin; i < node.fields.begin + node.fields.size; ++i)
    count += PyDict_GetItemWithError(into, state.names[i]) != nullptr ? 1u : 0u;
  return count;
}
/// Always false. A duplicate field or second union member takes precedence over the fault in its value.
THRIFTLENS_COLD bool reject_value(decoding auto& state, const struct_node& node, const field_node& field,
                                  PyObject* into, const std::uint8_t* here) {
  if (PyErr_Occurred() != nullptr) return false;
  const auto offset = static_cast<std::size_t>(here - state.in.begin());
  const bool has_it = PyDict_GetItemWithError(into, state.names[&field - state.fields]) != nullptr;
  if (has_it && !state.options.takes_last())
    state.earlier = {errc::duplicate_field, field.id, offset};
  else if (!has_it && node.kind == type_kind::union_ && count_members(state, node, into) != 0)
    state.earlier = {errc::union_members, field.id, offset};
  return false;
}
static_assert(image::required == 1);  // counted by adding
/// Adds required fields to `required`.
THRIFTLENS_INLINE bool decode_field(decoding auto& state, const struct_node& node, const field_node& field,
                                    PyObject* into, const std::uint8_t* here, std::uint32_t& required) {
  object item(decode_value(state, field.kind, field.type));
  if (!item) [[unlikely]]
    return reject_value(state, node, field, into, here);
  const Py_ssize_t previous_size = PyDict_GET_SIZE(into);
  if (PyDict_SetItem(into, state.names[&field - state.fields], item.get()) != 0) [[unlikely]]
    return false;
  if (PyDict_GET_SIZE(into) != previous_size) [[likely]]
    required += field.flags & image::required;
  else if (!state.options.takes_last())
    return state.fail(errc::duplicate_field, here, field.id);
  const bool is_second =
      node.kind == type_kind::union_ && PyDict_GET_SIZE(into) > 1 && count_members(state, node, into) > 1;
  return !is_second || state.fail(errc::union_members, here);
}
THRIFTLENS_INLINE bool decode_fields(decoding auto& state, const struct_node& node, PyObject* into,
                                     std::uint32_t& required) {
  const field_node* next = state.fields + node.fields.begin;
  field_header header;
  for (;;) {
    const std::uint8_t* here = state.in.at();
    if (!state.in.read_field(header)) [[unlikely]]
      return false;
    if (header.type == ttype::stop) return true;
    const field_node* const field = field_of(state, node, header.id, next);
    const bool is_read = field != nullptr && has_wire_type(state, *field, header.type)
                             ? decode_field(state, node, *field, into, here, required)
                             : decode_other_field(state, field != nullptr, header, into, here);
    if (!is_read) [[unlikely]]
      return false;
  }
}
THRIFTLENS_COLD PyObject* reject_missing(decoding auto& state, const struct_node& node, PyObject* dict) {
  const std::uint32_t first = node.fields.begin;
  for (std::uint32_t i = first; i < first + node.fields.size; ++i) {
    if ((state.fields[i].flags & image::required) == 0 ||
        PyDict_GetItemWithError(dict, state.names[i]) != nullptr)
      continue;
    return state.stop(errc::missing_required, state.in.at() - 1, state.fields[i].id);
  }
  return nullptr;
}
bool add_default(decoding auto& state, std::uint32_t index, PyObject* dict) {
  const image::slice preset = state.schema.field_texts[index].default_binary;
  // Without the defaults of structs inside it, which can be exponentially many or endless.
  decode_options own = state.options;
  own.bounds = {.depth = limits::max_depth, .output_size = state.memory_left() + 1};
  own.defaults = on_absent::omit;
  decode_state<binary> from(state.keys, state.schema.value(preset), own);
  object item(decode_value(from, state.fields[index].kind, state.fields[index].type));
  if (!item && PyErr_Occurred() == nullptr) return state.fail(from.first_fault().code, state.in.at());
  if (!item || PyDict_SetItem(dict, state.names[index], item.get()) != 0) return false;
  return state.charge(state.memory_left() + 1 - from.memory_left() + 64 + preset.size);
}
bool add_defaults(decoding auto& state, const struct_node& node, PyObject* dict) {
  for (const std::uint32_t i : node.fields.indices()) {
    const bool adds = (state.fields[i].flags & image::has_default) != 0 &&
                      PyDict_GetItemWithError(dict, state.names[i]) == nullptr;
    if (adds && !add_default(state, i, dict)) return false;
  }
  return true;
}
/// Counts memory of a struct. A presized dict takes more than its entries need, which `spare_left` limits.
THRIFTLENS_INLINE bool charge_struct(decoding auto& state, std::size_t fields, std::size_t entries,
                                     bool spare) {
  std::size_t size = struct_size(entries);
  if (spare && fields <= 32 && entries * 2 < fields) {
    const std::size_t presized = struct_size(fields), more = presized > size ? presized - size : 0;
    state.spare_left -= more < state.spare_left ? more : state.spare_left;
    size += more;
  }
  return state.charge(size);
}
THRIFTLENS_INLINE PyObject* finish_struct(decoding auto& state, const struct_node& node, object dict,
                                          std::uint32_t required, bool spare) {
  if (required != node.required_count && !state.options.omits_missing()) [[unlikely]]
    return reject_missing(state, node, dict.get());
  const bool has_defaults = node.has_defaults && node.kind != type_kind::union_;
  if (state.options.writes_defaults() && has_defaults && !add_defaults(state, node, dict.get()))
    return nullptr;
  const auto entries = static_cast<std::size_t>(PyDict_GET_SIZE(dict.get()));
  return charge_struct(state, node.fields.size, entries, spare) ? dict.release() : nullptr;
}
PyObject* decode_struct(decoding auto& state, const struct_node& node) {
  const bool spare = state.spare_left != 0 && !state.in.at_end() && *state.in.at() != 0;
  object dict(spare ? new_dict(node.fields.size) : PyDict_New());
  if (!dict) return nullptr;
  const struct_mark outer = state.in.begin_struct();
  std::uint32_t required = 0;
  if (!decode_fields(state, node, dict.get(), required)) [[unlikely]]
    return nullptr;
  state.in.end_struct(outer);
  // Two known fields have been reported by decode_field().
  const bool has_two = node.kind == type_kind::union_ && PyDict_GET_SIZE(dict.get()) > 1;
  if (has_two && !state.fail(errc::union_members, state.in.at() - 1)) return nullptr;
  return finish_struct(state, node, std::move(dict), required, spare);
}

}  // namespace thriftlens::python
