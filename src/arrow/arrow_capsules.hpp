// arrow_capsules: Arrow's structs inside Python capsules, as Arrow's PyCapsule interface has them. Never
// copies what a struct points to.
#pragma once

#include <Python.h>

#include <thriftlens/columns/arrow_abi.hpp>

#include <memory>

namespace thriftlens::python {

template <class Node>
struct capsule_words;
template <>
struct capsule_words<ArrowSchema> {
  static constexpr const char* name = "arrow_schema";
};
template <>
struct capsule_words<ArrowArray> {
  static constexpr const char* name = "arrow_array";
};
template <>
struct capsule_words<ArrowArrayStream> {
  static constexpr const char* name = "arrow_array_stream";
};

template <class Node>
void destroy_capsule(PyObject* capsule) {
  const std::unique_ptr<Node> held(
      static_cast<Node*>(PyCapsule_GetPointer(capsule, capsule_words<Node>::name)));
  if (held != nullptr && held->release != nullptr) held->release(held.get());
}
/// A capsule that owns the struct. Null with a Python error set.
template <class Node>
[[nodiscard]] PyObject* capsule_of(std::unique_ptr<Node> node) {
  PyObject* const made = PyCapsule_New(node.get(), capsule_words<Node>::name, destroy_capsule<Node>);
  if (made == nullptr) {
    node->release(node.get());
    return nullptr;
  }
  node.release();
  return made;
}
/// The struct of a capsule, which stays its owner. Null with a Python error set for another object.
template <class Node>
[[nodiscard]] Node* from_capsule(PyObject* given) {
  return static_cast<Node*>(PyCapsule_GetPointer(given, capsule_words<Node>::name));
}

}  // namespace thriftlens::python
