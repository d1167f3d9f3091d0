// session_headers: conversion in both directions.
#include "rpc/session_headers.hpp"

#include "support/locked.hpp"

#include <thriftlens/transport/ttheader.hpp>

#include <utility>

namespace thriftlens::python {

namespace {

PyObject* key_of(const header_entry& of) {
  if (of.kind == header_entry::form::number) return PyLong_FromLong(of.number);
  return escaped_text(of.key);
}

}  // namespace

const shared_headers::texts* shared_headers::find(const header_entry& entry) {
  auto at = known_.find(entry.key);
  if (at == known_.end()) at = known_.try_emplace(std::string(entry.key)).first;
  texts& cached = at->second;
  if (!cached.key_text) cached.key_text = object(escaped_text(entry.key));
  if (!cached.value_text || cached.value != entry.value) {
    cached.value_text = object(escaped_text(entry.value));
    cached.value = entry.value;
  }
  return cached.key_text && cached.value_text ? &cached : nullptr;
}

PyObject* dict_of(std::span<const header_entry> entries, shared_headers& shared) {
  object dict(PyDict_New());
  if (!dict) return nullptr;
  for (const header_entry& entry : entries) {
    if (entry.kind == header_entry::form::persistent) {
      const shared_headers::texts* const texts = shared.find(entry);
      if (texts == nullptr || PyDict_SetItem(dict.get(), texts->key_text.get(), texts->value_text.get()) != 0)
        return nullptr;
      continue;
    }
    const object key(key_of(entry));
    const object value(escaped_text(entry.value));
    if (!key || !value || PyDict_SetItem(dict.get(), key.get(), value.get()) != 0) return nullptr;
  }
  return dict.release();
}

bool session_headers::take(PyObject* headers) {
  if (headers == nullptr || headers == Py_None) return true;
  if (!PyDict_Check(headers)) {
    PyErr_Format(PyExc_TypeError, "headers must be a dict, not %.200s", Py_TYPE(headers)->tp_name);
    return false;
  }
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  const object fixed = fixed_dict(headers);
  if (!fixed) return false;
  for (Py_ssize_t at = 0; PyDict_Next(fixed.get(), &at, &key, &value) != 0;) {
    if (!take_entry(key, value)) return false;
  }
  return true;
}

bool session_headers::take_entry(PyObject* key, PyObject* value) {
  header_entry entry;
  if (PyLong_Check(key)) {
    const long number = PyLong_AsLong(key);
    if (number == -1 && PyErr_Occurred()) PyErr_Clear();
    if (number < 0 || number > 0xffff) {
      PyErr_Format(PyExc_ValueError, "a header's number must be from 0 to 65535, not %R", key);
      return false;
    }
    entry.kind = header_entry::form::number;
    entry.number = static_cast<std::uint16_t>(number);
  } else if (!text_of(key, entry.key)) {
    return false;
  } else if (entry.key == detail::ttheader_token_key) {
    entry.kind = header_entry::form::token;
  }
  if (!text_of(value, entry.value)) return false;
  entries_.push_back(entry);
  return true;
}

bool session_headers::text_of(PyObject* value, std::string_view& text) {
  object bytes;
  if (PyUnicode_Check(value))
    bytes = object(PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape"));
  else if (PyBytes_Check(value))
    bytes = object::share(value);
  else
    PyErr_Format(PyExc_TypeError, "headers must be str or bytes (keys also int), not %.200s",
                 Py_TYPE(value)->tp_name);
  if (!bytes) return false;
  text = {PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))};
  owners_.push_back(std::move(bytes));
  return true;
}

}  // namespace thriftlens::python
