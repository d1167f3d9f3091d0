// model: the class Model, compiled from the rows of thriftlens._schema.models.
#include "convert/model.hpp"

#include "convert/object_layout.hpp"
#include "convert/object_sizes.hpp"
#include "support/argument.hpp"
#include "support/attribute.hpp"
#include "support/heap_class.hpp"
#include "support/imported.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace thriftlens::python {

namespace {

struct model_object {
  PyObject_HEAD std::deque<model_node> nodes;
};
model_object& self_of(PyObject* self) noexcept { return *reinterpret_cast<model_object*>(self); }

constexpr std::array<const char*, 12> form_names{"converted", "enum_name", "enum_member", "list",
                                                 "tuple",     "set",       "frozenset",   "map",
                                                 "instance",  "items",     "entries",     "call"};
constexpr std::array<const char*, 5> absence_names{"error", "value", "factory", "idl_default", "omitted"};

/// The number of a name in a list; that of "alternative" is the next one.
template <std::size_t Count>
std::size_t number_of(const std::array<const char*, Count>& names, PyObject* name) {
  std::size_t at = 0;
  while (at < Count && PyUnicode_CompareWithASCIIString(name, names[at]) != 0) ++at;
  return at;
}
/// The node of an index; null for -1.
const model_node* node_at(const std::deque<model_node>& nodes, int index) {
  return index < 0 ? nullptr : &nodes.at(static_cast<std::size_t>(index));
}
/// A plain class of Python, or one of msgspec, whose fields are in slots.
std::size_t size_of_instance(const PyTypeObject* of, std::size_t fields) {
  return static_cast<std::size_t>(of->tp_basicsize) + 16 + (of->tp_dictoffset != 0 ? struct_size(fields) : 0);
}

/// Fills the nodes of a Model.
class model_maker {
 public:
  explicit model_maker(std::deque<model_node>& nodes) : nodes_(nodes) {}

  /// (form, type, target, hook, key, value, accepts_numbers, count, fields, members, is_untracked)
  bool read_node(PyObject* row, model_node& node) {
    PyObject *form = nullptr, *target = nullptr, *hook = nullptr, *fields = nullptr, *members = nullptr;
    unsigned int type = 0, count = 0;
    int key = 0, value = 0, accepts = 0, untracked = 0;
    if (!PyArg_ParseTuple(row, "UIOOiipIO!O!p", &form, &type, &target, &hook, &key, &value, &accepts, &count,
                          &PyTuple_Type, &fields, &PyTuple_Type, &members, &untracked))
      return false;
    node.form = static_cast<model_form>(number_of(form_names, form));
    node.type = type;
    node.target = optional(target);
    node.hook = optional(hook);
    node.key = node_at(nodes_, key);
    node.value = node_at(nodes_, value);
    node.accepts_numbers = accepts != 0;
    node.is_untracked_class = untracked != 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(members); ++i)
      node.members.push_back(object::share(PyTuple_GET_ITEM(members, i)));
    return read_fields(fields, count, node) && finish(node);
  }

 private:
  static object optional(PyObject* value) { return value == Py_None ? object() : object::share(value); }

  bool read_fields(PyObject* rows, std::size_t count, model_node& node) {
    node.fields.resize(static_cast<std::size_t>(PyTuple_GET_SIZE(rows)));
    node.by_position.resize(count, nullptr);
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
      if (!read_field(PyTuple_GET_ITEM(rows, static_cast<Py_ssize_t>(i)), node.fields[i])) return false;
      node.by_position.at(node.fields[i].position) = &node.fields[i];
    }
    return true;
  }
  /// (position, value, name, absence, has_idl_default, fallback)
  bool read_field(PyObject* row, model_field& field) {
    PyObject *name = nullptr, *absence = nullptr, *fallback = nullptr;
    int value = 0, has_default = 0;
    if (!PyArg_ParseTuple(row, "IiUUpO", &field.position, &value, &name, &absence, &has_default, &fallback))
      return false;
    field.value = node_at(nodes_, value);
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    field.name = object(name);
    field.when_absent = static_cast<model_field::absence>(number_of(absence_names, absence));
    field.has_idl_default = has_default != 0;
    field.fallback = object::share(fallback);
    return true;
  }
  static bool finish(model_node& node) {
    node.memory = node.form == model_form::instance ? 0 : dict_size(node.fields.size());
    for (const model_field& field : node.fields)
      node.memory += field.when_absent == model_field::absence::factory ? list_size(0) : 0;
    if (node.form != model_form::instance) return true;
    if (!node.target || !PyType_Check(node.target.get()))
      return raise_type_error("the target of an instance is not a class");
    return find_slots(node, reinterpret_cast<PyTypeObject*>(node.target.get()));
  }
  static bool find_slots(model_node& node, PyTypeObject* of) {
    const layout_maker layouts(of);
    bool uses_dict = false;
    for (model_field& field : node.fields) {
      const object_layout::field stored = layouts.field(field.name.get(), -1);
      field.slot = stored.from == object_layout::source::slot ? stored.at : 0;
      uses_dict |= field.slot == 0;
    }
    const auto has_target = [](const model_field* field) { return field != nullptr; };
    node.has_all_slots =
        !uses_dict && std::all_of(node.by_position.begin(), node.by_position.end(), has_target);
    node.is_untracked_class = node.is_untracked_class && PyType_IS_GC(of) != 0;
    node.memory += size_of_instance(of, uses_dict ? node.fields.size() : 0);
    if (uses_dict) node.empty_tuple = object(PyTuple_New(0));
    return !uses_dict || node.empty_tuple;
  }

  std::deque<model_node>& nodes_;
};

PyObject* new_model(PyTypeObject* of, PyObject* arguments, PyObject*) {
  PyObject* rows = nullptr;
  if (!PyArg_ParseTuple(arguments, "O!", &PyList_Type, &rows)) return nullptr;
  object self(of->tp_alloc(of, 0));
  if (!self) return nullptr;
  std::deque<model_node>& nodes = *std::construct_at(&self_of(self.get()).nodes);
  nodes.resize(static_cast<std::size_t>(PyList_GET_SIZE(rows)));
  model_maker maker(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!maker.read_node(PyList_GET_ITEM(rows, static_cast<Py_ssize_t>(i)), nodes[i])) return nullptr;
  return self.release();
}
// Without tp_clear: the objects never change, and every cycle has a class or a dict that is cleared.
int traverse_model(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  for (const model_node& node : self_of(self).nodes) {
    Py_VISIT(node.target.get());
    for (const model_field& field : node.fields) Py_VISIT(field.fallback.get());
    for (const object& member : node.members) Py_VISIT(member.get());
  }
  return 0;
}
void destroy_model(PyObject* self) {
  PyObject_GC_UnTrack(self);
  std::destroy_at(&self_of(self).nodes);
  free_instance(self);
}

}  // namespace

PyTypeObject* model_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class(
        {"thriftlens._core.Model", sizeof(model_object), Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC},
        {type_slot<new_model>(Py_tp_new), raw_slot(Py_tp_traverse, traverse_model),
         raw_slot(Py_tp_dealloc, destroy_model),
         doc_slot("What values of a type become, compiled for a class by thriftlens._schema.models.")});
  });
}

const model_node* model_root(PyObject* model) {
  if (Py_TYPE(model) != model_class()) return raise_type_error("expected a Model");
  const std::deque<model_node>& nodes = self_of(model).nodes;
  return nodes.empty() ? nullptr : &nodes.front();
}

object model_for(PyObject* type, PyObject* annotation, bool by_alias) {
  if (!by_alias) {
    const object known(attribute_of<"_models">(type));
    if (!known) return {};
    PyObject* const cached =
        PyDict_Check(known.get()) ? PyDict_GetItemWithError(known.get(), annotation) : nullptr;
    if (cached != nullptr) return object::share(cached);
    if (PyErr_Occurred() != nullptr) {  // model_of reports what cannot be hashed
      if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) return {};
      PyErr_Clear();
    }
  }
  PyObject* const compile = imported<"thriftlens._schema.models", "model_of">();
  if (compile == nullptr) return {};
  return object(
      PyObject_CallFunctionObjArgs(compile, type, annotation, by_alias ? Py_True : Py_False, nullptr));
}

}  // namespace thriftlens::python
