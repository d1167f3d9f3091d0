// encode_unknown: encodes unknown fields: {"i32": 7}, as decode returns them, or frozen in keys.
#pragma once

#include "convert/encode_scalar.hpp"
#include "convert/scalar_types.hpp"
#include "support/locked.hpp"

#include <thriftlens/protocol/key_step.hpp>

namespace thriftlens::python {

/// Whether it is a list or tuple of that size; -1 means any size.
[[nodiscard]] inline bool is_row(PyObject* from, Py_ssize_t size = -1) {
  return (PyList_Check(from) || PyTuple_Check(from)) && (size < 0 || PySequence_Fast_GET_SIZE(from) == size);
}
/// An element of a list or tuple; None after its end.
[[nodiscard]] inline object row_item(PyObject* row, Py_ssize_t i) {
  const object_scope alone(row);
  const bool has_it = i < PySequence_Fast_GET_SIZE(row);
  return object::share(has_it ? PySequence_Fast_GET_ITEM(row, i) : Py_None);
}
/// The wire type of that name. "stop" is the element type of an empty container.
inline bool read_wire_type(encode_state& state, PyObject* type_name, ttype& wire, bool is_element) {
  std::string_view name;
  if (!PyUnicode_Check(type_name) || !utf8_of(type_name, name))
    return state.mismatch("the name of a wire type", type_name);
  wire = detail::find_ttype(name);
  if (wire != ttype::void_ && (is_element || wire != ttype::stop)) return true;
  return state.fail(errc::value_type, detail::no_ttype_text(name));
}

bool encode_unknown_value(protocol auto format, encode_state& state, ttype wire, PyObject* from);

/// Takes {type name: value}, or the frozen form ((type name, value),). False for other objects.
THRIFTLENS_INLINE bool read_tagged(PyObject* tagged, object& type_name, object& item) {
  if (PyTuple_Check(tagged) && is_row(tagged, 1) && is_row(PyTuple_GET_ITEM(tagged, 0), 2)) {
    type_name = row_item(PyTuple_GET_ITEM(tagged, 0), 0);
    item = row_item(PyTuple_GET_ITEM(tagged, 0), 1);
    return true;
  }
  if (!PyDict_Check(tagged) || PyDict_GET_SIZE(tagged) != 1) return false;
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  const object_scope alone(tagged);
  if (PyDict_Next(tagged, &position, &key, &value) == 0) return false;
  type_name = object::share(key);
  item = object::share(value);
  return true;
}
/// Writes the header and the value of an unknown field.
bool encode_unknown_field(protocol auto format, encode_state& state, std::int16_t id, PyObject* tagged,
                          std::int16_t& last_id) {
  object type_name, item;
  if (!read_tagged(tagged, type_name, item))
    return state.mismatch("a dict of a wire type and a value, such as {'i32': 7}", tagged);
  ttype wire = ttype::stop;
  if (!read_wire_type(state, type_name.get(), wire, false)) return false;
  if (wire == ttype::bool_)
    return encode_bool_field(format, state, state.types[scalar_type(wire)], item.get(), id, last_id);
  state.put([&](std::uint8_t* to) { return format.put_field(to, wire, id, last_id); });
  return encode_unknown_value(format, state, wire, item.get());
}
/// Writes a container: enters it, calls `put(bytes, size)`, and `encode(item, index)` for its items, and
/// leaves it.
template <class Put, class Encode>
THRIFTLENS_INLINE bool encode_rows(encode_state& state, PyObject* items, Put put, Encode encode) {
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
  if (!state.enter(count)) return false;
  state.put([&](std::uint8_t* to) { return put(to, static_cast<std::uint32_t>(count)); });
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!is_row(items, count)) return state.changed();
    if (!encode(row_item(items, i).get(), static_cast<std::size_t>(i))) return false;
  }
  state.leave();
  return true;
}
bool encode_unknown_list(protocol auto format, encode_state& state, ttype wire, PyObject* from) {
  constexpr const char* expected = "[element type, [elements]]";
  if (!is_row(from, 2)) return state.mismatch(expected, from);
  const object type_name = row_item(from, 0), items = row_item(from, 1);
  list_header list;
  if (!is_row(items.get())) return state.mismatch(expected, from);
  if (!read_wire_type(state, type_name.get(), list.element, true)) return false;
  const auto put = [&](std::uint8_t* to, std::uint32_t size) {
    list.size = size;
    return wire == ttype::set ? format.put_set(to, list) : format.put_list(to, list);
  };
  return encode_rows(state, items.get(), put, [&](PyObject* item, std::size_t i) {
    return encode_unknown_value(format, state, list.element, item) || state.path.index(i);
  });
}
bool encode_unknown_entry(protocol auto format, encode_state& state, const map_header& map, PyObject* pair,
                          std::size_t i) {
  if (!is_row(pair, 2)) return state.mismatch("[key, value]", pair) || state.path.key_at(i);
  const object key = row_item(pair, 0), item = row_item(pair, 1);
  const std::size_t begin = state.out.size();
  if (!encode_unknown_value(format, state, map.key, key.get())) return state.path.key_at(i);
  const std::size_t size = state.out.size() - begin;
  return encode_unknown_value(format, state, map.value, item.get()) ||
         detail::add_key_step<decltype(format)>(state.path, {state.out.data() + begin, size}, map.key);
}
bool encode_unknown_map(protocol auto format, encode_state& state, PyObject* from) {
  constexpr const char* expected = "[key type, value type, [[key, value]]]";
  if (!is_row(from, 3)) return state.mismatch(expected, from);
  const object key = row_item(from, 0), item = row_item(from, 1), pairs = row_item(from, 2);
  map_header map;
  if (!is_row(pairs.get())) return state.mismatch(expected, from);
  if (!read_wire_type(state, key.get(), map.key, true)) return false;
  if (!read_wire_type(state, item.get(), map.value, true)) return false;
  const auto put = [&](std::uint8_t* to, std::uint32_t size) {
    map.size = size;
    return format.put_map(to, map);
  };
  return encode_rows(state, pairs.get(), put, [&](PyObject* pair, std::size_t i) {
    return encode_unknown_entry(format, state, map, pair, i);
  });
}
/// `begin`: where the output of the struct starts.
bool encode_unknown_member(protocol auto format, encode_state& state, std::size_t begin, PyObject* pair,
                           std::int16_t& last_id) {
  if (!is_row(pair, 2)) return state.mismatch("a pair of \"#<id>\" and a value", pair);
  const object key = row_item(pair, 0), item = row_item(pair, 1);
  std::int16_t id = 0;
  if (!is_unknown_key(key.get(), id))
    return state.fail(errc::unknown_key, "the keys of unknown fields must be \"#<id>\"");
  if (!state.add_unknown_id(begin, id)) return false;
  return item.get() == Py_None || encode_unknown_field(format, state, id, item.get(), last_id) ||
         state.path.field_id(id);
}
/// A dict of unknown fields, or a tuple of pairs.
bool encode_unknown_struct(protocol auto format, encode_state& state, PyObject* from) {
  const bool is_dict = PyDict_Check(from);
  if (!is_dict && !PyTuple_Check(from)) return state.mismatch("a dict of unknown fields", from);
  const object pairs(is_dict ? PyDict_Items(from) : new_reference(from));
  if (!pairs || !state.enter()) return false;
  const std::size_t begin = state.out.size();
  std::int16_t last_id = 0;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(pairs.get()); ++i)
    if (!encode_unknown_member(format, state, begin, row_item(pairs.get(), i).get(), last_id)) return false;
  state.put([&](std::uint8_t* to) { return format.put_stop(to); });
  state.leave();
  return true;
}
bool encode_unknown_value(protocol auto format, encode_state& state, ttype wire, PyObject* from) {
  switch (wire) {
    case ttype::stop:
      return state.fail(errc::value_type, "'stop' is not a value type");
    case ttype::list:
    case ttype::set:
      return encode_unknown_list(format, state, wire, from);
    case ttype::map:
      return encode_unknown_map(format, state, from);
    case ttype::struct_:
      return encode_unknown_struct(format, state, from);
    default:
      return encode_value(format, state, state.types[scalar_type(wire)], from);
  }
}

}  // namespace thriftlens::python
