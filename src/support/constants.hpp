// constants: immutable Python values, compared without running Python code.
#pragma once

#include "support/object.hpp"

namespace thriftlens::python {

/// None, a bool, or an exact str, bytes or int.
[[nodiscard]] inline bool is_constant(PyObject* value) noexcept {
  return value == Py_None || PyBool_Check(value) || PyUnicode_CheckExact(value) ||
         PyBytes_CheckExact(value) || PyLong_CheckExact(value);
}

/// A constant small enough to stay in a cache.
[[nodiscard]] inline bool is_word_or_number(PyObject* value) noexcept {
  constexpr Py_ssize_t max_word = 32;
  if (PyUnicode_CheckExact(value)) return PyUnicode_GET_LENGTH(value) <= max_word;
  return value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value);
}

/// Compares two exact str objects.
[[nodiscard]] inline bool same_text(PyObject* a, PyObject* b) noexcept {
  if (a == b) return true;
  return PyUnicode_GET_LENGTH(a) == PyUnicode_GET_LENGTH(b) && PyUnicode_Compare(a, b) == 0;
}

}  // namespace thriftlens::python
