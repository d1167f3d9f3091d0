// view_step: the field, element or entry of a view for a Python subscript. Runs no Python code for str and
// int.
#pragma once

#include "support/scratch_buffer.hpp"
#include "views/frozen_key_index.hpp"
#include "views/view_parts.hpp"

namespace thriftlens::python {

/// Negative indices count from the end. The view holds the error for an invalid index or malformed bytes.
template <protocol Protocol>
view<Protocol> indexed(const view_object& from, const view<Protocol>& at, Py_ssize_t index) {
  const result<std::size_t> size =
      is_ordered(at.type()) ? at.try_size() : result<std::size_t>(std::size_t{0});
  if (!size) return at.index(index);
  const auto count = static_cast<Py_ssize_t>(*size);
  const Py_ssize_t position = index < 0 ? index + count : index;
  if (position < 0 || position >= count) return at.index(index);
  return element_at(from, at, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(position));
}

/// ok: a view, which may hold an error; no_such_key: the map cannot have the key; raised: a Python error is
/// set.
enum class stepped : std::uint8_t { ok, no_such_key, raised };

/// Converts a key without running Python code. False for other types.
template <protocol Protocol>
bool plain_key(PyObject* value, map_key& key) {
  if (PyUnicode_Check(value)) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(value, &size);
    if (data == nullptr) {
      PyErr_Clear();
      return false;
    }
    key = map_key(std::string_view(data, static_cast<std::size_t>(size)));
    return true;
  }
  if (!PyLong_CheckExact(value)) return false;
  int overflow = 0;
  key = map_key(PyLong_AsLongLongAndOverflow(value, &overflow));
  return overflow == 0;
}

/// A key as wire bytes.
class encoded_key {
 public:
  /// `reason` is set for no_such_key.
  template <protocol Protocol>
  [[nodiscard]] stepped encode(const view_object& from, const view<Protocol>& map, PyObject* key,
                               const encode_options& options, error& reason) {
    const encoded status =
        try_append_encoded(*from.keys, map.type().key(), key, memory_.get(), options, reason);
    if (status == encoded::ok) return stepped::ok;
    return status == encoded::refused ? stepped::no_such_key : stepped::raised;
  }
  [[nodiscard]] byte_view bytes() { return {memory_.get().data(), memory_.get().size()}; }

 private:
  scratch_buffer memory_;
};
/// Looks up a key in an index of the map. False if it is not there.
template <class Index, protocol Protocol>
bool locate_in(const view_object& from, const view<Protocol>& at, byte_view key, view<Protocol>& child) {
  detail::wire_location value;
  const auto locate = [&](const Index& entries) { return entries.locate(key, value); };
  if (!from.data->with_index<Index>(at, locate)) return false;
  child = at.child(value);
  return true;
}
/// Looks up an entry in the index of the map. False if the view must be searched instead.
template <protocol Protocol>
bool find_entry(const view_object& from, const view<Protocol>& at, PyObject* key_object,
                view<Protocol>& child) {
  using index = entry_index<Protocol>;
  if (!from.data->with_index<index>(at, [&](index& entries) { return entries.is_ready(at); })) return false;
  encoded_key key;
  error unused;
  const stepped status = key.encode(from, at, key_object, {.protocol = Protocol::id}, unused);
  if (status == stepped::raised) PyErr_Clear();  // the search of the view reports it
  return status == stepped::ok && locate_in<index>(from, at, key.bytes(), child);
}

/// Whether the map can have the key of a searched entry.
template <protocol Protocol>
stepped accept_entry(const view<Protocol>& child, error& reason) {
  const bool fits = child.code() != errc::value_type && child.code() != errc::value_range &&
                    child.code() != errc::unknown_enum_name;
  if (!fits) reason = error(child.code());
  return fits ? stepped::ok : stepped::no_such_key;
}
/// The entry of a map. `reason` is set for no_such_key.
template <protocol Protocol>
stepped step_into_map(const view_object& from, const view<Protocol>& at, PyObject* key_object,
                      view<Protocol>& child, error& reason) {
  map_key key = 0;
  encoded_key wire_key;
  if (plain_key<Protocol>(key_object, key)) {
    if (at.code() == errc::ok && find_entry(from, at, key_object, child)) return stepped::ok;
  } else {
    encode_options options{.protocol = Protocol::id};
    if (from.options.leniency.invalid_utf8 == on_invalid_utf8::surrogateescape)
      options.invalid_utf8 = from.options.leniency.invalid_utf8;
    const stepped status = wire_key.encode(from, at, key_object, options, reason);
    if (status != stepped::ok) return status;
    key = map_key::wire(wire_key.bytes());
  }
  child = at.key(key);
  return accept_entry(child, reason);
}

/// Raises the error for a subscript of the wrong type.
inline THRIFTLENS_COLD void refuse_step(type of, PyTypeObject* key_type, std::string at) {
  const bool is_mapping = of.is_struct();
  std::string text = of.name() + " takes ";
  text.append(is_mapping ? "a field name" : "an index").append(", not ").append(key_type->tp_name);
  if (is_mapping)
    raise(error(errc::absent, std::move(text), error::no_offset, std::move(at)), family::plain);
  else
    PyErr_SetString(PyExc_TypeError, text.c_str());
}

/// A field by its name in the view's options (alias), or in the IDL.
template <protocol Protocol>
view<Protocol> field_named(const view_object& from, const view<Protocol>& at, std::string_view name) {
  if (from.options.names == json_names::alias) {
    if (const field_info known = at.type().field_by_alias(name)) return at.field(known);
  }
  return at.field(name);
}

/// The entry whose decoded key is equal; equal structs and containers may have different bytes. False with a
/// Python error set.
template <protocol Protocol>
bool find_decoded_key(const view_object& from, const view<Protocol>& at, PyObject* key_object,
                      view<Protocol>& child) {
  auto entries = at.try_entries();
  for (const auto& entry : entries) {
    const object key(decode_key(*from.keys, entry.key, from.options));
    const int equal = key ? PyObject_RichCompareBool(key.get(), key_object, Py_EQ) : -1;
    if (equal < 0) return false;
    if (equal == 0) continue;
    child = entry.value;
    return true;
  }
  if (entries.code() != errc::ok) raise_error(entries.error());
  return entries.code() == errc::ok;
}
/// Whether all entries of a map are in its index.
template <protocol Protocol>
bool knows_frozen_keys(const view_object& from, const view<Protocol>& at) {
  using index = frozen_key_index<Protocol>;
  return from.data->with_index<index>(at, [](const index& entries) { return entries.is_ready(); });
}
/// Looks up an entry in the index of the map. False if the view must be searched instead.
template <protocol Protocol>
bool find_frozen_key(const view_object& from, const view<Protocol>& at, byte_view key,
                     view<Protocol>& child) {
  using index = frozen_key_index<Protocol>;
  if (from.data->with_index<index>(at, [](index& known) { return known.wants_entries(); })) {
    std::vector<frozen_entry> entries = frozen_entries(*from.keys, at, from.options);
    // Python code may have replaced the index.
    from.data->with_index<index>(at, [&](index& known) { known.fill(std::move(entries)); });
  }
  return locate_in<index>(from, at, key, child);
}

/// The entry of a map whose keys are structs or containers.
template <protocol Protocol>
stepped step_by_frozen_key(const view_object& from, const view<Protocol>& at, PyObject* key_object,
                           view<Protocol>& child, error& reason) {
  encoded_key key;
  const stepped status = key.encode(from, at, key_object, key_options(from.options), reason);
  if (status != stepped::ok) return status;
  if (at.code() == errc::ok && find_frozen_key(from, at, key.bytes(), child)) return stepped::ok;
  child = at.key(map_key::wire(key.bytes()));
  if (child.code() != errc::absent || knows_frozen_keys(from, at)) return stepped::ok;
  return find_decoded_key(from, at, key_object, child) ? stepped::ok : stepped::raised;
}

template <protocol Protocol>
stepped step_to_field(const view_object& from, const view<Protocol>& at, PyObject* name_object,
                      view<Protocol>& child) {
  std::string_view name;
  if (!utf8_of(name_object, name, errc::no_such_field, family::plain)) return stepped::raised;
  child = field_named(from, at, name);
  return stepped::ok;
}
template <protocol Protocol>
stepped step_to_index(const view_object& from, const view<Protocol>& at, PyObject* number,
                      view<Protocol>& child) {
  const Py_ssize_t index = PyNumber_AsSsize_t(number, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred() != nullptr) return stepped::raised;
  child = indexed(from, at, index);
  return stepped::ok;
}
template <protocol Protocol>
stepped step(const view_object& from, const view<Protocol>& at, PyObject* key_object, view<Protocol>& child,
             error& reason) {
  if (at.type().kind() == type_kind::map) {
    const type key = at.type().key();
    return key.is_struct() || key.is_container() ? step_by_frozen_key(from, at, key_object, child, reason)
                                                 : step_into_map(from, at, key_object, child, reason);
  }
  const bool is_struct = at.type().is_struct();
  if (is_struct && PyUnicode_Check(key_object)) return step_to_field(from, at, key_object, child);
  if (!is_struct && PyIndex_Check(key_object)) return step_to_index(from, at, key_object, child);
  refuse_step(at.type(), Py_TYPE(key_object), at.path());
  return stepped::raised;
}

}  // namespace thriftlens::python
