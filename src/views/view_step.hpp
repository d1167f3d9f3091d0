// view_step: from a view to a field, element or entry, by what Python gave in brackets. Never calls code
// of the caller's for text and numbers.
#pragma once

#include "support/kept_buffer.hpp"
#include "views/frozen_key_index.hpp"
#include "views/view_parts.hpp"

namespace thriftlens::python {

/// Negative ones count from the end; outside the container, and where the bytes are broken, the view says so.
template <protocol Protocol>
view<Protocol> indexed(const view_object& from, const view<Protocol>& at, Py_ssize_t index) {
  const result<std::size_t> size =
      is_ordered(at.type()) ? at.try_size() : result<std::size_t>(std::size_t{0});
  if (!size) return at.index(index);
  const auto count = static_cast<Py_ssize_t>(*size);
  const Py_ssize_t place = index < 0 ? index + count : index;
  if (place < 0 || place >= count) return at.index(index);
  return element_at(from, at, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(place));
}

/// What came of a step: a view, which may say absent or what is broken; a key that the map cannot hold; a
/// Python error.
enum class stepped : std::uint8_t { done, no_such_key, raised };

/// No code of the caller's runs in these: they have a fast path.
template <protocol Protocol>
bool plain_key(PyObject* given, map_key& key) {
  if (PyUnicode_Check(given)) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(given, &size);
    if (data == nullptr) {
      PyErr_Clear();
      return false;
    }
    key = map_key(std::string_view(data, static_cast<std::size_t>(size)));
    return true;
  }
  if (!PyLong_CheckExact(given)) return false;
  int overflow = 0;
  key = map_key(PyLong_AsLongLongAndOverflow(given, &overflow));
  return overflow == 0;
}

/// The entry of a map that was asked for several keys before. False where the view must be asked.
template <protocol Protocol>
bool find_entry(const view_object& from, const view<Protocol>& at, PyObject* given, view<Protocol>& found) {
  using index = entry_index<Protocol>;
  if (!from.data->with_index<index>(at, [&](index& entries) { return entries.is_ready(at); })) return false;
  kept_buffer memory;
  thriftlens::detail::wire_location value;
  error unused;
  const encode_options options{.protocol = Protocol::id};
  const encoded done = try_append_encoded(*from.keys, at.type().key(), given, memory.get(), options, unused);
  if (done == encoded::raised) PyErr_Clear();  // the view is asked, which says it again
  if (done != encoded::done) return false;
  const byte_view key(memory.get().data(), memory.get().size());
  const auto locate = [&](const index& entries) { return entries.locate(key, value); };
  if (!from.data->with_index<index>(at, locate)) return false;
  found = at.child(value);
  return true;
}

/// The entry of a map. `why` says why a key cannot be in it.
template <protocol Protocol>
stepped step_into_map(const view_object& from, const view<Protocol>& at, PyObject* given,
                      view<Protocol>& found, error& why) {
  kept_buffer memory;
  map_key key = 0;
  const bool is_plain = plain_key<Protocol>(given, key);
  if (is_plain && at.code() == errc::ok && find_entry(from, at, given, found)) return stepped::done;
  if (!is_plain) {
    encode_options options{.protocol = Protocol::id};
    if (from.options.invalid_utf8 == on_invalid_utf8::surrogateescape)
      options.invalid_utf8 = from.options.invalid_utf8;
    const encoded done = try_append_encoded(*from.keys, at.type().key(), given, memory.get(), options, why);
    if (done != encoded::done) return done == encoded::refused ? stepped::no_such_key : stepped::raised;
    key = map_key::wire(byte_view(memory.get().data(), memory.get().size()));
  }
  found = at.key(key);
  const bool fits = found.code() != errc::value_type && found.code() != errc::value_range &&
                    found.code() != errc::unknown_enum_name;
  if (!fits) why = error(found.code());
  return fits ? stepped::done : stepped::no_such_key;
}

/// A mapping does not have a key of another type; a sequence cannot be asked by it.
inline THRIFTLENS_COLD void refuse_step(type of, PyTypeObject* given, std::string at) {
  const bool is_mapping = of.is_struct();
  std::string text = of.name() + " is asked for by ";
  text.append(is_mapping ? "field name" : "index").append(", not ").append(given->tp_name);
  if (is_mapping)
    raise(error(errc::absent, std::move(text), error::no_offset, std::move(at)), family::plain);
  else
    PyErr_SetString(PyExc_TypeError, text.c_str());
}

/// A field by the name that the view's keys have, or by that of the IDL.
template <protocol Protocol>
view<Protocol> field_named(const view_object& from, const view<Protocol>& at, std::string_view name) {
  if (from.options.names == json_names::alias) {
    if (const field_info known = at.type().field_by_alias(name)) return at.field(known);
  }
  return at.field(name);
}

/// The entry whose key is equal once it is decoded: the bytes of a struct or container may be others than
/// encode writes. False with a Python error set.
template <protocol Protocol>
bool find_decoded_key(const view_object& from, const view<Protocol>& at, PyObject* given,
                      view<Protocol>& found) {
  auto entries = at.try_entries();
  for (const auto& each : entries) {
    const object key(decode_key(*from.keys, each.key, from.options));
    const int equal = key ? PyObject_RichCompareBool(key.get(), given, Py_EQ) : -1;
    if (equal < 0) return false;
    if (equal == 0) continue;
    found = each.value;
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
/// The entry of a map that was asked for several keys before. False where the view must be asked.
template <protocol Protocol>
bool find_frozen_key(const view_object& from, const view<Protocol>& at, byte_view key,
                     view<Protocol>& found) {
  using index = frozen_key_index<Protocol>;
  if (from.data->with_index<index>(at, [](index& known) { return known.wants_entries(); })) {
    std::vector<frozen_entry> entries = frozen_entries(*from.keys, at, from.options);
    // Another may have taken its place meanwhile.
    from.data->with_index<index>(at, [&](index& known) { known.fill(std::move(entries)); });
  }
  thriftlens::detail::wire_location value;
  const auto locate = [&](const index& known) { return known.locate(key, value); };
  const bool has_it = from.data->with_index<index>(at, locate);
  if (has_it) found = at.child(value);
  return has_it;
}

/// The entry of a map whose keys are structs or containers.
template <protocol Protocol>
stepped step_by_frozen_key(const view_object& from, const view<Protocol>& at, PyObject* given,
                           view<Protocol>& found, error& why) {
  kept_buffer memory;
  const encoded done =
      try_append_encoded(*from.keys, at.type().key(), given, memory.get(), key_options(from.options), why);
  if (done != encoded::done) return done == encoded::refused ? stepped::no_such_key : stepped::raised;
  const byte_view key(memory.get().data(), memory.get().size());
  if (at.code() == errc::ok && find_frozen_key(from, at, key, found)) return stepped::done;
  found = at.key(map_key::wire(key));
  if (found.code() != errc::absent || knows_frozen_keys(from, at)) return stepped::done;
  return find_decoded_key(from, at, given, found) ? stepped::done : stepped::raised;
}

template <protocol Protocol>
stepped step(const view_object& from, const view<Protocol>& at, PyObject* given, view<Protocol>& found,
             error& why) {
  if (at.type().kind() == type_kind::map) {
    const type key = at.type().key();
    return key.is_struct() || key.is_container() ? step_by_frozen_key(from, at, given, found, why)
                                                 : step_into_map(from, at, given, found, why);
  }
  if (at.type().is_struct() && PyUnicode_Check(given)) {
    std::string_view name;
    if (!utf8_of(given, name, errc::no_such_field, family::plain)) return stepped::raised;
    found = field_named(from, at, name);
    return stepped::done;
  }
  if (!at.type().is_struct() && PyIndex_Check(given)) {
    const Py_ssize_t index = PyNumber_AsSsize_t(given, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred() != nullptr) return stepped::raised;
    found = indexed(from, at, index);
    return stepped::done;
  }
  refuse_step(at.type(), Py_TYPE(given), at.path());
  return stepped::raised;
}

}  // namespace thriftlens::python
