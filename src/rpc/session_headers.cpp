// session_headers: conversion in both directions.
#include "rpc/session_headers.hpp"

#include "support/argument.hpp"
#include "support/locked.hpp"

#include <thriftlens/transport/ttheader.hpp>

#include <utility>

namespace thriftlens::python {

namespace {

PyObject* key_of(const header_entry& of) {
  if (of.kind == header_entry::form::number) return PyLong_FromLong(of.number);
  return escaped_text(of.key);
}

bool add_entry(PyObject* dict, const header_entry& entry, shared_headers& shared) {
  if (entry.kind == header_entry::form::persistent) {
    const shared_headers::texts* const texts = shared.find(entry);
    return texts != nullptr && PyDict_SetItem(dict, texts->key_text.get(), texts->value_text.get()) == 0;
  }
  const object key(key_of(entry)), value(escaped_text(entry.value));
  return key && value && PyDict_SetItem(dict, key.get(), value.get()) == 0;
}
/// The number of a header as a key. False with a Python error set.
bool read_number(PyObject* key, std::uint16_t& to) {
  const long number = PyLong_AsLong(key);
  if (number == -1 && PyErr_Occurred()) PyErr_Clear();
  to = static_cast<std::uint16_t>(number);
  return to == number ||
         raise_value_error("a header's number must be from 0 to 65535, not %s", shown(key).c_str());
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
  for (const header_entry& entry : entries) {
    if (!dict || !add_entry(dict.get(), entry, shared)) return nullptr;
  }
  return dict.release();
}

bool session_headers::take(PyObject* headers) {
  if (is_omitted(headers)) return true;
  if (!PyDict_Check(headers)) return raise_wrong_type("headers must be a dict", headers);
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
    entry.kind = header_entry::form::number;
    if (!read_number(key, entry.number)) return false;
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
    return raise_wrong_type("headers must be str or bytes (keys also int)", value);
  if (!bytes) return false;
  text = bytes_in(bytes.get()).text();
  owners_.push_back(std::move(bytes));
  return true;
}

}  // namespace thriftlens::python
