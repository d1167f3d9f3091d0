// view_object: the classes of views.
#include "views/view_object.hpp"

#include "docs/view_docs.hpp"
#include "support/attribute.hpp"
#include "support/imported.hpp"
#include "views/view_access.hpp"
#include "views/view_iterator.hpp"

#include <thriftlens/schema/suggest.hpp>

#include <variant>

namespace thriftlens::python {

namespace {

void destroy(PyObject* self) {
  std::destroy_at(&view_self(self).at);
  std::destroy_at(&view_self(self).keys);
  std::destroy_at(&view_self(self).data);
  free_instance(self);
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

template <attribute_name Name, attribute_name Key>
const signature_of<no_options>& get_signature() {
  static constexpr positional list[] = {{Key.text}, {"default", "None"}};
  static const signature_of<no_options> signature(Name.text, {list}, empty_table);
  return signature;
}
constexpr auto field_signature = get_signature<"get", "name">;
constexpr auto key_signature = get_signature<"get", "key">;
constexpr auto path_signature = get_signature<"get", "path">;
constexpr auto at_signature = get_signature<"at", "path">;
using get_function = PyObject* (*)(PyObject* self, PyObject* key, PyObject* fallback);
template <get_function Get>
PyObject* get_method(PyObject* self, PyObject** positionals) {
  return about_record(self, Get(self, positionals[0], positionals[1] == nullptr ? Py_None : positionals[1]));
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
  const method gets[] = {{field_signature(),
                          fast_method<of_positionals<field_signature, get_method<get_field>>>(),
                          view_get_field_doc}};
  return mapping_methods(gets);
}
PyMethodDef* map_methods() {
  const method gets[] = {
      {key_signature(), fast_method<of_positionals<key_signature, get_method<get_key>>>(), view_get_key_doc},
      {at_signature(), fast_method<of_positionals<at_signature, get_method<get_path>>>(), view_at_doc}};
  return mapping_methods(gets);
}
PyMethodDef* list_methods() {
  const method with_options[] = {
      {path_signature(), fast_method<of_positionals<path_signature, get_method<get_path>>>(),
       view_get_path_doc},
      {at_signature(), fast_method<of_positionals<at_signature, get_method<get_path>>>(), view_at_doc},
      {index_signature(), fast_method<of_positionals<index_signature, index_method>>(), view_index_doc}};
  return method_table("$self", with_options,
                      {{"count", translate_exceptions<count_method>::call, METH_O, view_count_doc}});
}
PyMethodDef* set_methods() {
  const method with_options[] = {
      {path_signature(), fast_method<of_positionals<path_signature, get_method<get_path>>>(),
       view_get_path_doc},
      {at_signature(), fast_method<of_positionals<at_signature, get_method<get_path>>>(), view_at_doc}};
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
