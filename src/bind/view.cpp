// view: get, get_many and view, and functions of views.
#include "call/method.hpp"
#include "call/reading.hpp"
#include "docs/view_docs.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "views/view_object.hpp"

namespace thriftlens::python {

namespace {

/// A view as a Python value; the fallback if it is absent.
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
  object items(PyList_New(0));
  bool is_ok = static_cast<bool>(items);
  const result<std::size_t> status = root.try_for_each(at, [&](const view<Protocol>& value) {
    if (!is_ok) return;
    object item(decode_view(keys, value, options));
    is_ok = item && PyList_Append(items.get(), item.get()) == 0;
  });
  if (!is_ok) return nullptr;
  return status ? items.release() : raise_error(status.error());
}

template <protocol Protocol>
PyObject* get_many_as(schema_keys& keys, type of, byte_view data, const path_list& paths, PyObject* fallback,
                      const decode_options& options) {
  const view<Protocol> root(data, of, options.bounds);
  std::vector<view<Protocol>> values;
  if (paths.together) get_many(root, *paths.together, values);
  object items(PyList_New(static_cast<Py_ssize_t>(paths.paths.size())));
  for (std::size_t i = 0; items && i < paths.paths.size(); ++i) {
    const std::uint32_t slot = paths.slots[i];
    PyObject* item = slot == detail::image::none ? give_all(keys, root, paths.paths[i], options)
                                                 : give(keys, values[slot], fallback, options);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(items.get(), static_cast<Py_ssize_t>(i), item);
  }
  return items.release();
}

constexpr positional get_list[] = {{"data"}, {"path"}, {"default", "None"}};
const signature_of<decode_options>& get_signature() {
  static const signature_of<decode_options> signature("get", {get_list}, reading_table);
  return signature;
}
PyObject* get_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  decode_options options;
  bytes_like data;
  if (!get_signature().read(args, positionals, options) || !data.take(positionals[0])) return nullptr;
  const std::optional<path> at = paths_of(*of.keys).find(of.of, positionals[1]);
  if (!at) return nullptr;
  PyObject* const fallback = positionals[2] == nullptr ? Py_None : positionals[2];
  return visit_protocol(options.protocol, [&](auto tag) {
    const view<decltype(tag)> root(data.bytes(), of.of, options.bounds);
    return at->is_single() ? give(*of.keys, root.at(*at), fallback, options)
                           : give_all(*of.keys, root, *at, options);
  });
}

constexpr positional get_many_list[] = {{"data"}, {"paths"}, {"default", "None"}};
const signature_of<decode_options>& get_many_signature() {
  static const signature_of<decode_options> signature("get_many", {get_many_list}, reading_table);
  return signature;
}
PyObject* get_many_method(PyObject* self, const arguments& args) {
  const type_object& of = type_of(self);
  positional_values positionals;
  decode_options options;
  bytes_like data;
  if (!get_many_signature().read(args, positionals, options) || !data.take(positionals[0])) return nullptr;
  const std::shared_ptr<const path_list> paths =
      of.caches->plans.find(of.of, paths_of(*of.keys), positionals[1]);
  if (paths == nullptr) return nullptr;
  PyObject* const fallback = positionals[2] == nullptr ? Py_None : positionals[2];
  return visit_protocol(options.protocol, [&](auto tag) {
    return get_many_as<decltype(tag)>(*of.keys, of.of, data.bytes(), *paths, fallback, options);
  });
}

constexpr positional view_list[] = {{"data"}};
const signature_of<decode_options>& view_signature() {
  static const signature_of<decode_options> signature("view", {view_list}, reading_table);
  return signature;
}
PyObject* view_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  decode_options options;
  if (!view_signature().read(args, positionals, options)) return nullptr;
  return make_view(type_of(self).keys, type_of(self).of, positionals[0], options);
}

constexpr positional reason_list[] = {{"view"}, {"name", "None"}};
const signature_of<no_options>& reason_signature() {
  static const signature_of<no_options> signature("reason", {reason_list}, empty_table);
  return signature;
}
PyObject* reason_function(PyObject*, PyObject** positionals) {
  return reason_of(positionals[0], positionals[1]);
}

constexpr auto set_place_signature = plain_signature<"set_place", "view", "number", "offset", "value">;
PyObject* set_place_function(PyObject*, PyObject** positionals) {
  const record_location location{.number = PyLong_AsLongLong(positionals[1]),
                                 .offset = PyLong_AsLongLong(positionals[2]),
                                 .value = PyLong_AsLongLong(positionals[3])};
  if (PyErr_Occurred() != nullptr || !set_location(positionals[0], location)) return nullptr;
  return new_reference(positionals[0]);
}

constexpr auto place_signature = plain_signature<"place_of", "view">;
PyObject* place_function(PyObject*, PyObject** positionals) { return location_of(positionals[0]); }

}  // namespace

std::span<const method> view_functions() {
  static const method methods[] = {
      {reason_signature(), fast_method<of_positionals<reason_signature, reason_function>>(),
       "The text of an exception whose text is created lazily."},
      {set_place_signature(), fast_method<of_positionals<set_place_signature, set_place_function>>(),
       "Sets the record of the view: number, offset, and offset of its value or -1. Returns the view."},
      {place_signature(), fast_method<of_positionals<place_signature, place_function>>(),
       "(number, offset, value) of the view's record, or None."}};
  return methods;
}

std::span<const method> view_methods() {
  static const method methods[] = {{get_signature(), fast_method<get_method>(), get_doc},
                                   {get_many_signature(), fast_method<get_many_method>(), get_many_doc},
                                   {view_signature(), fast_method<view_method>(), view_doc}};
  return methods;
}

}  // namespace thriftlens::python
