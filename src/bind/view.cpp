// view: get, get_many and view, and what views say when they are asked.
#include "call/method.hpp"
#include "call/reading.hpp"
#include "call/type_docs.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "views/view_object.hpp"

namespace thriftlens::python {

namespace {

/// A view as a Python value; nothing there: the fallback.
template <protocol Protocol>
PyObject* give(schema_keys& keys, const view<Protocol>& at, PyObject* fallback,
               const decode_options& options) {
  if (!is_absent(at, options)) return decode_view(keys, at, options);
  if (options.writes_defaults()) {
    if (const view<Protocol> preset = at.or_default()) return decode_view(keys, preset, options);
  }
  return new_reference(fallback);
}

template <protocol Protocol>
PyObject* give_all(schema_keys& keys, const view<Protocol>& root, const path& at,
                   const decode_options& options) {
  object all(PyList_New(0));
  bool fine = static_cast<bool>(all);
  const result<std::size_t> done = root.try_for_each(at, [&](const view<Protocol>& each) {
    if (!fine) return;
    object item(decode_view(keys, each, options));
    fine = item && PyList_Append(all.get(), item.get()) == 0;
  });
  if (!fine) return nullptr;
  return done ? all.release() : raise_error(done.error());
}

template <protocol Protocol>
PyObject* get_many_as(schema_keys& keys, type of, byte_view data, const path_list& paths, PyObject* fallback,
                      const decode_options& options) {
  const view<Protocol> root(data, of, options.bounds);
  std::vector<view<Protocol>> found;
  if (paths.together) get_many(root, *paths.together, found);
  object all(PyList_New(static_cast<Py_ssize_t>(paths.paths.size())));
  for (std::size_t i = 0; all && i < paths.paths.size(); ++i) {
    const std::uint32_t slot = paths.slots[i];
    PyObject* item = slot == thriftlens::detail::image::none ? give_all(keys, root, paths.paths[i], options)
                                                             : give(keys, found[slot], fallback, options);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(all.get(), static_cast<Py_ssize_t>(i), item);
  }
  return all.release();
}

constexpr positional get_list[] = {{"data"}, {"path"}, {"default", "None"}};
const signature_of<decode_options>& get_signature() {
  static const signature_of<decode_options> made("get", {get_list}, reading_table);
  return made;
}
PyObject* get_method(PyObject* self, const arguments& given) {
  const type_object& of = type_of(self);
  positional_values found;
  decode_options options;
  bytes_like data;
  if (!get_signature().read(given, found, options) || !data.take(found[0])) return nullptr;
  const std::optional<path> at = paths_of(*of.keys).find(of.of, found[1]);
  if (!at) return nullptr;
  PyObject* const fallback = found[2] == nullptr ? Py_None : found[2];
  return visit_protocol(options.protocol, [&](auto tag) {
    const view<decltype(tag)> root(data.bytes(), of.of, options.bounds);
    return at->is_single() ? give(*of.keys, root.at(*at), fallback, options)
                           : give_all(*of.keys, root, *at, options);
  });
}

constexpr positional get_many_list[] = {{"data"}, {"paths"}, {"default", "None"}};
const signature_of<decode_options>& get_many_signature() {
  static const signature_of<decode_options> made("get_many", {get_many_list}, reading_table);
  return made;
}
PyObject* get_many_method(PyObject* self, const arguments& given) {
  const type_object& of = type_of(self);
  positional_values found;
  decode_options options;
  bytes_like data;
  if (!get_many_signature().read(given, found, options) || !data.take(found[0])) return nullptr;
  const std::shared_ptr<const path_list> paths = of.caches->plans.find(of.of, paths_of(*of.keys), found[1]);
  if (paths == nullptr) return nullptr;
  PyObject* const fallback = found[2] == nullptr ? Py_None : found[2];
  return visit_protocol(options.protocol, [&](auto tag) {
    return get_many_as<decltype(tag)>(*of.keys, of.of, data.bytes(), *paths, fallback, options);
  });
}

constexpr positional view_list[] = {{"data"}};
const signature_of<decode_options>& view_signature() {
  static const signature_of<decode_options> made("view", {view_list}, reading_table);
  return made;
}
PyObject* view_method(PyObject* self, const arguments& given) {
  positional_values found;
  decode_options options;
  if (!view_signature().read(given, found, options)) return nullptr;
  return make_view(type_of(self).keys, type_of(self).of, found[0], options);
}

constexpr positional reason_list[] = {{"view"}, {"name", "None"}};
const signature_of<no_options>& reason_signature() {
  static const signature_of<no_options> made("reason", {reason_list}, empty_table);
  return made;
}
PyObject* reason_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  return reason_signature().read(given, found, call) ? reason_of(found[0], found[1]) : nullptr;
}

constexpr positional set_place_list[] = {{"view"}, {"number"}, {"offset"}, {"value"}};
const signature_of<no_options>& set_place_signature() {
  static const signature_of<no_options> made("set_place", {set_place_list}, empty_table);
  return made;
}
PyObject* set_place_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  if (!set_place_signature().read(given, found, call)) return nullptr;
  const record_place place{.number = PyLong_AsLongLong(found[1]),
                           .offset = PyLong_AsLongLong(found[2]),
                           .value = PyLong_AsLongLong(found[3])};
  if (PyErr_Occurred() != nullptr || !set_place(found[0], place)) return nullptr;
  return new_reference(found[0]);
}

constexpr positional place_list[] = {{"view"}};
const signature_of<no_options>& place_signature() {
  static const signature_of<no_options> made("place_of", {place_list}, empty_table);
  return made;
}
PyObject* place_function(PyObject*, const arguments& given) {
  positional_values found;
  no_options call;
  return place_signature().read(given, found, call) ? place_of(found[0]) : nullptr;
}

}  // namespace

std::span<const method> view_functions() {
  static const method all[] = {
      {reason_signature(), fast_method<reason_function>(),
       "What an exception that was raised without a text says."},
      {set_place_signature(), fast_method<set_place_function>(),
       "The view, which now knows its record: number, offset, and where its value lies, or -1."},
      {place_signature(), fast_method<place_function>(),
       "(number, offset, value) of the record that the view is of, or None."}};
  return all;
}

std::span<const method> view_methods() {
  static const method all[] = {{get_signature(), fast_method<get_method>(), get_doc},
                               {get_many_signature(), fast_method<get_many_method>(), get_many_doc},
                               {view_signature(), fast_method<view_method>(), view_doc}};
  return all;
}

}  // namespace thriftlens::python
