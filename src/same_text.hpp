// same_text: whether two Python strings hold the same text.
// In: two exact str objects. Out: yes or no.
// Never calls code of the caller's.
#pragma once

#include "object.hpp"

namespace thriftlens::python {

[[nodiscard]] inline bool same_text(PyObject* left, PyObject* right) noexcept {
  if (left == right) return true;
  return PyUnicode_GET_LENGTH(left) == PyUnicode_GET_LENGTH(right) && PyUnicode_Compare(left, right) == 0;
}

}  // namespace thriftlens::python
