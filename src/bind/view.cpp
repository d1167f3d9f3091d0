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

/// The values of paths; `root` is a view of the type of the paths.
template <protocol Protocol>
PyObject* give_paths(schema_keys& keys, const view<Protocol>& root, const path_list& paths,
                     PyObject* fallback, const decode_options& options) {
  std::vector<view<Protocol>> values;
  if (paths.together) get_many(root, *paths.together, values);
  object items(PyList_New(static_cast<Py_ssize_t>(paths.paths.size())));
  for (std::size_t i = 0; items && i < paths.paths.size(); ++i) {
    const std::uint32_t slot = paths.slots[i];
    PyObject* const item = slot == detail::image::none ? give_all(keys, root, paths.paths[i], options)
                                                       : give(keys, values[slot], fallback, options);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(items.get(), static_cast<Py_ssize_t>(i), item);
  }
  return items.release();
}

constexpr positional get_list[] = {{"data"}, {"path"}, {"default", "None"}};
constexpr auto get_signature = signature_from<"get", get_list, reading_table>;
PyObject* get_method(PyObject* self, PyObject** positionals, const decode_options& options) {
  const type_object& of = type_of(self);
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
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
constexpr auto get_many_signature = signature_from<"get_many", get_many_list, reading_table>;
PyObject* get_many_method(PyObject* self, PyObject** positionals, const decode_options& options) {
  const type_object& of = type_of(self);
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  const std::shared_ptr<const path_list> paths =
      of.caches->plans.find(of.of, paths_of(*of.keys), positionals[1]);
  if (paths == nullptr) return nullptr;
  PyObject* const fallback = positionals[2] == nullptr ? Py_None : positionals[2];
  return visit_protocol(options.protocol, [&](auto tag) {
    const view<decltype(tag)> root(data.bytes(), of.of, options.bounds);
    return give_paths(*of.keys, root, *paths, fallback, options);
  });
}

constexpr auto view_signature = signature_from<"view", required_positionals<"data">, reading_table>;
PyObject* view_method(PyObject* self, PyObject** positionals, const decode_options& options) {
  return make_view(type_of(self).keys, type_of(self).of, positionals[0], options);
}

constexpr positional reason_list[] = {{"view"}, {"name", "None"}};
constexpr auto reason_signature = signature_from<"reason", reason_list>;
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
      method_of<reason_signature, reason_function>("The text of an exception whose text is created lazily."),
      method_of<set_place_signature, set_place_function>(
          "Sets the record of the view: number, offset, and offset of its value or -1. Returns the view."),
      method_of<place_signature, place_function>("(number, offset, value) of the view's record, or None.")};
  return methods;
}

std::span<const method> view_methods() {
  static const method methods[] = {method_of<get_signature, get_method>(get_doc),
                                   method_of<get_many_signature, get_many_method>(get_many_doc),
                                   method_of<view_signature, view_method>(view_doc)};
  return methods;
}

}  // namespace thriftlens::python
