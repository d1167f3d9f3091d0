// decode_container: decodes lists, sets and maps.
#pragma once

#include "convert/decode_key.hpp"

namespace thriftlens::python {

/// Kinds whose values mostly are existing objects, or are counted by themselves.
[[nodiscard]] inline bool is_shared(type_kind kind) noexcept {
  return kind == type_kind::bool_ || kind == type_kind::i8 || kind >= type_kind::list;
}
/// The memory of that many elements.
[[nodiscard]] inline std::size_t elements_size(type_kind kind, std::size_t count) noexcept {
  return is_shared(kind) ? 0 : count * small_object_size;
}

/// Decodes elements and values of maps.
struct plain_value {
  type_kind kind;
  std::uint32_t index;

  THRIFTLENS_INLINE PyObject* operator()(decoding auto& state) const {
    return decode_value(state, kind, index);
  }
};

// All lists together announce more elements than there are bytes: the input is malformed, so nothing is
// preallocated.
template <class Read>
THRIFTLENS_COLD PyObject* decode_unsized_list(decoding auto& state, std::uint32_t size, Read read) {
  object items(PyList_New(0));
  for (std::uint32_t i = 0; items && i < size; ++i) {
    if (!append_new(items, read(state))) return nullptr;
    if (!state.charge(2 * sizeof(PyObject*))) return nullptr;
    state.count_element();
  }
  state.in.leave();
  return items.release();
}
/// Fills a new list.
template <class Read>
THRIFTLENS_INLINE bool decode_items(decoding auto& state, PyObject* into, Read read) {
  const Py_ssize_t count = PyList_GET_SIZE(into);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = read(state);
    if (item == nullptr) [[unlikely]]
      return false;
    PyList_SET_ITEM(into, i, item);
    state.count_element();
  }
  return true;
}
/// `read`: decodes an element, as plain_value does.
template <class Read>
THRIFTLENS_INLINE PyObject* decode_list_of(decoding auto& state, const type_node& type, Read read) {
  const std::uint8_t* start = state.in.at();
  list_header header;
  if (!state.in.read_list(header) || !state.in.enter()) return nullptr;
  const type_node& element = state.types[type.first];
  if (header.element != element.wire && header.size != 0) [[unlikely]]
    return state.stop(errc::type_mismatch, start);
  if (header.size > state.list_elements_left) [[unlikely]]
    return decode_unsized_list(state, header.size, read);
  state.list_elements_left -= header.size;
  if (!state.charge(list_size(header.size) + elements_size(element.kind, header.size))) return nullptr;
  object items(PyList_New(static_cast<Py_ssize_t>(header.size)));
  if (!items) return nullptr;
  if (!decode_items(state, items.get(), read)) [[unlikely]]
    return nullptr;
  state.in.leave();
  return items.release();
}
PyObject* decode_list(decoding auto& state, const type_node& type) {
  return decode_list_of(state, type, plain_value{state.types[type.first].kind, type.first});
}
template <class Read>
THRIFTLENS_INLINE bool decode_elements(decoding auto& state, type_kind kind, const list_header& header,
                                       PyObject* into, Read read) {
  key_check check{kind, {header.element, ttype::stop, header.size}, read.is_model};
  find_repeated(state, check);
  for (std::uint32_t i = 0; i < header.size; ++i) {
    const std::uint8_t* here = state.in.at();
    object item = read(state);
    if (item && check.drops(i)) continue;
    const Py_ssize_t previous_size = PySet_GET_SIZE(into);
    if (!item || !add_element(state, check, into, item, here)) [[unlikely]]
      return false;
    const bool is_new = PySet_GET_SIZE(into) != previous_size && i != check.first_repeated;
    if (!accept_key(state, check, item.get(), is_new, here)) [[unlikely]]
      return false;
    state.count_element();
  }
  return true;
}
/// `items`: a new set or frozenset. `read`: decodes an element, as plain_key does.
template <class Read>
THRIFTLENS_INLINE PyObject* decode_set_of(decoding auto& state, const type_node& type, object items,
                                          Read read) {
  const std::uint8_t* start = state.in.at();
  list_header header;
  if (!state.in.read_set(header) || !state.in.enter()) return nullptr;
  const type_node& element = state.types[type.first];
  if (header.element != element.wire && header.size != 0) [[unlikely]]
    return state.stop(errc::type_mismatch, start);
  if (!items || !decode_elements(state, element.kind, header, items.get(), read)) [[unlikely]]
    return nullptr;
  const auto size = static_cast<std::size_t>(PySet_GET_SIZE(items.get()));
  if (!state.charge(set_size(size) + elements_size(element.kind, size))) [[unlikely]]
    return nullptr;
  state.in.leave();
  return items.release();
}
PyObject* decode_set(decoding auto& state, const type_node& type) {
  return decode_set_of(state, type, object(PySet_New(nullptr)),
                       plain_key{state.types[type.first].kind, type.first});
}

[[nodiscard]] bool has_types(decoding auto& state, const map_header& header, const type_node& type) noexcept {
  return header.key == state.types[type.first].wire && header.value == state.types[type.second].wire;
}
template <class ReadKey, class Read>
THRIFTLENS_INLINE bool decode_entries(decoding auto& state, type_kind key_kind, const map_header& header,
                                      PyObject* into, ReadKey read_key, Read read) {
  key_check check{key_kind, header, read_key.is_model};
  find_repeated(state, check);
  for (std::uint32_t i = 0; i < header.size; ++i) {
    const std::uint8_t* here = state.in.at();
    object name = read_key(state);
    if (!name) [[unlikely]]
      return false;
    object item(read(state));
    if (item && check.drops(i)) continue;
    const Py_ssize_t previous_size = PyDict_GET_SIZE(into);
    if (!item || !add_entry(state, check, into, name, item, here)) [[unlikely]]
      return false;
    const bool is_new = PyDict_GET_SIZE(into) != previous_size && i != check.first_repeated;
    if (!accept_key(state, check, name.get(), is_new, here)) [[unlikely]]
      return false;
    state.count_element();
  }
  return true;
}

/// `read_key`, `read`: as plain_key and plain_value.
template <class ReadKey, class Read>
THRIFTLENS_INLINE PyObject* decode_map_of(decoding auto& state, const type_node& type, ReadKey read_key,
                                          Read read) {
  const std::uint8_t* start = state.in.at();
  map_header header;
  if (!state.in.read_map(header) || !state.in.enter()) return nullptr;
  if (header.size != 0 && !has_types(state, header, type)) [[unlikely]]
    return state.stop(errc::type_mismatch, start);
  object dict(PyDict_New());
  if (!dict || !decode_entries(state, state.types[type.first].kind, header, dict.get(), read_key, read))
      [[unlikely]]
    return nullptr;
  const auto size = static_cast<std::size_t>(PyDict_GET_SIZE(dict.get()));
  if (!state.charge(dict_size(size) + 2 * size * small_object_size)) [[unlikely]]
    return nullptr;
  state.in.leave();
  return dict.release();
}
PyObject* decode_map(decoding auto& state, const type_node& type) {
  return decode_map_of(state, type, plain_key{state.types[type.first].kind, type.first},
                       plain_value{state.types[type.second].kind, type.second});
}

}  // namespace thriftlens::python
