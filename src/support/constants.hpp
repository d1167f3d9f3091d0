// constants: Python values that nothing can change. Never calls code of the caller's.
#pragma once

#include "support/object.hpp"

namespace thriftlens::python {

/// None, a bool, or an exact str, bytes or int.
[[nodiscard]] inline bool is_constant(PyObject* value) noexcept {
  return value == Py_None || PyBool_Check(value) || PyUnicode_CheckExact(value) ||
         PyBytes_CheckExact(value) || PyLong_CheckExact(value);
}

/// The same, and small: what may be held for longer than it is needed.
[[nodiscard]] inline bool is_word_or_number(PyObject* value) noexcept {
  constexpr Py_ssize_t max_word = 32;
  if (PyUnicode_CheckExact(value)) return PyUnicode_GET_LENGTH(value) <= max_word;
  return value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value);
}

/// Of two exact str objects.
[[nodiscard]] inline bool same_text(PyObject* left, PyObject* right) noexcept {
  if (left == right) return true;
  return PyUnicode_GET_LENGTH(left) == PyUnicode_GET_LENGTH(right) && PyUnicode_Compare(left, right) == 0;
}

}  // namespace thriftlens::python
