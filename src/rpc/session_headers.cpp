// session_headers: both ways.
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
  texts& found = at->second;
  if (!found.key_text) found.key_text = object(escaped_text(entry.key));
  if (!found.value_text || found.value != entry.value) {
    found.value_text = object(escaped_text(entry.value));
    found.value = entry.value;
  }
  return found.key_text && found.value_text ? &found : nullptr;
}

PyObject* dict_of(std::span<const header_entry> entries, shared_headers& shared) {
  object made(PyDict_New());
  if (!made) return nullptr;
  for (const header_entry& each : entries) {
    if (each.kind == header_entry::form::persistent) {
      const shared_headers::texts* const texts = shared.find(each);
      if (texts == nullptr || PyDict_SetItem(made.get(), texts->key_text.get(), texts->value_text.get()) != 0)
        return nullptr;
      continue;
    }
    const object key(key_of(each));
    const object value(escaped_text(each.value));
    if (!key || !value || PyDict_SetItem(made.get(), key.get(), value.get()) != 0) return nullptr;
  }
  return made.release();
}

bool session_headers::take(PyObject* given) {
  if (given == nullptr || given == Py_None) return true;
  if (!PyDict_Check(given)) {
    PyErr_Format(PyExc_TypeError, "headers must be a dict, not %.200s", Py_TYPE(given)->tp_name);
    return false;
  }
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  const object fixed = fixed_dict(given);
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
  } else if (entry.key == thriftlens::detail::ttheader_token_key) {
    entry.kind = header_entry::form::token;
  }
  if (!text_of(value, entry.value)) return false;
  entries_.push_back(entry);
  return true;
}

bool session_headers::text_of(PyObject* given, std::string_view& text) {
  object bytes;
  if (PyUnicode_Check(given))
    bytes = object(PyUnicode_AsEncodedString(given, "utf-8", "surrogateescape"));
  else if (PyBytes_Check(given))
    bytes = object::share(given);
  else
    PyErr_Format(PyExc_TypeError, "headers hold str, bytes, and int for keys, not %.200s",
                 Py_TYPE(given)->tp_name);
  if (!bytes) return false;
  text = {PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))};
  owners_.push_back(std::move(bytes));
  return true;
}

}  // namespace thriftlens::python
