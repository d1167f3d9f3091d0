// freeze: hashable forms of values, for the keys of dicts and the elements of sets.
#pragma once

#include "support/object.hpp"

namespace thriftlens::python {

/// A hashable form of a value: a dict or struct becomes a tuple of pairs, a list a tuple, a set a frozenset.
inline PyObject* freeze(object value);

inline PyObject* freeze_items(PyObject* dict) {
  object pairs(PyTuple_New(PyDict_GET_SIZE(dict)));
  if (!pairs) return nullptr;
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t position = 0;
  for (Py_ssize_t i = 0; PyDict_Next(dict, &position, &key, &item); ++i) {
    object frozen(freeze(object::share(item)));
    PyObject* pair = frozen ? PyTuple_Pack(2, key, frozen.get()) : nullptr;
    if (pair == nullptr) return nullptr;
    PyTuple_SET_ITEM(pairs.get(), i, pair);
  }
  return pairs.release();
}

inline PyObject* freeze(object value) {
  if (!value) return nullptr;
  if (PyDict_CheckExact(value.get())) return freeze_items(value.get());
  if (PyAnySet_CheckExact(value.get())) return PyFrozenSet_New(value.get());
  if (!PyList_CheckExact(value.get())) return value.release();
  object items(PyTuple_New(PyList_GET_SIZE(value.get())));
  for (Py_ssize_t i = 0; items && i < PyTuple_GET_SIZE(items.get()); ++i) {
    PyObject* frozen = freeze(object::share(PyList_GET_ITEM(value.get(), i)));
    if (frozen == nullptr) return nullptr;
    PyTuple_SET_ITEM(items.get(), i, frozen);
  }
  return items.release();
}

}  // namespace thriftlens::python
