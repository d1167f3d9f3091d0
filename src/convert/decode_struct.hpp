// decode_struct: decodes structs, unions and exceptions.
#pragma once

#include "convert/decode_container.hpp"
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
/// The fields of a struct as entries of a dict.
class dict_fields {
 public:
  explicit dict_fields(PyObject* dict) noexcept : dict_(dict) {}

  THRIFTLENS_INLINE PyObject* decode(decoding auto& state, const field_node& field) const {
    return decode_value(state, field.kind, field.type);
  }
  /// 1: stored; 0: it replaced a value; -1: a Python error is set.
  THRIFTLENS_INLINE int store(decoding auto& state, const field_node& field, object item) const {
    const Py_ssize_t previous_size = PyDict_GET_SIZE(dict_);
    if (PyDict_SetItem(dict_, state.names[&field - state.fields], item.get()) != 0) return -1;
    return PyDict_GET_SIZE(dict_) != previous_size ? 1 : 0;
  }
  [[nodiscard]] bool contains(decoding auto& state, const field_node& field) const {
    return PyDict_GetItemWithError(dict_, state.names[&field - state.fields]) != nullptr;
  }
  /// Without the entries of unknown fields, at least the number of fields.
  [[nodiscard]] std::size_t max_count() const noexcept {
    return static_cast<std::size_t>(PyDict_GET_SIZE(dict_));
  }
  bool keep_unknown(decoding auto& state, field_header field, const std::uint8_t* here) const {
    return keep_unknown_field(state, field, dict_, here);
  }

 private:
  PyObject* dict_;
};
/// An unknown field, or one of another type.
template <class Fields>
THRIFTLENS_NOINLINE bool decode_other_field(decoding auto& state, bool is_known, field_header field,
                                            Fields& into, const std::uint8_t* here) {
  if (is_known && !state.options.skips_mismatch()) return state.fail(errc::type_mismatch, here);
  if (!is_known && state.options.leniency.unknown == on_unknown::error)
    return state.fail(errc::unknown_field, here);
  const bool keeps = !is_known && state.options.leniency.unknown == on_unknown::keep;
  return keeps ? into.keep_unknown(state, field, here) : state.in.skip(field.type);
}
/// The number of known fields that are present.
template <class Fields>
THRIFTLENS_COLD std::uint32_t count_members(decoding auto& state, const struct_node& node,
                                            const Fields& into) {
  std::uint32_t count = 0;
  for (const std::uint32_t i : node.fields.indices())
    count += into.contains(state, state.fields[i]) ? 1u : 0u;
  return count;
}
/// Always false. A duplicate field or second union member takes precedence over the fault in its value.
template <class Fields>
THRIFTLENS_COLD bool reject_value(decoding auto& state, const struct_node& node, const field_node& field,
                                  const Fields& into, const std::uint8_t* here) {
  if (PyErr_Occurred() != nullptr) return false;
  const auto offset = static_cast<std::size_t>(here - state.in.begin());
  const bool has_it = into.contains(state, field);
  if (has_it && !state.options.takes_last())
    state.earlier = {errc::duplicate_field, field.id, offset};
  else if (!has_it && node.kind == type_kind::union_ && count_members(state, node, into) != 0)
    state.earlier = {errc::union_members, field.id, offset};
  return false;
}
static_assert(image::required == 1);  // counted by adding
/// Adds required fields to `required`.
template <class Fields>
THRIFTLENS_INLINE bool decode_field(decoding auto& state, const struct_node& node, const field_node& field,
                                    Fields& into, const std::uint8_t* here, std::uint32_t& required) {
  object item(into.decode(state, field));
  if (!item) [[unlikely]]
    return reject_value(state, node, field, into, here);
  const int stored = into.store(state, field, std::move(item));
  if (stored > 0) [[likely]]
    required += field.flags & image::required;
  else if (stored < 0)
    return false;
  else if (!state.options.takes_last())
    return state.fail(errc::duplicate_field, here, field.id);
  const bool is_second =
      node.kind == type_kind::union_ && into.max_count() > 1 && count_members(state, node, into) > 1;
  return !is_second || state.fail(errc::union_members, here);
}
/// Decodes the fields of a struct up to its end.
template <class Fields>
THRIFTLENS_INLINE bool decode_fields(decoding auto& state, const struct_node& node, Fields& into,
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
template <class Fields>
THRIFTLENS_COLD PyObject* reject_missing(decoding auto& state, const struct_node& node, const Fields& into) {
  for (const std::uint32_t i : node.fields.indices()) {
    const field_node& field = state.fields[i];
    if ((field.flags & image::required) != 0 && !into.contains(state, field))
      return state.stop(errc::missing_required, state.in.at() - 1, field.id);
  }
  return nullptr;
}
/// The default of a field. `read`: decodes a value, as plain_value does.
template <class Read>
object decode_default(decoding auto& state, std::uint32_t index, Read read) {
  const image::slice preset = state.schema.field_texts[index].default_binary;
  // Without the defaults of structs inside it, which can be exponentially many or endless.
  decode_options own = state.options;
  own.bounds = {.depth = limits::max_depth, .output_size = state.memory_left() + 1};
  own.defaults = on_absent::omit;
  decode_state<binary> from(state.keys, state.schema.value(preset), own);
  from.defaults_left = state.defaults_left - 1;
  object item(read(from));
  if (!item && PyErr_Occurred() == nullptr) state.fail(from.first_fault().code, state.in.at());
  if (!item || !state.charge(state.memory_left() + 1 - from.memory_left() + 64 + preset.size)) return {};
  return item;
}
bool add_default(decoding auto& state, std::uint32_t index, PyObject* dict) {
  const field_node& field = state.fields[index];
  const object item = decode_default(state, index, plain_value{field.kind, field.type});
  return item && PyDict_SetItem(dict, state.names[index], item.get()) == 0;
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
    return reject_missing(state, node, dict_fields(dict.get()));
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
  dict_fields into(dict.get());
  if (!decode_fields(state, node, into, required)) [[unlikely]]
    return nullptr;
  state.in.end_struct(outer);
  // Two known fields have been reported by decode_field().
  const bool has_two = node.kind == type_kind::union_ && PyDict_GET_SIZE(dict.get()) > 1;
  if (has_two && !state.fail(errc::union_members, state.in.at() - 1)) return nullptr;
  return finish_struct(state, node, std::move(dict), required, spare);
}

}  // namespace thriftlens::python
