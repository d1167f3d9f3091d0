// object: an owned reference to a Python object. Needs the GIL.
#pragma once

#include <Python.h>

#include <utility>

namespace thriftlens::python {

class object {
 public:
  object() noexcept = default;
  /// Takes over a new reference, or null.
  explicit object(PyObject* fresh) noexcept : self_(fresh) {}
  object(object&& other) noexcept : self_(std::exchange(other.self_, nullptr)) {}
  object& operator=(object&& other) noexcept { return std::swap(self_, other.self_), *this; }
  ~object() { Py_XDECREF(self_); }

  /// A new reference to a borrowed object, which may be null.
  [[nodiscard]] static object share(PyObject* borrowed) noexcept {
    Py_XINCREF(borrowed);
    return object(borrowed);
  }
  [[nodiscard]] PyObject* get() const noexcept { return self_; }
  [[nodiscard]] PyObject* release() noexcept { return std::exchange(self_, nullptr); }
  [[nodiscard]] explicit operator bool() const noexcept { return self_ != nullptr; }

 private:
  PyObject* self_ = nullptr;
};

[[nodiscard]] inline PyObject* new_reference(PyObject* borrowed) noexcept {
  Py_INCREF(borrowed);
  return borrowed;
}
/// Appends a new reference to a list. False with a Python error set, also if one of them is null.
[[nodiscard]] inline bool append_new(const object& list, PyObject* fresh) {
  const object item(fresh);
  return list && item && PyList_Append(list.get(), item.get()) == 0;
}

}  // namespace thriftlens::python
