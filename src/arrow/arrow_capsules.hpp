// arrow_capsules: Arrow structs in Python capsules, by Arrow's PyCapsule interface.
#pragma once

#include "support/to_python.hpp"

#include <thriftlens/columns/arrow_abi.hpp>

#include <memory>

namespace thriftlens::python {

template <class Node>
struct capsule_name;
template <>
struct capsule_name<ArrowSchema> {
  static constexpr const char* name = "arrow_schema";
};
template <>
struct capsule_name<ArrowArray> {
  static constexpr const char* name = "arrow_array";
};
template <>
struct capsule_name<ArrowArrayStream> {
  static constexpr const char* name = "arrow_array_stream";
};

template <class Node>
void destroy_capsule(PyObject* capsule) {
  const std::unique_ptr<Node> node(
      static_cast<Node*>(PyCapsule_GetPointer(capsule, capsule_name<Node>::name)));
  if (node != nullptr && node->release != nullptr) node->release(node.get());
}
/// A capsule that owns the struct. Null with a Python error set; the struct is released then.
template <class Node>
[[nodiscard]] PyObject* capsule_of(std::unique_ptr<Node> node) {
  PyObject* const capsule = PyCapsule_New(node.get(), capsule_name<Node>::name, destroy_capsule<Node>);
  if (capsule == nullptr) {
    node->release(node.get());
    return nullptr;
  }
  node.release();
  return capsule;
}
/// The struct of a capsule, which still owns it. Null with a Python error set for another object.
template <class Node>
[[nodiscard]] Node* from_capsule(PyObject* capsule) {
  return static_cast<Node*>(PyCapsule_GetPointer(capsule, capsule_name<Node>::name));
}
/// Capsules of a schema and of an array of it. Null with a Python error set.
[[nodiscard]] inline PyObject* capsules_of(std::unique_ptr<ArrowSchema> schema,
                                           std::unique_ptr<ArrowArray> array) {
  return new_tuple(capsule_of(std::move(schema)), capsule_of(std::move(array)));
}
/// The structs of a pair of capsules, which still own them.
struct array_parts {
  ArrowSchema* schema = nullptr;
  ArrowArray* array = nullptr;

  /// False with a Python error set.
  [[nodiscard]] bool take(PyObject* schema_capsule, PyObject* array_capsule) {
    schema = from_capsule<ArrowSchema>(schema_capsule);
    array = schema == nullptr ? nullptr : from_capsule<ArrowArray>(array_capsule);
    return array != nullptr;
  }
  [[nodiscard]] bool take_pair(PyObject* tuple) {
    PyObject *schema_capsule = nullptr, *array_capsule = nullptr;
    return PyArg_ParseTuple(tuple, "OO", &schema_capsule, &array_capsule) != 0 &&
           take(schema_capsule, array_capsule);
  }
};

}  // namespace thriftlens::python
