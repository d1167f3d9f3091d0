// type_object: the class Type; its methods are defined in bind/<module>.cpp.
#include "schema/type_object.hpp"

#include "call/method.hpp"

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
  PyErr_SetString(PyExc_TypeError, "a Type comes from a schema: thriftlens.load(…)['Name']");
  return nullptr;
}

void destroy(PyObject* self) {
  std::destroy_at(&type_of(self).keys);
  free_instance(self);
}

}  // namespace

PyTypeObject* type_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  static const PyMethodDef index_at = {
      "index_at", translate_exceptions<type_at_method>::call, METH_O,
      "index_at($self, path, /)\n--\n\nThe index of the type a path leads to."};
  static PyGetSetDef properties[] = {
      {"index", index_getter, nullptr, "Its index in the schema.", nullptr},
      {"_compiled", compiled_getter, nullptr, "Number of cached compiled calls.", nullptr},
      {}};
  PyType_Slot slots[] = {{Py_tp_methods, method_table("$self", type_methods(), {index_at})},
                         {Py_tp_getset, properties},
                         {Py_tp_new, reinterpret_cast<void*>(no_instance)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_doc, const_cast<char*>("The compiled half of thriftlens.Type.")},
                         {0, nullptr}};
  constexpr unsigned int flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  PyType_Spec spec = {"thriftlens._core.Type", sizeof(type_object), 0, flags, slots};
  cls = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return cls;
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
