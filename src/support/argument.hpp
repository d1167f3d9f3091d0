// argument: checks and converts arguments of Python calls.
#pragma once

#include "support/object.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace thriftlens::python {

/// The result of a function that raised an exception: false, or null.
struct raised {
  constexpr operator bool() const noexcept { return false; }  // NOLINT: implicit on purpose
  template <class T>
  constexpr operator T*() const noexcept {  // NOLINT: implicit on purpose
    return nullptr;
  }
};
/// Raises an exception with a text as of PyErr_Format, or with the text itself without arguments.
template <class... Args>
raised raise_as(PyObject* kind, const char* format, Args... args) {
  if constexpr (sizeof...(Args) == 0)
    PyErr_SetString(kind, format);
  else
    PyErr_Format(kind, format, args...);
  return {};
}
template <class... Args>
raised raise_type_error(const char* format, Args... args) {
  return raise_as(PyExc_TypeError, format, args...);
}
template <class... Args>
raised raise_value_error(const char* format, Args... args) {
  return raise_as(PyExc_ValueError, format, args...);
}
/// TypeError: "`expected`, not <type of value>".
inline raised raise_wrong_type(const char* expected, PyObject* value) {
  return raise_type_error("%s, not %.200s", expected, Py_TYPE(value)->tp_name);
}
/// Like raise_wrong_type, with the name of an argument: "`name` must be `expected`, not <type of value>".
inline raised raise_wrong_type(const char* name, const char* expected, PyObject* value) {
  return raise_type_error("%s must be %s, not %.200s", name, expected, Py_TYPE(value)->tp_name);
}
/// Raises an exception object; if it is null, an error is set already.
inline raised raise_object(const object& exception) {
  if (exception) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
  return {};
}

/// Calls `work` with the current Python error, which stays set.
template <class Work>
void with_raised(Work&& work) {
  PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&kind, &value, &trace);
  PyErr_NormalizeException(&kind, &value, &trace);
  if (value != nullptr) work(value);
  PyErr_Clear();  // the original error takes precedence
  PyErr_Restore(kind, value, trace);
}

/// A wrong argument for an error: its repr, but of data or a long text only the type.
[[nodiscard]] inline std::string shown(PyObject* value) {
  PyErr_Clear();
  const bool is_word =
      PyUnicode_Check(value) || PyLong_Check(value) || PyFloat_Check(value) || value == Py_None;
  const object repr(is_word ? PyObject_Repr(value) : nullptr);
  const bool is_short = repr && PyUnicode_GET_LENGTH(repr.get()) <= 60;
  const char* const text = is_short ? PyUnicode_AsUTF8(repr.get()) : nullptr;
  if (text == nullptr) PyErr_Clear();
  return text == nullptr ? Py_TYPE(value)->tp_name : text;
}
[[nodiscard]] inline bool is_omitted(PyObject* argument) noexcept {
  return argument == nullptr || argument == Py_None;
}
[[nodiscard]] inline bool is_pair(PyObject* value) noexcept {
  return PyTuple_Check(value) && PyTuple_GET_SIZE(value) == 2;
}
/// The UTF-8 of a str, valid while the str lives. False with a Python error set.
[[nodiscard]] inline bool utf8_of(PyObject* text, std::string_view& utf8) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data != nullptr) utf8 = {data, static_cast<std::size_t>(size)};
  return data != nullptr;
}
/// One of the enum values, by its text. False without a Python error for others.
template <class Enum>
[[nodiscard]] bool find_value(PyObject* text, std::initializer_list<Enum> values, Enum& to) {
  if (!PyUnicode_Check(text)) return false;
  for (const Enum value : values) {
    to = value;
    if (PyUnicode_CompareWithASCIIString(text, to_string(value).data()) == 0) return true;
  }
  return false;
}

}  // namespace thriftlens::python
