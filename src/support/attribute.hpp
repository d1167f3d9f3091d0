// attribute: attributes of Python objects by names known at compile time. The names are interned: a new str
// per lookup would fill the interpreter's method cache.
#pragma once

#include "support/locked.hpp"

#include <algorithm>
#include <cstddef>

namespace thriftlens::python {

template <std::size_t Size>
struct attribute_name {
  char text[Size];
  consteval attribute_name(const char (&from)[Size]) { std::copy_n(from, Size, text); }
};

/// The interned name. Borrowed; null with a Python error set.
template <attribute_name Name>
[[nodiscard]] PyObject* name_of_attribute() {
  static shared_object cached;
  return interned(cached, Name.text);
}
/// Like PyObject_GetAttrString.
template <attribute_name Name>
[[nodiscard]] PyObject* attribute_of(PyObject* of) {
  PyObject* const name = name_of_attribute<Name>();
  return name == nullptr ? nullptr : PyObject_GetAttr(of, name);
}
/// Like PyObject_HasAttrString: false on errors, which are cleared.
template <attribute_name Name>
[[nodiscard]] bool has_attribute(PyObject* of) {
  const object value(attribute_of<Name>(of));
  if (!value) PyErr_Clear();
  return static_cast<bool>(value);
}
/// Whether the object is a mapping with a method keys().
[[nodiscard]] inline bool has_keys(PyObject* of) {
  return PyMapping_Check(of) != 0 && has_attribute<"keys">(of);
}

}  // namespace thriftlens::python
