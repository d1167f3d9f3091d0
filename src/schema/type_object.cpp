// type_object: the class Type; its methods are defined in bind/<module>.cpp.
#include "schema/type_object.hpp"

#include "call/method.hpp"
#include "support/argument.hpp"
#include "support/heap_class.hpp"

namespace thriftlens::python {

namespace {

PyObject* type_at_method(PyObject* self, PyObject* text) {
  const std::optional<path> target = paths_of(*type_of(self).keys).find(type_of(self).of, text);
  return target ? PyLong_FromUnsignedLong(target->to().index()) : nullptr;
}

PyObject* index_getter(PyObject* self, void*) { return PyLong_FromUnsignedLong(type_of(self).of.index()); }

PyObject* compiled_getter(PyObject* self, void*) {
  return PyLong_FromSize_t(type_of(self).caches->calls.size());
}

PyObject* no_instance(PyTypeObject*, PyObject*, PyObject*) {
  return raise_type_error("cannot create a Type; use thriftlens.load(…)['Name']");
}

void destroy_type(PyObject* self) {
  std::destroy_at(&type_of(self).keys);
  free_instance(self);
}

constexpr PyMethodDef index_at = plain_method<type_at_method>(
    "index_at", METH_O, "index_at($self, path, /)\n--\n\nThe index of the type a path leads to.");
PyGetSetDef properties[] = {
    {"index", index_getter, nullptr, "Its index in the schema.", nullptr},
    {"_compiled", compiled_getter, nullptr, "Number of cached compiled calls.", nullptr},
    {}};

}  // namespace

PyTypeObject* type_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.Type", sizeof(type_object), Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE},
                     {{Py_tp_methods, method_table("$self", type_methods(), {index_at})},
                      {Py_tp_getset, properties},
                      raw_slot(Py_tp_new, no_instance),
                      raw_slot(Py_tp_dealloc, destroy_type),
                      doc_slot("The compiled half of thriftlens.Type.")});
  });
}

PyObject* make_type(PyTypeObject* of, std::shared_ptr<schema_keys> keys, std::uint32_t index) {
  PyObject* result = of->tp_alloc(of, 0);
  if (result == nullptr) return nullptr;
  type_object& self = type_of(result);
  std::construct_at(&self.of, &keys->image(), index);
  self.caches = &caches_of(*keys, self.of);
  std::construct_at(&self.keys, std::move(keys));
  return result;
}

}  // namespace thriftlens::python
