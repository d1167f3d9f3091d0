// decode_unknown: decodes unknown fields: "#5": {"i32": 7}, as in JSON except for bytes.
#pragma once

#include "convert/decode_state.hpp"
#include "convert/scalar_types.hpp"

#include <thriftlens/protocol/unknown_key.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <array>

namespace thriftlens::python {

/// The name of a wire type, borrowed. Null with a Python error set.
[[nodiscard]] inline PyObject* type_name(ttype type) {
  static std::array<shared_object, 17> names{};
  return interned(names[static_cast<std::size_t>(type)], std::string(to_string(type)).c_str());
}
inline PyObject* element_type_name(ttype type) { return type_name(is_value_type(type) ? type : ttype::stop); }
/// Null with a Python error or a fault set, also if one of the objects is null.
PyObject* list_of(decoding auto& state, std::initializer_list<PyObject*> objects) {
  if (!state.charge(list_size(objects.size()) + objects.size() * small_object_size)) return nullptr;
  object items(PyList_New(0));
  for (PyObject* const entry : objects)
    if (!items || entry == nullptr || PyList_Append(items.get(), entry) != 0) return nullptr;
  return items.release();
}
bool append_element(decoding auto& state, PyObject* list, PyObject* item) {
  return state.charge(2 * sizeof(PyObject*) + small_object_size) && PyList_Append(list, item) == 0;
}
PyObject* decode_unknown_value(decoding auto& state, ttype type);

bool keep_unknown_field(decoding auto& state, field_header field, PyObject* into, const std::uint8_t* here) {
  object name(PyUnicode_FromString(detail::unknown_key(field.id).c_str()));
  object tagged(name ? PyDict_New() : nullptr);
  object item(tagged && state.charge(dict_size(1) + small_object_size)
                  ? decode_unknown_value(state, field.type)
                  : nullptr);
  PyObject* const name_of_type = item ? type_name(field.type) : nullptr;
  if (name_of_type == nullptr || PyDict_SetItem(tagged.get(), name_of_type, item.get()) != 0) return false;
  const Py_ssize_t previous_size = PyDict_GET_SIZE(into);
  if (PyDict_SetItem(into, name.get(), tagged.get()) != 0) return false;
  const bool is_new = PyDict_GET_SIZE(into) != previous_size;
  return is_new || state.options.takes_last() || state.fail(errc::duplicate_field, here, field.id);
}
PyObject* decode_unknown_list(decoding auto& state, ttype type) {
  list_header list;
  if (!detail::open_sequence(state.in, type, list)) return nullptr;
  object items(PyList_New(0));
  for (std::uint32_t i = 0; items && i < list.size; ++i) {
    object item(decode_unknown_value(state, list.element));
    if (!item || !append_element(state, items.get(), item.get())) return nullptr;
  }
  state.in.leave();
  return items ? list_of(state, {element_type_name(list.element), items.get()}) : nullptr;
}
PyObject* decode_unknown_map(decoding auto& state) {
  map_header map;
  if (!detail::open_map(state.in, map)) return nullptr;
  object entries(PyList_New(0));
  for (std::uint32_t i = 0; entries && i < map.size; ++i) {
    object key(decode_unknown_value(state, map.key)),
        item(key ? decode_unknown_value(state, map.value) : nullptr);
    object pair(item ? list_of(state, {key.get(), item.get()}) : nullptr);
    if (!pair || !append_element(state, entries.get(), pair.get())) return nullptr;
  }
  state.in.leave();
  return entries ? list_of(state, {element_type_name(map.key), element_type_name(map.value), entries.get()})
                 : nullptr;
}
PyObject* decode_unknown_struct(decoding auto& state) {
  object dict(PyDict_New());
  if (!dict || !state.charge(dict_size(0))) return nullptr;
  const struct_mark outer = state.in.begin_struct();
  for (;;) {
    const std::uint8_t* const here = state.in.at();
    field_header field;
    if (!state.in.read_field(field)) return nullptr;
    if (field.type == ttype::stop) break;
    if (!keep_unknown_field(state, field, dict.get(), here)) return nullptr;
  }
  state.in.end_struct(outer);
  return dict.release();
}
PyObject* decode_unknown_value(decoding auto& state, ttype type) {
  switch (type) {
    case ttype::list:
    case ttype::set:
      return decode_unknown_list(state, type);
    case ttype::map:
      return decode_unknown_map(state);
    case ttype::struct_:
      return decode_unknown_struct(state);
    default:
      return decode_value(state, scalar_kind(type), scalar_type(type));
  }
}

}  // namespace thriftlens::python
