// attribute: what objects have under names that the program knows. Never asks with a new str: the
// interpreter's cache of lookups keeps each that it was asked with.
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

/// The name as one str, interned. Borrowed; null with a Python error set.
template <attribute_name Name>
[[nodiscard]] PyObject* name_of_attribute() {
  static shared_object cached;
  return interned(cached, Name.text);
}
/// As PyObject_GetAttrString.
template <attribute_name Name>
[[nodiscard]] PyObject* attribute_of(PyObject* of) {
  PyObject* const name = name_of_attribute<Name>();
  return name == nullptr ? nullptr : PyObject_GetAttr(of, name);
}
/// As PyObject_HasAttrString: an error is "no".
template <attribute_name Name>
[[nodiscard]] bool has_attribute(PyObject* of) {
  const object found(attribute_of<Name>(of));
  if (!found) PyErr_Clear();
  return static_cast<bool>(found);
}

}  // namespace thriftlens::python
