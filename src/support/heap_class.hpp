// heap_class: creates the classes that are bound without pybind11.
#pragma once

#include "support/locked.hpp"
#include "support/translate_exceptions.hpp"

#include <cstddef>
#include <vector>

namespace thriftlens::python {

using class_slots = std::vector<PyType_Slot>;

/// The slot of a function that does not throw.
template <class Function>
[[nodiscard]] PyType_Slot raw_slot(int slot, Function* function) noexcept {
  return {slot, reinterpret_cast<void*>(function)};
}
/// The slot of a function whose C++ exceptions become Python errors.
template <auto Function>
[[nodiscard]] PyType_Slot type_slot(int slot) noexcept {
  return raw_slot(slot, translate_exceptions<Function>::call);
}
[[nodiscard]] inline PyType_Slot doc_slot(const char* doc) noexcept {
  return {Py_tp_doc, const_cast<char*>(doc)};
}

/// The name, size of the instances and flags of a class.
struct class_head {
  const char* name;
  std::size_t size;
  unsigned int flags = Py_TPFLAGS_DEFAULT;
};
/// A new class. Python code cannot create instances without Py_tp_new. Null with a Python error set.
[[nodiscard]] PyTypeObject* new_class(const class_head& head, class_slots slots);

/// The class in the slot, which `make` creates on first use. Borrowed; null with a Python error set.
template <class Make>
[[nodiscard]] PyTypeObject* class_once(shared_object& cached, Make make) {
  return reinterpret_cast<PyTypeObject*>(
      create_once(cached, [&] { return reinterpret_cast<PyObject*>(make()); }));
}
/// An instance of a class, which may be null. Null with a Python error set.
[[nodiscard]] inline PyObject* new_instance(PyTypeObject* of) {
  return of == nullptr ? nullptr : of->tp_alloc(of, 0);
}
/// Frees an instance: the end of its destructor.
inline void free_instance(PyObject* self) {
  PyTypeObject* const of = Py_TYPE(self);
  of->tp_free(self);
  Py_DECREF(of);
}

}  // namespace thriftlens::python
