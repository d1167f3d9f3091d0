// view_object: the classes of views.
#include "views/view_object.hpp"

#include "caches/path_cache.hpp"
#include "call/method.hpp"
#include "docs/view_docs.hpp"
#include "support/attribute.hpp"
#include "support/imported.hpp"
#include "views/view_iterator.hpp"
#include "views/view_step.hpp"

#include <thriftlens/schema/suggest.hpp>

#include <variant>

namespace thriftlens::python {

namespace {

void destroy(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  std::destroy_at(&view_self(self).at);
  std::destroy_at(&view_self(self).keys);
  std::destroy_at(&view_self(self).data);
  of->tp_free(self);
  Py_DECREF(of);
}

PyObject* slice(PyObject* self, PyObject* range);

/// Passes `result` on; if it is null, adds the view's record to the exception.
PyObject* about_record(PyObject* self, PyObject* result) {
  const record_location& location = view_self(self).data->location();
  return result != nullptr || location.number < 0 ? result : raise_in_record(location);
}

THRIFTLENS_COLD PyObject* no_such_field(type in, PyObject* name, std::string at) {
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  return raise(
      error(errc::no_such_field, detail::no_such_field_text(in, text), error::no_offset, std::move(at)),
      family::plain);
}

THRIFTLENS_COLD PyObject* no_such_entry(const error& reason, std::string at) {
  return raise(error(errc::absent, "no entry can have that key: " + std::string(reason.detail()),
                     error::no_offset, std::move(at)),
               family::plain);
}

PyObject* item_of(PyObject* self, PyObject* key) {
  if (PySlice_Check(key)) return slice(self, key);
  return with_view(self, [&](const auto& at) -> PyObject* {
    std::remove_cvref_t<decltype(at)> child;
    error reason;
    const stepped outcome = step(view_self(self), at, key, child, reason);
    if (outcome == stepped::raised) return nullptr;
    if (outcome == stepped::no_such_key) [[unlikely]]
      return no_such_entry(reason, at.path());
    if (child.code() == errc::no_such_field && at.type().is_struct()) [[unlikely]]
      return no_such_field(at.type(), key, at.path());
    return give(view_self(self), child);
  });
}

PyObject* subscript(PyObject* self, PyObject* key) { return about_record(self, item_of(self, key)); }

PyObject* number_or_none(std::int64_t number) {
  return number < 0 ? new_reference(Py_None) : PyLong_FromLongLong(number);
}
/// The attributes `record` and `record_offset`, unless a field has that name. Null without an error for
/// others.
PyObject* record_attribute(PyObject* self, std::string_view name) {
  const record_location& location = view_self(self).data->location();
  if (name == "record") return number_or_none(location.number);
  return name == "record_offset" ? number_or_none(location.offset) : nullptr;
}

/// A field as an attribute. Errors for absent fields are created lazily, for the sake of hasattr and getattr.
template <protocol Protocol>
PyObject* field_of(PyObject* self, const view<Protocol>& at, PyObject* name) {
  const view_object& from = view_self(self);
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  const view<Protocol> field = field_named(from, at, text);
  if (field.code() == errc::no_such_field) {
    PyObject* const attribute = record_attribute(self, text);
    return attribute != nullptr ? attribute : raise_later(late::unknown_name, PyTuple_Pack(2, self, name));
  }
  const bool is_absent =
      field.code() == errc::absent && !(from.options.writes_defaults() && field.or_default());
  return is_absent ? raise_later(late::absent, make_child(from.data, from.keys, field, from.options))
                   : about_record(self, give(from, field));
}
PyObject* plain_attribute(PyObject* self, PyObject* name) {
  const char* const text = PyUnicode_AsUTF8(name);
  PyObject* const attribute = text == nullptr ? nullptr : record_attribute(self, text);
  return attribute != nullptr || PyErr_Occurred() != nullptr ? attribute
                                                             : PyObject_GenericGetAttr(self, name);
}

// Methods take precedence over fields; view["get"] reads a field with the name of a method.
PyObject* attribute(PyObject* self, PyObject* name) {
  if (_PyType_Lookup(Py_TYPE(self), name) != nullptr || !PyUnicode_Check(name))
    return PyObject_GenericGetAttr(self, name);
  return with_view(self, [&](const auto& at) {
    return at.type().is_struct() ? field_of(self, at, name) : plain_attribute(self, name);
  });
}

/// The number of fields that iteration yields: known ones and added defaults.
template <protocol Protocol>
result<std::size_t> count_known_fields(const view_object& from, const view<Protocol>& at) {
  std::size_t count = 0;
  auto fields = at.try_fields();
  for (const auto& field : fields) count += field.info ? 1u : 0u;
  if (fields.code() != errc::ok) return fields.error();
  for (std::uint32_t next = 0; next_default(from, at, next);) ++count;
  return count;
}

Py_ssize_t length(PyObject* self) {
  return with_view(self, [&](const auto& at) -> Py_ssize_t {
    const result<std::size_t> size =
        at.type().is_struct() ? count_known_fields(view_self(self), at) : at.try_size();
    if (size) return static_cast<Py_ssize_t>(*size);
    raise_error(size.error());
    return -1;
  });
}

bool is_ordered_view(PyObject* self) {
  return with_view(self, [](const auto& at) { return is_ordered(at.type()); });
}

PyObject* slice(PyObject* self, PyObject* range) {
  Py_ssize_t first = 0, last = 0, step = 0;
  if (!is_ordered_view(self)) {
    PyErr_SetString(PyExc_TypeError, "only lists and sets have slices");
    return nullptr;
  }
  if (PySlice_Unpack(range, &first, &last, &step) != 0) return nullptr;
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<std::size_t> size = at.try_size();
    if (!size) return raise_error(size.error());
    const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(*size), &first, &last, step);
    object items(PyList_New(count));
    for (Py_ssize_t i = 0; items && i < count; ++i) {
      const auto index = static_cast<std::uint32_t>(first + i * step);
      PyObject* item =
          give(view_self(self), element_at(view_self(self), at, static_cast<std::uint32_t>(*size), index));
      if (item == nullptr) return nullptr;
      PyList_SET_ITEM(items.get(), i, item);
    }
    return items.release();
  });
}

PyObject* iterate(PyObject* self) { return iterate_view(self, side::keys); }
PyObject* iterate_values(PyObject* self, PyObject*) { return iterate_view(self, side::values); }
PyObject* iterate_items(PyObject* self, PyObject*) { return iterate_view(self, side::items); }
PyObject* reversed_method(PyObject* self, PyObject*) {
  if (is_ordered_view(self)) return iterate_backward(self);
  object items(PySequence_List(self));
  const object backward(items ? attribute_of<"__reversed__">(items.get()) : nullptr);
  return backward ? PyObject_CallNoArgs(backward.get()) : nullptr;
}

// ---- helpers written in Python

/// The keys, values or items of a struct or map, as a class of thriftlens._schema.views.
template <side Which>
PyObject* children_method(PyObject* self, PyObject*) {
  static constexpr const char* names[] = {"Keys", "Values", "Items"};
  static shared_object cached;
  static shared_object cached_slot;
  PyObject* const slot = interned(cached_slot, "_mapping");
  auto* const of = reinterpret_cast<PyTypeObject*>(
      imported(cached, "thriftlens._schema.views", names[static_cast<std::size_t>(Which)]));
  object children(of == nullptr || slot == nullptr ? nullptr : of->tp_alloc(of, 0));
  if (!children || PyObject_SetAttr(children.get(), slot, self) != 0) return nullptr;
  return children.release();
}
PyObject* html_method(PyObject* self, PyObject*) {
  static shared_object cached;
  PyObject* const make = imported(cached, "thriftlens._schema.html", "html_of_view");
  return make == nullptr ? nullptr : PyObject_CallOneArg(make, self);
}
PyObject* text_of(PyObject* self) {
  static shared_object cached;
  PyObject* const make = imported(cached, "thriftlens._schema.views", "text_of_view");
  return make == nullptr ? nullptr : PyObject_CallOneArg(make, self);
}

PyObject* decoded_view(PyObject* self) {
  return with_view(
      self, [&](const auto& at) { return decode_view(*view_self(self).keys, at, view_self(self).options); });
}
PyObject* to_dict_method(PyObject* self, PyObject*) { return about_record(self, decoded_view(self)); }

// Views are immutable, so a copy is the view itself.
PyObject* copy_method(PyObject* self, PyObject*) { return new_reference(self); }

PyObject* bytes_method(PyObject* self, PyObject*) {
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<byte_view> bytes = at.try_bytes();
    if (!bytes) return raise_error(bytes.error());
    return PyBytes_FromStringAndSize(bytes->text().data(), static_cast<Py_ssize_t>(bytes->size()));
  });
}

/// True for a str that can be encoded as UTF-8.
bool can_be_name(PyObject* value) {
  if (!PyUnicode_Check(value)) return false;
  if (PyUnicode_AsUTF8(value) != nullptr) return true;
  PyErr_Clear();
  return false;
}

template <protocol Protocol>
int has_key(const view_object& from, const view<Protocol>& at, PyObject* key) {
  if (at.type().is_struct() && !can_be_name(key)) return 0;
  view<Protocol> child;
  error reason;
  const stepped outcome = step(from, at, key, child, reason);
  if (outcome != stepped::ok) return outcome == stepped::no_such_key ? 0 : -1;
  if (child.presence() == presence::present || is_filled_in(from, child)) return 1;
  if (is_absent(child, from.options) || child.code() == errc::no_such_field) return 0;
  raise(child.error(), family_of(child.code()), from.options);
  return -1;
}

/// Calls `on_match(index)` for equal elements in [first, last) until it returns false. False with a Python
/// error set.
template <protocol Protocol, class OnMatch>
bool find_elements(const view_object& from, const view<Protocol>& at, PyObject* value, Py_ssize_t first,
                   Py_ssize_t last, OnMatch&& on_match) {
  const bool frozen = shape_of(at.type()) == shape::set;
  auto elements = at.try_elements();
  Py_ssize_t index = -1;
  for (const auto& element : elements) {
    if (++index < first) continue;
    if (index >= last) return true;
    object item(frozen ? decode_key(*from.keys, element, from.options)
                       : decode_view(*from.keys, element, from.options));
    const int equal = item ? PyObject_RichCompareBool(item.get(), value, Py_EQ) : -1;
    if (equal < 0) return false;
    if (equal > 0 && !on_match(index)) return true;
  }
  if (elements.code() != errc::ok) raise(elements.error(), family_of(elements.code()), from.options);
  return elements.code() == errc::ok;
}

template <protocol Protocol>
int has_element(const view_object& from, const view<Protocol>& at, PyObject* value) {
  const bool frozen = shape_of(at.type()) == shape::set;
  if (frozen && !PyAnySet_Check(value) && PyObject_Hash(value) == -1) return -1;
  bool has = false;
  const auto note = [&](Py_ssize_t) {
    has = true;
    return false;
  };
  if (!find_elements(from, at, value, 0, PY_SSIZE_T_MAX, note)) return -1;
  return has ? 1 : 0;
}

int contains(PyObject* self, PyObject* value) {
  const bool keyed = with_view(
      self, [](const auto& at) { return at.type().is_struct() || at.type().kind() == type_kind::map; });
  if (keyed) return with_view(self, [&](const auto& at) { return has_key(view_self(self), at, value); });
  return with_view(self, [&](const auto& at) { return has_element(view_self(self), at, value); });
}

/// The list of values that a path selects.
template <protocol Protocol>
PyObject* give_all(const view_object& from, const view<Protocol>& at, const path& target) {
  object values(PyList_New(0));
  bool is_ok = static_cast<bool>(values);
  const result<std::size_t> status = at.try_for_each(target, [&](const view<Protocol>& value) {
    object item(is_ok ? give(from, value) : nullptr);
    is_ok = is_ok && item && PyList_Append(values.get(), item.get()) == 0;
  });
  if (!is_ok) return nullptr;
  return status ? values.release() : raise_error(status.error());
}

template <protocol Protocol>
PyObject* give_or(const view_object& from, const view<Protocol>& child, PyObject* fallback) {
  const bool has_default = from.options.writes_defaults() && child.or_default();
  if (has_default || !is_absent(child, from.options)) return give(from, child);
  return new_reference(fallback);
}

PyObject* get_path(PyObject* self, PyObject* text, PyObject* fallback) {
  const view_object& from = view_self(self);
  return with_view(self, [&](const auto& at) -> PyObject* {
    const std::optional<path> target = paths_of(*from.keys).find(at.type(), text);
    if (!target) return nullptr;
    return target->is_single() ? give_or(from, at.at(*target), fallback) : give_all(from, at, *target);
  });
}

/// Like Mapping.get: `fallback` for a missing key.
PyObject* get_key(PyObject* self, PyObject* key, PyObject* fallback) {
  const view_object& from = view_self(self);
  return with_view(self, [&](const auto& at) -> PyObject* {
    if (at.type().is_struct() && !can_be_name(key)) return new_reference(fallback);
    std::remove_cvref_t<decltype(at)> child;
    error reason;
    const stepped outcome = step(from, at, key, child, reason);
    if (outcome == stepped::raised) return nullptr;
    const bool is_known = outcome == stepped::ok && child.code() != errc::no_such_field;
    return is_known ? give_or(from, child, fallback) : new_reference(fallback);
  });
}

bool is_path(PyObject* name) {
  std::string_view text;
  return PyUnicode_Check(name) && utf8_of(name, text, errc::no_such_field, family::plain) &&
         text.find_first_of("$.[{#") != std::string_view::npos;
}
bool has_field(PyObject* self, PyObject* name) {
  return with_view(self, [&](const auto& at) {
    std::string_view text;
    if (!utf8_of(name, text, errc::no_such_field, family::plain)) return false;
    return field_named(view_self(self), at, text).code() != errc::no_such_field;
  });
}

using get_function = PyObject* (*)(PyObject* self, PyObject* key, PyObject* fallback);

/// The name of a field, or else a path.
PyObject* get_field(PyObject* self, PyObject* name, PyObject* fallback) {
  if (!can_be_name(name)) return new_reference(fallback);
  return is_path(name) && !has_field(self, name) ? get_path(self, name, fallback)
                                                 : get_key(self, name, fallback);
}

constexpr positional field_list[] = {{"name"}, {"default", "None"}};
constexpr positional key_list[] = {{"key"}, {"default", "None"}};
constexpr positional path_list_of_view[] = {{"path"}, {"default", "None"}};
const signature_of<no_options>& field_signature() {
  static const signature_of<no_options> signature("get", {field_list}, empty_table);
  return signature;
}
const signature_of<no_options>& key_signature() {
  static const signature_of<no_options> signature("get", {key_list}, empty_table);
  return signature;
}
const signature_of<no_options>& path_signature() {
  static const signature_of<no_options> signature("get", {path_list_of_view}, empty_table);
  return signature;
}
const signature_of<no_options>& at_signature() {
  static const signature_of<no_options> signature("at", {path_list_of_view}, empty_table);
  return signature;
}
template <auto Signature, get_function Get>
PyObject* get_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!Signature().read(args, positionals, call)) return nullptr;
  return about_record(self, Get(self, positionals[0], positionals[1] == nullptr ? Py_None : positionals[1]));
}

// ---- lists

constexpr positional index_list[] = {{"value"}, {"start", "0"}, {"stop", "9223372036854775807"}};
const signature_of<no_options>& index_signature() {
  static const signature_of<no_options> signature("index", {index_list}, empty_table);
  return signature;
}
/// False with a Python error set. Negative bounds count from the end.
bool read_bound(PyObject* value, Py_ssize_t size, Py_ssize_t& bound) {
  if (value == nullptr) return true;
  bound = PyNumber_AsSsize_t(value, nullptr);
  if (bound == -1 && PyErr_Occurred() != nullptr) return false;
  if (bound < 0) bound = bound + size < 0 ? 0 : bound + size;
  return true;
}
PyObject* index_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  no_options call;
  if (!index_signature().read(args, positionals, call)) return nullptr;
  const Py_ssize_t size = PyObject_Size(self);
  Py_ssize_t first = 0, last = size, match = -1;
  if (size < 0 || !read_bound(positionals[1], size, first) || !read_bound(positionals[2], size, last))
    return nullptr;
  const auto note = [&](Py_ssize_t index) {
    match = index;
    return false;
  };
  const bool is_complete = with_view(self, [&](const auto& at) {
    return find_elements(view_self(self), at, positionals[0], first, last, note);
  });
  if (!is_complete) return nullptr;
  if (match >= 0) return PyLong_FromSsize_t(match);
  PyErr_Format(PyExc_ValueError, "%R is not in the list", positionals[0]);
  return nullptr;
}
PyObject* count_method(PyObject* self, PyObject* value) {
  Py_ssize_t count = 0;
  const auto note = [&](Py_ssize_t) {
    ++count;
    return true;
  };
  const bool is_complete = with_view(self, [&](const auto& at) {
    return find_elements(view_self(self), at, value, 0, PY_SSIZE_T_MAX, note);
  });
  return is_complete ? PyLong_FromSsize_t(count) : nullptr;
}

// ---- set operations and comparison, on decoded values

PyObject* decoded(PyObject* value) { return is_view(value) ? decoded_view(value) : new_reference(value); }

template <binaryfunc Operation>
PyObject* operate(PyObject* a, PyObject* b) {
  const object first(decoded(a));
  const object second(first ? decoded(b) : nullptr);
  return second ? Operation(first.get(), second.get()) : nullptr;
}

PyObject* isdisjoint_method(PyObject* self, PyObject* other) {
  const object first(decoded_view(self));
  const object second(first ? decoded(other) : nullptr);
  const object isdisjoint(second ? attribute_of<"isdisjoint">(first.get()) : nullptr);
  return isdisjoint ? PyObject_CallFunctionObjArgs(isdisjoint.get(), second.get(), nullptr) : nullptr;
}

bool is_set(PyObject* self) {
  return with_view(self, [](const auto& at) { return shape_of(at.type()) == shape::set; });
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if (operation != Py_EQ && operation != Py_NE && !is_set(self)) Py_RETURN_NOTIMPLEMENTED;
  const object first(decoded_view(self));
  const object second(first ? decoded(other) : nullptr);
  return second ? PyObject_RichCompare(first.get(), second.get(), operation) : nullptr;
}

constexpr const char* read_only =
    "views are read-only; Type.edit(data).set(path, value).apply() returns changed bytes";

int refuse_attribute(PyObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_AttributeError, read_only);
  return -1;
}
int refuse_item(PyObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, read_only);
  return -1;
}

PyObject* represent(PyObject* self) {
  return with_view(self, [](const auto& at) {
    return PyUnicode_FromFormat("<thriftlens.View %s at %s>", at.type().name().c_str(), at.path().c_str());
  });
}

// ---- the classes

PyMethodDef* view_methods_of_all() {
  return method_table(
      "$self", {},
      {{"to_dict", translate_exceptions<to_dict_method>::call, METH_NOARGS, view_to_dict_doc},
       {"__copy__", copy_method, METH_NOARGS, view_copy_doc},
       {"__deepcopy__", copy_method, METH_O, view_deepcopy_doc},
       {"__reversed__", translate_exceptions<reversed_method>::call, METH_NOARGS, view_reversed_doc},
       {"__bytes__", translate_exceptions<bytes_method>::call, METH_NOARGS, view_bytes_doc},
       {"_repr_html_", translate_exceptions<html_method>::call, METH_NOARGS, view_html_doc}});
}
PyMethodDef* mapping_methods(std::span<const method> gets) {
  return method_table(
      "$self", gets,
      {{"keys", translate_exceptions<children_method<side::keys>>::call, METH_NOARGS, view_keys_doc},
       {"values", translate_exceptions<children_method<side::values>>::call, METH_NOARGS, view_values_doc},
       {"items", translate_exceptions<children_method<side::items>>::call, METH_NOARGS, view_items_doc},
       {"_values", translate_exceptions<iterate_values>::call, METH_NOARGS, view_iterate_doc},
       {"_items", translate_exceptions<iterate_items>::call, METH_NOARGS, view_iterate_items_doc}});
}
PyMethodDef* struct_methods() {
  const method gets[] = {
      {field_signature(), fast_method<get_method<field_signature, get_field>>(), view_get_field_doc}};
  return mapping_methods(gets);
}
PyMethodDef* map_methods() {
  const method gets[] = {
      {key_signature(), fast_method<get_method<key_signature, get_key>>(), view_get_key_doc},
      {at_signature(), fast_method<get_method<at_signature, get_path>>(), view_at_doc}};
  return mapping_methods(gets);
}
PyMethodDef* list_methods() {
  const method with_options[] = {
      {path_signature(), fast_method<get_method<path_signature, get_path>>(), view_get_path_doc},
      {at_signature(), fast_method<get_method<at_signature, get_path>>(), view_at_doc},
      {index_signature(), fast_method<index_method>(), view_index_doc}};
  return method_table("$self", with_options,
                      {{"count", translate_exceptions<count_method>::call, METH_O, view_count_doc}});
}
PyMethodDef* set_methods() {
  const method with_options[] = {
      {path_signature(), fast_method<get_method<path_signature, get_path>>(), view_get_path_doc},
      {at_signature(), fast_method<get_method<at_signature, get_path>>(), view_at_doc}};
  return method_table(
      "$self", with_options,
      {{"isdisjoint", translate_exceptions<isdisjoint_method>::call, METH_O, view_isdisjoint_doc}});
}

/// A subclass of View.
PyTypeObject* make_class(const char* name, const char* doc, PyMethodDef* methods,
                         std::initializer_list<PyType_Slot> more = {}) {
  std::vector<PyType_Slot> slots{{Py_tp_methods, methods},
                                 {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                 {Py_tp_doc, const_cast<char*>(doc)}};
  slots.insert(slots.end(), more);
  slots.push_back({0, nullptr});
  PyType_Spec spec = {name, sizeof(view_object), 0, Py_TPFLAGS_DEFAULT, slots.data()};
  PyTypeObject* const base = view_class();
  const object bases(base == nullptr ? nullptr : PyTuple_Pack(1, base));
  auto* cls = bases ? reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&spec, bases.get())) : nullptr;
  if (cls != nullptr) cls->tp_new = nullptr;
  return cls;
}
PyTypeObject* make_class(shape which) {
  switch (which) {
    case shape::structure:
      return make_class("thriftlens.StructView", struct_view_doc, struct_methods());
    case shape::map:
      return make_class("thriftlens.MapView", map_view_doc, map_methods());
    case shape::list:
      return make_class("thriftlens.ListView", list_view_doc, list_methods());
    case shape::set:
      break;
  }
  return make_class("thriftlens.SetView", set_view_doc, set_methods(),
                    {{Py_nb_and, type_slot<operate<PyNumber_And>>()},
                     {Py_nb_or, type_slot<operate<PyNumber_Or>>()},
                     {Py_nb_subtract, type_slot<operate<PyNumber_Subtract>>()},
                     {Py_nb_xor, type_slot<operate<PyNumber_Xor>>()}});
}
}  // namespace

PyTypeObject* class_of(shape which) {
  static PyTypeObject* classes[4] = {};
  PyTypeObject*& cls = classes[static_cast<std::size_t>(which)];
  if (cls == nullptr) cls = make_class(which);
  return cls;
}

std::optional<view_parts> parts_of_view(PyObject* value) {
  if (is_view(value)) return view_parts{view_self(value).keys, view_self(value).at};
  PyErr_Format(PyExc_TypeError, "expected a thriftlens.View, not %.200s", Py_TYPE(value)->tp_name);
  return std::nullopt;
}

PyObject* reason_of(PyObject* view, PyObject* name) {
  if (!parts_of_view(view)) return nullptr;
  return with_view(view, [&](const auto& at) -> PyObject* {
    std::string_view text;
    error reason = at.error();
    if (name != nullptr && name != Py_None) {
      if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
      reason = error(errc::no_such_field, detail::no_such_field_text(at.type(), text), error::no_offset,
                     at.path());
    }
    const object message(shown_text(reason.what()));
    const object where(shown_text(reason.path()));
    const object offset(reason.offset() == error::no_offset ? new_reference(Py_None)
                                                            : PyLong_FromSize_t(reason.offset()));
    if (!message || !where || !offset) return nullptr;
    return Py_BuildValue("OsOO", message.get(), to_string(reason.code()).data(), where.get(), offset.get());
  });
}

bool set_location(PyObject* view, const record_location& location) {
  if (!parts_of_view(view)) return false;
  view_self(view).data->set_location(location);
  return true;
}
PyObject* location_of(PyObject* view) {
  if (!parts_of_view(view)) return nullptr;
  const record_location& location = view_self(view).data->location();
  return location.number < 0
             ? new_reference(Py_None)
             : Py_BuildValue("(LLL)", static_cast<long long>(location.number),
                             static_cast<long long>(location.offset), static_cast<long long>(location.value));
}

std::span<const view_class_row> view_classes() {
  static const view_class_row classes[] = {{"View", view_class()},
                                           {"StructView", class_of(shape::structure)},
                                           {"MapView", class_of(shape::map)},
                                           {"ListView", class_of(shape::list)},
                                           {"SetView", class_of(shape::set)}};
  return classes;
}

PyTypeObject* view_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  PyType_Slot slots[] = {{Py_tp_methods, view_methods_of_all()},
                         {Py_tp_getattro, type_slot<attribute>()},
                         {Py_tp_setattro, reinterpret_cast<void*>(refuse_attribute)},
                         {Py_mp_subscript, type_slot<subscript>()},
                         {Py_mp_ass_subscript, reinterpret_cast<void*>(refuse_item)},
                         {Py_mp_length, type_slot<length>()},
                         {Py_sq_contains, type_slot<contains>()},
                         {Py_tp_iter, type_slot<iterate>()},
                         {Py_tp_richcompare, type_slot<compare>()},
                         {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
                         {Py_tp_repr, type_slot<represent>()},
                         {Py_tp_str, type_slot<text_of>()},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_doc, const_cast<char*>(view_class_doc)},
                         {0, nullptr}};
  constexpr unsigned int flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  PyType_Spec spec = {"thriftlens.View", sizeof(view_object), 0, flags, slots};
  cls = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (cls != nullptr) cls->tp_new = nullptr;
  return cls;
}

PyObject* make_view(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                    const decode_options& options) {
  const std::shared_ptr<const owned_bytes> owner = owned_bytes::take(data);
  if (owner == nullptr || !keys->prepare()) return nullptr;
  return visit_protocol(options.protocol, [&](auto tag) {
    return make_child(owner, keys, view<decltype(tag)>(owner->bytes(), of, options.bounds), options);
  });
}

}  // namespace thriftlens::python
