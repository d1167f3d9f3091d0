// view_object: the classes of views.
#include "views/view_object.hpp"

#include "call/reading.hpp"
#include "call/reduce.hpp"
#include "docs/view_docs.hpp"
#include "support/argument.hpp"
#include "support/imported.hpp"
#include "views/view_access.hpp"
#include "views/view_iterator.hpp"

#include <thriftlens/schema/suggest.hpp>

#include <variant>

namespace thriftlens::python {

namespace {

void destroy_view(PyObject* self) {
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
template <attribute_name Name>
PyObject* children_method(PyObject* self, PyObject*) {
  PyObject* const slot = name_of_attribute<"_mapping">();
  auto* const of = reinterpret_cast<PyTypeObject*>(imported<"thriftlens._schema.views", Name>());
  object children(slot == nullptr ? nullptr : new_instance(of));
  if (!children || PyObject_SetAttr(children.get(), slot, self) != 0) return nullptr;
  return children.release();
}
PyObject* html_method(PyObject* self, PyObject*) {
  PyObject* const make = imported<"thriftlens._schema.html", "html_of_view">();
  return make == nullptr ? nullptr : PyObject_CallOneArg(make, self);
}
PyObject* text_of(PyObject* self) {
  PyObject* const make = imported<"thriftlens._schema.views", "text_of_view">();
  return make == nullptr ? nullptr : PyObject_CallOneArg(make, self);
}

PyObject* decoded_view(PyObject* self) {
  return with_view(
      self, [&](const auto& at) { return decode_view(*view_self(self).keys, at, view_self(self).options); });
}
PyObject* to_dict_method(PyObject* self, PyObject*) { return about_record(self, decoded_view(self)); }

PyObject* bytes_method(PyObject* self, PyObject*) {
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<byte_view> bytes = at.try_bytes();
    return bytes ? to_python(*bytes) : raise_error(bytes.error());
  });
}

/// Fields of structs and keys of maps, for the completion of `view["`.
PyObject* completions_method(PyObject* self, PyObject*) {
  return with_view(self, [self](const auto& at) {
    const shape which = shape_of(at.type());
    return which == shape::structure || which == shape::map ? PySequence_List(self) : PyList_New(0);
  });
}
PyObject* dir_method(PyObject* self, PyObject*) {
  PyObject* const list = imported<"thriftlens._schema.pickles", "names_of_view">();
  return list == nullptr ? nullptr : PyObject_CallOneArg(list, self);
}
/// A view of a child is pickled as one of the child's bytes.
PyObject* reduce_method(PyObject* self, PyObject*) {
  const view_object& of = view_self(self);
  const std::uint32_t type = with_view(self, [](const auto& at) { return at.type().index(); });
  object bytes(bytes_method(self, nullptr));
  object arguments(bytes ? new_tuple(std::move(bytes)) : nullptr);
  const decode_options defaults;
  object options = arguments ? changed_options(reading_table.rows, &of.options, &defaults) : object();
  if (!options) return nullptr;
  return reduced(*of.keys, type, "view", std::move(arguments), std::move(options));
}

// Views are immutable, so a copy is the view itself.
PyObject* copy_method(PyObject* self, PyObject*) { return new_reference(self); }

constexpr positional get_field_list[] = {{"name"}, {"default", "None"}};
constexpr positional get_key_list[] = {{"key"}, {"default", "None"}};
constexpr positional get_path_list[] = {{"path"}, {"default", "None"}};
constexpr auto field_signature = signature_from<"get", get_field_list>;
constexpr auto key_signature = signature_from<"get", get_key_list>;
constexpr auto path_signature = signature_from<"get", get_path_list>;
constexpr auto at_signature = signature_from<"at", get_path_list>;
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

PyObject* represent_view(PyObject* self) {
  return with_view(self, [self](const auto& at) {
    return PyUnicode_FromFormat("<%s %s at %s>", Py_TYPE(self)->tp_name, at.type().name().c_str(),
                                at.path().c_str());
  });
}

// ---- the classes

PyMethodDef view_methods_of_all[] = {
    plain_method<to_dict_method>("to_dict", METH_NOARGS, view_to_dict_doc),
    {"__copy__", copy_method, METH_NOARGS, view_copy_doc},
    {"__deepcopy__", copy_method, METH_O, view_deepcopy_doc},
    plain_method<reversed_method>("__reversed__", METH_NOARGS, view_reversed_doc),
    plain_method<bytes_method>("__bytes__", METH_NOARGS, view_bytes_doc),
    plain_method<html_method>("_repr_html_", METH_NOARGS, view_html_doc),
    plain_method<dir_method>("__dir__", METH_NOARGS, "dir(view): methods and fields."),
    plain_method<completions_method>("_ipython_key_completions_", METH_NOARGS, "Keys, for IPython."),
    plain_method<reduce_method>("__reduce__", METH_NOARGS, "Pickles the bytes, type and options."),
    {}};

PyMethodDef* mapping_methods(std::span<const method> gets) {
  return method_table("$self", gets,
                      {plain_method<children_method<"Keys">>("keys", METH_NOARGS, view_keys_doc),
                       plain_method<children_method<"Values">>("values", METH_NOARGS, view_values_doc),
                       plain_method<children_method<"Items">>("items", METH_NOARGS, view_items_doc),
                       plain_method<iterate_values>("_values", METH_NOARGS, view_iterate_doc),
                       plain_method<iterate_items>("_items", METH_NOARGS, view_iterate_items_doc)});
}
method at_method() { return method_of<at_signature, get_method<get_path>>(view_at_doc); }
method get_path_method() { return method_of<path_signature, get_method<get_path>>(view_get_path_doc); }
PyMethodDef* struct_methods() {
  const method gets[] = {method_of<field_signature, get_method<get_field>>(view_get_field_doc)};
  return mapping_methods(gets);
}
PyMethodDef* map_methods() {
  const method gets[] = {method_of<key_signature, get_method<get_key>>(view_get_key_doc), at_method()};
  return mapping_methods(gets);
}
PyMethodDef* list_methods() {
  const method methods[] = {get_path_method(), at_method(),
                            method_of<index_signature, index_method>(view_index_doc)};
  return method_table("$self", methods, {plain_method<count_method>("count", METH_O, view_count_doc)});
}
PyMethodDef* set_methods() {
  const method methods[] = {get_path_method(), at_method()};
  return method_table("$self", methods,
                      {plain_method<isdisjoint_method>("isdisjoint", METH_O, view_isdisjoint_doc)});
}

/// A subclass of View.
PyTypeObject* make_class(const char* name, const char* doc, PyMethodDef* methods,
                         std::initializer_list<PyType_Slot> more = {}) {
  PyTypeObject* const base = view_class();
  class_slots slots{
      {Py_tp_base, base}, {Py_tp_methods, methods}, raw_slot(Py_tp_dealloc, destroy_view), doc_slot(doc)};
  slots.insert(slots.end(), more);
  return base == nullptr ? nullptr : new_class({name, sizeof(view_object)}, std::move(slots));
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
  return make_class(
      "thriftlens.SetView", set_view_doc, set_methods(),
      {type_slot<operate<PyNumber_And>>(Py_nb_and), type_slot<operate<PyNumber_Or>>(Py_nb_or),
       type_slot<operate<PyNumber_Subtract>>(Py_nb_subtract), type_slot<operate<PyNumber_Xor>>(Py_nb_xor)});
}
class_slots view_slots() {
  return {{Py_tp_methods, view_methods_of_all},       type_slot<attribute>(Py_tp_getattro),
          raw_slot(Py_tp_setattro, refuse_attribute), type_slot<subscript>(Py_mp_subscript),
          raw_slot(Py_mp_ass_subscript, refuse_item), type_slot<length>(Py_mp_length),
          type_slot<contains>(Py_sq_contains),        type_slot<iterate>(Py_tp_iter),
          type_slot<compare>(Py_tp_richcompare),      raw_slot(Py_tp_hash, PyObject_HashNotImplemented),
          type_slot<represent_view>(Py_tp_repr),      type_slot<text_of>(Py_tp_str),
          raw_slot(Py_tp_dealloc, destroy_view),      doc_slot(view_class_doc)};
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
  raise_wrong_type("expected a thriftlens.View", value);
  return std::nullopt;
}

PyObject* reason_of(PyObject* view, PyObject* name) {
  if (!parts_of_view(view)) return nullptr;
  std::string_view field;
  const bool has_name = !is_omitted(name);
  if (has_name && !utf8_of(name, field, errc::no_such_field, family::plain)) return nullptr;
  const error reason =
      with_view(view, [&](const auto& at) { return has_name ? no_field_error(at, field) : at.error(); });
  return new_tuple(reason.message(), reason.detail(), to_string(reason.code()), reason.path(),
                   offset_or_none(reason), hint_or_none(reason));
}

bool set_location(PyObject* view, const record_location& location) {
  if (!parts_of_view(view)) return false;
  view_self(view).data->set_location(location);
  return true;
}
PyObject* location_of(PyObject* view) {
  if (!parts_of_view(view)) return nullptr;
  const record_location& location = view_self(view).data->location();
  return location.number < 0 ? new_none() : location_tuple(location);
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
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens.View", sizeof(view_object), Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE},
                     view_slots());
  });
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
