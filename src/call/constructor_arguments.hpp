// constructor_arguments: the arguments of tp_new as those of a fast call.
#pragma once

#include "support/object.hpp"
#include "support/translate_exceptions.hpp"

#include <vector>

namespace thriftlens::python {

/// Must live as long as the result of get().
class constructor_arguments {
 public:
  constructor_arguments(PyObject* by_position, PyObject* by_name) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(by_position); ++i)
      values_.push_back(PyTuple_GET_ITEM(by_position, i));
    count_ = PyTuple_GET_SIZE(by_position);
    if (by_name == nullptr || PyDict_GET_SIZE(by_name) == 0) return;
    names_ = object(PySequence_Tuple(by_name));
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(by_name, &at, &key, &value) != 0;) values_.push_back(value);
  }
  [[nodiscard]] arguments get() const noexcept { return {values_.data(), count_, names_.get()}; }

 private:
  std::vector<PyObject*> values_;
  Py_ssize_t count_ = 0;
  object names_;
};

}  // namespace thriftlens::python
