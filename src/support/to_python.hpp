// to_python: new Python objects from C++ values, and tuples and lists of them.
#pragma once

#include "support/object.hpp"

#include <thriftlens/core/byte_view.hpp>

#include <concepts>
#include <initializer_list>
#include <string_view>

namespace thriftlens::python {

/// A str in which U+FFFD replaces invalid UTF-8. Null with a Python error set.
[[nodiscard]] inline PyObject* shown_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}
/// A str in which surrogate escapes replace invalid UTF-8, as in os.fsdecode. Null with a Python error set.
[[nodiscard]] inline PyObject* escaped_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
}
/// The contents of a bytes object, which owns them.
[[nodiscard]] inline byte_view bytes_in(PyObject* bytes) noexcept {
  return {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
}

// A new reference. Null with a Python error set.
[[nodiscard]] inline PyObject* to_python(PyObject* fresh) noexcept { return fresh; }
[[nodiscard]] inline PyObject* to_python(object fresh) noexcept { return fresh.release(); }
[[nodiscard]] inline PyObject* to_python(double number) { return PyFloat_FromDouble(number); }
[[nodiscard]] inline PyObject* to_python(std::string_view text) { return shown_text(text); }
/// None for a null pointer.
[[nodiscard]] inline PyObject* to_python(const char* text) {
  return text == nullptr ? new_reference(Py_None) : PyUnicode_FromString(text);
}
template <std::same_as<byte_view> Bytes>
[[nodiscard]] PyObject* to_python(Bytes bytes) {
  return PyBytes_FromStringAndSize(bytes.text().data(), static_cast<Py_ssize_t>(bytes.size()));
}
template <std::integral Number>
[[nodiscard]] PyObject* to_python(Number number) {
  if constexpr (std::same_as<Number, bool>)
    return new_reference(number ? Py_True : Py_False);
  else if constexpr (std::unsigned_integral<Number>)
    return PyLong_FromUnsignedLongLong(number);
  else
    return PyLong_FromLongLong(number);
}
[[nodiscard]] inline PyObject* new_none() noexcept { return new_reference(Py_None); }

/// A new tuple, filled with new references. Null with a Python error set, also if one of them is null.
[[nodiscard]] inline PyObject* filled(object tuple, std::initializer_list<PyObject*> items) {
  bool is_complete = static_cast<bool>(tuple);
  Py_ssize_t at = 0;
  for (PyObject* const item : items) {
    is_complete = is_complete && item != nullptr;
    if (tuple)
      PyTuple_SET_ITEM(tuple.get(), at++, item);
    else
      Py_XDECREF(item);
  }
  return is_complete ? tuple.release() : nullptr;
}
/// A tuple of the values.
template <class... Values>
[[nodiscard]] PyObject* new_tuple(Values&&... values) {
  return filled(object(PyTuple_New(sizeof...(Values))), {to_python(std::forward<Values>(values))...});
}
/// The result of a call with the values. Null with a Python error set, also if one of them is null.
template <class... Values>
[[nodiscard]] PyObject* new_of(PyObject* callable, Values&&... values) {
  const object arguments(new_tuple(std::forward<Values>(values)...));
  return arguments ? PyObject_CallObject(callable, arguments.get()) : nullptr;
}
/// A list of `make(item)` for the items of a range. Null with a Python error set, also if one of them is
/// null.
template <class Range, class Make>
[[nodiscard]] PyObject* new_list(const Range& range, Make&& make) {
  object list(PyList_New(0));
  for (const auto& item : range) {
    if (!append_new(list, make(item))) return nullptr;
  }
  return list.release();
}

}  // namespace thriftlens::python
