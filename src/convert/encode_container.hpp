// encode_container: encodes lists, sets and maps.
#pragma once

#include "convert/encode_view.hpp"
#include "convert/number_list.hpp"
#include "support/attribute.hpp"

#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>

namespace thriftlens::python {

/// Whether the keys written from `begin` on are unique; for set elements, the value type is stop.
bool check_unique(protocol auto format, encode_state& state, std::size_t begin, const map_header& map) {
  const byte_view written(state.out.data() + begin, state.out.size() - begin);
  const std::size_t repeated = detail::find_repeated_key<decltype(format)>(
      typename decltype(format)::reader(written, detail::key_limits), map);
  if (repeated == detail::repeated_keys::none) return true;
  const bool is_set = map.value == ttype::stop;
  state.fail(errc::duplicate_key, is_set ? std::string(detail::duplicate_element_text) : std::string());
  return is_set ? state.path.index(repeated) : state.path.key_at(repeated);
}

/// Sorts elements by their bytes, so that equal sets, which have no order in Python, give equal bytes.
inline void sort_elements(encode_state& state, std::size_t base) {
  const auto first = state.set_elements.begin() + static_cast<std::ptrdiff_t>(base);
  const auto end = state.set_elements.end();
  const std::size_t begin = first->first;
  const buffer unsorted(byte_view(state.out.data() + begin, state.out.size() - begin));
  const auto bytes = [&](const auto& element) {
    return byte_view(unsorted.data() + (element.first - begin), element.second - element.first);
  };
  std::sort(first, end,
            [&](const auto& left, const auto& right) { return bytes(left).text() < bytes(right).text(); });
  state.out.truncate(begin);
  for (auto element = first; element != end; ++element) state.out.append(bytes(*element));
  state.set_elements.resize(base);
}
/// A list of the numbers of an array.
THRIFTLENS_NOINLINE bool encode_numbers(protocol auto format, encode_state& state, const type_node& element,
                                        const number_array& from) {
  if (!state.enter(static_cast<Py_ssize_t>(from.size()))) return false;
  const list_header header{element.wire, static_cast<std::uint32_t>(from.size())};
  state.put([&](std::uint8_t* to) { return format.put_list(to, header); });
  const std::size_t count = append_numbers<decltype(format)>(state.out, element.kind, from);
  if (count != from.size())
    return state.out_of_range(element.kind, from.text(count)) || state.path.index(count);
  state.leave();
  return true;
}
THRIFTLENS_INLINE bool encode_elements(protocol auto format, encode_state& state, const type_node& element,
                                       PyObject* items, Py_ssize_t count, bool sorts) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    const std::size_t begin = state.out.size();
    // Python code called for an element may change the caller's list.
    if (PySequence_Fast_GET_SIZE(items) != count) [[unlikely]]
      return state.changed();
    object item = object::share(PySequence_Fast_GET_ITEM(items, i));
    if (!encode_value(format, state, element, item.get())) [[unlikely]]
      return state.path.index(static_cast<std::size_t>(i));
    if (sorts) state.set_elements.push_back({begin, state.out.size()});
  }
  return true;
}
/// The elements of a list or set, which is entered.
THRIFTLENS_INLINE bool encode_items(protocol auto format, encode_state& state, const type_node& type,
                                    PyObject* items, bool is_unordered) {
  const type_node& element = state.types[type.first];
  const bool is_set = type.kind == type_kind::set;
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
  const list_header header{element.wire, static_cast<std::uint32_t>(count)};
  state.put(
      [&](std::uint8_t* to) { return is_set ? format.put_set(to, header) : format.put_list(to, header); });
  const bool compares = is_set && count > 1, sorts = compares && is_unordered;
  const std::size_t base = state.set_elements.size(), begin = state.out.size();
  if (!encode_elements(format, state, element, items, count, sorts)) return false;
  if (compares && !check_unique(format, state, begin, {header.element, ttype::stop, header.size}))
    return false;
  if (sorts) sort_elements(state, base);
  return true;
}
/// Whether it is an iterable that is not encoded as a list: text, bytes or a dict.
[[nodiscard]] inline bool is_no_sequence(PyObject* from) noexcept {
  return PyUnicode_Check(from) || PyBytes_Check(from) || PyByteArray_Check(from) || PyDict_Check(from);
}
/// A list or set from any iterable except text, bytes and mappings.
THRIFTLENS_NOINLINE bool encode_list(protocol auto format, encode_state& state, const type_node& type,
                                     PyObject* from) {
  const bool is_list = PyList_Check(from) != 0;
  if (!is_list && is_view_as_bytes(state, from)) return encode_view(format, state, type, from);
  if (is_no_sequence(from)) return state.mismatch(type, from);
  const type_node& element = state.types[type.first];
  if (number_array numbers;
      type.kind == type_kind::list && !is_list && numbers.take(from) && numbers.fits(element.kind))
    return encode_numbers(format, state, element, numbers);
  const object items(fixed_sequence(from, ""));
  if (!items) return state.mismatch_unless_raised(type, from);
  if (!state.enter(PySequence_Fast_GET_SIZE(items.get())) ||
      !encode_items(format, state, type, items.get(), PyAnySet_Check(from)))
    return false;
  state.leave();
  return true;
}

bool begin_map(protocol auto format, encode_state& state, const type_node& type, Py_ssize_t count,
               map_header& header) {
  if (!state.enter(count)) return false;
  header = {state.types[type.first].wire, state.types[type.second].wire, static_cast<std::uint32_t>(count)};
  state.put([&](std::uint8_t* to) { return format.put_map(to, header); });
  return true;
}
THRIFTLENS_INLINE bool encode_entry(protocol auto format, encode_state& state, const type_node& type,
                                    Py_ssize_t at, PyObject* key, PyObject* item) {
  const std::size_t begin = state.out.size();
  const type_node& key_type = state.types[type.first];
  if (!encode_value(format, state, key_type, key)) [[unlikely]]
    return state.path.key_at(static_cast<std::size_t>(at));
  const std::size_t size = state.out.size() - begin;
  if (!encode_value(format, state, state.types[type.second], item)) [[unlikely]]
    return detail::add_key_step<decltype(format)>(state.path, {state.out.data() + begin, size},
                                                  key_type.wire);
  return true;
}
bool encode_pairs(protocol auto format, encode_state& state, const type_node& type, PyObject* from,
                  PyObject* pairs) {
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(pairs);
  map_header header;
  if (!begin_map(format, state, type, count, header)) return false;
  const std::size_t begin = state.out.size();
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (PySequence_Fast_GET_SIZE(pairs) != count) return state.changed();
    const object pair = object::share(PySequence_Fast_GET_ITEM(pairs, i));
    if (!is_pair(pair.get())) return state.mismatch(type, from);
    PyObject *const key = PyTuple_GET_ITEM(pair.get(), 0), *const item = PyTuple_GET_ITEM(pair.get(), 1);
    if (!encode_entry(format, state, type, i, key, item)) return false;
  }
  state.leave();
  return check_unique(format, state, begin, header);
}
/// The class whose unequal objects are always unequal keys, or null.
[[nodiscard]] inline PyTypeObject* exact_key_type(type_kind kind) noexcept {
  if (kind == type_kind::string) return &PyUnicode_Type;
  return kind >= type_kind::i8 && kind <= type_kind::i64 ? &PyLong_Type : nullptr;
}
/// `compares`: set if equal keys are possible.
THRIFTLENS_INLINE bool encode_entries(protocol auto format, encode_state& state, const type_node& type,
                                      PyObject* dict, Py_ssize_t count, bool& compares) {
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t position = 0, written = 0;
  PyTypeObject* const exact = exact_key_type(state.types[type.first].kind);
  while (PyDict_Next(dict, &position, &key, &item) != 0) {
    // Python code called for an entry may change the dict.
    if (written == count) [[unlikely]]
      return state.changed();
    object key_owner = object::share(key), item_owner = object::share(item);
    compares |= Py_TYPE(key) != exact;
    if (!encode_entry(format, state, type, written++, key, item)) [[unlikely]]
      return false;
    if (PyDict_GET_SIZE(dict) != count) [[unlikely]]
      return state.changed();
  }
  return written == count || state.changed();
}
bool encode_dict(protocol auto format, encode_state& state, const type_node& type, PyObject* from) {
  const object fixed = fixed_dict(from);
  if (!fixed) return false;
  const Py_ssize_t count = PyDict_GET_SIZE(fixed.get());
  map_header header;
  if (!begin_map(format, state, type, count, header)) return false;
  const std::size_t begin = state.out.size();
  bool compares = false;
  if (!encode_entries(format, state, type, fixed.get(), count, compares)) return false;
  state.leave();
  return !compares || check_unique(format, state, begin, header);
}
/// A map from a mapping or an iterable of pairs.
THRIFTLENS_NOINLINE bool encode_map(protocol auto format, encode_state& state, const type_node& type,
                                    PyObject* from) {
  if (PyDict_Check(from)) return encode_dict(format, state, type, from);
  if (is_view_as_bytes(state, from)) return encode_view(format, state, type, from);
  object pairs = has_keys(from) ? object(PyMapping_Items(from)) : object();
  if (PyErr_Occurred() != nullptr) return false;
  if (!pairs && !PyUnicode_Check(from) && !PyBytes_Check(from)) pairs = fixed_sequence(from, "");
  return pairs ? encode_pairs(format, state, type, from, pairs.get())
               : state.mismatch_unless_raised(type, from);
}

}  // namespace thriftlens::python
